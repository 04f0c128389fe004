/**
 * Effective half-spreads and markouts of maker fills, weighted by shares (docs/spec/models.md#spread-and-markout). The
 * half-spread compares a fill at time t with the mark just before t. The markout of horizon h compares the fill with
 * the last mark at or before t + h. Marks are double mids.
 *
 * Invariant: memory contains only the fills of the last hour and of the last 256 marks. The markout to the resolution
 * needs only sums, because it is linear in the payout.
 */
import { LOT } from '../domain/index.ts';
import { type BlockDraws, BlockSums } from './block-bootstrap.ts';
import { FillRing, type MakerFill } from './fill-ring.ts';
import type { WeightedMean } from './measure-types.ts';

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
const SHORTEST_HORIZON_MS = Math.min(...HORIZONS.map(({ ms }) => ms));
const MAX_WAITING_MARKS = 256;
/** Value of `isCensored`. */
const NOT_CENSORED = false;

/** Accumulates a share-weighted mean of half-bps values (`s * (M - 2p)`). */
export class MeanSums {
  #lots = 0;
  #sum = 0;
  #count = 0;
  #censored = 0;
  readonly #blocks: BlockSums | undefined;

  /** @param horizonMs time within which fills are dependent; undefined for a mean without an interval */
  constructor(horizonMs: number | undefined) {
    if (horizonMs !== undefined) this.#blocks = new BlockSums(Math.max(horizonMs, MIN_BLOCK_MS));
  }

  /** @param factor -1 to reverse a fill */
  add(fill: MakerFill, mark: number, isCensored: boolean, factor: 1 | -1 = 1): void {
    const lots = factor * fill.lots;
    const value = fill.sign * (mark - 2 * fill.price);
    this.#count += factor;
    if (isCensored) this.#censored += factor;
    this.#lots += lots;
    this.#sum += lots * value;
    this.#blocks?.add(fill.time, lots, value);
  }

  /** Adds the sum of `count` fills. @param sum half-bps times lots */
  addSum(lots: number, sum: number, count: number): void {
    this.#lots += lots;
    this.#sum += sum;
    this.#count += count;
  }

