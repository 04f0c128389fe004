/** Densities of parameter values, estimated from observed values by mixed kernels (docs/spec/searches.md#tpe). */
import type { Random } from '../../clock/index.ts';
import { normalCdf, normalQuantile } from '../normal.ts';
import type { Axis } from './axis.ts';
import type { ParameterValue } from './space.ts';

const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);
/** Number of the latest observations with full weight. */
const FULL_WEIGHT_COUNT = 25;

export interface Density<V> {
  /** First draws a kernel for each value, then the values. */
  draw(random: Random, count: number): readonly V[];
  /** Natural logarithm of the density, or of the probability for values with steps. */
  log(value: V): number;
}

interface NormalKernel {
  readonly weight: number;
  readonly mean: number;
  readonly deviation: number;
  /** Probability below the start of the axis. */
  readonly below: number;
  /** Probability on the axis. */
  readonly mass: number;
}

/** @param observed values in order of trials */
export function numberDensity(axis: Axis, observed: readonly number[]): Density<number> {
  const { low, high } = axis;
  const positions = observed.map((value) => axis.position(value));
  const means = [...positions, (low + high) / 2];
  const deviations = [...computeDeviations(positions, low, high), high - low];
  const kernels = kernelWeights(observed.length).map((weight, index): NormalKernel => {
    const mean = means[index] ?? 0;
    const deviation = deviations[index] ?? 1;
    const below = normalCdf((low - mean) / deviation);
    return { weight, mean, deviation, below, mass: normalCdf((high - mean) / deviation) - below };
  });
  return {
    draw: (random, count) =>
      drawKernels(kernels, random, count).map(({ mean, deviation, below, mass }) =>
        axis.value(mean + deviation * normalQuantile(below + random.uniform() * mass)),
      ),
    log: (value) => {
      const interval = axis.interval(value);
      const position = axis.position(value);
      let density = 0;
      for (const kernel of kernels)
        density += kernel.weight * (interval === undefined ? densityAt(kernel, position) : massIn(kernel, interval));
      return Math.log(density);
    },
  };
}

/** @param observed choices in order of trials */
export function choiceDensity(
  choices: readonly ParameterValue[],
  observed: readonly ParameterValue[],
): Density<ParameterValue> {
  const prior = 1 / (observed.length + 1);
  const kernels = kernelWeights(observed.length).map((weight, index) => {
    const seen = observed[index];
    const total = (seen === undefined ? 0 : 1) + choices.length * prior;
    return { weight, probabilities: choices.map((choice) => ((choice === seen ? 1 : 0) + prior) / total) };
  });
  const mixture = choices.map((_, choice) =>
    kernels.reduce((sum, { weight, probabilities }) => sum + weight * (probabilities[choice] ?? 0), 0),
  );
  return {
    draw: (random, count) =>
      drawKernels(kernels, random, count).flatMap(
        ({ probabilities }) => choices[pickIndex(probabilities, random.uniform())] ?? [],
      ),
    log: (value) => Math.log(mixture[choices.indexOf(value)] ?? 0),
  };
}

/** Returns weights of `count` kernels, oldest first, and of the prior. They sum to 1. The last 25 have full weight. */
export function kernelWeights(count: number): readonly number[] {
  const risingCount = Math.max(count - FULL_WEIGHT_COUNT, 0);
  const weights = Array.from({ length: count + 1 }, (_, index) =>
    index >= risingCount ? 1 : 1 / count + ((1 - 1 / count) * index) / Math.max(risingCount - 1, 1),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Returns the standard deviation of each observation's kernel: the larger distance to a neighbour, within bounds. */
export function computeDeviations(positions: readonly number[], low: number, high: number): readonly number[] {
  const count = positions.length;
  const order = positions.map((position, index) => ({ position, index })).sort((a, b) => a.position - b.position);
  const smallest = (high - low) / Math.min(100, count + 2);
  const found = positions.map(() => 0);
  for (const [rank, { position, index }] of order.entries()) {
    const left = position - (order[rank - 1]?.position ?? low);
    const right = (order[rank + 1]?.position ?? high) - position;
    const isFirst = count > 1 && rank === 0;
    const isLast = count > 1 && rank === count - 1;
    const distance = isFirst ? right : isLast ? left : Math.max(left, right);
    found[index] = Math.min(Math.max(distance, smallest), high - low);
  }
  return found;
}

function densityAt({ mean, deviation, mass }: NormalKernel, position: number): number {
  const z = (position - mean) / deviation;
  return Math.exp((-z * z) / 2) / (SQRT_TWO_PI * deviation * mass);
}

function massIn({ mean, deviation, mass }: NormalKernel, [from, to]: readonly [number, number]): number {
  return (normalCdf((to - mean) / deviation) - normalCdf((from - mean) / deviation)) / mass;
}

function drawKernels<K extends { readonly weight: number }>(
  kernels: readonly K[],
  random: Random,
  count: number,
): readonly K[] {
  const weights = kernels.map(({ weight }) => weight);
  const drawn = Array.from({ length: count }, () => kernels[pickIndex(weights, random.uniform())]);
  return drawn.filter((kernel) => kernel !== undefined);
}

/** Returns the first index at which the sum of the probabilities exceeds `u`. */
function pickIndex(probabilities: readonly number[], u: number): number {
  let sum = 0;
  for (const [index, probability] of probabilities.entries()) {
    sum += probability;
    if (u < sum) return index;
  }
  return probabilities.length - 1;
}
