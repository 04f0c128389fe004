/**
 * A numeric parameter on a line where every position is equally likely. A `log` parameter has a line of logarithms.
 * With steps, the line is half a step longer on both sides, so that each value has a whole interval
 * (docs/spec/searches.md#from-a-position-to-a-value).
 */
import type { Dimension, ParameterValue, RangeDimension } from './space.ts';

export interface Axis {
  readonly low: number;
  readonly high: number;
  /** Number of values; undefined if every number of the range is a value. */
  readonly count: number | undefined;
  position(value: number): number;
  /** Returns the value at a position, which is clamped to the range. */
  value(position: number): number;
  /** Returns the interval of positions that give this value; undefined without steps. */
  interval(value: number): readonly [number, number] | undefined;
}

/** Significant digits of values, so that 0.1 + 0.2 is 0.3. */
const DIGITS = 12;

export function makeAxis(dimension: RangeDimension): Axis {
  const { low, high, log } = dimension;
  const toLine = log ? Math.log : (x: number): number => x;
  const fromLine = log ? Math.exp : (x: number): number => x;
  const step = dimension.kind === 'integer' ? 1 : dimension.step;
  if (step === undefined) {
    return {
      low: toLine(low),
      high: toLine(high),
      count: undefined,
      position: toLine,
      value: (position) => clamp(low, high, roundDigits(fromLine(position))),
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
      const stepNumber = clamp(0, steps, Math.floor((fromLine(position) - low) / step + 0.5));
      return clamp(low, high, roundDigits(low + stepNumber * step));
    },
    interval: (value) => [toLine(value - step / 2), toLine(value + step / 2)],
  };
}

/** Returns the choice or the value at the fraction `u` of the axis. @param u in [0, 1) */
export function valueFromUniform(dimension: Dimension, u: number): ParameterValue {
  if (dimension.kind === 'choice') {
    const choice = dimension.choices[Math.floor(u * dimension.choices.length)];
    if (choice === undefined) throw new Error(`Invariant: no choice at ${u}`);
    return choice;
  }
  const axis = makeAxis(dimension);
  return axis.value(axis.low + u * (axis.high - axis.low));
}

function clamp(low: number, high: number, x: number): number {
  return Math.min(Math.max(x, low), high);
}

function roundDigits(x: number): number {
  return Number(x.toPrecision(DIGITS));
}
