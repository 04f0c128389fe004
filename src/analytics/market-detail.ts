/**
 * Chart lines, recorded half-spreads and inventory half-life of one market, in bounded memory.
 *
 * HOT: `setMark`, `setRecordedMid` and `addPrint` run at each change of a mid and each print (bench/replay.ts).
 */
import { LOT, lotsOf, type StepTime } from '../domain/index.ts';
import { SIDE } from '../tape/index.ts';
import { ExtremesLine } from './extremes-line.ts';
import { MarketHalfSpreads } from './half-spreads.ts';
import { MarkoutTotals } from './markouts.ts';
import type { FillPoint, MarketLines, MeasuredFill, MeasuredPrint } from './measure-types.ts';
import { InventoryHalfLife } from './time-statistics.ts';

/** Half-spreads over all markets, for the report and the terminal only. */
export class DetailHalfSpreads {
  /** Recorded makers against the mark (docs/spec/models.md#mark). */
  readonly recordedAtMark = new MarkoutTotals({ hasIntervals: false });
  /** Own fills against the mid of the recorded book, as in `tape check`. */
  readonly ownAtRecordedMid = new MarkoutTotals({ hasIntervals: false });
  readonly recordedAtRecordedMid = new MarkoutTotals({ hasIntervals: false });
}

/** Maximum numbers of points and fills in all charts of a run, which keep the report below 15 MB. */
const MAX_POINTS = 400_000;
const MAX_FILLS = 100_000;

/** Stores all fills up to a limit. Beyond the limit, stores every second fill of the run, then every fourth, etc. */
export class FillSample {
  readonly #maxFills: number;
  fills: FillPoint[] = [];
  /** The number k, if the sample stores every k-th fill. */
  storedEvery = 1;
  #count = 0;

  constructor(maxFills: number) {
    this.#maxFills = maxFills;
  }

