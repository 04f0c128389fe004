import { describe, expect, it } from 'vitest';
import { eventTexts, SHARE, twoAccounts } from './harness.ts';

describe('an order', () => {
  it('reserves its cost, moves it when it fills, and releases the price improvement', () => {
    const { harness, a, b } = twoAccounts({ dollars: 100 });
    const maker = harness.buy(a, 'NO', 4000, 10);
    expect(harness.view.account(a)).toMatchObject({ available: 96_000_000, reserved: 4_000_000 });
    const events = harness.place(b, { price: 6500, size: 12 });
    expect(eventTexts(events)).toEqual(['accepted 2', `traded ${maker}<2 10@6000 MINT`, `closed ${maker} FILLED 0`]);
    expect(harness.view.account(a)).toMatchObject({ available: 96_000_000, reserved: 0 });
    expect(harness.view.account(b)).toMatchObject({ available: 92_700_000, reserved: 1_300_000 });
    expect(harness.view.holding(b, 0)?.yes).toEqual({
      shares: 10 * SHARE,
      reservedShares: 0,
      cost: 6_000_000,
      realized: 0,
    });
    expect(harness.view.collateral(0)).toBe(10_000_000);
    expect(harness.view.openOrder(2)).toMatchObject({ remaining: 2 * SHARE, lastFill: harness.view.seq - 1 });
    expect(harness.view.market(0)).toMatchObject({ lastTrade: 6000, volume: 6_000_000, bookSeq: harness.view.seq });
  });

  it('needs cash for the highest taker fee, and reserves only its price while it rests', () => {
    const { harness, a } = twoAccounts({ dollars: 100, feeRateBps: 1000 });
    // 195 shares at 50 cents cost $97.50 and at most $4.875 of fees.
    expect(eventTexts(harness.place(a, { size: 195 }))).toEqual(['refused 0 INSUFFICIENT_BALANCE shares']);
    expect(eventTexts(harness.place(a, { size: 195, postOnly: true }))).toEqual(['accepted 1']);
    expect(harness.view.account(a)).toMatchObject({ available: 2_500_000, reserved: 97_500_000 });
  });

  it('pays the fee of each fill as a taker only', () => {
    const { harness, a, b } = twoAccounts({ dollars: 100, feeRateBps: 1000 });
    harness.buy(a, 'NO', 5000, 10);
    const events = harness.place(b, { size: 10 });
    expect(events).toContainEqual(expect.objectContaining({ type: 'traded', fee: 250_000 }));
    expect(harness.view.account(a)?.available).toBe(95_000_000);
    expect(harness.view.account(b)?.available).toBe(94_750_000);
    expect(harness.view.fees).toBe(250_000);
  });

  it('sells only shares that no other order sells', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    harness.send('split', { account: a, market: 0, shares: 10 * SHARE });
    harness.sell(a, 'YES', 6000, 7);
    expect(eventTexts(harness.place(a, { side: 'SELL', price: 6000, size: 4 }))).toEqual([
      'refused 0 INSUFFICIENT_SHARES shares',
    ]);
    harness.sell(a, 'YES', 6000, 3);
    expect(harness.view.holding(a, 0)?.yes.reservedShares).toBe(10 * SHARE);
  });

  it('with FOK fills completely or is refused, and with FAK cancels its remainder', () => {
    const { harness, a, b } = twoAccounts({ dollars: 100 });
    harness.buy(a, 'NO', 5000, 10);
    expect(eventTexts(harness.place(b, { size: 11, timeInForce: 'FOK' }))).toEqual([
      'refused 0 FOK_NOT_FILLABLE shares',
    ]);
    expect(eventTexts(harness.place(b, { size: 4, timeInForce: 'FOK' }))).toEqual([
      'accepted 2',
      'traded 1<2 4@5000 MINT',
      'closed 2 FILLED 0',
    ]);
    expect(eventTexts(harness.place(b, { size: 9, timeInForce: 'FAK' }))).toEqual([
      'accepted 3',
      'traded 1<3 6@5000 MINT',
      'closed 1 FILLED 0',
      'closed 3 FAK_REMAINDER 3',
    ]);
    expect(harness.view.account(b)).toMatchObject({ available: 95_000_000, reserved: 0 });
  });

  it('is refused when it expires on arrival, and a resting order ends at its expiration', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    const expiration = harness.time + 1000;
    harness.order(a, { timeInForce: 'GTD', expiration });
    harness.order(a, { timeInForce: 'GTD', expiration: expiration + 1 });
    harness.order(a, { timeInForce: 'GTD', expiration });
    expect(harness.view.nextDeadline).toBe(expiration);
    harness.time = expiration;
    expect(eventTexts(harness.place(a, { timeInForce: 'GTD', expiration }))).toEqual([
      'closed 1 EXPIRED 10',
      'closed 3 EXPIRED 10',
      'refused 0 EXPIRED_PARAMS expiration',
    ]);
    harness.send('cancel', { account: a, orders: [2] });
    expect(harness.view.nextDeadline).toBeGreaterThan(expiration + 1);
  });

  it('ends at its expiration before another order can match it', () => {
    const { harness, a, b } = twoAccounts({ dollars: 100 });
    harness.buy(a, 'NO', 5000, 10, { timeInForce: 'GTD', expiration: harness.time + 1 });
    harness.time += 1;
    expect(eventTexts(harness.place(b, { size: 1 }))).toEqual(['closed 1 EXPIRED 10', 'accepted 2']);
  });
});

