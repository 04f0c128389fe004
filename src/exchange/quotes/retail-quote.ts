import { column, FULL_BPS, type PriceBps } from '../../domain/index.ts';
import type { Touch } from './book-view.ts';
import { clamp, referencePrice } from './book-view.ts';
import type { QuotePolicy } from './quote-policy.ts';

/** Public prices of a market, bps. */
export interface RetailQuote {
  /** The YES reference it was made from. */
  readonly reference: PriceBps;
  /** For one share of YES, spread included. */
  readonly yes: PriceBps;
  /** For one share of NO, spread included; does not follow from `yes`. */
  readonly no: PriceBps;
  /** yes + no - 10000, the spread left after rounding and clamping; never negative. */
  readonly spreadBps: number;
}

/**
 * The quotes of an open market: each side's policy price, **up** to the tick, clamped to [tick, 10000 - tick].
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
 * The quotes of a market that is not open any more: the last ones it had, and the payouts once it is final. A cancelled
 * market pays no side, so it keeps the last ones.
 * @param yesPayoutBps payout of one YES share; undefined while it is not known, and for a cancelled market
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
