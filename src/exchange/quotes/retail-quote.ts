/** Computes retail quotes from a book's reference price and a spread (docs/spec/venue.md#quoted-prices). */
import { FULL_BPS, mulDivCeil, type PriceBps, unchecked } from '../../domain/index.ts';
import type { Book } from '../matching/book.ts';

/** The part of a book that quotes read, in YES terms. */
export type BookLevels = Pick<Book, 'tickBps' | 'bestBid' | 'bestAsk' | 'sharesAt' | 'priceBelow' | 'priceAbove'>;

/** The best price of each side and the last trade, in YES bps. */
export interface TopOfBook extends Pick<Book, 'tickBps' | 'bestBid' | 'bestAsk'> {
  /** 0 before the first trade. */
  readonly lastTrade: number;
}

/** Reference price of both outcomes before the first trade. */
const EVEN_BPS = 5_000;

/**
 * Returns the centre of retail quotes in YES bps (docs/spec/venue.md#quoted-prices): the mean of bid and ask, rounded
 * **down**. If a side is empty, the centre is the last trade (5000 before the first), raised to the bid or lowered to
 * the ask. The centre is within [tick, 10000 - tick], but not always on the tick.
 */
export function referencePrice({ tickBps, bestBid, bestAsk, lastTrade }: TopOfBook): number {
  const hasBid = bestBid > 0;
  const hasAsk = bestAsk < FULL_BPS;
  if (hasBid && hasAsk) return clamp(Math.floor((bestBid + bestAsk) / 2), tickBps);
  // An empty side is 0 or 10000 and has no effect here.
  const last = lastTrade > 0 ? lastTrade : EVEN_BPS;
  return clamp(Math.min(Math.max(last, bestBid), bestAsk), tickBps);
}

function clamp(price: number, tickBps: number): number {
  return Math.min(Math.max(price, tickBps), FULL_BPS - tickBps);
}

/** Public prices of a market in bps: of one share of each outcome, spread included. `reference` is in YES terms. */
export interface RetailQuote {
  readonly reference: PriceBps;
  readonly yes: PriceBps;
  readonly no: PriceBps;
  /** yes + no - 10000: the spread after rounding and clamping, 0 or more. */
  readonly spreadBps: number;
}

/** Returns an open market's prices by the policy, rounded **up** to the tick and clamped to [tick, 10000 - tick]. */
export function retailQuote(top: TopOfBook, policy: QuotePolicy, spreadBps: number): RetailQuote {
  const { tickBps, bestBid, bestAsk } = top;
  const yesReference = referencePrice(top);
  const offerPrice = (reference: number, ask: number): number => {
    const price = policy({ reference, bestAsk: ask < FULL_BPS ? ask : undefined, spreadBps });
    return clamp(Math.ceil(price / tickBps) * tickBps, tickBps);
  };
  return toQuote(
    yesReference,
    offerPrice(yesReference, bestAsk),
    offerPrice(FULL_BPS - yesReference, FULL_BPS - bestBid),
  );
}

/** Returns a closed market's payouts, or the last quotes if `yesPayoutBps` is unknown or the market was cancelled. */
export function closedQuote(last: RetailQuote, yesPayoutBps: number | undefined): RetailQuote {
  return yesPayoutBps === undefined ? last : toQuote(last.reference, yesPayoutBps, FULL_BPS - yesPayoutBps);
}

export function toQuote(reference: number, yes: number, no: number): RetailQuote {
  return {
    reference: unchecked.price(reference),
    yes: unchecked.price(yes),
    no: unchecked.price(no),
    spreadBps: yes + no - FULL_BPS,
  };
}

/** One outcome of a market, with prices in that outcome's terms. */
interface QuoteBasis {
  /** Centre of the quotes, from 1 to 9999 bps. */
  readonly reference: number;
  /** Price of the cheapest seller in bps; undefined without a seller. */
  readonly bestAsk: number | undefined;
  /** The venue's `spreadBps`: a whole number from 0. */
  readonly spreadBps: number;
}

/** Returns the price of one share of an outcome in whole bps, before rounding to the tick and clamping. */
export type QuotePolicy = (basis: QuoteBasis) => number;

/** Adds half the spread; rounds **up**. */
export const additive: QuotePolicy = ({ reference, spreadBps }) => reference + Math.ceil(spreadBps / 2);

/** Adds the spread as a fraction of the reference; rounds **up**. */
const multiplicative: QuotePolicy = ({ reference, spreadBps }) => mulDivCeil(reference, FULL_BPS + spreadBps, FULL_BPS);

/** Adds half the spread times 4p(1 - p), which is 1 at 5000 and 0 at 0 and 10000; rounds **up**. */
export const varianceScaled: QuotePolicy = ({ reference, spreadBps }) =>
  reference + mulDivCeil(2 * reference * (FULL_BPS - reference), spreadBps, FULL_BPS * FULL_BPS);

/** Returns the best ask, or the `additive` price without an ask. */
export const fromBook: QuotePolicy = (basis) => basis.bestAsk ?? additive(basis);

export const QUOTE_POLICIES = {
  additive,
  multiplicative,
  variance: varianceScaled,
  book: fromBook,
} as const satisfies Record<string, QuotePolicy>;
export type QuotePolicyName = keyof typeof QUOTE_POLICIES;
