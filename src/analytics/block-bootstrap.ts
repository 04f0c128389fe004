/**
 * Confidence intervals of share-weighted means by block bootstrap (docs/spec/models.md#confidence-intervals). Values
 * are summed in blocks of time, and whole blocks are drawn with replacement, so that bursts widen the interval.
 *
 * HOT: up to 16 million draws at the end of a run, 11 to 14 ns each, a thirtieth of the time of bench/peers.ts.
 */
import type { Random } from '../clock/index.ts';

const MIN_BLOCKS = 20;
const DRAWS = 2_000;
/** Maximum number of blocks. When there are more, neighbours are merged in pairs, which bounds memory. */
const MAX_BLOCKS = 1_024;

interface BlockSum {
  weight: number;
  sum: number;
}

export class BlockSums {
  #blockMs: number;
  #blocks = new Map<number, BlockSum>();

  /** @param blockMs length of a block: the horizon, at least 60 s (docs/spec/models.md#confidence-intervals) */
  constructor(blockMs: number) {
    this.#blockMs = blockMs;
  }

  get count(): number {
    return this.#blocks.size;
  }

  add(time: number, weight: number, value: number): void {
    const key = Math.floor(time / this.#blockMs);
    const block = this.#blocks.get(key);
    if (block !== undefined) {
      block.weight += weight;
      block.sum += weight * value;
      return;
    }
    this.#blocks.set(key, { weight, sum: weight * value });
    if (this.#blocks.size > MAX_BLOCKS) this.#mergePairs();
  }

  /** Returns the 2.5 and 97.5 percentiles of the drawn weighted means; undefined with fewer than 20 blocks. */
  interval(random: Random): readonly [number, number] | undefined {
    if (this.#blocks.size < MIN_BLOCKS) return undefined;
    const keys = [...this.#blocks.keys()].sort((a, b) => a - b);
    const weights = Float64Array.from(keys, (key) => this.#blocks.get(key)?.weight ?? 0);
    const sums = Float64Array.from(keys, (key) => this.#blocks.get(key)?.sum ?? 0);
    const means = new Float64Array(DRAWS);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      let weight = 0;
      let sum = 0;
      for (let block = 0; block < weights.length; block += 1) {
        const drawn = random.int(weights.length);
        weight += weights[drawn]!;
        sum += sums[drawn]!;
      }
      means[draw] = sum / weight;
    }
    means.sort();
    return [percentile(means, 0.025), percentile(means, 0.975)];
  }

  #mergePairs(): void {
    this.#blockMs *= 2;
    const merged = new Map<number, BlockSum>();
    for (const [key, block] of this.#blocks) {
      const half = Math.floor(key / 2);
      const target = merged.get(half);
      if (target === undefined) merged.set(half, block);
      else {
        target.weight += block.weight;
        target.sum += block.sum;
      }
    }
    this.#blocks = merged;
  }
}

/** Interpolates linearly between the two nearest ranks of an ascending list. */
function percentile(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}
