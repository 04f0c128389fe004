/** Matching of orders. The book is the list of resting orders, filtered and sorted for each match. */
import type { CloseReason } from '../../../src/domain/index.ts';
import { bookFill, feeOf } from './accounts.ts';
import { addFill, groupOf } from './groups.ts';
import { type NaiveOrder, next, openOrders, type World } from './world.ts';

/** Returns whether an order is a bid in the YES book. */
export function isBid(terms: { readonly outcome: string; readonly side: string }): boolean {
  return (terms.outcome === 'YES') === (terms.side === 'BUY');
}

/** Returns the limit price in YES terms. */
export function yesPriceOf(terms: { readonly outcome: string; readonly price: number }): number {
  return terms.outcome === 'YES' ? terms.price : 10_000 - terms.price;
}

/** Returns the resting orders of one side by price and time, the best first. */
export function bookSide(world: World, market: number, side: 'bids' | 'asks'): NaiveOrder[] {
  const resting = world.orders.filter(
    (order) => order.state === 'resting' && order.market === market && isBid(order.terms) === (side === 'bids'),
  );
  const better = side === 'bids' ? -1 : 1;
  return resting.sort((a, b) => better * (yesPriceOf(a.terms) - yesPriceOf(b.terms)) || a.order - b.order);
}

/** Returns the orders that a new order can match within its limit, in matching order. */
export function reachable(world: World, taker: Pick<NaiveOrder, 'market' | 'terms'>): NaiveOrder[] {
  const bid = isBid(taker.terms);
  const limit = yesPriceOf(taker.terms);
  return bookSide(world, taker.market, bid ? 'asks' : 'bids').filter((maker) =>
    bid ? yesPriceOf(maker.terms) <= limit : yesPriceOf(maker.terms) >= limit,
  );
}

/** Matches an accepted order. The remainder rests or is closed, depending on the time in force. */
export function enter(world: World, taker: NaiveOrder): void {
  while (taker.state === 'taking') {
    const maker = reachable(world, taker)[0];
    if (maker === undefined) break;
    if (maker.account === taker.account) preventSelfTrade(world, maker, taker);
    else trade(world, maker, taker);
  }
  if (taker.state !== 'taking') return;
  if (taker.terms.timeInForce === 'GTC' || taker.terms.timeInForce === 'GTD') {
    taker.state = 'resting';
    touch(world, taker);
  } else close(world, taker, 'FAK_REMAINDER');
}

export function close(world: World, order: NaiveOrder, reason: CloseReason): void {
  if (order.state !== 'taking') touch(world, order);
  world.calls.push(['closed', next(world), order.order, order.remaining, reason]);
  order.remaining = 0;
  order.state = 'closed';
}

/** Marks the order's book as changed. */
export function touch(world: World, { market }: NaiveOrder): void {
  const changed = world.markets[market];
  if (changed !== undefined) changed.isTouched = true;
}

export function closeAll(world: World, orders: readonly NaiveOrder[], reason: CloseReason): void {
  for (const order of orders) close(world, order, reason);
}

/** Returns a market's open orders by ascending YES price, then by time. */
export function byPrice(world: World, market: number): NaiveOrder[] {
  const open = openOrders(world, (order) => order.market === market);
  return open.sort((a, b) => yesPriceOf(a.terms) - yesPriceOf(b.terms) || a.order - b.order);
}

function preventSelfTrade(world: World, maker: NaiveOrder, taker: NaiveOrder): void {
  if (taker.terms.selfTrade !== 'CANCEL_TAKER') close(world, maker, 'SELF_TRADE');
  if (taker.terms.selfTrade !== 'CANCEL_MAKER') close(world, taker, 'SELF_TRADE');
}

function trade(world: World, maker: NaiveOrder, taker: NaiveOrder): void {
  const market = world.markets[taker.market];
  if (market === undefined) throw new Error(`no market ${taker.market}`);
  const shares = Math.min(maker.remaining, taker.remaining);
  const price = yesPriceOf(maker.terms);
  const takerPrice = taker.terms.outcome === 'YES' ? price : 10_000 - price;
  const fee = feeOf(market.feeRateBps, shares, takerPrice);
  const sellers = [maker, taker].filter(({ terms }) => terms.side === 'SELL').length;
  for (const order of [maker, taker]) {
    order.remaining -= shares;
    order.filled += shares;
  }
  const seq = next(world);
  world.calls.push(['traded', seq, taker.market, maker.order, taker.order, price, shares, sellers, fee]);
  const makerCost = bookFill(world, maker, maker.terms.price, shares, 0);
  const takerCost = bookFill(world, taker, takerPrice, shares, fee);
  if (world.reversalWindow > 0) {
    const terms = { seq, time: world.now, market: taker.market, yesPrice: price, shares, fee };
    world.trades.push({ ...terms, maker, taker, makerCost, takerCost });
  }
  market.lastTrade = price;
  market.volume += (shares / 10_000) * takerPrice;
  maker.lastFill = seq;
  taker.lastFill = seq;
  touch(world, maker);
  if (maker.remaining === 0) close(world, maker, 'FILLED');
  addFill(world, maker, shares);
  addFill(world, taker, shares);
  if (taker.remaining === 0) close(world, taker, 'FILLED');
  else if (groupOf(world, taker.account, taker.group)?.tripped === true) close(world, taker, 'ORDER_GROUP_LIMIT');
}
