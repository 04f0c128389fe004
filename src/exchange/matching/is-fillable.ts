/** Size that an order could fill, without filling it: reads levels, own orders and one queue, not all orders of others. */
import { LOT } from '../../domain/index.ts';
import { isBidKind, SELF_TRADE } from './codes.ts';
import type { Ladder } from './ladder.ts';
import type { OrderSlots } from './order-slots.ts';

/** An order that has not come in. */
export interface IncomingOrder {
  readonly isBid: boolean;
  /** YES bps. */
  readonly limit: number;
  /** Micro-shares. */
  readonly shares: number;
  /** The owner's; 0 for one who meets no order of his own. */
  readonly holding: number;
  /** A code of `SELF_TRADE`. */
  readonly selfTrade: number;
}

/** Whether others' orders within the limit hold enough, under the self-trade mode of the one who comes. */
export function isFillable(slots: OrderSlots, ladder: Ladder, incoming: IncomingOrder): boolean {
  return lacking(slots, ladder, incoming) <= 0;
}

/** Micro-shares of `incoming.shares` that they hold. */
export function fillableShares(slots: OrderSlots, ladder: Ladder, incoming: IncomingOrder): number {
  return incoming.shares - LOT * Math.max(0, lacking(slots, ladder, incoming));
}

/** Lots that they lack; not more than 0 where they hold enough. */
function lacking(slots: OrderSlots, ladder: Ladder, incoming: IncomingOrder): number {
  const { isBid, limit, holding, selfTrade } = incoming;
  const isWithin = (price: number, last: number): boolean => (isBid ? price <= last : price >= last);
  // In lots: sums over levels may pass 2^53 micro-shares.
  let wanted = incoming.shares / LOT;
  /** The own order that is met first, where it ends the matching. */
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
