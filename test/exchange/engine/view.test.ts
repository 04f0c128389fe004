import { describe, expect, it } from 'vitest';
import { SHARE, Stage } from './stage.ts';

/** Orders of the first account in two markets, of each kind, the third partly filled by the second account. */
function ordered() {
  const stage = new Stage();
  const [a, b] = [stage.account(), stage.account()];
  for (let market = 0; market < 2; market++) stage.market();
  stage.send('createGroup', { account: a, maxFilled: 100 * SHARE, window: 1000 });
  stage.send('split', { account: a, market: 0, shares: 10 * SHARE });
  const expiration = stage.time + 5000;
  stage.order(a, { price: 4000, size: 3, timeInForce: 'GTD', expiration }, 7);
  stage.order(a, { market: 1, outcome: 'NO', price: 3000, size: 2, group: 1 } as never);
  stage.order(a, { outcome: 'NO', side: 'SELL', price: 5500, size: 4 });
  stage.order(a, { side: 'SELL', price: 7000, size: 5 });
  const [, traded] = stage.place(b, { outcome: 'NO', price: 5500, size: 1 });
  return { stage, a, b, expiration, lastFill: traded?.type === 'traded' ? traded.seq : undefined };
}

const NONE = { expiration: 0, credential: 0, group: 0, lastFill: 0 };

describe('open orders', () => {
  it('show all their fields in the terms of their outcome', () => {
    const { stage, a, expiration, lastFill } = ordered();
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
    expect(stage.view.openOrders(a)).toEqual(all);
    expect(stage.view.openOrders(a, 0)).toEqual(all.filter(({ market }) => market === 0));
    expect(stage.view.openOrders(a, 1)).toEqual(all.filter(({ market }) => market === 1));
    expect(all.map(({ order }) => stage.view.openOrder(order))).toEqual(all);
  });

  it('are empty for an unknown account, an unknown market, or when no order is open', () => {
    const { stage, a, b } = ordered();
    expect([stage.view.openOrders(b), stage.view.openOrders(a, 9), stage.view.openOrders(9)]).toEqual([[], [], []]);
    expect([stage.view.openOrder(5), stage.view.openOrder(99), stage.view.queueAhead(5)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have no queue position when they never existed, also in an unknown market', () => {
    const { view } = new Stage();
    expect([view.openOrder(1), view.queueAhead(1), view.queuesAhead([1, 0, 99])]).toEqual([
      undefined,
      undefined,
      new Map(),
    ]);
  });

  it('have a queue position behind earlier orders at their price, and none while their market is not open', () => {
    const { stage, b } = ordered();
    const behind = stage.order(b, { price: 4000, size: 1 });
    expect(stage.view.queueAhead(behind)).toBe(3 * SHARE);
    expect(stage.view.queuesAhead([1, 99, behind])).toEqual(
      new Map([
        [1, 0],
        [behind, 3 * SHARE],
      ]),
    );
    const market = stage.deploying({ account: b, initialOrder: stage.terms({ price: 4000 }) } as never);
    const [initial] = stage.view.openOrders(b, market);
    expect(initial).toMatchObject({ market, remaining: 10 * SHARE, isShown: false });
    expect(stage.view.queueAhead(initial?.order ?? 0)).toBeUndefined();
    expect(stage.view.queuesAhead([initial?.order ?? 0]).size).toBe(0);
  });

  it('of a page need one walk over each level and give the same positions as single queries', () => {
    const { stage, a, b } = ordered();
    const orders = [4000, 3990, 4000, 3000, 4000, 3990].flatMap((price, at) =>
      [a, b].map((account) => stage.order(account, { price, size: 1 + at })),
    );
    const found = stage.view.queuesAhead(orders.toReversed());
    expect(found.size).toBe(orders.length);
    for (const order of orders) expect(found.get(order)).toBe(stage.view.queueAhead(order));
    expect(new Set(found.values()).size).toBeGreaterThan(6);
  });
});