  get total(): { readonly lots: number; readonly halfBpsTimesLots: number } {
    return { lots: this.#lots, halfBpsTimesLots: this.#sum };
  }

  /** Returns the mean; undefined without fills. */
  mean(draws: BlockDraws): WeightedMean | undefined {
    if (this.#lots === 0) return undefined;
    const interval = this.#blocks?.interval(draws);
    return {
      bps: this.#sum / this.#lots / 2,
      count: this.#count,
      shares: this.#lots * LOT,
      censored: this.#censored,
      interval: interval === undefined ? undefined : [interval[0] / 2, interval[1] / 2],
    };
  }
}

export class MarkoutTotals {
  readonly effective: MeanSums;
  readonly horizons: readonly MeanSums[];
  /** Has no interval, because all fills of a market have the same payout. */
  readonly resolution = new MeanSums(undefined);

  /** @param hasIntervals whether the means have bootstrap intervals */
  constructor({ hasIntervals = true }: { readonly hasIntervals?: boolean } = {}) {
    this.effective = new MeanSums(hasIntervals ? 0 : undefined);
    this.horizons = HORIZONS.map(({ ms }) => new MeanSums(hasIntervals ? ms : undefined));
  }
}

/**
 * The fills of one market that wait for their marks. HOT: marks are processed in batches, which takes a third of the
 * time, because the caches stay warm (bench/peers.ts).
 */
export class MarketMarkouts {
  readonly #totals: MarkoutTotals;
  readonly #fills = new FillRing();
  /** Number of the first waiting fill of each horizon. A longer horizon never has a higher number. */
  readonly #firstWaiting = HORIZONS.map(() => 0);
  /** At index 0 the last processed mark, then the waiting marks. */
  readonly #marks = new Float64Array(1 + MAX_WAITING_MARKS);
  readonly #times = new Float64Array(1 + MAX_WAITING_MARKS);
  #waitingMarks = 0;
  #lots = 0;
  #signedLots = 0;
  #signedCost = 0;
  #count = 0;
  /** Twice the payout in bps; undefined until the market resolves. */
  #doublePayout: number | undefined;
  /** The marks that each provisional fill got so far, in order of horizons. */
  readonly #provisional = new Map<number, { readonly mark: number; readonly isCensored: boolean }[]>();
  /** Numbers of reversed fills that still wait for marks. */
  readonly #reversed = new Set<number>();

  /** @param mark the current mark */
  constructor(totals: MarkoutTotals, mark: number) {
    this.#totals = totals;
    this.#marks[0] = mark;
    this.#times[0] = Number.NEGATIVE_INFINITY;
  }

  /**
   * Adds a maker fill and returns its number.
   * @param markBefore mark strictly before the message that caused the fill, or twice the fill's own price
   * @param isProvisional whether `settleFill` or `reverseFill` follows
   */
  addFill(fill: MakerFill, markBefore: number, isProvisional = false): number {
    // A late fill must get the newest mark, not an older mark that still waits.
    if (fill.time + SHORTEST_HORIZON_MS < this.#times[this.#waitingMarks]!) this.processMarks();
    this.#totals.effective.add(fill, markBefore, NOT_CENSORED);
    this.#addToSums(fill, 1);
    if (isProvisional) this.#provisional.set(this.#fills.nextNumber, []);
    this.#fills.push(fill, this.#firstWaiting.at(-1) ?? 0);
    return this.#fills.nextNumber - 1;
  }

  settleFill(number: number): void {
    this.#provisional.delete(number);
  }

  reverseFill(number: number, fill: MakerFill, markBefore: number): void {
    this.processMarks();
    const marks = this.#provisional.get(number) ?? [];
    this.#provisional.delete(number);
    this.#totals.effective.add(fill, markBefore, NOT_CENSORED, -1);
    this.#addToSums(fill, -1);
    if (this.#doublePayout !== undefined) this.#addResolution(this.#doublePayout);
    for (const [horizon, { mark, isCensored }] of marks.entries())
      this.#totals.horizons[horizon]?.add(fill, mark, isCensored, -1);
    if (marks.length < HORIZONS.length) this.#reversed.add(number);
  }

  setMark(time: number, mark: number): void {
    if (this.#waitingMarks === MAX_WAITING_MARKS) this.processMarks();
    if (this.#firstWaiting.at(-1)! < this.#fills.nextNumber) this.#waitingMarks += 1;
    this.#marks[this.#waitingMarks] = mark;
    this.#times[this.#waitingMarks] = time;
  }

  /** Adds fills to the totals once their marks are known. A fill waits until a mark later than t + h arrives. */
  processMarks(): void {
    const [marks, times, last] = [this.#marks, this.#times, this.#waitingMarks];
    for (let horizon = 0; horizon < HORIZONS.length; horizon += 1) {
      const { ms } = HORIZONS[horizon]!;
      let number = this.#firstWaiting[horizon]!;
      let next = 1;
      for (; number < this.#fills.nextNumber; number += 1) {
        const dueTime = this.#fills.timeAt(number) + ms;
        while (next <= last && dueTime >= times[next]!) next += 1;
        if (next > last) break;
        this.#addUnlessReversed(horizon, number, marks[next - 1]!);
      }
      this.#firstWaiting[horizon] = number;
    }
    marks[0] = marks[last]!;
    times[0] = times[last]!;
    this.#waitingMarks = 0;
  }

  /**
   * Ends this market. A waiting fill whose horizon reaches the resolution gets the payout. Any other fill gets the last
   * mark, and is censored if this mark is older than t + h.
   * @param doublePayout twice the payout in bps; undefined for an undecided or void market
   */
  finish(time: number, doublePayout: number | undefined): void {
    this.processMarks();
    const [lastMark, lastTime] = [this.#marks[0]!, this.#times[0]!];
    for (const [horizon, { ms }] of HORIZONS.entries()) {
      for (let number = this.#firstWaiting[horizon]!; number < this.#fills.nextNumber; number += 1) {
        if (this.#reversed.has(number)) continue;
        const dueTime = this.#fills.timeAt(number) + ms;
        if (doublePayout !== undefined && dueTime >= time) this.#addMark(horizon, number, doublePayout, NOT_CENSORED);
        else this.#addMark(horizon, number, lastMark, dueTime > lastTime);
      }
      this.#firstWaiting[horizon] = this.#fills.nextNumber;
    }
    this.#doublePayout = doublePayout;
    if (doublePayout !== undefined) this.#addResolution(doublePayout);
  }

  #addResolution(doublePayout: number): void {
    const sum = doublePayout * this.#signedLots - 2 * this.#signedCost;
    this.#totals.resolution.addSum(this.#lots, sum, this.#count);
    this.#lots = 0;
    this.#signedLots = 0;
    this.#signedCost = 0;
    this.#count = 0;
  }

  #addToSums({ sign, price, lots }: MakerFill, factor: 1 | -1): void {
    this.#lots += factor * lots;
    this.#signedLots += factor * sign * lots;
    this.#signedCost += factor * sign * lots * price;
    this.#count += factor;
  }

  #addUnlessReversed(horizon: number, number: number, mark: number): void {
    if (this.#reversed.size > 0 && this.#reversed.has(number)) {
      if (horizon === HORIZONS.length - 1) this.#reversed.delete(number);
      return;
    }
    this.#addMark(horizon, number, mark, NOT_CENSORED);
  }

  #addMark(horizon: number, number: number, mark: number, isCensored: boolean): void {
    this.#totals.horizons[horizon]!.add(this.#fills.fillAt(number), mark, isCensored);
    if (this.#provisional.size > 0) this.#provisional.get(number)?.push({ mark, isCensored });
  }
}
