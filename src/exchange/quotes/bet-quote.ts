/** Simulates a taker on the present levels of a book (docs/api/types.md#betquote). */
import {
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
  unchecked,
} from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { BookLevels } from './retail-quote.ts';

/** The requested size, or money to spend or receive, without the fee. */
export type BetSize = { readonly shares: MicroShares } | { readonly amount: MicroUsd };

export interface BetRequest {
  readonly outcome: Outcome;
  readonly side: Side;
  readonly size: BetSize;
  /** Fee rate of the market, from 0 to 1000. */
  readonly feeRateBps: number;
}

/**
 * Simulates a FAK without a limit and without self-trade prevention. The FAK fills at the best levels first. It ends
 * when the size is filled, the unused amount is less than the price of one lot (under one cent), or the book is empty.
 * @throws InputFault unless the shares are from 1 to 10^11 whole lots, or the amount is at least 1 micro-USD
 */
export function betQuote(book: BookLevels, { outcome, side, size, feeRateBps }: BetRequest) {
  const requested = 'shares' in size ? checkedLots(size.shares) : MAX_ORDER_SHARES / LOT;
  const budget = 'shares' in size ? Number.POSITIVE_INFINITY : checkedAmount(size.amount);
  // BUY YES and SELL NO take the asks, from the lowest up. BUY NO and SELL YES take the bids, from the highest down.
  const takesAsks = (outcome === 'YES') === (side === 'BUY');
  let lots = 0;
  let amount = 0;
  let fee = 0;
  let worst = 0;
  /** Price of the last level read. */
  let price = Number.POSITIVE_INFINITY;
  for (let level = takesAsks ? book.bestAsk : book.bestBid; level > 0 && level < FULL_BPS; ) {
    price = outcome === 'YES' ? level : FULL_BPS - level;
    const available = book.sharesAt(level) / LOT;
    const taken = Math.min(available, requested - lots, Math.floor((budget - amount) / price));
    if (taken > 0) {
      worst = price;
      lots += taken;
      amount += taken * price;
      fee += takerFee(feeRateBps, unchecked.shares(taken * LOT), unchecked.price(price));
    }
    if (taken < available) break;
    level = takesAsks ? book.priceAbove(level) : book.priceBelow(level);
  }
  const mulDiv = side === 'BUY' ? mulDivCeil : mulDivFloor;
  return {
    /** In the outcome's terms, rounded **up** for a BUY, **down** for a SELL. Undefined if nothing would fill. */
    averagePrice: lots === 0 ? undefined : unchecked.price(mulDiv(amount, 1, lots)),
    /** Price of the last fill in the outcome's terms: an order with this limit would fill as quoted. */
    worstPrice: lots === 0 ? undefined : unchecked.price(worst),
    shares: unchecked.shares(lots * LOT),
    /** Exact cost of a BUY or proceeds of a SELL, without the fee. */
    amount: unchecked.usd(amount),
    /** Maximum fee. This function rounds down once per level; the exchange rounds down per matched order. */
    fee: unchecked.usd(fee),
    /** Whether the whole size would fill. For an amount: whether the unused part is less than the price of one lot. */
    fillable: lots > 0 && ('shares' in size ? lots === requested : budget - amount < price),
  };
}

function checkedLots(shares: number): number {
  const lots = shares / LOT;
  if (!Number.isSafeInteger(shares) || !Number.isInteger(lots) || lots < 1 || shares > MAX_ORDER_SHARES) {
    throw new InputFault('shares', shares, `whole lots of ${LOT} micro-shares, from ${LOT} to ${MAX_ORDER_SHARES}`);
  }
  return lots;
}

function checkedAmount(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new InputFault('amount', amount, 'a positive number of micro-USD');
  return amount;
}

/** The caller's exposure in a market, and shares of an outcome. */
export interface BetCaller {
  /** Micro-USD that the venue limits (docs/spec/venue.md#limits), 0 or more. */
  readonly exposure: number;
  /** Micro-shares of the requested outcome that are not in open orders. */
  readonly available: number;
}

/** Returns the limits of configuration and market, lowered to the caller's remaining exposure and available shares. */
export function betLimits(
  config: Pick<ExchangeConfig, 'minBet' | 'maxBetPerMarket' | 'maxExposurePerMarket'>,
  { minOrderShares }: Readonly<Pick<MarketRecord, 'minOrderShares'>>,
  { caller, side }: { readonly caller: BetCaller | undefined; readonly side: Side | undefined },
) {
  const { minBet, maxBetPerMarket, maxExposurePerMarket } = config;
  const remaining = caller === undefined ? undefined : Math.max(0, maxExposurePerMarket - caller.exposure);
  const sellable = caller === undefined || side !== 'SELL' ? MAX_ORDER_SHARES : caller.available;
  return {
    /** Smallest amount (price times shares) of a BUY. */
    minBet,
    /** Largest amount (price times shares) of a BUY, at most the caller's remaining exposure. */
    maxBet: unchecked.usd(Math.min(maxBetPerMarket, remaining ?? maxBetPerMarket)),
    /** Largest order; for a SELL, at most the caller's available shares. */
    maxShares: unchecked.shares(Math.min(sellable, MAX_ORDER_SHARES)),
    maxExposure: maxExposurePerMarket,
    /** Undefined without a caller. */
    remainingExposure: remaining === undefined ? undefined : unchecked.usd(remaining),
    /** Smallest size of a BUY. */
    minOrderShares,
  };
}
