import { LOT, lotsOf } from '../domain/index.ts';
import type { MeasuredFill, MeasuredPrint } from './figures.ts';
import { MarketHalfSpreads } from './half-spreads.ts';
import type { MakerFill, MarkoutTotals } from './markouts.ts';
import { MarketTags, type TagTotals } from './tag-totals.ts';

/** What the result needs of one market; sizes in micro-shares. */
export interface CollectedMarket {
  readonly fills: number;
  /** Own and recorded volume. */
  readonly ownShares: number;
  readonly recordedShares: number;
  /** Largest |YES - NO|. */
  readonly maxInventoryShares: number;
}

/** When it happens. A number that is handed over is allocated first: an object is not. */
export interface Moment {
  /** Exchange time, epoch ms. */
  readonly now: number;
}

/** HOT: sums over the fills and prints of one market (bench/replay.ts). */
export class MarketTotals {
  readonly #tags = new MarketTags();
  readonly #halfSpreads: MarketHalfSpreads;
  #mark = 0;
  #held = 0;
  #mostHeld = 0;
  #fills = 0;
  #ownLots = 0;
  #recordedLots = 0;
  /** Twice the payout in bps. */
  #payout: number | undefined;
  #over = false;

  /**
   * @param atMark half-spreads of own fills in all markets, against the mark (docs/spec/models.md#mark)
   * @param held YES less NO at the start, lots
   */
  constructor(atMark: MarkoutTotals, held = 0) {
    this.#halfSpreads = new MarketHalfSpreads(atMark);
    this.#held = held;
    this.#mostHeld = Math.abs(held);
  }

  /** Answers the number by which a provisional maker fill is settled or reversed; undefined for others. */
  fill(fill: MeasuredFill): number | undefined {
    this.#count(fill, 1);
    if (Math.abs(this.#held) > this.#mostHeld) this.#mostHeld = Math.abs(this.#held);
    if (this.#mark === 0) this.#mark = fill.mark;
    if (fill.liquidity !== 'maker') return undefined;
    return this.#halfSpreads.fill(makerFill(fill), fill.mark, fill.trade !== undefined);
  }

  settled(number: number): void {
    this.#halfSpreads.settled(number);
  }

  /** The venue took a fill back. @param number what `fill` answered */
  reversed(fill: MeasuredFill, number: number | undefined): void {
    this.#count(fill, -1);
    if (number !== undefined) this.#halfSpreads.reversed(number, makerFill(fill), fill.mark);
  }

  /** @param mark double mid, in force from now on */
  mark(at: Moment, mark: number): void {
    this.#mark = mark;
    this.#halfSpreads.mid(at.now, mark);
  }

  print({ shares }: MeasuredPrint): void {
    this.#recordedLots += shares / LOT;
  }

  /** The market is final. @param payout twice the payout in bps; undefined for a void market, which keeps its last mark */
  resolve(time: number, payout: number | undefined): void {
    if (this.#over) return;
    this.#payout = payout;
    this.#end(time);
  }

  finish(time: number, tags: TagTotals): CollectedMarket {
    this.#end(time);
    this.#tags.carry(this.#payout ?? this.#mark, tags);
    return {
      fills: this.#fills,
      ownShares: this.#ownLots * LOT,
      recordedShares: this.#recordedLots * LOT,
      maxInventoryShares: this.#mostHeld * LOT,
    };
  }

  #count({ sign, yesPrice: price, shares, tag, inside, fee }: MeasuredFill, times: 1 | -1): void {
    const lots = lotsOf(shares);
    this.#fills += times;
    this.#ownLots += times * lots;
    this.#held += times * sign * lots;
    this.#tags.add({ tag, inside, sign, lots, price, fee }, times);
  }

  #end(time: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#halfSpreads.finish(time, this.#payout);
  }
}

function makerFill({ time, sign, yesPrice: price, shares }: MeasuredFill): MakerFill {
  return { time, sign, price, lots: lotsOf(shares) };
}
