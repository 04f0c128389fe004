/** Orders meet: the book is the resting orders, filtered and sorted for each single match. */
import type { CloseReason } from '../../../src/domain/index.ts';
import { bookFill, feeOf } from './accounts.ts';
import { fillsInGroup, groupOf } from './groups.ts';
import { type NaiveOrder, next, openOrders, type World } from './world.ts';

/** Whether an order is a bid of the YES ladder. */
export function isBid(terms: { readonly outcome: string; readonly side: string }): boolean {
  return (terms.outcome === 'YES') === (terms.side === 'BUY');
}

/** A limit in YES terms. */
export function yesPriceOf(terms: { readonly outcome: string; readonly price: number }): number {
  return terms.outcome === 'YES' ? terms.price : 10_000 - terms.price;
}

/** What rests in a market, best first for who comes from the other side, then in the order of time. */
export function ladder(world: World, market: number, bids: boolean): NaiveOrder[] {
  const resting = world.orders.filter(
    (order) => order.state === 'resting' && order.market === market && isBid(order.terms) === bids,
  );
  const better = bids ? -1 : 1;
  return resting.sort((a, b) => better * (yesPriceOf(a.terms) - yesPriceOf(b.terms)) || a.order - b.order);
}

/** Those a new order could meet within its limit, in the order in which it would. */
export function reachable(world: World, taker: Pick<NaiveOrder, 'market' | 'terms'>): NaiveOrder[] {
  const bid = isBid(taker.terms);
  const limit = yesPriceOf(taker.terms);
  return ladder(world, taker.market, !bid).filter((maker) =>
    bid ? yesPriceOf(maker.terms) <= limit : yesPriceOf(maker.terms) >= limit,
  );
}

/** An accepted order takes what it can; the rest waits, or is given up. */
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

/** What is open of an order is given up. */
export function close(world: World, order: NaiveOrder, reason: CloseReason): void {
  if (order.state !== 'taking') touch(world, order);
  world.calls.push(['closed', next(world), order.order, order.left, reason]);
  order.left = 0;
  order.state = 'closed';
}

/** The order's book is another one now. */
export function touch(world: World, { market }: NaiveOrder): void {
  const there = world.markets[market];
  if (there !== undefined) there.isTouched = true;
}

/** Closes orders one after the other, in the order given. */
export function closeAll(world: World, orders: readonly NaiveOrder[], reason: CloseReason): void {
  for (const order of orders) close(world, order, reason);
}

/** A market's open orders from the lowest price in YES terms up, then by time. */
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
  const shares = Math.min(maker.left, taker.left);
  const price = yesPriceOf(maker.terms);
  const takerPrice = taker.terms.outcome === 'YES' ? price : 10_000 - price;
  const fee = feeOf(market.feeRateBps, shares, takerPrice);
  const sellers = [maker, taker].filter(({ terms }) => terms.side === 'SELL').length;
  for (const order of [maker, taker]) {
    order.left -= shares;
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
  if (maker.left === 0) close(world, maker, 'FILLED');
  fillsInGroup(world, maker, shares);
  fillsInGroup(world, taker, shares);
  if (taker.left === 0) close(world, taker, 'FILLED');
  else if (groupOf(world, taker.account, taker.group)?.tripped === true) close(world, taker, 'ORDER_GROUP_LIMIT');
}
