import { describe, expect, it } from 'vitest';
import { SHARE, Stage, story } from './stage.ts';

function two(options: { readonly feeRateBps?: number } = {}) {
  const stage = new Stage();
  const [a, b] = [stage.account(100), stage.account(100)];
  stage.market(options);
  return { stage, a, b };
}

describe('an order', () => {
  it('reserves its cost, moves it when it fills, and releases the price improvement', () => {
    const { stage, a, b } = two();
    const maker = stage.buy(a, 'NO', 4000, 10);
    expect(stage.view.account(a)).toMatchObject({ available: 96_000_000, reserved: 4_000_000 });
    const events = stage.place(b, { price: 6500, size: 12 });
    expect(story(events)).toEqual(['accepted 2', `traded ${maker}<2 10@6000 MINT`, `closed ${maker} FILLED 0`]);
    expect(stage.view.account(a)).toMatchObject({ available: 96_000_000, reserved: 0 });
    expect(stage.view.account(b)).toMatchObject({ available: 92_700_000, reserved: 1_300_000 });
    expect(stage.view.holding(b, 0)?.yes).toEqual({ shares: 10 * SHARE, held: 0, cost: 6_000_000, realized: 0 });
    expect(stage.view.collateral(0)).toBe(10_000_000);
    expect(stage.view.openOrder(2)).toMatchObject({ remaining: 2 * SHARE, lastFill: stage.view.seq - 1 });
    expect(stage.view.market(0)).toMatchObject({ lastTrade: 6000, volume: 6_000_000, bookSeq: stage.view.seq });
  });

  it('needs cash for the highest taker fee, and reserves only its price while it rests', () => {
    const { stage, a } = two({ feeRateBps: 1000 });
    // 195 @ 50 cents cost $97.50, and $4.875 of fee at most.
    expect(story(stage.place(a, { size: 195 }))).toEqual(['refused 0 INSUFFICIENT_BALANCE shares']);
    expect(story(stage.place(a, { size: 195, postOnly: true }))).toEqual(['accepted 1']);
    expect(stage.view.account(a)).toMatchObject({ available: 2_500_000, reserved: 97_500_000 });
  });

  it('pays the fee of each fill as a taker only', () => {
    const { stage, a, b } = two({ feeRateBps: 1000 });
    stage.buy(a, 'NO', 5000, 10);
    const events = stage.place(b, { size: 10 });
    expect(events).toContainEqual(expect.objectContaining({ type: 'traded', fee: 250_000 }));
    expect(stage.view.account(a)?.available).toBe(95_000_000);
    expect(stage.view.account(b)?.available).toBe(94_750_000);
    expect(stage.view.fees).toBe(250_000);
  });

  it('sells only shares that no other order sells', () => {
    const { stage, a } = two();
    stage.send('split', { account: a, market: 0, shares: 10 * SHARE });
    stage.sell(a, 'YES', 6000, 7);
    expect(story(stage.place(a, { side: 'SELL', price: 6000, size: 4 }))).toEqual([
      'refused 0 INSUFFICIENT_SHARES shares',
    ]);
    stage.sell(a, 'YES', 6000, 3);
    expect(stage.view.holding(a, 0)?.yes.held).toBe(10 * SHARE);
  });

  it('with FOK fills completely or is refused, with FAK cancels its rest; neither rests', () => {
    const { stage, a, b } = two();
    stage.buy(a, 'NO', 5000, 10);
    expect(story(stage.place(b, { size: 11, timeInForce: 'FOK' }))).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    expect(story(stage.place(b, { size: 4, timeInForce: 'FOK' }))).toEqual([
      'accepted 2',
      'traded 1<2 4@5000 MINT',
      'closed 2 FILLED 0',
    ]);
    expect(story(stage.place(b, { size: 9, timeInForce: 'FAK' }))).toEqual([
      'accepted 3',
      'traded 1<3 6@5000 MINT',
      'closed 1 FILLED 0',
      'closed 3 FAK_REMAINDER 3',
    ]);
    expect(stage.view.account(b)).toMatchObject({ available: 95_000_000, reserved: 0 });
  });

  it('that expires at the moment it arrives is refused; a resting order ends at its expiration', () => {
    const { stage, a } = two();
    const expiration = stage.time + 1000;
    stage.order(a, { timeInForce: 'GTD', expiration });
    stage.order(a, { timeInForce: 'GTD', expiration: expiration + 1 });
    stage.order(a, { timeInForce: 'GTD', expiration });
    expect(stage.view.nextDeadline).toBe(expiration);
    stage.time = expiration;
    expect(story(stage.place(a, { timeInForce: 'GTD', expiration }))).toEqual([
      'closed 1 EXPIRED 10',
      'closed 3 EXPIRED 10',
      'refused 0 EXPIRED_PARAMS expiration',
    ]);
    stage.send('cancel', { account: a, orders: [2] });
    expect(stage.view.nextDeadline).toBeGreaterThan(expiration + 1);
  });

  it('ends at its expiration before another order can match it', () => {
    const { stage, a, b } = two();
    stage.buy(a, 'NO', 5000, 10, { timeInForce: 'GTD', expiration: stage.time + 1 });
    stage.time += 1;
    expect(story(stage.place(b, { size: 1 }))).toEqual(['closed 1 EXPIRED 10', 'accepted 2']);
  });
});

