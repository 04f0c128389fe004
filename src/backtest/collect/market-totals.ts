import { LOT, lotsOf } from '../../domain/index.ts';
import type { SimFill } from '../../venues/sim/index.ts';
import { MarketTags, type TagTotals } from './tag-totals.ts';

/** What the result needs of one market; sizes in micro-shares. */
export interface CollectedMarket {
  readonly fills: number;
  readonly ownShares: number;
  readonly recordedShares: number;
  readonly maxInventoryShares: number;
}

/**
 * Sums over the fills and prints of one market.
 *
 * HOT: `mark` and `print` see every change of a mark and every recorded print. Measured in bench/replay.ts.
 */
export class MarketTotals {
  readonly #tags = new MarketTags();
  #mark = 0;
  #held = 0;
  #mostHeld = 0;
  #fills = 0;
  #ownLots = 0;
  #recordedLots = 0;
  /** Twice the payout in bps. */
  #payout: number | undefined;
  #over = false;

  fill({ sign, yesPrice: price, shares, tag, inside, fee, mark }: SimFill): void {
    const lots = lotsOf(shares);
    this.#fills += 1;
    this.#ownLots += lots;
    this.#held += sign * lots;
    if (Math.abs(this.#held) > this.#mostHeld) this.#mostHeld = Math.abs(this.#held);
    this.#tags.add({ tag, inside, sign, lots, price, fee });
    if (this.#mark === 0) this.#mark = mark;
  }

  /** @param mark double mid, in force from now on */
  mark(mark: number): void {
    this.#mark = mark;
  }

  print({ shares }: { readonly shares: number }): void {
    this.#recordedLots += shares / LOT;
  }

  /** The market is final. @param payout twice the payout in bps; undefined for a void market, which keeps its last mark */
  resolve(payout: number | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#payout = payout;
  }

  /** The replay is over: the tags join those of the run. */
  finish(tags: TagTotals): CollectedMarket {
    this.#tags.carry(this.#payout ?? this.#mark, tags);
    return {
      fills: this.#fills,
      ownShares: this.#ownLots * LOT,
      recordedShares: this.#recordedLots * LOT,
      maxInventoryShares: this.#mostHeld * LOT,
    };
  }
}
