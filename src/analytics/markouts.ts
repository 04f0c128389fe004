/**
 * Effective half-spread of maker fills and their markouts (docs/spec/models.md#spread-and-markout): what a fill was
 * worth against the mark just before it, and against the last mark at or before t + h. Weighted by shares.
 *
 * Invariant: memory holds the fills of the last hour and those of the last 64 marks; the way to the resolution is a sum, as payout enters
 * every fill's markout linearly.
 */
import type { Random } from '../clock/index.ts';
import { BlockSums } from './block-bootstrap.ts';
import type { WeightedMean } from './figures.ts';

export const HORIZONS = [
  { label: '1 s', ms: 1_000 },
  { label: '5 s', ms: 5_000 },
  { label: '30 s', ms: 30_000 },
  { label: '1 m', ms: 60_000 },
  { label: '5 m', ms: 300_000 },
  { label: '15 m', ms: 900_000 },
  { label: '1 h', ms: 3_600_000 },
] as const;

const MIN_BLOCK_MS = 60_000;
const NEAREST_MS = Math.min(...HORIZONS.map(({ ms }) => ms));
const MAX_WAITING = 64;

/** A fill in YES terms, from its maker's side: an own one, or that of a recorded print. */
export interface MakerFill {
  /** Exchange time, epoch ms. */
  readonly time: number;
  /** +1 bought YES exposure, -1 sold it. */
  readonly sign: number;
  /** YES price, bps. */
  readonly price: number;
  readonly lots: number;
}

/** A share-weighted mean in the making. Values are half-bps (`s * (M - 2p)`). */
export class MeanSums {
  #lots = 0;
  #sum = 0;
  #count = 0;
  #censored = 0;
  readonly #blocks: BlockSums | undefined;

  /** @param horizonMs how far the values reach: no two fills closer than that are independent; undefined for no interval */
  constructor(horizonMs: number | undefined) {
    if (horizonMs !== undefined) this.#blocks = new BlockSums(Math.max(horizonMs, MIN_BLOCK_MS));
  }

  add(fill: MakerFill, mark: number, censored: boolean): void {
    this.#count += 1;
    if (censored) this.#censored += 1;
    this.#weigh(fill, fill.lots, mark);
  }

  /** Takes back what `add` added, where it was not censored. */
  remove(fill: MakerFill, mark: number): void {
    this.#count -= 1;
    this.#weigh(fill, -fill.lots, mark);
  }

