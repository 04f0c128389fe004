import { describe, expect, it } from 'vitest';
import { Harness, SHARE } from './harness.ts';

/** Four orders of the first account, one of each kind, in two markets. The second account partly fills the third. */
function fourOrders() {
  const harness = new Harness();
  const [a, b] = [harness.account(), harness.account()];
  for (let market = 0; market < 2; market++) harness.market();
  harness.send('createGroup', { account: a, maxFilled: 100 * SHARE, window: 1000 });
  harness.send('split', { account: a, market: 0, shares: 10 * SHARE });
  const expiration = harness.time + 5000;
  harness.order(a, { price: 4000, size: 3, timeInForce: 'GTD', expiration }, 7);
  harness.order(a, { market: 1, outcome: 'NO', price: 3000, size: 2, group: 1 } as never);
  harness.order(a, { outcome: 'NO', side: 'SELL', price: 5500, size: 4 });
  harness.order(a, { side: 'SELL', price: 7000, size: 5 });
  const [, traded] = harness.place(b, { outcome: 'NO', price: 5500, size: 1 });
  return { harness, a, b, expiration, lastFill: traded?.type === 'traded' ? traded.seq : undefined };
}

const NONE = { expiration: 0, credential: 0, group: 0, lastFill: 0 };

describe('open orders', () => {
  it('have all fields, with the price of their own outcome', () => {
    const { harness, a, expiration, lastFill } = fourOrders();
    const buyYes = { outcome: 'YES', side: 'BUY', price: 4000, remaining: 3 * SHARE, isShown: true };
    const buyNo = { outcome: 'NO', side: 'BUY', price: 3000, remaining: 2 * SHARE, isShown: true };
    const sellNo = { outcome: 'NO', side: 'SELL', price: 5500, remaining: 3 * SHARE, isShown: true };
    const sellYes = { outcome: 'YES', side: 'SELL', price: 7000, remaining: 5 * SHARE, isShown: true };
    const all = [
      { order: 1, account: a, market: 0, ...buyYes, ...NONE, expiration, credential: 7 },
      { order: 2, account: a, market: 1, ...buyNo, ...NONE, group: 1 },
      { order: 3, account: a, market: 0, ...sellNo, ...NONE, lastFill },
      { order: 4, account: a, market: 0, ...sellYes, ...NONE },
    ];
    expect(harness.view.openOrders(a)).toEqual(all);
    expect(harness.view.openOrders(a, 0)).toEqual(all.filter(({ market }) => market === 0));
    expect(harness.view.openOrders(a, 1)).toEqual(all.filter(({ market }) => market === 1));
    expect(all.map(({ order }) => harness.view.openOrder(order))).toEqual(all);
  });

  it('are empty for an unknown account, an unknown market, or when no order is open', () => {
    const { harness, a, b } = fourOrders();
    expect([harness.view.openOrders(b), harness.view.openOrders(a, 9), harness.view.openOrders(9)]).toEqual([
      [],
      [],
      [],
    ]);
    expect([harness.view.openOrder(5), harness.view.openOrder(99), harness.view.queueAhead(5)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have no queue position when they never existed, also in an unknown market', () => {
    const { view } = new Harness();
    expect([view.openOrder(1), view.queueAhead(1), view.queuesAhead([1, 0, 99])]).toEqual([
      undefined,
      undefined,
      new Map(),
    ]);
  });

  it('have a queue position behind earlier orders at their price, and none while their market is not open', () => {
    const { harness, b } = fourOrders();
    const behind = harness.order(b, { price: 4000, size: 1 });
    expect(harness.view.queueAhead(behind)).toBe(3 * SHARE);
    expect(harness.view.queuesAhead([1, 99, behind])).toEqual(
      new Map([
        [1, 0],
        [behind, 3 * SHARE],
      ]),
    );
    const market = harness.createMarket({ account: b, initialOrder: harness.terms({ price: 4000 }) } as never);
    const [initial] = harness.view.openOrders(b, market);
    expect(initial).toMatchObject({ market, remaining: 10 * SHARE, isShown: false });
    expect(harness.view.queueAhead(initial?.order ?? 0)).toBeUndefined();
    expect(harness.view.queuesAhead([initial?.order ?? 0]).size).toBe(0);
  });

  it('have the same queue positions in one query for many orders as in single queries', () => {
    const { harness, a, b } = fourOrders();
    const orders = [4000, 3990, 4000, 3000, 4000, 3990].flatMap((price, at) =>
      [a, b].map((account) => harness.order(account, { price, size: 1 + at })),
    );
    const found = harness.view.queuesAhead(orders.toReversed());
    expect(found.size).toBe(orders.length);
    for (const order of orders) expect(found.get(order)).toBe(harness.view.queueAhead(order));
    expect(new Set(found.values()).size).toBeGreaterThan(6);
  });
});

describe('recorded levels', () => {
  it('are empty for an unknown market and for a market without a recording', () => {
    const harness = new Harness();
    harness.market();
    expect([harness.view.recordedLevels(0), harness.view.recordedLevels(9)]).toEqual([[], []]);
  });
});
