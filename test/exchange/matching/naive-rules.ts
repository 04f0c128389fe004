/** The small rules that the naive twin is put together from. */
import { MATCH, ORDER_KINDS } from '../../../src/exchange/index.ts';

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

/** Whose order goes, by code of `SELF_TRADE`. */
export const GOES: readonly { readonly taker: boolean; readonly maker: boolean }[] = [
  { taker: true, maker: false },
  { taker: false, maker: true },
  { taker: true, maker: true },
];

/** What docs/spec/venue.md#the-book calls the match of two kinds of order. */
export function matchOf(maker: number, taker: number): number {
  const sides = `${ORDER_KINDS[maker]?.side} ${ORDER_KINDS[taker]?.side}`;
  return sides === 'BUY BUY' ? MATCH.mint : sides === 'SELL SELL' ? MATCH.merge : MATCH.normal;
}

export function isOwn(maker: Resting, holding: number): boolean {
  return holding !== 0 && maker.holding === holding;
}

/** What others offer, up to the first own order where that ends the taker. */
export function takeable(facing: readonly Resting[], holding: number, selfTrade: number): number {
  const first = facing.findIndex((maker) => isOwn(maker, holding));
  const met = first >= 0 && GOES[selfTrade]?.taker ? facing.slice(0, first) : facing;
  return sum(met.filter((maker) => !isOwn(maker, holding)));
}

export function isWholeLots(shares: number): boolean {
  return Number.isSafeInteger(shares) && shares > 0 && shares % 10_000 === 0;
}

export function sum(orders: readonly Resting[]): number {
  return orders.reduce((total, { remaining }) => total + remaining, 0);
}
