import { describe, expect, it } from 'vitest';
import { SHARE, Stage, story } from './stage.ts';

function two() {
  const stage = new Stage();
  const [a, b] = [stage.account(), stage.account()];
  stage.market();
  return { stage, a, b };
}

describe('cancelOrders', () => {
  it('returns a result for each order and releases its reserve', () => {
    const { stage, a, b } = two();
    const [mine, done, foreign] = [
      stage.buy(a, 'YES', 4000, 10),
      stage.buy(a, 'YES', 4100, 1),
      stage.buy(b, 'YES', 3000, 1),
    ];
    stage.send('cancel', { account: a, orders: [done] });
    const events = stage.send('cancel', { account: a, orders: [mine, done, foreign, 99, 1.5, Number.NaN, mine] });
    expect(story(events)).toEqual([
      'closed 1 USER 10',
      'refused 1 ALREADY_FINAL id',
      'refused 2 NOT_FOUND id',
      'refused 3 NOT_FOUND id',
      'refused 4 NOT_FOUND id',
      'refused 5 NOT_FOUND id',
      'refused 6 ALREADY_FINAL id',
    ]);
    expect(stage.view.account(a)).toMatchObject({ available: 1_000_000_000, reserved: 0 });
  });

  it('refuses more orders than a batch allows, with both numbers', () => {
    const { stage, a } = two();
    const order = stage.buy(a, 'YES', 4000, 10);
    stage.send('configure', { config: { maxBatchCancels: 2 } });
    const before = stage.hash();
    expect(stage.send('cancel', { account: a, orders: [order, order, order] })).toEqual([
      {
        type: 'refused',
        entry: -1,
        refusal: { reason: 'INVALID_ORDER', field: 'ids', limit: 2, value: 3, unit: 'COUNT' },
      },
    ]);
    expect(stage.hash()).toBe(before);
  });

  it('works in cancel-only mode and is refused in a halted venue', () => {
    const { stage, a } = two();
    const [one, other] = [stage.buy(a, 'YES', 4000, 10), stage.buy(a, 'YES', 4000, 10)];
    stage.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(story(stage.send('cancel', { account: a, orders: [one] }))).toEqual(['closed 1 USER 10']);
    stage.send('setMode', { mode: 'HALTED' });
    expect(story(stage.send('cancel', { account: a, orders: [other] }))).toEqual(['refused -1 VENUE_MODE']);
    expect(story(stage.send('reduce', { account: a, order: other, by: SHARE }))).toEqual(['refused 0 VENUE_MODE']);
    expect(story(stage.send('cancelAllOrders', { account: a }))).toEqual(['refused -1 VENUE_MODE']);
    expect(story(stage.send('cancelMarketOrders', { account: a, market: 0 }))).toEqual(['refused -1 VENUE_MODE']);
  });
});

describe('reduceOrder', () => {
  it('keeps the queue position; a reduction of the whole rest or more cancels the order', () => {
    const { stage, a, b } = two();
    const first = stage.buy(a, 'YES', 4000, 10);
    const second = stage.buy(b, 'YES', 4000, 10);
    expect(story(stage.send('reduce', { account: a, order: first, by: 4 * SHARE }))).toEqual(['reduced 1 to 6']);
    expect(stage.view.account(a)?.reserved).toBe(2_400_000);
    expect(stage.view.queueAhead(second)).toBe(6 * SHARE);
    expect(story(stage.send('reduce', { account: a, order: first, by: 7 * SHARE }))).toEqual(['closed 1 USER 6']);
    expect(stage.view.account(a)?.reserved).toBe(0);
  });

  it.each([0, -10_000, 1, 15_000, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('refuses to reduce by %d', (by) => {
    const { stage, a } = two();
    const order = stage.buy(a, 'YES', 4000, 10);
    const before = stage.hash();
    expect(story(stage.send('reduce', { account: a, order, by }))).toEqual(['refused 0 INVALID_LOT byShares']);
    expect(stage.hash()).toBe(before);
  });

  it('distinguishes orders that are closed from orders that never existed', () => {
    const { stage, a, b } = two();
    const order = stage.buy(a, 'YES', 4000, 10);
    expect(story(stage.send('reduce', { account: b, order, by: SHARE }))).toEqual(['refused 0 NOT_FOUND id']);
    stage.send('cancel', { account: a, orders: [order] });
    expect(story(stage.send('reduce', { account: a, order, by: SHARE }))).toEqual(['refused 0 ALREADY_FINAL id']);
  });
});

describe('cancelMarketOrders', () => {
  it('cancels by outcome and side where given, in order of arrival', () => {
    const { stage, a, b } = two();
    stage.market();
    stage.send('split', { account: a, market: 0, shares: 10 * SHARE });
    const kept = stage.buy(a, 'YES', 3000, 1, { market: 1 });
    const other = stage.buy(b, 'YES', 3000, 1);
    for (const [side, outcome, price] of [
      ['BUY', 'YES', 4000],
      ['SELL', 'YES', 6000],
      ['BUY', 'NO', 3000],
      ['SELL', 'NO', 7000],
    ] as const) {
      stage.order(a, { side, outcome, price, size: 2 });
    }
    expect(story(stage.send('cancelMarketOrders', { account: a, market: 0, outcome: 'NO', side: 'SELL' }))).toEqual([
      'closed 6 USER 2',
    ]);
    expect(story(stage.send('cancelMarketOrders', { account: a, market: 0, side: 'BUY' }))).toEqual([
      'closed 3 USER 2',
      'closed 5 USER 2',
    ]);
    expect(story(stage.send('cancelMarketOrders', { account: a, market: 0 }))).toEqual(['closed 4 USER 2']);
    expect(stage.send('cancelMarketOrders', { account: a, market: 0 })).toEqual([]);
    expect([kept, other].map((order) => stage.view.openOrder(order)?.remaining)).toEqual([SHARE, SHARE]);
    expect(story(stage.send('cancelMarketOrders', { account: a, market: 9 }))).toEqual([
      'refused -1 NOT_FOUND marketId',
    ]);
  });
});

describe('cancelAllOrders', () => {
  it('cancels in all markets for every credential, in order of arrival, and raises the epoch', () => {
    const { stage, a, b } = two();
    stage.market();
    stage.order(a, { market: 1, price: 4000, size: 1 }, 5);
    stage.buy(a, 'YES', 4000, 1);
    stage.order(b, { price: 4000, size: 1 });
    stage.order(a, { market: 1, price: 3000, size: 1 });
    expect(story(stage.send('cancelAllOrders', { account: a, credential: 6 }))).toEqual([
      'epochRaised',
      'closed 1 USER 1',
      'closed 2 USER 1',
      'closed 4 USER 1',
    ]);
    expect(stage.view.account(a)?.epoch).toBe(1);
    expect(story(stage.place(a, { epoch: 0 }))).toEqual(['refused 0 STALE_EPOCH epoch']);
    expect(story(stage.place(a, { epoch: 1 }))).toEqual(['accepted 5']);
    expect(stage.view.openOrderCount).toBe(2);
  });
});
