/** Everything that is proven over random sequences, by name; the tests run it for seconds, the soak for hours. */
import fc from 'fast-check';
import { CheckedBody, TwinBody } from './bodies.ts';
import { checkGarbage, SLOPPY_MOVES } from './garbage.ts';
import { MOVES } from './moves.ts';
import { checkReplay, checkSnapshot } from './recovery.ts';
import { play } from './sequence.ts';

/** A property over sequences of up to so many moves. */
export type PropertyOf = (maxLength: number) => fc.IProperty<unknown[]>;

/**
 * Of one of the mixtures each. In two halves, so that few are short and what fails can shrink to its core all the same;
 * without the library's bias, which draws most sequences short.
 */
function sequences<T>(ones: readonly fc.Arbitrary<T>[], maxLength: number): fc.Arbitrary<T[]> {
  const half = { maxLength: Math.ceil(maxLength / 2), size: 'max' } as const;
  const ofOne = ones.map((one) => fc.tuple(fc.array(one, half), fc.array(one, half)).map((halves) => halves.flat()));
  return fc.noBias(fc.oneof(...ofOne));
}

export const PROPERTIES = {
  'it emits and is the same as its naive twin after every command': (max) =>
    fc.property(sequences(MOVES, max), (moves) => void play(moves, new TwinBody())),
  'it keeps every law after every command, and a refusal leaves no trace': (max) =>
    fc.property(sequences(MOVES, max), (moves) => void play(moves, new CheckedBody())),
  'it is the same after a replay, also of nothing but what raised the seq': (max) =>
    fc.property(sequences(MOVES, max), checkReplay),
  'it is the same after a snapshot and the tail': (max) =>
    fc.property(sequences(MOVES, max), fc.double({ min: 0, max: 1, noNaN: true }), checkSnapshot),
  'it refuses or takes any number and any word, and keeps every law': (max) =>
    fc.property(sequences(SLOPPY_MOVES, max), checkGarbage),
} satisfies Record<string, PropertyOf>;
