/**
 * What is collected about one market beyond its totals, in bounded memory.
 *
 * HOT: `mark`, `recordedMid` and `print` see every change of a mid and every recorded print. Measured in
 * bench/replay.ts.
 */
import { LOT, lotsOf, SHARE } from '../domain/index.ts';
import { SIDE } from '../tape/index.ts';
import { ExtremesLine } from './extremes-line.ts';
import type { FillPoint, MarketLines, MeasuredFill, MeasuredPrint } from './figures.ts';
import { InventoryHalfLife } from './half-life.ts';
import { MarketHalfSpreads } from './half-spreads.ts';
import type { Moment } from './market-totals.ts';
import { MarkoutTotals } from './markouts.ts';

/** Half-spreads of a run that only its report and the terminal show. */
export class DetailHalfSpreads {
  /** The recorded makers against the mark (docs/spec/models.md#mark). */
  readonly recordedAtMark = new MarkoutTotals(false);
  /** Own fills and the recorded makers against the mid of the recorded book, as `tape check` measures. */
  readonly ownAtRecordedMid = new MarkoutTotals(false);
  readonly recordedAtRecordedMid = new MarkoutTotals(false);
}

/** Points and fills that the charts of all markets of a run have together at most; the report stays below 15 MB. */
const MAX_POINTS = 400_000;
const MAX_FILLS = 100_000;

/** Keeps all fills up to a cap; beyond it every second, every fourth …, evenly over the whole run. */
export class FillSample {
  readonly #most: number;
  #kept: FillPoint[] = [];
  #every = 1;
  #seen = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** 1 when every fill is kept, k when every k-th is. */
  get every(): number {
    return this.#every;
  }

  get fills(): readonly FillPoint[] {
    return this.#kept;
  }

