import { describe, expect, it } from 'vitest';
import { eventTexts, Harness, inGroup, replace, replaceRefusal, SHARE, twoAccounts } from './harness.ts';

describe('replaceOrders', () => {
  it('cancels before it places, in one step', () => {
    const { harness, a } = twoAccounts();
    const [low, high] = [harness.buy(a, 'YES', 4000, 10), harness.buy(a, 'YES', 4100, 10)];
    expect(eventTexts(replace(harness, a, { cancel: [high, low], place: [{ price: 4200 }, { price: 4300 }] }))).toEqual(
      ['closed 2 REPLACED 10', 'closed 1 REPLACED 10', 'accepted 3', 'accepted 4'],
    );
  });

  it('matches against the book without the cancelled orders, for any number of them', () => {
    for (const count of [1, 2, 8, 9, 20]) {
      const { harness, a, b } = twoAccounts();
      const orders = Array.from({ length: count }, (_, at) => harness.buy(a, 'YES', 4000 + 10 * (at >> 1), 2));
      const best = 4000 + 10 * ((count - 1) >> 1);
      const ask = { outcome: 'NO', price: 10_000 - best, size: 2, postOnly: true } as const;
      expect(replaceRefusal(harness, a, { cancel: orders.slice(0, -1), place: [ask] }).at(-1)).toContain(
        'POST_ONLY_WOULD_CROSS',
      );
      expect(replaceRefusal(harness, a, { cancel: [...orders, orders[0] ?? 0] }).at(-1)).toContain('CONFLICT');
      const received = eventTexts(replace(harness, a, { cancel: orders, place: [ask] }));
      expect(received.at(-1)).toBe(`accepted ${count + 1}`);
      expect(harness.view.openOrders(a, 0).length).toBe(1);
      expect(harness.view.account(a)?.reserved).toBe(2 * SHARE * (1 - best / 10_000));
      expect(eventTexts(replace(harness, b, { place: [{ price: 1000, size: 2 }] }))).toHaveLength(1);
    }
  });

  it('checks funds without the cancelled orders', () => {
    const { harness, a } = twoAccounts();
    const order = harness.buy(a, 'YES', 5000, 2000);
    expect(harness.view.account(a)?.available).toBe(0);
    expect(replaceRefusal(harness, a, { place: [{ price: 5000, size: 2 }] })).toEqual([
      'refused 0 INSUFFICIENT_BALANCE shares',
      'refused -1 INSUFFICIENT_BALANCE shares',
    ]);
    expect(eventTexts(replace(harness, a, { cancel: [order], place: [{ price: 4000, size: 2500 }] }))).toContain(
      'accepted 2',
    );
  });

  it('checks funds after the reserves and fees of its earlier orders', () => {
    const harness = new Harness();
    const [a, b] = [harness.account(100), harness.account(100)];
    harness.market({ feeRateBps: 1000 });
    harness.buy(b, 'NO', 5000, 100);
    // 100 shares at 50 cents cost $50 and at most $2.50 of fees: the remaining $47.50 pay for 96 shares at 49 cents.
    const first = { price: 5000, size: 100 };
    expect(replaceRefusal(harness, a, { place: [first, { price: 5000, size: 95, postOnly: true }] }).at(0)).toBe(
      'refused 1 POST_ONLY_WOULD_CROSS priceBps',
    );
    expect(replaceRefusal(harness, a, { place: [first, { price: 4900, size: 97, postOnly: true }] })).toEqual([
      'refused 1 INSUFFICIENT_BALANCE shares',
      'refused -1 INSUFFICIENT_BALANCE shares',
    ]);
    expect(eventTexts(replace(harness, a, { place: [first, { price: 4900, size: 96, postOnly: true }] }))).toContain(
      'accepted 3',
    );
  });

  it('reserves no fee for the part of its earlier orders that does not match', () => {
    const harness = new Harness();
    const [a, b] = [harness.account(100), harness.account(100)];
    harness.market({ feeRateBps: 1000 });
    // 100 shares rest at 50 cents: the remaining $50 pay for 97 shares at 49 cents and their fee.
    const [first, second] = [
      { price: 5000, size: 100 },
      { price: 4900, size: 97 },
    ];
    for (const overrides of [first, second]) harness.order(a, overrides);
    harness.send('cancelAllOrders', { account: a });
    const place = [first, second].map((overrides) => ({ ...overrides, epoch: 1 }));
    expect(eventTexts(replace(harness, a, { place }))).toEqual(['accepted 3', 'accepted 4']);
    harness.send('cancelAllOrders', { account: a });
    // The first order would match 40 shares for a fee of $1: the remaining cash is not enough.
    harness.buy(b, 'NO', 5000, 40);
    const set = [first, { price: 4900, size: 97, postOnly: true }].map((overrides) => ({ ...overrides, epoch: 2 }));
    expect(
      replaceRefusal(harness, a, { place: [...set, { price: 100, size: 160, postOnly: true, epoch: 2 }] }).at(0),
    ).toBe('refused 2 INSUFFICIENT_BALANCE shares');
    expect(
      eventTexts(replace(harness, a, { place: [...set, { price: 100, size: 100, postOnly: true, epoch: 2 }] })),
    ).toContain('accepted 8');
  });

  it('checks exposure without the cancelled orders and with its earlier orders', () => {
    const { harness, a } = twoAccounts();
    harness.send('configure', { config: { maxExposurePerMarket: 100_000_000 } });
    const held = harness.buy(a, 'YES', 5000, 200);
    expect(replaceRefusal(harness, a, { cancel: [held], place: [{ size: 100 }, { size: 102 }] }).at(0)).toBe(
      'refused 2 EXPOSURE_LIMIT shares',
    );
    expect(eventTexts(replace(harness, a, { cancel: [held], place: [{ size: 100 }, { size: 100 }] }))).toContain(
      'accepted 3',
    );
  });

  it('checks post-only against the book without the cancelled orders and with its own new orders', () => {
    const { harness, a, b } = twoAccounts();
    const ask = harness.buy(a, 'NO', 4000, 5);
    const crossing = { price: 6000, size: 5, postOnly: true };
    expect(replaceRefusal(harness, a, { place: [crossing] }).at(0)).toBe('refused 0 POST_ONLY_WOULD_CROSS priceBps');
    harness.buy(b, 'NO', 3900, 5);
    const crossingPair = [
      { price: 6000, size: 5, postOnly: true },
      { outcome: 'NO', price: 4000, size: 5, postOnly: true },
    ] as const;
    expect(replaceRefusal(harness, a, { cancel: [ask], place: crossingPair }).at(0)).toBe(
      'refused 2 POST_ONLY_WOULD_CROSS priceBps',
    );
    expect(eventTexts(replace(harness, a, { cancel: [ask], place: [crossing] }))).toEqual([
      'closed 1 REPLACED 5',
      'accepted 3',
    ]);
  });

  it('can match orders of others at a price where it cancels its own order', () => {
    const { harness, a, b } = twoAccounts();
    const ask = harness.buy(a, 'NO', 4000, 5);
    harness.buy(b, 'NO', 4000, 5);
    expect(replaceRefusal(harness, a, { cancel: [ask], place: [{ price: 6000, size: 5, postOnly: true }] }).at(0)).toBe(
      'refused 1 POST_ONLY_WOULD_CROSS priceBps',
    );
  });

  it.each([
    ['a closed order', 'ALREADY_FINAL cancelOrderIds'],
    ['an order of another account', 'NOT_FOUND cancelOrderIds'],
    ['an unknown order', 'NOT_FOUND cancelOrderIds'],
    ['an order of another market', 'CONFLICT cancelOrderIds'],
    ['the same order twice', 'CONFLICT cancelOrderIds'],
  ])('is refused as a whole when it cancels %s', (name, expected) => {
    const { harness, a, b } = twoAccounts();
    harness.market();
    const [open, closed, foreign] = [
      harness.buy(a, 'YES', 4000, 1),
      harness.buy(a, 'YES', 4000, 1),
      harness.buy(b, 'YES', 4000, 1),
    ];
    const elsewhere = harness.buy(a, 'YES', 4000, 1, { market: 1 });
    harness.send('cancel', { account: a, orders: [closed] });
    const second = new Map([
      ['a closed order', closed],
      ['an order of another account', foreign],
      ['an order of another market', elsewhere],
      ['the same order twice', open],
    ]).get(name);
    const cancel = [open, second ?? 99];
    expect(replaceRefusal(harness, a, { cancel, place: [{ price: 4500 }] })).toEqual([
      `refused 1 ${expected}`,
      `refused -1 ${expected}`,
    ]);
  });

  it('is refused when an order to cancel has filled since the client’s sequence number', () => {
    const { harness, a, b } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 10);
    const seen = harness.view.seq;
    harness.buy(b, 'NO', 6000, 3);
    const fill = harness.view.openOrder(order)?.lastFill ?? 0;
    expect(fill).toBeGreaterThan(seen);
    const first = { reason: 'CONFLICT', field: 'ifNoFillSince', limit: seen, value: fill, unit: 'COUNT' };
    expect(replace(harness, a, { cancel: [order], ifNoFillSince: seen })).toContainEqual({
      type: 'refused',
      entry: -1,
      refusal: first,
    });
    for (const cancel of [[order], 'all'] as const) {
      const received = replaceRefusal(harness, a, { cancel, place: [{ price: 4100 }], ifNoFillSince: seen });
      expect(received.at(-1)).toBe('refused -1 CONFLICT ifNoFillSince');
    }
    expect(eventTexts(replace(harness, a, { cancel: [order], place: [{ price: 4100 }], ifNoFillSince: fill }))).toEqual(
      ['closed 1 REPLACED 7', 'accepted 3'],
    );
  });

  it('cancels all orders of the account in its market, and no others', () => {
    const { harness, a, b } = twoAccounts();
    harness.market();
    harness.buy(a, 'YES', 4000, 1);
    harness.buy(b, 'YES', 4000, 1);
    harness.buy(a, 'YES', 4000, 1, { market: 1 });
    harness.buy(a, 'NO', 4000, 1);
    expect(eventTexts(replace(harness, a, { cancel: 'all', place: [] }))).toEqual([
      'closed 1 REPLACED 1',
      'closed 4 REPLACED 1',
    ]);
    expect(replace(harness, a, { cancel: 'all', place: [] })).toEqual([]);
  });

  it.each([
    [{ timeInForce: 'FAK' }, 'INVALID_ORDER timeInForce'],
    [{ timeInForce: 'FOK' }, 'INVALID_ORDER timeInForce'],
    [{ market: 1 }, 'CONFLICT marketId'],
    [{ market: 9 }, 'NOT_FOUND marketId'],
    [{ replaces: 77 }, 'CONFLICT replaces'],
    [{ price: 5001 }, 'INVALID_TICK priceBps'],
  ] as const)('is refused as a whole when it places %o', (overrides, expected) => {
    const { harness, a } = twoAccounts();
    harness.market();
    const order = harness.buy(a, 'YES', 4000, 1);
    expect(replaceRefusal(harness, a, { cancel: [order], place: [{ price: 4100 }, overrides] })).toEqual([
      `refused 2 ${expected}`,
      `refused -1 ${expected}`,
    ]);
  });

  it('requires with `mustReplace` that each new order names an order that it replaces', () => {
    const { harness, a } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 1);
    const must = { cancel: [order], mustReplace: true };
    for (const replaces of [0, -1, 99]) {
      expect(replaceRefusal(harness, a, { ...must, place: [{ replaces }] }).at(0)).toBe('refused 1 CONFLICT replaces');
    }
    expect(replaceRefusal(harness, a, { ...must, place: [{ replaces: order }, {}] })).toEqual([
      'refused -1 INVALID_ORDER replaces',
    ]);
    expect(eventTexts(replace(harness, a, { ...must, place: [{ replaces: order }] }))).toEqual([
      'closed 1 REPLACED 1',
      'accepted 2',
    ]);
  });

  it('is refused as a whole for too long lists, by the venue mode and for an unknown account', () => {
    const { harness, a } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 1);
    harness.send('configure', { config: { maxBatchOrders: 1, maxBatchCancels: 1 } });
    for (const [field, set] of [
      ['place', { place: [{}, {}] }],
      ['cancelOrderIds', { cancel: [order, order] }],
    ] as const) {
      const refusal = { reason: 'INVALID_ORDER', field, limit: 1, value: 2, unit: 'COUNT' };
      expect(replace(harness, a, set)).toEqual([{ type: 'refused', entry: -1, refusal }]);
    }
    expect(replaceRefusal(harness, a, { place: [{}, {}] })).toEqual(['refused -1 INVALID_ORDER place']);
    expect(replaceRefusal(harness, a, { cancel: [order, order] })).toEqual(['refused -1 INVALID_ORDER cancelOrderIds']);
    harness.send('setMode', { mode: 'HALTED' });
    expect(replaceRefusal(harness, a, { cancel: [order] })).toEqual(['refused -1 VENUE_MODE']);
    harness.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(replaceRefusal(harness, a, { cancel: [order], place: [{}] })).toEqual([
      'refused 1 VENUE_MODE',
      'refused -1 VENUE_MODE',
    ]);
    expect(replaceRefusal(harness, 99, {})).toEqual(['refused -1 NOT_FOUND account']);
    expect(eventTexts(replace(harness, a, { cancel: [order] }))).toEqual(['closed 1 REPLACED 1']);
  });

  it('matches its new orders in sequence after all of them are accepted', () => {
    const { harness, a, b } = twoAccounts();
    harness.buy(b, 'NO', 6000, 3);
    const taker = { price: 4000, size: 5 };
    expect(
      eventTexts(
        replace(harness, a, { place: [taker, { outcome: 'NO', price: 6000, size: 1, selfTrade: 'CANCEL_MAKER' }] }),
      ),
    ).toEqual(['accepted 2', 'traded 1<2 3@4000 MINT', 'closed 1 FILLED 0', 'accepted 3', 'closed 2 SELF_TRADE 2']);
  });

  it('accepts and closes the new orders that follow an order which trips their group', () => {
    const { harness, a, b } = twoAccounts();
    harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    harness.buy(b, 'NO', 6000, 3);
    const place = [inGroup(1, { price: 4000, size: 5 }), inGroup(1, { price: 3000, size: 2 })];
    expect(eventTexts(replace(harness, a, { place }))).toEqual([
      'accepted 2',
      'traded 1<2 3@4000 MINT',
      'closed 1 FILLED 0',
      'groupChanged',
      'closed 2 ORDER_GROUP_LIMIT 2',
      'accepted 3',
      'closed 3 ORDER_GROUP_LIMIT 2',
    ]);
  });

  it('returns the first result of a known signed order and does nothing else', () => {
    const { harness, a } = twoAccounts();
    const order = harness.buy(a, 'YES', 4000, 1, { hash: '0xa' });
    const set = { cancel: [order], place: [{ price: 4100, hash: '0xb' }] };
    replace(harness, a, set);
    expect(replaceRefusal(harness, a, set)).toEqual([
      'duplicate 1 2',
      'refused 0 ALREADY_FINAL cancelOrderIds',
      'refused -1 ALREADY_FINAL cancelOrderIds',
    ]);
    expect(replaceRefusal(harness, a, { cancel: [2], place: [{ hash: '0xa' }, { hash: '0xc' }] })).toEqual([
      'duplicate 1 1',
      'refused -1 CONFLICT order',
    ]);
  });
});
