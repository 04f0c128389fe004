/** The distance of a market's open orders from its quotes. The rate queue updates the largest error first. */
import { FULL_BPS, type InstanceNo, type OrderNo, type QuoteIntent } from '../domain/index.ts';
import type { MarketView, OpenOrder } from '../state/index.ts';

/** Weight of the distance of an order that is too passive. An order that is too aggressive has weight 1. */
const PASSIVE_WEIGHT = 0.01;
/** Error of each missing order. */
const MISSING_WEIGHT = 0.001;

/** Returns the bps by which an order is more aggressive than every quote of its side; 0 or less for other orders. */
function excessBps({ quotes }: QuoteIntent, { sign, yesPrice }: OpenOrder): number {
  const side = sign === 1 ? 'bid' : 'ask';
  let innermost = sign === 1 ? 0 : FULL_BPS;
  for (const quote of quotes) if (quote.side === side && sign * (quote.price - innermost) > 0) innermost = quote.price;
  return sign * (yesPrice - innermost);
}

/** Returns the distance to the nearest quote of the order's side, bps; 10000 without quotes. */
function nearestBps({ quotes }: QuoteIntent, { sign, yesPrice }: OpenOrder): number {
  const side = sign === 1 ? 'bid' : 'ask';
  let smallest = FULL_BPS;
  for (const quote of quotes) if (quote.side === side) smallest = Math.min(smallest, Math.abs(quote.price - yesPrice));
  return smallest;
}

/** Returns a sort key: the largest `excessBps` of an order; at most 1 if no order is too aggressive. */
export function quoteError(intent: QuoteIntent, instance: InstanceNo, market: MarketView): number {
  let worst = 0;
  let openOrders = 0;
  for (const order of market.orders) {
    if (order.bot !== instance || !order.rests || order.phase === 'cancelling') continue;
    openOrders += 1;
    const excess = excessBps(intent, order);
    worst = Math.max(worst, excess > 0 ? excess : Math.min(1, nearestBps(intent, order) * PASSIVE_WEIGHT));
  }
  return Math.max(worst, Math.max(0, intent.quotes.length - openOrders) * MISSING_WEIGHT);
}

/** Returns the live orders that are more aggressive than every quote of their side. */
export function tooAggressiveOrders(intent: QuoteIntent, instance: InstanceNo, market: MarketView): readonly OrderNo[] {
  return market.orders
    .filter((order) => order.bot === instance && order.rests && order.phase === 'live' && excessBps(intent, order) > 0)
    .map(({ order }) => order);
}
