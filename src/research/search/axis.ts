/**
 * A numeric parameter on a line where every position is equally likely: logarithms if it is `log`, and half a step
 * more on both sides if it moves in steps, so that each value owns an interval of the same length
 * (docs/spec/searches.md#from-a-position-to-a-value).
 */
import type { Dimension, IntegerDimension, NumberDimension, ParameterValue } from './space.ts';

export interface Axis {
  /** The ends of the line. */
  readonly low: number;
  readonly high: number;
  /** How many values there are; undefined if every number of the range is one. */
  readonly count: number | undefined;
  /** Where a value is on the line. */
  position(value: number): number;
  /** The value at a position. Positions past an end count as the end. */
  value(position: number): number;
  /** The interval of a value that moves in steps; undefined otherwise. */
  interval(value: number): readonly [number, number] | undefined;
}

/** Digits of a number between steps: enough for any strategy, and 0.1 + 0.2 is 0.3. */
const DIGITS = 12;

export function axisOf(dimension: NumberDimension | IntegerDimension): Axis {
  const { low, high, log } = dimension;
  const toLine = log ? Math.log : identity;
  const fromLine = log ? Math.exp : identity;
  const step = dimension.kind === 'integer' ? 1 : dimension.step;
  if (step === undefined) {
    return {
      low: toLine(low),
      high: toLine(high),
      count: undefined,
      position: toLine,
      value: (position) => within(low, high, shortened(fromLine(position))),
      interval: () => undefined,
    };
  }
  // Division of decimals may fall just short of a whole number of steps.
  const steps = Math.floor((high - low) / step + 1e-9);
  const last = low + steps * step;
  return {
    low: toLine(low - step / 2),
    high: toLine(last + step / 2),
    count: steps + 1,
    position: toLine,
    value: (position) => {
      const at = within(0, steps, Math.floor((fromLine(position) - low) / step + 0.5));
      return within(low, high, shortened(low + at * step));
    },
    interval: (value) => [toLine(value - step / 2), toLine(value + step / 2)],
  };
}

/** The value for a number `u` of [0, 1): all values are equally likely if `u` is uniform. */
export function valueAt(dimension: Dimension, u: number): ParameterValue {
  if (dimension.kind === 'choice') return choiceAt(dimension.choices, u);
  const axis = axisOf(dimension);
  return axis.value(axis.low + u * (axis.high - axis.low));
}

function choiceAt(choices: readonly ParameterValue[], u: number): ParameterValue {
  const choice = choices[Math.floor(u * choices.length)];
  if (choice === undefined) throw new Error(`Invariant: no choice at ${u}`);
  return choice;
}

function identity(x: number): number {
  return x;
}

function within(low: number, high: number, x: number): number {
  return Math.min(Math.max(x, low), high);
}

function shortened(x: number): number {
  return Number(x.toPrecision(DIGITS));
}
