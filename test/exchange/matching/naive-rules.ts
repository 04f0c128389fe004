/** Matching rules of `NaiveBook`, the slow and simple twin of the exchange’s book. */

import { ORDER_KINDS } from '../../../src/exchange/index.ts';
import { MATCH } from '../../../src/exchange/matching/codes.ts';

/** An open order. */
export interface Resting {
  readonly order: number;
  readonly kind: number;
  readonly isBid: boolean;
  /** YES bps. */
  readonly price: number;
  remaining: number;
  readonly holding: number;
}

/** The orders that self-trade prevention closes, by code of `SELF_TRADE`. */
export const CLOSED_BY_SELF_TRADE: readonly { readonly taker: boolean; readonly maker: boolean }[] = [
  { taker: true, maker: false },
  { taker: false, maker: true },
  { taker: true, maker: true },
];

/** Returns the match type of two order kinds (docs/spec/venue.md#the-book). */
export function matchOf(maker: number, taker: number): number {
  const sides = `${ORDER_KINDS[maker]?.side} ${ORDER_KINDS[taker]?.side}`;
  return sides === 'BUY BUY' ? MATCH.mint : sides === 'SELL SELL' ? MATCH.merge : MATCH.normal;
}

export function isOwn(maker: Resting, holding: number): boolean {
  return holding !== 0 && maker.holding === holding;
}

/** Sums the orders of others, up to the first own order if it closes the taker. */
export function fillableShares(matchable: readonly Resting[], holding: number, selfTrade: number): number {
  const first = matchable.findIndex((maker) => isOwn(maker, holding));
  const reached = first >= 0 && CLOSED_BY_SELF_TRADE[selfTrade]?.taker ? matchable.slice(0, first) : matchable;
  return sum(reached.filter((maker) => !isOwn(maker, holding)));
}

export function isWholeLots(shares: number): boolean {
  return Number.isSafeInteger(shares) && shares > 0 && shares % 10_000 === 0;
}

export function sum(orders: readonly Resting[]): number {
  return orders.reduce((total, { remaining }) => total + remaining, 0);
}