  #weigh({ time, sign, price }: MakerFill, lots: number, mark: number): void {
    const value = sign * (mark - 2 * price);
    this.#lots += lots;
    this.#sum += lots * value;
    this.#blocks?.add(time, lots, value);
  }

  /** Lots, and the sum of half-bps times lots. */
  get total(): { readonly lots: number; readonly halves: number } {
    return { lots: this.#lots, halves: this.#sum };
  }

  /** Undefined when nothing was added. */
  mean(random: Random): WeightedMean | undefined {
    if (this.#lots === 0) return undefined;
    const interval = this.#blocks?.interval(random);
    return {
      bps: this.#sum / this.#lots / 2,
      count: this.#count,
      shares: this.#lots * 10_000,
      censored: this.#censored,
      interval: interval === undefined ? undefined : [interval[0] / 2, interval[1] / 2],
    };
  }
}

export class MarkoutTotals {
  readonly effective: MeanSums;
  readonly horizons: readonly MeanSums[];
  #lots = 0;
  #sum = 0;
  #count = 0;

  /** @param intervals whether the means come with bootstrapped intervals */
  constructor(intervals = true) {
    this.effective = new MeanSums(intervals ? 0 : undefined);
    this.horizons = HORIZONS.map(({ ms }) => new MeanSums(intervals ? ms : undefined));
  }

  /** Adds a resolved market's fills to the way to the resolution. `sum` in half-bps times lots. */
  addResolution(lots: number, sum: number, count: number): void {
    this.#lots += lots;
    this.#sum += sum;
    this.#count += count;
  }

  /** Of markets that resolve on the tape; undefined where none with a fill does. No interval: fills of one market share one payout. */
  resolution(): WeightedMean | undefined {
    if (this.#lots === 0) return undefined;
    return {
      bps: this.#sum / this.#lots / 2,
      count: this.#count,
      shares: this.#lots * 10_000,
      censored: 0,
      interval: undefined,
    };
  }
}

/**
 * The fills of one market that wait for their marks. HOT: marks wait, too, and are gone through together: one by one they
 * took three times as long, as each found the caches full of other work (bench/peers.ts).
 */
export class MarketMarkouts {
  readonly #totals: MarkoutTotals;
  readonly #fills = new FillRing();
  /** For each horizon the number of its first fill that waits. A longer horizon is never ahead of a shorter one. */
  readonly #first = HORIZONS.map(() => 0);
  /** Double mids with their times: one in force up to which all is settled, then those that wait. */
  readonly #marks = new Float64Array(1 + MAX_WAITING);
  readonly #times = new Float64Array(1 + MAX_WAITING);
  #waiting = 0;
  #lots = 0;
  #signedLots = 0;
  #signedCost = 0;
  #count = 0;
  /** Fills that the venue may still take back, by number, with the marks that they had at each horizon so far. */
  readonly #provisional = new Map<number, number[]>();
  /** Numbers of fills that wait for marks and were taken back. */
  readonly #reversed = new Set<number>();

  /** @param mark double mid in force now */
  constructor(totals: MarkoutTotals, mark: number) {
    this.#totals = totals;
    this.#marks[0] = mark;
    this.#times[0] = Number.NEGATIVE_INFINITY;
  }

  /**
   * A maker fill; answers its number.
   * @param before mark in force strictly before the message that caused it, the own price if none
   * @param provisional whether `settled` or `reversed` follows
   */
  fill(fill: MakerFill, before: number, provisional = false): number {
    // One that comes late is not looked at by marks from before it came.
    if (fill.time + NEAREST_MS < this.#times[this.#waiting]!) this.settle();
    this.#totals.effective.add(fill, before, false);
    this.#weigh(fill, 1);
    if (provisional) this.#provisional.set(this.#fills.end, []);
    this.#fills.push(fill, this.#first.at(-1) ?? 0);
    return this.#fills.end - 1;
  }

  settled(number: number): void {
    this.#provisional.delete(number);
  }

  /** The venue took a fill back: it counts in no mean. */
  reversed(number: number, fill: MakerFill, before: number): void {
    this.settle();
    const marks = this.#provisional.get(number) ?? [];
    this.#provisional.delete(number);
    this.#totals.effective.remove(fill, before);
    this.#weigh(fill, -1);
    for (const [horizon, mark] of marks.entries()) this.#totals.horizons[horizon]?.remove(fill, mark);
    if (marks.length < HORIZONS.length) this.#reversed.add(number);
  }

  /** A new mark at exchange time `time`. */
  mark(time: number, mark: number): void {
    if (this.#waiting === MAX_WAITING) this.settle();
    if (this.#first.at(-1)! < this.#fills.end) this.#waiting += 1;
    this.#marks[this.#waiting] = mark;
    this.#times[this.#waiting] = time;
  }

  /** Adds to the totals what all marks so far decide. What no mark follows is censored. */
  settle(): void {
    const [marks, times, last] = [this.#marks, this.#times, this.#waiting];
    for (let horizon = 0; horizon < HORIZONS.length; horizon += 1) {
      const { ms } = HORIZONS[horizon]!;
      let number = this.#first[horizon]!;
      let next = 1;
      for (; number < this.#fills.end; number += 1) {
        const due = this.#fills.timeOf(number) + ms;
        while (next <= last && due >= times[next]!) next += 1;
        if (next > last) break;
        this.#add(horizon, number, marks[next - 1]!);
      }
      this.#first[horizon] = number;
    }
    marks[0] = marks[last]!;
    times[0] = times[last]!;
    this.#waiting = 0;
  }

  /**
   * The end of this market: what still waits is past the last mark. At a resolution those whose horizon reaches it get
   * the payout; without one, or before it, they keep the last mark and count as censored.
   * @param payout twice the payout in bps; undefined when nothing was decided
   */
  finish(time: number, payout: number | undefined): void {
    this.settle();
    const [mark, markTime] = [this.#marks[0]!, this.#times[0]!];
    for (const [horizon, { ms }] of HORIZONS.entries()) {
      const sums = this.#totals.horizons[horizon];
      for (let number = this.#first[horizon]!; number < this.#fills.end; number += 1) {
        if (this.#reversed.has(number)) continue;
        const fill = this.#fills.at(number);
        const due = fill.time + ms;
        if (payout !== undefined && due >= time) sums?.add(fill, payout, false);
        else sums?.add(fill, mark, due > markTime);
      }
      this.#first[horizon] = this.#fills.end;
    }
    // The last mark is no payout.
    if (payout !== undefined) {
      this.#totals.addResolution(this.#lots, payout * this.#signedLots - 2 * this.#signedCost, this.#count);
    }
    this.#lots = 0;
    this.#signedLots = 0;
    this.#signedCost = 0;
    this.#count = 0;
  }

  /** What the way to the resolution is computed from. */
  #weigh({ sign, price, lots }: MakerFill, times: 1 | -1): void {
    this.#lots += times * lots;
    this.#signedLots += times * sign * lots;
    this.#signedCost += times * sign * lots * price;
    this.#count += times;
  }

  #add(horizon: number, number: number, mark: number): void {
    if (this.#reversed.size > 0 && this.#reversed.has(number)) {
      if (horizon === HORIZONS.length - 1) this.#reversed.delete(number);
      return;
    }
    this.#totals.horizons[horizon]!.add(this.#fills.at(number), mark, false);
    if (this.#provisional.size > 0) this.#provisional.get(number)?.push(mark);
  }
}

const FIELDS = 4;

/** Fills by number. Numbers in place of objects: objects that live for minutes cost a replay a tenth of its time in collections. */
class FillRing {
  end = 0;
  #fields = new Float64Array(64 * FIELDS);

  /** @param oldest number of the first fill that is still needed */
  push({ time, sign, price, lots }: MakerFill, oldest: number): void {
    if ((this.end - oldest) * FIELDS === this.#fields.length) this.#grow(oldest);
    const place = this.#place(this.end);
    this.#fields[place] = time;
    this.#fields[place + 1] = sign;
    this.#fields[place + 2] = price;
    this.#fields[place + 3] = lots;
    this.end += 1;
  }

  timeOf(number: number): number {
    return this.#fields[this.#place(number)]!;
  }

  at(number: number): MakerFill {
    const place = this.#place(number);
    return {
      time: this.#fields[place]!,
      sign: this.#fields[place + 1]!,
      price: this.#fields[place + 2]!,
      lots: this.#fields[place + 3]!,
    };
  }

  /** The number of fields is a power of 2. */
  #place(number: number): number {
    return (number * FIELDS) & (this.#fields.length - 1);
  }

  #grow(oldest: number): void {
    const { end } = this;
    const fills = Array.from({ length: end - oldest }, (_, index) => this.at(oldest + index));
    this.#fields = new Float64Array(this.#fields.length * 2);
    this.end = oldest;
    for (const fill of fills) this.push(fill, oldest);
  }
}
