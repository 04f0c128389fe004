/** Properties of random sequences by name. The tests run them for seconds, the soak for hours. */
import fc from 'fast-check';
import { CheckedBody, TwinBody } from './bodies.ts';
import { checkGarbage, INVALID_MOVES } from './garbage.ts';
import { MOVES } from './moves.ts';
import { checkReplay, checkSnapshot } from './recovery.ts';
import { runSequence } from './sequence.ts';

/** Returns a property of sequences of at most `maxLength` moves. */
export type PropertyOf = (maxLength: number) => fc.IProperty<unknown[]>;

/**
 * Returns sequences of moves, each from one mixture. Each joins two lists, so that few sequences are short and failures
 * still shrink. The bias of fast-check is off because it makes most sequences short.
 */
function sequences<T>(mixtures: readonly fc.Arbitrary<T>[], maxLength: number): fc.Arbitrary<T[]> {
  const half = { maxLength: Math.ceil(maxLength / 2), size: 'max' } as const;
  const lists = mixtures.map((move) =>
    fc.tuple(fc.array(move, half), fc.array(move, half)).map((halves) => halves.flat()),
  );
  return fc.noBias(fc.oneof(...lists));
}

export const PROPERTIES = {
  'emits the same events and has the same state as its naive twin after every command': (max) =>
    fc.property(sequences(MOVES, max), (moves) => void runSequence(moves, new TwinBody())),
  'keeps every invariant after every command, and a refusal changes nothing': (max) =>
    fc.property(sequences(MOVES, max), (moves) => void runSequence(moves, new CheckedBody())),
  'has the same state after a replay of all commands, and after one of only the commands that emitted events': (max) =>
    fc.property(sequences(MOVES, max), checkReplay),
  'has the same state after a snapshot and the later commands': (max) =>
    fc.property(sequences(MOVES, max), fc.double({ min: 0, max: 1, noNaN: true }), checkSnapshot),
  'refuses or executes any number and any text, and keeps every invariant': (max) =>
    fc.property(sequences(INVALID_MOVES, max), checkGarbage),
} satisfies Record<string, PropertyOf>;
