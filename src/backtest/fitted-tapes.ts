/** Which tapes of a run its parameters were fitted on: its result there says little. */
import { resolve } from 'node:path';
import { TapeFile } from '../history/index.ts';
import type { TapeManifest } from '../tape/index.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Names of the run's tapes that `fitted_on` covers: the same content, or the same market in a time that overlaps, as
 * after `tape cut` and `tape join`.
 * @param fittedOn paths of tapes, or sha256 of their content
 * @param folder base of relative paths
 * @throws FileFault for a path that is not a tape
 */
export function fittedTapes(
  fittedOn: readonly string[],
  folder: string,
  manifests: readonly TapeManifest[],
): readonly string[] {
  const hashes = new Set(fittedOn.filter((entry) => SHA256.test(entry)));
  const fitted = fittedOn
    .filter((entry) => !SHA256.test(entry))
    .map((path) => TapeFile.open(resolve(folder, path)).manifest);
  for (const { contentHash } of fitted) hashes.add(contentHash);
  return manifests
    .filter((tape) => hashes.has(tape.contentHash) || fitted.some((other) => overlap(tape, other)))
    .map(({ name }) => name);
}

function overlap(one: TapeManifest, other: TapeManifest): boolean {
  if (one.from > other.to || other.from > one.to) return false;
  const ids = new Set(one.markets.map(({ id }) => id));
  return other.markets.some(({ id }) => ids.has(id));
}
