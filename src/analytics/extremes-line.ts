import type { Line } from './measure-types.ts';

const DEFAULT_BUCKETS = 1_000;

/**
 * A line of bounded memory over any number of points. Each bucket of neighbouring points retains the lowest and the
 * highest point. When all buckets are full, they are merged in pairs. The global extremes and the newest point stay.
 *
 * HOT: `add` runs at every change of a mark or of equity (bench/replay.ts).
 */
export class ExtremesLine {
  readonly #maxBuckets: number;
  #buckets = 0;
  /** Points per full bucket. */
  #stride = 1;
  /** Points in the last bucket. */
  #lastCount = 0;
  readonly #lowTime: Float64Array;
  readonly #lowValue: Float64Array;
  readonly #highTime: Float64Array;
  readonly #highValue: Float64Array;
  #lastTime = Number.NaN;
  #lastValue = Number.NaN;
  #points = 0;

  /** @param buckets an even number; the line has at most two points per bucket, plus the newest point */
  constructor(buckets: number = DEFAULT_BUCKETS) {
    this.#maxBuckets = buckets;
    this.#lowTime = new Float64Array(buckets);
    this.#lowValue = new Float64Array(buckets);
    this.#highTime = new Float64Array(buckets);
    this.#highValue = new Float64Array(buckets);
  }

  /** @param time at or after the previous time */
  add(time: number, value: number): void {
    this.#points += 1;
    this.#lastTime = time;
    this.#lastValue = value;
    if (this.#buckets === 0 || this.#lastCount === this.#stride) {
      if (this.#buckets === this.#maxBuckets) this.#mergePairs();
      this.#openBucket(time, value);
      return;
    }
    const bucket = this.#buckets - 1;
    this.#lastCount += 1;
    if (value < this.#lowValue[bucket]!) {
      this.#lowValue[bucket] = value;
      this.#lowTime[bucket] = time;
    }
    if (value > this.#highValue[bucket]!) {
      this.#highValue[bucket] = value;
      this.#highTime[bucket] = time;
    }
  }

  line(): Line {
    const time: number[] = [];
    const value: number[] = [];
    const push = (pointTime: number, pointValue: number): void => {
      time.push(pointTime);
      value.push(pointValue);
    };
    for (let bucket = 0; bucket < this.#buckets; bucket += 1) {
      const low = [this.#lowTime[bucket]!, this.#lowValue[bucket]!] as const;
      const high = [this.#highTime[bucket]!, this.#highValue[bucket]!] as const;
      const [first, second] = low[0] <= high[0] ? [low, high] : [high, low];
      push(...first);
      if (low[1] !== high[1]) push(...second);
    }
    if (this.#buckets > 0 && (time.at(-1) !== this.#lastTime || value.at(-1) !== this.#lastValue))
      push(this.#lastTime, this.#lastValue);
    return { time, value, totalPoints: this.#points };
  }

  #openBucket(time: number, value: number): void {
    const bucket = this.#buckets;
    this.#lowTime[bucket] = time;
    this.#lowValue[bucket] = value;
    this.#highTime[bucket] = time;
    this.#highValue[bucket] = value;
    this.#buckets += 1;
    this.#lastCount = 1;
  }

  /** Merges all buckets, which are full, in pairs. The merged buckets are full at twice the stride. */
  #mergePairs(): void {
    for (let to = 0; to < this.#maxBuckets / 2; to += 1) {
      const first = 2 * to;
      const low = this.#lowValue[first]! <= this.#lowValue[first + 1]! ? first : first + 1;
      const high = this.#highValue[first]! >= this.#highValue[first + 1]! ? first : first + 1;
      this.#lowTime[to] = this.#lowTime[low]!;
      this.#lowValue[to] = this.#lowValue[low]!;
      this.#highTime[to] = this.#highTime[high]!;
      this.#highValue[to] = this.#highValue[high]!;
    }
    this.#buckets = this.#maxBuckets / 2;
    this.#stride *= 2;
    this.#lastCount = this.#stride;
  }
}
