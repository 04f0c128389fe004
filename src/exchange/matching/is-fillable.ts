/** Computes the size that an order could fill. It reads levels, own orders and one queue, not all orders. */
import { LOT } from '../../domain/index.ts';
import { isBidKind, SELF_TRADE } from './codes.ts';
import type { Ladder } from './ladder.ts';
import type { OrderSlots } from './order-slots.ts';

/** An order before it enters the book. */
export interface IncomingOrder {
  readonly isBid: boolean;
  /** YES bps. */
  readonly limit: number;
  /** Micro-shares. */
  readonly shares: number;
  /** The owner's holding; 0 for an order without self-trade prevention. */
  readonly holding: number;
  /** A code of `SELF_TRADE`. */
  readonly selfTrade: number;
}

/** Returns whether orders of others within the limit can fill the whole order, under its self-trade mode. */
export function isFillable(slots: OrderSlots, ladder: Ladder, incoming: IncomingOrder): boolean {
  return lacking(slots, ladder, incoming) <= 0;
}

/** Returns the micro-shares of `incoming.shares` that could fill. */
export function fillableShares(slots: OrderSlots, ladder: Ladder, incoming: IncomingOrder): number {
  return incoming.shares - LOT * Math.max(0, lacking(slots, ladder, incoming));
}

/** Returns the lots that could not fill; 0 or less if all could. */
function lacking(slots: OrderSlots, ladder: Ladder, incoming: IncomingOrder): number {
  const { isBid, limit, holding, selfTrade } = incoming;
  const isWithin = (price: number, last: number): boolean => (isBid ? price <= last : price >= last);
  // In lots, because sums over levels may exceed 2^53 micro-shares.
  let wanted = incoming.shares / LOT;
  /** The first own order that would be met and would end the matching. */
  let own = 0;
  let last = limit;
  for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot)) {
    const price = slots.level(slot) * ladder.tickBps;
    if (isBidKind(slots.kind(slot)) === isBid || !isWithin(price, limit)) continue;
    if (selfTrade === SELF_TRADE.cancelMaker) wanted += slots.remaining(slot) / LOT;
    else if (own === 0 || !isWithin(last, price)) {
      own = slot;
      last = price;
    }
  }
  let price = isBid ? ladder.bestAsk : ladder.bestBid;
  while (wanted > 0 && isWithin(price, last)) {
    wanted -= (own !== 0 && price === last ? ladder.queueAhead(own) : ladder.sharesAt(price)) / LOT;
    price = isBid ? ladder.priceAbove(price) : ladder.priceBelow(price);
  }
  return wanted;
}
