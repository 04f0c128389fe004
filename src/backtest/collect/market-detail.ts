/**
 * What is collected about one market beyond its totals, in bounded memory.
 *
 * HOT: `mark`, `recordedMid` and `print` see every change of a mid and every recorded print. Measured in bench/replay.ts.
 */
import { lotsOf, SHARE } from '../../domain/index.ts';
import { TakerFlow } from '../../history/index.ts';
import type { SimFill, SimPrint, StepTime } from '../../venues/sim/index.ts';
import type { MarketLines } from '../run-detail.ts';
import { ExtremesLine } from './extremes-line.ts';
import { FillSample } from './fill-sample.ts';
import { InventoryHalfLife } from './half-life.ts';
import { MarketMarkouts, type MarkoutTotals } from './markouts.ts';
import type { RecordedMakers } from './recorded-makers.ts';

/** Sums over all markets. */
export interface DetailTotals {
  readonly own: MarkoutTotals;
  readonly recorded: RecordedMakers;
}

/** Lines of one market; for the few that are drawn. */
interface Canvas {
  readonly price: ExtremesLine;
  readonly inventory: ExtremesLine;
  readonly fills: FillSample;
}

const LOTS_A_SHARE = 100;

export class MarketDetailCollector {
  readonly #totals: DetailTotals;
  readonly #canvas: Canvas | undefined;
  readonly #halfLife = new InventoryHalfLife();
  /** Made when the first fill, print or mid comes: many of ten thousand markets may never see one. */
  #own: MarketMarkouts | undefined;
  #flow: TakerFlow | undefined;
  #mark = 0;
  #held = 0;
  /** Twice the payout in bps. */
  #payout: number | undefined;
  #over = false;

  constructor(totals: DetailTotals, drawn: boolean) {
    this.#totals = totals;
    if (drawn) this.#canvas = { price: new ExtremesLine(), inventory: new ExtremesLine(), fills: new FillSample() };
  }

  fill(fill: SimFill): void {
    const { time, sign, yesPrice: price, liquidity, tag, inside } = fill;
    const lots = lotsOf(fill.shares);
    this.#held += sign * lots;
    this.#halfLife.change(time, this.#held);
    if (this.#mark === 0) this.#mark = fill.mark;
    if (liquidity === 'maker') {
      this.#own ??= new MarketMarkouts(this.#totals.own, this.#mark);
      this.#own.fill({ time, sign, price, lots }, fill.mark);
    }
    this.#canvas?.fills.add({ time, sign, price, shares: fill.shares, liquidity, tag, inside });
    this.#canvas?.inventory.add(time, (this.#held / LOTS_A_SHARE) * SHARE);
  }

  /** @param mark double mid, in force from now on */
  mark(at: StepTime, mark: number): void {
    this.#mark = mark;
    this.#own?.mark(at.now, mark);
    this.#canvas?.price.add(at.now, mark / 2);
  }

  /** The makers of a print earned what its taker paid; of an unknown side, or without a mid, it is volume only. */
  print({ time, taker, yesPrice, shares }: SimPrint): void {
    this.#flow ??= new TakerFlow();
    this.#flow.print(time, taker, yesPrice, shares);
  }

  /** @param mid double mid of the recorded touch; undefined while there is none */
  recordedMid(at: StepTime, mid: number | undefined): void {
    this.#flow ??= new TakerFlow();
    this.#flow.mark(at.now, mid);
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

  #end(time: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#own?.finish(time, this.#payout);
    if (this.#flow === undefined) return;
    if (this.#payout !== undefined) this.#flow.resolve(time, this.#payout / 2);
    this.#totals.recorded.add(this.#flow.earnings());
    this.#flow = undefined;
  }
}
