import { createHash } from 'node:crypto';
import type { TapeUsed } from './run-result.ts';

/** Several tapes as one: names joined, rows summed, the whole span, sha256 over their hashes in order, a line each. */
export function combinedTape(tapes: readonly TapeUsed[]): TapeUsed {
  const [only] = tapes;
  if (only !== undefined && tapes.length === 1) return only;
  const times = (pick: (tape: TapeUsed) => string): readonly string[] => tapes.map(pick).toSorted();
  const name = tapes.length <= 3 ? tapes.map((tape) => tape.name).join(' + ') : `${tapes.length} tapes`;
  return {
    name,
    sha256: createHash('sha256')
      .update(tapes.map(({ sha256 }) => `${sha256}\n`).join(''))
      .digest('hex'),
    events: tapes.reduce((sum, { events }) => sum + events, 0),
    from: times(({ from }) => from)[0] ?? '',
    to: times(({ to }) => to).at(-1) ?? '',
  };
}
