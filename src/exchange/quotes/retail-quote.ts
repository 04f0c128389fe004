import { column, FULL_BPS, type PriceBps } from '../../domain/index.ts';
import { clamp, referencePrice, type Touch } from './book-view.ts';
import type { QuotePolicy } from './quote-policy.ts';

/** Public prices of a market, bps. */
export interface RetailQuote {
  /** The YES reference of the quotes. */
  readonly reference: PriceBps;
  /** Price of one YES share, spread included. */
  readonly yes: PriceBps;
  /** Price of one NO share, spread included; independent of `yes`. */
  readonly no: PriceBps;
  /** yes + no - 10000, the spread left after rounding and clamping; never negative. */
  readonly spreadBps: number;
}

/**
 * Returns the quotes of an open market: each side's policy price, rounded **up** to the tick, clamped to [tick, 10000 - tick].
 * @param spreadBps a whole number from 0
 */
export function retailQuote(touch: Touch, policy: QuotePolicy, spreadBps: number): RetailQuote {
  const { tickBps, bestBid, bestAsk } = touch;
  const reference = referencePrice(touch);
  const offered = (own: number, ask: number): number => {
    const price = policy({ reference: own, bestAsk: ask < FULL_BPS ? ask : undefined, spreadBps });
    return clamp(Math.ceil(price / tickBps) * tickBps, tickBps);
  };
  return quote(reference, offered(reference, bestAsk), offered(FULL_BPS - reference, FULL_BPS - bestBid));
}

/**
 * Returns the quotes of a closed market: its payouts once they are known, otherwise the last quotes.
 * @param yesPayoutBps payout of one YES share; undefined until it is known, and for a cancelled market
 */
export function closedQuote(last: RetailQuote, yesPayoutBps: number | undefined): RetailQuote {
  return yesPayoutBps === undefined ? last : quote(last.reference, yesPayoutBps, FULL_BPS - yesPayoutBps);
}

function quote(reference: number, yes: number, no: number): RetailQuote {
  return {
    reference: column.price(reference),
    yes: column.price(yes),
    no: column.price(no),
    spreadBps: yes + no - FULL_BPS,
  };
}
