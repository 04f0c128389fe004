/**
 * Codes of an order's enumerated values (-1 for an unknown value), and checks of its numbers.
 *
 * HOT: every order passes here. Values are compared one by one, because a look-up in a list costs a call.
 */
import { LOT } from '../../domain/index.ts';
import { FORCE, SELF_TRADE } from '../matching/codes.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';

const { gtc, postOnly: postOnlyCode, fak, fok } = FORCE;
const { cancelTaker, cancelMaker, cancelBoth } = SELF_TRADE;

/** Returns whether numbers and flags have the right type. Other types may throw in a comparison or in the journal. */
export function haveValidTypes(
  { account, credential }: AccountCommand,
  { market, price, shares, timestampMs, maxFeeBps, replaces, postOnly }: OrderTerms,
): boolean {
  return (
    typeof market === 'number' &&
    typeof price === 'number' &&
    typeof shares === 'number' &&
    typeof timestampMs === 'number' &&
    typeof maxFeeBps === 'number' &&
    typeof replaces === 'number' &&
    typeof postOnly === 'boolean' &&
    typeof account === 'number' &&
    typeof credential === 'number'
  );
}

/** Returns a code of `ORDER_KIND`, without branches: a mispredicted branch costs as much as twenty comparisons. */
export function kindCode({ outcome, side }: Pick<OrderTerms, 'outcome' | 'side'>): number {
  const isNo = Number(outcome === 'NO');
  const isSell = Number(side === 'SELL');
  const isKnown = (Number(outcome === 'YES') + isNo) & (Number(side === 'BUY') + isSell);
  return isKnown === 1 ? (isNo << 1) | isSell : -1;
}

/** Returns a code of `FORCE`; -1 for an unknown value, and for a post-only FAK or FOK. */
export function forceCode({ timeInForce, postOnly }: Pick<OrderTerms, 'timeInForce' | 'postOnly'>): number {
  if (timeInForce === 'GTC' || timeInForce === 'GTD') return postOnly ? postOnlyCode : gtc;
  if (postOnly) return -1;
  return timeInForce === 'FAK' ? fak : timeInForce === 'FOK' ? fok : -1;
}

export function selfTradeCode(mode: OrderTerms['selfTrade']): number {
  if (mode === 'CANCEL_TAKER') return cancelTaker;
  if (mode === 'CANCEL_MAKER') return cancelMaker;
  return mode === 'CANCEL_BOTH' ? cancelBoth : -1;
}

/** Returns whether the size is a positive number of whole lots. Divides, because `%` on a float64 is a call. */
export function isWholeLots(shares: number): boolean {
  return (
    typeof shares === 'number' &&
    shares > 0 &&
    shares <= Number.MAX_SAFE_INTEGER &&
    Math.floor(shares / LOT) * LOT === shares
  );
}

/** Returns whether the price is a multiple of the tick within [tick, 10000 - tick]; false for NaN. */
export function isOnTick(price: number, tickBps: number): boolean {
  return price >= tickBps && price <= 10_000 - tickBps && ((price / tickBps) | 0) * tickBps === price;
}
