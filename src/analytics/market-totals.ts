import { LOT, lotsOf, type StepTime } from '../domain/index.ts';
import type { MakerFill } from './fill-ring.ts';
import { MarketHalfSpreads } from './half-spreads.ts';
import type { MarkoutTotals } from './markouts.ts';
import type { MeasuredFill, MeasuredPrint } from './measure-types.ts';
import { MarketTags, type TagTotals } from './tag-totals.ts';

/** Totals of one market. Sizes are micro-shares. */
export interface CollectedMarket {
  readonly fills: number;
  readonly ownShares: number;
  readonly recordedShares: number;
  /** Largest |YES - NO|. */
  readonly maxInventoryShares: number;
}

/** Sums over the fills and prints of one market. HOT: runs for every fill, print and mark (bench/replay.ts). */
export class MarketTotals {
  readonly #tags = new MarketTags();
  readonly #halfSpreads: MarketHalfSpreads;
  #mark = 0;
  #held = 0;
  #maxHeld = 0;
  #fills = 0;
  #ownLots = 0;
  #recordedLots = 0;
  /** Twice the payout in bps. */
  #doublePayout: number | undefined;
  #isResolved = false;

  /** @param atMark receives half-spreads of own fills against the mark @param held YES minus NO at the start, lots */
  constructor(atMark: MarkoutTotals, held: number) {
    this.#halfSpreads = new MarketHalfSpreads(atMark);
    this.#held = held;
    this.#maxHeld = Math.abs(held);
  }

  /** Returns the number of a maker fill for `settleFill` or `reverseFill`; undefined for a taker fill. */
  addFill(fill: MeasuredFill): number | undefined {
    this.#addToSums(fill, 1);
    if (Math.abs(this.#held) > this.#maxHeld) this.#maxHeld = Math.abs(this.#held);
    if (this.#mark === 0) this.#mark = fill.mark;
    if (fill.liquidity !== 'maker') return undefined;
    return this.#halfSpreads.addFill(toMakerFill(fill), fill.mark, fill.trade !== undefined);
  }

  settleFill(number: number): void {
    this.#halfSpreads.settleFill(number);
  }

  /** Removes a fill that the venue reversed. @param number the number that `addFill` returned */
  reverseFill(fill: MeasuredFill, number: number | undefined): void {
    this.#addToSums(fill, -1);
    if (number !== undefined) this.#halfSpreads.reverseFill(number, toMakerFill(fill), fill.mark);
  }

  /** Sets the mark from `at` on. @param mark twice the mid in bps */
  setMark(at: StepTime, mark: number): void {
    this.#mark = mark;
    this.#halfSpreads.setMark(at.now, mark);
  }

  addPrint({ shares }: MeasuredPrint): void {
    this.#recordedLots += shares / LOT;
  }

  /** Does nothing after the first call. @param doublePayout twice the payout in bps; undefined keeps the last mark */
  resolve(time: number, doublePayout: number | undefined): void {
    if (this.#isResolved) return;
    this.#isResolved = true;
    this.#doublePayout = doublePayout;
    this.#halfSpreads.finish(time, doublePayout);
  }

  finish(time: number, tags: TagTotals): CollectedMarket {
    this.resolve(time, undefined);
    this.#tags.addTo(tags, this.#doublePayout ?? this.#mark);
    return {
      fills: this.#fills,
      ownShares: this.#ownLots * LOT,
      recordedShares: this.#recordedLots * LOT,
      maxInventoryShares: this.#maxHeld * LOT,
    };
  }

  #addToSums({ sign, yesPrice: price, shares, basis, inside, fee }: MeasuredFill, factor: 1 | -1): void {
    const lots = lotsOf(shares);
    this.#fills += factor;
    this.#ownLots += factor * lots;
    this.#held += factor * sign * lots;
    this.#tags.add({ basis, inside, sign, lots, price, fee }, factor);
  }
}

function toMakerFill({ time, sign, yesPrice: price, shares }: MeasuredFill): MakerFill {
  return { time, sign, price, lots: lotsOf(shares) };
}
