import { describe, expect, it } from 'vitest';
import { eventTexts, SHARE, twoAccounts } from './harness.ts';

describe('cancelOrders', () => {
  it('returns a result for each order and releases its reserve', () => {
    const { harness, a, b } = twoAccounts();
    const [mine, done, foreign] = [
      harness.buy(a, 'YES', 4000, 10),
      harness.buy(a, 'YES', 4100, 1),
      harness.buy(b, 'YES', 3000, 1),
    ];
    harness.send('cancel', { account: a, orders: [done] });
    const events = harness.send('cancel', { account: a, orders: [mine, done, foreign, 99, 1.5, Number.NaN, mine] });
    expect(eventTexts(events)).toEqual([
      'closed 1 USER 10',
      'refused 1 ALREADY_FINAL id',
      'refused 2 NOT_FOUND id',
      'refused 3 NOT_FOUND id',
      'refused 4 NOT_FOUND id',
      'refused 5 NOT_FOUND id',
      'refused 6 ALREADY_FINAL id',
    ]);
    expect(harness.view.account(a)).toMatchObject({ available: 1_000_000_000, reserved: 0 });
  });

  it('refuses more orders than a batch allows, with both numbers', () => {
    const { harness, a } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 10);
    harness.send('configure', { config: { maxBatchCancels: 2 } });
    const before = harness.hash();
    expect(harness.send('cancel', { account: a, orders: [order, order, order] })).toEqual([
      {
        type: 'refused',
        entry: -1,
        refusal: { reason: 'INVALID_ORDER', field: 'ids', limit: 2, value: 3, unit: 'COUNT' },
      },
    ]);
    expect(harness.hash()).toBe(before);
  });

  it('works in cancel-only mode and is refused in a halted venue', () => {
    const { harness, a } = twoAccounts();
    const [first, second] = [harness.buy(a, 'YES', 4000, 10), harness.buy(a, 'YES', 4000, 10)];
    harness.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(eventTexts(harness.send('cancel', { account: a, orders: [first] }))).toEqual(['closed 1 USER 10']);
    harness.send('setMode', { mode: 'HALTED' });
    expect(eventTexts(harness.send('cancel', { account: a, orders: [second] }))).toEqual(['refused -1 VENUE_MODE']);
    expect(eventTexts(harness.send('reduce', { account: a, order: second, by: SHARE }))).toEqual([
      'refused 0 VENUE_MODE',
    ]);
    expect(eventTexts(harness.send('cancelAllOrders', { account: a }))).toEqual(['refused -1 VENUE_MODE']);
    expect(eventTexts(harness.send('cancelMarketOrders', { account: a, market: 0 }))).toEqual([
      'refused -1 VENUE_MODE',
    ]);
  });
});

describe('reduceOrder', () => {
  it('keeps the queue position, and cancels the order when it removes all remaining shares or more', () => {
    const { harness, a, b } = twoAccounts();
    const first = harness.buy(a, 'YES', 4000, 10);
    const second = harness.buy(b, 'YES', 4000, 10);
    expect(eventTexts(harness.send('reduce', { account: a, order: first, by: 4 * SHARE }))).toEqual(['reduced 1 to 6']);
    expect(harness.view.account(a)?.reserved).toBe(2_400_000);
    expect(harness.view.queueAhead(second)).toBe(6 * SHARE);
    expect(eventTexts(harness.send('reduce', { account: a, order: first, by: 7 * SHARE }))).toEqual([
      'closed 1 USER 6',
    ]);
    expect(harness.view.account(a)?.reserved).toBe(0);
  });

  it.each([0, -10_000, 1, 15_000, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('refuses to reduce by %d', (by) => {
    const { harness, a } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 10);
    const before = harness.hash();
    expect(eventTexts(harness.send('reduce', { account: a, order, by }))).toEqual(['refused 0 INVALID_LOT byShares']);
    expect(harness.hash()).toBe(before);
  });

  it('distinguishes orders that are closed from orders that never existed', () => {
    const { harness, a, b } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 10);
    expect(eventTexts(harness.send('reduce', { account: b, order, by: SHARE }))).toEqual(['refused 0 NOT_FOUND id']);
    harness.send('cancel', { account: a, orders: [order] });
    expect(eventTexts(harness.send('reduce', { account: a, order, by: SHARE }))).toEqual([
      'refused 0 ALREADY_FINAL id',
    ]);
  });
});

describe('cancelMarketOrders', () => {
  it('cancels by outcome and side where given, in order of arrival', () => {
    const { harness, a, b } = twoAccounts();
    harness.market();
    harness.send('split', { account: a, market: 0, shares: 10 * SHARE });
    const kept = harness.buy(a, 'YES', 3000, 1, { market: 1 });
    const other = harness.buy(b, 'YES', 3000, 1);
    for (const [side, outcome, price] of [
      ['BUY', 'YES', 4000],
      ['SELL', 'YES', 6000],
      ['BUY', 'NO', 3000],
      ['SELL', 'NO', 7000],
    ] as const) {
      harness.order(a, { side, outcome, price, size: 2 });
    }
    expect(
      eventTexts(harness.send('cancelMarketOrders', { account: a, market: 0, outcome: 'NO', side: 'SELL' })),
    ).toEqual(['closed 6 USER 2']);
    expect(eventTexts(harness.send('cancelMarketOrders', { account: a, market: 0, side: 'BUY' }))).toEqual([
      'closed 3 USER 2',
      'closed 5 USER 2',
    ]);
    expect(eventTexts(harness.send('cancelMarketOrders', { account: a, market: 0 }))).toEqual(['closed 4 USER 2']);
    expect(harness.send('cancelMarketOrders', { account: a, market: 0 })).toEqual([]);
    expect([kept, other].map((order) => harness.view.openOrder(order)?.remaining)).toEqual([SHARE, SHARE]);
    expect(eventTexts(harness.send('cancelMarketOrders', { account: a, market: 9 }))).toEqual([
      'refused -1 NOT_FOUND marketId',
    ]);
  });
});

describe('cancelAllOrders', () => {
  it('cancels in all markets for every credential, in order of arrival, and raises the epoch', () => {
    const { harness, a, b } = twoAccounts();
    harness.market();
    harness.order(a, { market: 1, price: 4000, size: 1 }, 5);
    harness.buy(a, 'YES', 4000, 1);
    harness.order(b, { price: 4000, size: 1 });
    harness.order(a, { market: 1, price: 3000, size: 1 });
    expect(eventTexts(harness.send('cancelAllOrders', { account: a, credential: 6 }))).toEqual([
      'epochRaised',
      'closed 1 USER 1',
      'closed 2 USER 1',
      'closed 4 USER 1',
    ]);
    expect(harness.view.account(a)?.epoch).toBe(1);
    expect(eventTexts(harness.place(a, { epoch: 0 }))).toEqual(['refused 0 STALE_EPOCH epoch']);
    expect(eventTexts(harness.place(a, { epoch: 1 }))).toEqual(['accepted 5']);
    expect(harness.view.openOrderCount).toBe(2);
  });
});
