import { z } from 'zod';
import { findRunTapes, type RunSpec } from '../../backtest/index.ts';
import { formatTime, InputFault, parseTime, unchecked } from '../../domain/index.ts';
import type { TapeManifest } from '../../tape/index.ts';

/** The tapes of one backtest, as stored in the database of a study. */
export const tapeSchema = z.object({
  /** Content hash of the tape, or hashes and selected markets of all tapes. */
  id: z.string(),
  name: z.string(),
  /** Content hashes of these tapes. */
  hashes: z.array(z.string()).readonly(),
  markets: z
    .array(
      z.object({
        slug: z.string(),
        /** Event of the tape, or the market itself. */
        event: z.string(),
        /** First and last time of the tape, epoch ms. A study assumes that the market was decided at `end`. */
        start: z.number(),
        end: z.number(),
      }),
    )
    .readonly(),
});
export interface StudyTape extends Readonly<z.output<typeof tapeSchema>> {
  /** Keys of the spec that select the replayed rows. */
  readonly part: Pick<RunSpec, 'tapes' | 'from' | 'to'>;
}

interface StudyTapeOptions {
  /** Whether one backtest replays all tapes. */
  readonly together: boolean;
}

/** @throws FileFault; InputFault for partial or no tapes */
export function readStudyTapes(spec: RunSpec, baseDir: string, { together }: StudyTapeOptions): readonly StudyTape[] {
  const found = findRunTapes(spec, baseDir);
  if (together) {
    const markets = found.flatMap(({ tape }) => toStudyMarkets(tape.manifest));
    const ids = found.map(({ tape, markets: selected = [] }) => [tape.manifest.contentHash, ...selected].join(' '));
    const { tapes, from, to } = spec;
    const hashes = found.map(({ tape }) => tape.manifest.contentHash);
    return [{ id: ids.join(', '), name: 'all tapes', hashes, markets, part: { tapes, from, to } }];
  }
  const partial = found.find(({ markets }) => markets !== undefined);
  if (partial !== undefined) {
    const expected = `a condition that selects whole tapes, or together: true. ${partial.tape.path} has other markets`;
    throw new InputFault('tapes', undefined, expected);
  }
  const from = spec.from === undefined ? Number.NEGATIVE_INFINITY : parseTime('from', spec.from);
  const to = spec.to === undefined ? Number.POSITIVE_INFINITY : parseTime('to', spec.to);
  const tapes = found
    .map(({ tape }) => tape)
    .filter(({ manifest }) => manifest.to > from && manifest.from < to)
    .map(
      ({ path, manifest }): StudyTape => ({
        id: manifest.contentHash,
        name: manifest.name,
        hashes: [manifest.contentHash],
        markets: toStudyMarkets(manifest),
        part: {
          tapes: [path],
          from: manifest.from < from ? spec.from : undefined,
          to: manifest.to >= to ? spec.to : undefined,
        },
      }),
    );
  if (tapes.length === 0)
    throw emptyWindowFault(
      spec,
      from,
      found.map(({ tape }) => tape.manifest),
    );
  return tapes;
}

/** Returns the fault for a window that no tape overlaps. It names the key that excludes the last tapes. */
function emptyWindowFault({ from, to }: RunSpec, fromMs: number, manifests: readonly TapeManifest[]): InputFault {
  const later = manifests.filter((manifest) => manifest.to > fromMs);
  if (later.length === 0) {
    const end = formatTime(unchecked.time(Math.max(...manifests.map((manifest) => manifest.to))));
    return new InputFault('from', from, `a time before ${end}, when the last tape ends`);
  }
  const start = formatTime(unchecked.time(Math.min(...later.map((manifest) => manifest.from))));
  const which = from === undefined ? 'the first tape' : 'the first tape that ends after `from`';
  return new InputFault('to', to, `a time after ${start}, when ${which} begins`);
}

function toStudyMarkets({ markets, from, to }: TapeManifest): StudyTape['markets'] {
  return markets.map(({ slug, eventId = slug }) => ({ slug, event: eventId, start: from, end: to }));
}