describe('placeOrders', () => {
  it('places orders in sequence, each with its own result', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    const orders = [{ size: 100 }, { size: 101 }, { size: 100, price: 5001 }, { size: 99 }].map((overrides) =>
      harness.terms(overrides),
    );
    expect(eventTexts(harness.send('placeBatch', { account: a, orders }))).toEqual([
      'accepted 1',
      'refused 1 INSUFFICIENT_BALANCE shares',
      'refused 2 INVALID_TICK priceBps',
      'accepted 2',
    ]);
  });

  it('refuses the whole batch when it is longer than the maximum', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    const orders = Array.from({ length: 21 }, () => harness.terms({ size: 1 }));
    const before = harness.hash();
    expect(harness.send('placeBatch', { account: a, orders })).toEqual([
      {
        type: 'refused',
        entry: -1,
        refusal: { reason: 'INVALID_ORDER', field: 'orders', limit: 20, value: 21, unit: 'COUNT' },
      },
    ]);
    expect(harness.hash()).toBe(before);
  });

  it('gives the book the sequence number of the last event of the batch', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    harness.send('placeBatch', { account: a, orders: [harness.terms({ size: 1 }), harness.terms({ size: 1 })] });
    expect(harness.view.market(0)?.bookSeq).toBe(harness.view.seq);
  });
});

describe('a signed order', () => {
  it('is accepted once and always gets the same result, even when a new order would be refused', () => {
    const { harness, a, b } = twoAccounts({ dollars: 100 });
    const overrides = { hash: '0xabc', size: 1 };
    harness.order(a, overrides);
    harness.send('cancel', { account: a, orders: [1] });
    harness.send('setMode', { mode: 'HALTED' });
    const before = harness.hash();
    expect(eventTexts(harness.place(a, overrides))).toEqual(['duplicate 0 1']);
    expect(eventTexts(harness.place(b, overrides))).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
    expect(harness.hash()).toBe(before);
  });

  it('may be sent again after it was refused', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    const overrides = { hash: '0xabc', clientOrderId: 'mine', size: 1 };
    harness.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(eventTexts(harness.place(a, overrides))).toEqual(['refused 0 VENUE_MODE']);
    harness.send('setMode', { mode: 'NORMAL' });
    expect(eventTexts(harness.place(a, overrides))).toEqual(['accepted 1']);
  });

  it('is recognised within a batch', () => {
    const { harness, a } = twoAccounts({ dollars: 100 });
    const terms = harness.terms({ hash: '0xabc', size: 1 });
    expect(eventTexts(harness.send('placeBatch', { account: a, orders: [terms, terms] }))).toEqual([
      'accepted 1',
      'duplicate 1 1',
    ]);
  });

  it('is part of the state with its client order id', () => {
    const hashes = [{}, { hash: '0xabc' }, { clientOrderId: '0xabc' }, { hash: '0xabd' }].map((overrides) => {
      const { harness, a } = twoAccounts({ dollars: 100 });
      harness.order(a, { size: 1, ...overrides });
      return harness.hash();
    });
    expect(new Set(hashes).size).toBe(4);
  });
});

describe('a client order id', () => {
  it('is unique for its account, also after its order closes, and free for other accounts', () => {
    const { harness, a, b } = twoAccounts({ dollars: 100 });
    harness.order(a, { clientOrderId: 'mine', size: 1 });
    harness.send('cancel', { account: a, orders: [1] });
    expect(eventTexts(harness.place(a, { clientOrderId: 'mine', size: 1 }))).toEqual([
      'refused 0 CONFLICT clientOrderId',
    ]);
    expect(eventTexts(harness.place(b, { clientOrderId: 'mine', size: 1 }))).toEqual(['accepted 2']);
  });
});
