/**
 * What is collected about one market beyond its totals, in bounded memory.
 *
 * HOT: `mark`, `recordedMid` and `print` see every change of a mid and every recorded print. Measured in bench/replay.ts.
 */
import { LOT, lotsOf, SHARE } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { SimFill, SimPrint, StepTime } from '../../venues/sim/index.ts';
import type { MarketLines } from '../run-detail.ts';
import { ExtremesLine } from './extremes-line.ts';
import { FillSample } from './fill-sample.ts';
import { InventoryHalfLife } from './half-life.ts';
import { type HalfSpreadTotals, MarketHalfSpreads } from './half-spreads.ts';
import type { MakerFill } from './markouts.ts';

/** Sums over all markets. */
export interface DetailTotals {
  /** Against the mark (docs/spec/models.md#mark): the mid of the book without own orders and without what they took. */
  readonly atMark: HalfSpreadTotals;
  /** Against the mid of the recorded book, as `tape check` measures. */
  readonly atRecordedMid: HalfSpreadTotals;
}

/** Lines of one market; for the few that are drawn. */
interface Canvas {
  readonly price: ExtremesLine;
  readonly inventory: ExtremesLine;
  readonly fills: FillSample;
}

const LOTS_A_SHARE = 100;

export class MarketDetailCollector {
  readonly #canvas: Canvas | undefined;
  readonly #halfLife = new InventoryHalfLife();
  readonly #atMark: MarketHalfSpreads;
  readonly #atRecordedMid: MarketHalfSpreads;
  /** Of the recorded book; undefined while it has not two sides or the market does not accept orders. */
  #recordedMid: number | undefined;
  #held = 0;
  /** Twice the payout in bps. */
  #payout: number | undefined;
  #over = false;

  constructor(totals: DetailTotals, drawn: boolean) {
    this.#atMark = new MarketHalfSpreads(totals.atMark);
    this.#atRecordedMid = new MarketHalfSpreads(totals.atRecordedMid);
    if (drawn) this.#canvas = { price: new ExtremesLine(), inventory: new ExtremesLine(), fills: new FillSample() };
  }

  fill(fill: SimFill): void {
    const { time, sign, yesPrice: price, liquidity, tag, inside } = fill;
    const lots = lotsOf(fill.shares);
    this.#held += sign * lots;
    this.#halfLife.change(time, this.#held);
    if (liquidity === 'maker') this.#measure('own', { time, sign, price, lots }, fill.mark);
    this.#canvas?.fills.add({ time, sign, price, shares: fill.shares, liquidity, tag, inside });
    this.#canvas?.inventory.add(time, (this.#held / LOTS_A_SHARE) * SHARE);
  }

  /** @param mark double mid, in force from now on */
  mark(at: StepTime, mark: number): void {
    this.#atMark.mid(at.now, mark);
    this.#canvas?.price.add(at.now, mark / 2);
  }

  /** The makers of a print earned what its taker paid; of an unknown side it is volume only. */
  print({ time, taker, yesPrice: price, shares, mark }: SimPrint): void {
    if (this.#over || taker === SIDE.unknown) return;
    const sign = taker === SIDE.bid ? -1 : 1;
    this.#measure('recorded', { time, sign, price, lots: shares / LOT }, mark ?? 2 * price);
  }

  /** @param mid double mid of the recorded touch; undefined while there is none */
  recordedMid(at: StepTime, mid: number | undefined): void {
    this.#recordedMid = mid;
    if (mid !== undefined) this.#atRecordedMid.mid(at.now, mid);
  }

  /** The market is final. @param payout twice the payout in bps; undefined for a void market, which keeps its last mark */
  resolve(time: number, payout: number | undefined): void {
    if (this.#over) return;
    this.#payout = payout;
    this.#end(time);
  }

  /** The replay is over: everything that waits is settled. */
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
    return {
      price: price.line(),
      inventory: {
        time: [start, ...held.time, Math.max(end, held.time.at(-1) ?? end)],
        value: [0, ...held.value, held.value.at(-1) ?? 0],
      },
      fills: fills.fills,
      every: fills.every,
    };
  }

  #measure(whose: 'own' | 'recorded', fill: MakerFill, mark: number): void {
    this.#atMark.fill(whose, fill, mark);
    if (this.#recordedMid !== undefined) this.#atRecordedMid.fill(whose, fill, this.#recordedMid);
  }

  #end(time: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#atMark.finish(time, this.#payout);
    this.#atRecordedMid.finish(time, this.#payout);
  }
}
