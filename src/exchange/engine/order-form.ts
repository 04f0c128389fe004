/**
 * The enumerated values of an order as codes, and the valid form of its numbers. An unknown value is -1.
 *
 * HOT: every order passes here; compared one by one, as a look-up in a list costs a call.
 */
import { LOT } from '../../domain/index.ts';
import { FORCE, SELF_TRADE } from '../matching/codes.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';

const { gtc, postOnly: restsOnly, fak, fok } = FORCE;
const { cancelTaker, cancelMaker, cancelBoth } = SELF_TRADE;

/** Whether numbers are numbers, and flags flags: what is neither may break where it is compared, or is journalled. */
export function isFormed(
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

/**
 * A code of `ORDER_KIND`. Each value is compared with all candidates, without branches: kinds arrive in no predictable
 * order, and a mispredicted branch costs as much as twenty comparisons.
 */
export function kindCode({ outcome, side }: Pick<OrderTerms, 'outcome' | 'side'>): number {
  const isNo = Number(outcome === 'NO');
  const isSell = Number(side === 'SELL');
  const known = (Number(outcome === 'YES') + isNo) & (Number(side === 'BUY') + isSell);
  return known === 1 ? (isNo << 1) | isSell : -1;
}

/** A code of `FORCE`; -1 also for a post-only that could not rest. */
export function forceCode({ timeInForce, postOnly }: Pick<OrderTerms, 'timeInForce' | 'postOnly'>): number {
  if (timeInForce === 'GTC' || timeInForce === 'GTD') return postOnly ? restsOnly : gtc;
  if (postOnly) return -1;
  return timeInForce === 'FAK' ? fak : timeInForce === 'FOK' ? fok : -1;
}

/** A code of `SELF_TRADE`. */
export function selfTradeCode(mode: OrderTerms['selfTrade']): number {
  if (mode === 'CANCEL_TAKER') return cancelTaker;
  if (mode === 'CANCEL_MAKER') return cancelMaker;
  return mode === 'CANCEL_BOTH' ? cancelBoth : -1;
}

/** A positive, exact number of lots. Divided, as `%` on a float64 calls into C; the product is exact within 2^53. */
export function isWholeLots(shares: number): boolean {
  return (
    typeof shares === 'number' &&
    shares > 0 &&
    shares <= Number.MAX_SAFE_INTEGER &&
    Math.floor(shares / LOT) * LOT === shares
  );
}

/** A multiple of the tick within [tick, 10000 - tick]. NaN is none. */
export function isOnTick(price: number, tickBps: number): boolean {
  return price >= tickBps && price <= 10_000 - tickBps && ((price / tickBps) | 0) * tickBps === price;
}
