/** Invariants of an exchange after every command, checked through its views and events. */
import type { Exchange } from '../../../src/exchange/index.ts';
import { assertSame, assertTrue } from './asserts.ts';
import type { ReadModel, ReadOrder } from './read-model.ts';

const LOT = 10_000;

/** @param now time of the last command */
export function checkInvariants({ view }: Exchange, model: ReadModel, now: number): void {
  assertTrue((view.nextDeadline ?? now + 1) > now, `${view.nextDeadline} is due at ${now}`);
  checkMoney(view, model);
  checkReserves(view, model);
  for (const market of view.markets.keys()) {
    checkPairs(view, model, market);
    checkBook(view, model, market);
  }
}

type View = Exchange['view'];

/** The ledger sums to zero. The events give the same cash. The cash of a limited account is never negative. */
function checkMoney(view: View, model: ReadModel): void {
  let sum = model.outside + view.fees;
  for (let account = 1; account <= view.accountCount; account += 1) {
    const { available = 0, reserved = 0, unlimited = false } = view.account(account) ?? {};
    assertSame(available + reserved, model.cash[account], `cash of account ${account}`);
    assertSame(reserved, model.reserved(account), `reserve of account ${account}`);
    assertTrue(available >= 0 || unlimited, `account ${account} has ${available}`);
    sum += available + reserved;
  }
  for (const market of view.markets.keys()) sum += view.collateral(market);
  assertSame(sum, 0, 'the whole ledger');
  assertSame(view.fees, model.fees, 'fees');
}

/** Reserved cash and shares are exactly those of the open orders. */
function checkReserves(view: View, model: ReadModel): void {
  const reserved = new Map<string, number>();
  for (const { account, market, terms, remaining } of model.orders.values()) {
    const asset = terms.side === 'BUY' ? 'cash' : terms.outcome;
    const key = `${account} ${market} ${asset}`;
    reserved.set(key, (reserved.get(key) ?? 0) + (asset === 'cash' ? (remaining / LOT) * terms.price : remaining));
  }
  assertSame(view.openOrderCount, model.orders.size, 'open orders');
  for (let account = 1; account <= view.accountCount; account += 1) {
    for (const holding of view.holdingsOf(account)) {
      const owner = `${account} ${holding.market}`;
      assertSame(holding.reserved, reserved.get(`${owner} cash`) ?? 0, `cash reserved by ${owner}`);
      assertSame(holding.yes.reservedShares, reserved.get(`${owner} YES`) ?? 0, `YES reserved by ${owner}`);
      assertSame(holding.no.reservedShares, reserved.get(`${owner} NO`) ?? 0, `NO reserved by ${owner}`);
      assertTrue(
        holding.yes.reservedShares <= holding.yes.shares && holding.no.reservedShares <= holding.no.shares,
        `shares on sale by ${owner}`,
      );
      const read = model.holding(account, holding.market);
      assertSame([holding.netPaid, holding.fees], [read.netPaid, read.fees], `paid by ${owner}`);
      const open = Math.max(0, read.netPaid - Math.min(read.yes, read.no)) + holding.reserved;
      assertSame(holding.exposure, open, `exposure of ${owner}`);
      const worth = holding.claimed ? holding.paid : holding.yes.cost + holding.no.cost;
      const gained = holding.yes.realized + holding.no.realized;
      assertSame(gained, worth - read.netPaid - read.fees, `P&L of ${owner}`);
      assertSame([holding.yes.shares, holding.no.shares], [read.yes, read.no], `shares of ${owner}`);
    }
  }
}

/** YES shares, NO shares and collateral are equal until a market is final. Then the collateral is the owed amount. */
function checkPairs(view: View, model: ReadModel, market: number): void {
  const holdings = view.holdingsIn(market);
  const sum = (amount: (holding: (typeof holdings)[number]) => number) =>
    holdings.reduce((total, holding) => total + amount(holding), 0);
  const collateral = view.collateral(market);
  if (view.market(market)?.finalAt === undefined) {
    const yes = sum((holding) => holding.yes.shares);
    const no = sum((holding) => holding.no.shares);
    const paid = sum((holding) => holding.netPaid);
    assertSame([yes, no, paid], [collateral, collateral, collateral], `pairs of market ${market}`);
    assertSame(
      sum((holding) => holding.owed),
      0,
      `owed by market ${market}`,
    );
  } else {
    assertSame(
      sum((holding) => holding.owed),
      collateral,
      `owed by market ${market}`,
    );
    assertSame(
      [...model.orders.values()].some((order) => order.market === market),
      false,
      'open orders of a final market',
    );
  }
}

/** The book is never crossed. Levels are the sums of their orders. Each order has the right queue position. */
function checkBook(view: View, model: ReadModel, market: number): void {
  const book = view.book(market);
  if (book === undefined) return;
  assertTrue(book.bestBid < book.bestAsk, `market ${market}: ${book.bestBid} and ${book.bestAsk}`);
  const levels = new Map<number, ReadOrder[]>();
  if (view.market(market)?.status === 'OPEN') {
    for (const order of model.orders.values()) {
      if (order.market !== market) continue;
      const price = order.terms.outcome === 'YES' ? order.terms.price : 10_000 - order.terms.price;
      levels.set(price, [...(levels.get(price) ?? []), order]);
    }
  }
  const prices = [...levels.keys()].sort((a, b) => a - b);
  assertSame(pricesOf(book), prices, `prices of market ${market}`);
  for (const [price, orders] of levels) {
    assertSame(book.orderCountAt(price), orders.length, `orders at ${price}`);
    let ahead = 0;
    for (const { order, remaining } of orders.sort((a, b) => a.order - b.order)) {
      assertSame(view.queueAhead(order), ahead, `shares before order ${order}`);
      ahead += remaining;
    }
    assertSame(book.sharesAt(price), ahead, `shares at ${price}`);
  }
}

function pricesOf(book: NonNullable<ReturnType<View['book']>>): number[] {
  const prices: number[] = [];
  for (let price = book.priceAbove(0); price < 10_000; price = book.priceAbove(price)) prices.push(price);
  return prices;
}
