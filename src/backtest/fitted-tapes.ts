import { resolve } from 'node:path';
import { TapeFile } from '../history/index.ts';
import type { TapeManifest } from '../tape/index.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Returns the names of the run's tapes on which its parameters were fitted. A tape counts if it has the same content, or
 * the same market in an overlapping time, as after `tape cut` and `tape join`.
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
    .filter((tape) => hashes.has(tape.contentHash) || fitted.some((other) => hasOverlap(tape, other)))
    .map(({ name }) => name);
}

function hasOverlap(one: TapeManifest, other: TapeManifest): boolean {
  if (one.from > other.to || other.from > one.to) return false;
  const ids = new Set(one.markets.map(({ id }) => id));
  return other.markets.some(({ id }) => ids.has(id));
}