  add(fill: FillPoint): void {
    this.#seen += 1;
    if ((this.#seen - 1) % this.#every !== 0) return;
    this.#kept.push(fill);
    if (this.#kept.length <= this.#most) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }

  /** Takes a fill out that was added, if it was kept. */
  remove({ time, sign, price, shares }: Pick<FillPoint, 'time' | 'sign' | 'price' | 'shares'>): void {
    const at = this.#kept.findIndex(
      (kept) => kept.time === time && kept.sign === sign && kept.price === price && kept.shares === shares,
    );
    if (at >= 0) this.#kept.splice(at, 1);
  }
}

interface Canvas {
  readonly price: ExtremesLine;
  readonly inventory: ExtremesLine;
  readonly fills: FillSample;
}

const LOTS_A_SHARE = 100;

export class MarketDetailCollector {
  readonly #canvas: Canvas | undefined;
  readonly #halfLife = new InventoryHalfLife();
  readonly #recordedAtMark: MarketHalfSpreads;
  readonly #ownAtRecordedMid: MarketHalfSpreads;
  readonly #recordedAtRecordedMid: MarketHalfSpreads;
  /** Of the recorded book; undefined while it has not two sides or the market does not accept orders. */
  #recordedMid: number | undefined;
  #held = 0;
  readonly #heldAtStart: number;
  /** The recorded mid at each provisional fill, by its number. */
  readonly #midsAtFills = new Map<number, number>();
  /** Twice the payout in bps. */
  #payout: number | undefined;
  #over = false;

  /**
   * @param totals over all markets
   * @param held YES less NO at the start, lots
   * @param charts number of markets that get charts; 0 if this market gets none
   */
  constructor(totals: DetailHalfSpreads, charts: number, held = 0) {
    this.#held = held;
    this.#heldAtStart = held;
    this.#recordedAtMark = new MarketHalfSpreads(totals.recordedAtMark);
    this.#ownAtRecordedMid = new MarketHalfSpreads(totals.ownAtRecordedMid);
    this.#recordedAtRecordedMid = new MarketHalfSpreads(totals.recordedAtRecordedMid);
    if (charts > 0) {
      // Two lines a market, two points a bucket.
      const buckets = Math.min(16_384, 2 * Math.floor(MAX_POINTS / charts / 8));
      const [price, inventory] = [new ExtremesLine(buckets), new ExtremesLine(buckets)];
      this.#canvas = { price, inventory, fills: new FillSample(Math.ceil(MAX_FILLS / charts)) };
    }
  }

  /** Answers the number by which a provisional fill is settled or reversed; undefined for one that has no markout. */
  fill(fill: MeasuredFill): number | undefined {
    const { time, sign, yesPrice: price, liquidity, tag, inside } = fill;
    const lots = lotsOf(fill.shares);
    this.#hold(time, sign * lots);
    this.#canvas?.fills.add({ time, sign, price, shares: fill.shares, liquidity, tag, inside });
    const mid = this.#recordedMid;
    if (liquidity !== 'maker' || mid === undefined) return undefined;
    const number = this.#ownAtRecordedMid.fill({ time, sign, price, lots }, mid, fill.trade !== undefined);
    if (fill.trade !== undefined) this.#midsAtFills.set(number, mid);
    return number;
  }

  settled(number: number): void {
    this.#midsAtFills.delete(number);
    this.#ownAtRecordedMid.settled(number);
  }

  /** The venue took a fill back. @param number what `fill` answered */
  reversed(now: number, { time, sign, yesPrice: price, shares }: MeasuredFill, number: number | undefined): void {
    const lots = lotsOf(shares);
    this.#hold(now, -sign * lots);
    this.#canvas?.fills.remove({ time, sign, price, shares });
    const mid = number === undefined ? undefined : this.#midsAtFills.get(number);
    if (number === undefined || mid === undefined) return;
    this.#midsAtFills.delete(number);
    this.#ownAtRecordedMid.reversed(number, { time, sign, price, lots }, mid);
  }

  #hold(time: number, lots: number): void {
    this.#held += lots;
    this.#halfLife.change(time, this.#held);
    this.#canvas?.inventory.add(time, (this.#held / LOTS_A_SHARE) * SHARE);
  }

  /** @param mark double mid, in force from now on */
  mark(at: Moment, mark: number): void {
    this.#recordedAtMark.mid(at.now, mark);
    this.#canvas?.price.add(at.now, mark / 2);
  }

  /** The makers of a print earned what its taker paid; of an unknown side it is volume only. */
  print({ time, taker, yesPrice: price, shares, mark }: MeasuredPrint): void {
    if (this.#over || taker === SIDE.unknown) return;
    const fill = { time, sign: taker === SIDE.bid ? -1 : 1, price, lots: shares / LOT };
    this.#recordedAtMark.fill(fill, mark ?? 2 * price);
    if (this.#recordedMid !== undefined) this.#recordedAtRecordedMid.fill(fill, this.#recordedMid);
  }

  /** @param mid double mid of the recorded touch; undefined while a side is empty */
  recordedMid(at: Moment, mid: number | undefined): void {
    this.#recordedMid = mid;
    if (mid === undefined) return;
    this.#ownAtRecordedMid.mid(at.now, mid);
    this.#recordedAtRecordedMid.mid(at.now, mid);
  }

  /**
   * The market is final.
   * @param payout twice the payout in bps; undefined for a void market, which keeps its last mark
   */
  resolve(time: number, payout: number | undefined): void {
    if (this.#over) return;
    this.#payout = payout;
    this.#end(time);
  }

  finish(time: number): void {
    this.#end(time);
  }

  halfLifeMs(end: number): number | undefined {
    return this.#halfLife.value(end);
  }

  lines(start: number, end: number): MarketLines | undefined {
    if (this.#canvas === undefined) return undefined;
    const { price, inventory, fills } = this.#canvas;
    const held = inventory.line();
    const atStart = (this.#heldAtStart / LOTS_A_SHARE) * SHARE;
    return {
      price: price.line(),
      inventory: {
        time: [start, ...held.time, Math.max(end, held.time.at(-1) ?? end)],
        value: [atStart, ...held.value, held.value.at(-1) ?? atStart],
        outOf: held.outOf === undefined ? undefined : held.outOf + 2,
      },
      fills: fills.fills,
      every: fills.every,
    };
  }

  #end(time: number): void {
    if (this.#over) return;
    this.#over = true;
    for (const each of [this.#recordedAtMark, this.#ownAtRecordedMid, this.#recordedAtRecordedMid])
      each.finish(time, this.#payout);
  }
}