describe('placeOrders', () => {
  it('places orders in sequence, each with its own result', () => {
    const { stage, a } = two();
    const orders = [{ size: 100 }, { size: 101 }, { size: 100, price: 5001 }, { size: 99 }].map((overrides) =>
      stage.terms(overrides),
    );
    expect(story(stage.send('placeBatch', { account: a, orders }))).toEqual([
      'accepted 1',
      'refused 1 INSUFFICIENT_BALANCE shares',
      'refused 2 INVALID_TICK priceBps',
      'accepted 2',
    ]);
  });

  it('refuses the whole batch when it is longer than the maximum', () => {
    const { stage, a } = two();
    const orders = Array.from({ length: 21 }, () => stage.terms({ size: 1 }));
    const before = stage.hash();
    expect(stage.send('placeBatch', { account: a, orders })).toEqual([
      {
        type: 'refused',
        entry: -1,
        refusal: { reason: 'INVALID_ORDER', field: 'orders', limit: 20, value: 21, unit: 'COUNT' },
      },
    ]);
    expect(stage.hash()).toBe(before);
  });

  it('changes a book once, and the sequence number is that of the last event', () => {
    const { stage, a } = two();
    stage.send('placeBatch', { account: a, orders: [stage.terms({ size: 1 }), stage.terms({ size: 1 })] });
    expect(stage.view.market(0)?.bookSeq).toBe(stage.view.seq);
  });
});

describe('a signed order', () => {
  it('is accepted once and gets the same result ever after, whatever would be refused now', () => {
    const { stage, a, b } = two();
    const overrides = { hash: '0xabc', size: 1 };
    stage.order(a, overrides);
    stage.send('cancel', { account: a, orders: [1] });
    stage.send('setMode', { mode: 'HALTED' });
    const before = stage.hash();
    expect(story(stage.place(a, overrides))).toEqual(['duplicate 0 1']);
    expect(story(stage.place(b, overrides))).toEqual(['refused 0 SIGNER_NOT_ALLOWED']);
    expect(stage.hash()).toBe(before);
  });

  it('may be sent again after it was refused', () => {
    const { stage, a } = two();
    const overrides = { hash: '0xabc', clientOrderId: 'mine', size: 1 };
    stage.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(story(stage.place(a, overrides))).toEqual(['refused 0 VENUE_MODE']);
    stage.send('setMode', { mode: 'NORMAL' });
    expect(story(stage.place(a, overrides))).toEqual(['accepted 1']);
  });

  it('is recognised within a batch', () => {
    const { stage, a } = two();
    const terms = stage.terms({ hash: '0xabc', size: 1 });
    expect(story(stage.send('placeBatch', { account: a, orders: [terms, terms] }))).toEqual([
      'accepted 1',
      'duplicate 1 1',
    ]);
  });

  it('and client order ids are part of the state', () => {
    const hashes = [{}, { hash: '0xabc' }, { clientOrderId: '0xabc' }, { hash: '0xabd' }].map((overrides) => {
      const { stage, a } = two();
      stage.order(a, { size: 1, ...overrides });
      return stage.hash();
    });
    expect(new Set(hashes).size).toBe(4);
  });
});

describe('a client order id', () => {
  it('is unique for its account for ever and free for other accounts', () => {
    const { stage, a, b } = two();
    stage.order(a, { clientOrderId: 'mine', size: 1 });
    stage.send('cancel', { account: a, orders: [1] });
    expect(story(stage.place(a, { clientOrderId: 'mine', size: 1 }))).toEqual(['refused 0 CONFLICT clientOrderId']);
    expect(story(stage.place(b, { clientOrderId: 'mine', size: 1 }))).toEqual(['accepted 2']);
  });
});