  add(fill: FillPoint): void {
    this.#count += 1;
    if ((this.#count - 1) % this.storedEvery !== 0) return;
    this.fills.push(fill);
    if (this.fills.length <= this.#maxFills) return;
    this.fills = this.fills.filter((_, index) => index % 2 === 0);
    this.storedEvery *= 2;
  }

  remove({ time, sign, price, shares }: Pick<FillPoint, 'time' | 'sign' | 'price' | 'shares'>): void {
    const index = this.fills.findIndex(
      (fill) => fill.time === time && fill.sign === sign && fill.price === price && fill.shares === shares,
    );
    if (index >= 0) this.fills.splice(index, 1);
  }
}

export class MarketDetailCollector {
  readonly #chartData: { price: ExtremesLine; inventory: ExtremesLine; fills: FillSample } | undefined;
  readonly #halfLife = new InventoryHalfLife();
  readonly #recordedAtMark: MarketHalfSpreads;
  readonly #ownAtRecordedMid: MarketHalfSpreads;
  readonly #recordedAtRecordedMid: MarketHalfSpreads;
  /** Twice the mid of the recorded book, bps; undefined while a side is empty or the market accepts no orders. */
  #recordedMid: number | undefined;
  #held = 0;
  readonly #heldAtStart: number;
  /** The recorded mid before each provisional fill, by the fill's number. */
  readonly #midsAtFills = new Map<number, number>();
  #isFinished = false;

  /** @param chartedMarkets number of charted markets, 0 if this one has no chart @param held initial YES - NO, lots */
  constructor(totals: DetailHalfSpreads, chartedMarkets: number, held: number) {
    this.#held = held;
    this.#heldAtStart = held;
    this.#recordedAtMark = new MarketHalfSpreads(totals.recordedAtMark);
    this.#ownAtRecordedMid = new MarketHalfSpreads(totals.ownAtRecordedMid);
    this.#recordedAtRecordedMid = new MarketHalfSpreads(totals.recordedAtRecordedMid);
    if (chartedMarkets > 0) {
      // Each market has two lines with two points per bucket.
      const buckets = Math.min(16_384, 2 * Math.floor(MAX_POINTS / chartedMarkets / 8));
      const [price, inventory] = [new ExtremesLine(buckets), new ExtremesLine(buckets)];
      this.#chartData = { price, inventory, fills: new FillSample(Math.ceil(MAX_FILLS / chartedMarkets)) };
    }
  }

  /** Adds a fill. Returns its number for `settleFill` or `reverseFill`; undefined for a fill without a markout. */
  addFill(fill: MeasuredFill): number | undefined {
    const { time, sign, yesPrice: price, liquidity, basis, inside } = fill;
    const lots = lotsOf(fill.shares);
    this.#changePosition(time, sign * lots);
    this.#chartData?.fills.add({ time, sign, price, shares: fill.shares, liquidity, basis, inside });
    const mid = this.#recordedMid;
    if (liquidity !== 'maker' || mid === undefined) return undefined;
    const number = this.#ownAtRecordedMid.addFill({ time, sign, price, lots }, mid, fill.trade !== undefined);
    if (fill.trade !== undefined) this.#midsAtFills.set(number, mid);
    return number;
  }

  settleFill(number: number): void {
    this.#midsAtFills.delete(number);
    this.#ownAtRecordedMid.settleFill(number);
  }

  /** Removes a fill that the venue reversed. @param number the number that `addFill` returned */
  reverseFill(now: number, { time, sign, yesPrice: price, shares }: MeasuredFill, number: number | undefined): void {
    const lots = lotsOf(shares);
    this.#changePosition(now, -sign * lots);
    this.#chartData?.fills.remove({ time, sign, price, shares });
    const mid = number === undefined ? undefined : this.#midsAtFills.get(number);
    if (number === undefined || mid === undefined) return;
    this.#midsAtFills.delete(number);
    this.#ownAtRecordedMid.reverseFill(number, { time, sign, price, lots }, mid);
  }

  #changePosition(time: number, lots: number): void {
    this.#held += lots;
    this.#halfLife.setPosition(time, this.#held);
    this.#chartData?.inventory.add(time, this.#held * LOT);
  }

  /** Sets the mark from `at` on. @param mark twice the mid, bps */
  setMark(at: StepTime, mark: number): void {
    this.#recordedAtMark.setMark(at.now, mark);
    this.#chartData?.price.add(at.now, mark / 2);
  }

  /** Adds a print as a fill of its makers. Ignores a print whose taker side is unknown. */
  addPrint({ time, taker, yesPrice: price, shares, mark }: MeasuredPrint): void {
    if (this.#isFinished || taker === SIDE.unknown) return;
    const fill = { time, sign: taker === SIDE.bid ? -1 : 1, price, lots: shares / LOT };
    this.#recordedAtMark.addFill(fill, mark ?? 2 * price);
    if (this.#recordedMid !== undefined) this.#recordedAtRecordedMid.addFill(fill, this.#recordedMid);
  }

  /** @param mid twice the mid of the recorded book, bps; undefined while a side is empty */
  setRecordedMid(at: StepTime, mid: number | undefined): void {
    this.#recordedMid = mid;
    if (mid === undefined) return;
    this.#ownAtRecordedMid.setMark(at.now, mid);
    this.#recordedAtRecordedMid.setMark(at.now, mid);
  }

  /** Does nothing after the first call. @param doublePayout twice the payout in bps; undefined keeps the last mark */
  finish(time: number, doublePayout: number | undefined): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    for (const halfSpreads of [this.#recordedAtMark, this.#ownAtRecordedMid, this.#recordedAtRecordedMid])
      halfSpreads.finish(time, doublePayout);
  }

  halfLifeMs(end: number): number | undefined {
    return this.#halfLife.halfLifeMs(end);
  }

  lines(start: number, end: number): MarketLines | undefined {
    if (this.#chartData === undefined) return undefined;
    const { price, inventory, fills } = this.#chartData;
    const held = inventory.line();
    const atStart = this.#heldAtStart * LOT;
    return {
      price: price.line(),
      inventory: {
        time: [start, ...held.time, Math.max(end, held.time.at(-1) ?? end)],
        value: [atStart, ...held.value, held.value.at(-1) ?? atStart],
        totalPoints: held.totalPoints === undefined ? undefined : held.totalPoints + 2,
      },
      fills: fills.fills,
      storedEvery: fills.storedEvery,
    };
  }
}
