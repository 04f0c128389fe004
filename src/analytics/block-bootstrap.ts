/**
 * Confidence intervals of share-weighted means by block bootstrap (docs/spec/models.md#confidence-intervals). Values
 * are summed in blocks of time, and whole blocks are drawn with replacement, so that bursts widen the interval.
 *
 * HOT: up to 16 million draws at the end of a run. Sharing random numbers cuts the time to a quarter (bench/replay.ts).
 */
import type { Random } from '../clock/index.ts';

const MIN_BLOCKS = 20;
const DRAWS = 2_000;
/** Maximum number of blocks. When there are more, neighbours are merged in pairs, which bounds memory. */
const MAX_BLOCKS = 256;
const TWO_TO_32 = 4_294_967_296;

interface BlockSum {
  readonly key: number;
  weight: number;
  sum: number;
}

/** Random numbers that several intervals share, which correlates the errors of these intervals. */
export class BlockDraws {
  readonly #random: Random;
  #numbers = new Uint32Array();
  #blocks = new Uint16Array();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns `DRAWS` draws of `count` blocks each: numbers of 0 to `count - 1`, the same ones at each call. */
  drawBlocks(count: number): Uint16Array {
    const length = DRAWS * count;
    if (this.#blocks.length === length) return this.#blocks;
    const numbers = this.#drawNumbers(length);
    this.#blocks = new Uint16Array(length);
    for (let at = 0; at < length; at += 1) this.#blocks[at] = Math.floor((numbers[at]! * count) / TWO_TO_32);
    return this.#blocks;
  }

  /** Returns at least `count` integers of 0 to 2^32 - 1, the same ones at each call. */
  #drawNumbers(count: number): Uint32Array {
    if (count <= this.#numbers.length) return this.#numbers;
    const numbers = new Uint32Array(count);
    numbers.set(this.#numbers);
    for (let at = this.#numbers.length; at < count; at += 1) numbers[at] = this.#random.int(TWO_TO_32);
    this.#numbers = numbers;
    return this.#numbers;
  }
}

export class BlockSums {
  #blockMs: number;
  #blocks = new Map<number, BlockSum>();
  /** The block of the previous value, to which the next value usually belongs, too. */
  #last: BlockSum | undefined;

  /** @param blockMs length of a block: the horizon, at least 60 s (docs/spec/models.md#confidence-intervals) */
  constructor(blockMs: number) {
    this.#blockMs = blockMs;
  }

  get count(): number {
    return this.#blocks.size;
  }

  add(time: number, weight: number, value: number): void {
    const key = Math.floor(time / this.#blockMs);
    if (this.#last?.key !== key) {
      while (this.#blocks.size >= MAX_BLOCKS) this.#mergePairs();
      this.#last = this.#blockAt(Math.floor(time / this.#blockMs));
    }
    this.#last.weight += weight;
    this.#last.sum += weight * value;
  }

  /** Returns the 2.5 and 97.5 percentiles of the drawn weighted means; undefined with fewer than 20 blocks. */
  interval(draws: BlockDraws): readonly [number, number] | undefined {
    const count = this.#blocks.size;
    if (count < MIN_BLOCKS) return undefined;
    const blocks = [...this.#blocks.values()].sort((a, b) => a.key - b.key);
    const weights = Float64Array.from(blocks, (block) => block.weight);
    const sums = Float64Array.from(blocks, (block) => block.sum);
    const drawn = draws.drawBlocks(count);
    const means = new Float64Array(DRAWS);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      let weight = 0;
      let sum = 0;
      for (let at = draw * count; at < (draw + 1) * count; at += 1) {
        weight += weights[drawn[at]!]!;
        sum += sums[drawn[at]!]!;
      }
      means[draw] = sum / weight;
    }
    means.sort();
    return [percentile(means, 0.025), percentile(means, 0.975)];
  }

  #blockAt(key: number): BlockSum {
    let block = this.#blocks.get(key);
    if (block === undefined) {
      block = { key, weight: 0, sum: 0 };
      this.#blocks.set(key, block);
    }
    return block;
  }

  #mergePairs(): void {
    const blocks = this.#blocks;
    this.#blockMs *= 2;
    this.#blocks = new Map();
    this.#last = undefined;
    for (const { key, weight, sum } of blocks.values()) {
      const merged = this.#blockAt(Math.floor(key / 2));
      merged.weight += weight;
      merged.sum += sum;
    }
  }
}

/** Interpolates linearly between the two nearest ranks of an ascending list. */
function percentile(sorted: Float64Array, fraction: number): number {
  const rank = fraction * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}
