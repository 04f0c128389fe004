/** The present result for a taker: a dry run over a book's levels that places no order (docs/api/types.md#betquote). */
import {
  column,
  FULL_BPS,
  InputFault,
  LOT,
  MAX_ORDER_SHARES,
  type MicroShares,
  type MicroUsd,
  mulDivCeil,
  mulDivFloor,
  type Outcome,
  type Side,
  takerFee,
} from '../../domain/index.ts';
import type { BookView } from './book-view.ts';

/** Requested amount: a size, or money without the fee. */
export type BetSize = { readonly shares: MicroShares } | { readonly amount: MicroUsd };

export interface BetRequest {
  readonly outcome: Outcome;
  readonly side: Side;
  readonly size: BetSize;
  /** The market's, 0 … 1000. */
  readonly feeRateBps: number;
}

/**
 * Takes the best levels first, as a FAK without a limit does, until the size or the amount is used up. All orders count:
 * the caller may be any account, so none of them is its own. An amount is never passed: a BUY pays no more, a SELL
 * brings no more, and what is left is less than one lot's price at the level where it ends (under one cent).
 * @throws InputFault unless shares are whole lots of 1 … 10^11, or the amount is from 1 micro-USD
 */
export function betQuote(book: BookView, { outcome, side, size, feeRateBps }: BetRequest) {
  const asked = 'shares' in size ? checkedLots(size.shares) : MAX_ORDER_SHARES / LOT;
  const budget = 'shares' in size ? Number.POSITIVE_INFINITY : checkedAmount(size.amount);
  // BUY YES and SELL NO take the asks, from the lowest up; the others the bids, from the highest down.
  const takesAsks = (outcome === 'YES') === (side === 'BUY');
  let lots = 0;
  let amount = 0;
  let fee = 0;
  let worst = 0;
  /** Of the last level that was looked at. */
  let price = Number.POSITIVE_INFINITY;
  for (let level = takesAsks ? book.bestAsk : book.bestBid; level > 0 && level < FULL_BPS; ) {
    price = outcome === 'YES' ? level : FULL_BPS - level;
    const there = book.sharesAt(level) / LOT;
    const taken = Math.min(there, asked - lots, Math.floor((budget - amount) / price));
    if (taken > 0) {
      worst = price;
      lots += taken;
      amount += taken * price;
      fee += takerFee(feeRateBps, column.shares(taken * LOT), column.price(price));
    }
    if (taken < there) break;
    level = takesAsks ? book.priceAbove(level) : book.priceBelow(level);
  }
  const average = side === 'BUY' ? mulDivCeil : mulDivFloor;
  return {
    /** In the outcome's terms; a BUY's rounded **up**, a SELL's **down**. Undefined when nothing would fill. */
    averagePrice: lots === 0 ? undefined : column.price(average(amount, 1, lots)),
    /** The last price it would reach, in the outcome's terms: the limit that an order needs. */
    worstPrice: lots === 0 ? undefined : column.price(worst),
    shares: column.shares(lots * LOT),
    /** Exact: what a BUY costs, what a SELL brings, without the fee. */
    amount: column.usd(amount),
    /**
     * What the fee can be at most. A fee is rounded down for each order that is met; here for each level, as its orders
     * are not seen. So it is exact where a level's part comes from one order, else less than 1 micro-USD an order too high.
     */
    fee: column.usd(fee),
    /** Whether the whole size would fill in one order; of an amount, all of it but less than one lot's price. */
    fillable: lots > 0 && ('shares' in size ? lots === asked : budget - amount < price),
  };
}

function checkedLots(shares: number): number {
  const lots = shares / LOT;
  if (!Number.isSafeInteger(shares) || !Number.isInteger(lots) || lots < 1 || shares > MAX_ORDER_SHARES) {
    throw new InputFault('shares', shares, `whole lots of ${LOT} micro-shares, from one to ${MAX_ORDER_SHARES}`);
  }
  return lots;
}

function checkedAmount(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new InputFault('amount', amount, 'a positive number of micro-USD');
  return amount;
}
