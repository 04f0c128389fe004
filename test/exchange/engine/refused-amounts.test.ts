/** A refusal of too large a size reports the largest size: that size is accepted, one lot more is not. */
import { describe, expect, it } from 'vitest';
import { LOT } from '../../../src/domain/index.ts';
import type { ExchangeEvent, Refusal } from '../../../src/exchange/index.ts';
import { eventTexts, Harness, type OrderOverrides, SHARE } from './harness.ts';

function refusalOf([event, ...more]: readonly ExchangeEvent[]): Refusal {
  if (event?.type !== 'refused' || more.length > 0) throw new Error(`not a refusal: ${JSON.stringify(event)}`);
  return event.refusal;
}

/** A market with two unlimited accounts and one with $1,000; bets and exposure may reach $1 billion. */
function unlimitedAccounts() {
  const harness = new Harness();
  const unlimited = [harness.unlimitedAccount(), harness.unlimitedAccount()] as const;
  const account = harness.account(1000);
  harness.market();
  harness.send('configure', { config: { maxBetPerMarket: 1e15, maxExposurePerMarket: 1e15 } });
  return { harness, unlimited, account };
}

const MAX_SHARES = 1_000_000_000_000_000;

describe('a refused FOK', () => {
  function book() {
    const harness = new Harness();
    const [maker, taker] = [harness.account(), harness.account()];
    harness.market();
    harness.buy(maker, 'NO', 6000, 3);
    harness.buy(maker, 'NO', 5900, 4);
    harness.buy(maker, 'NO', 5000, 100);
    return { harness, maker, taker };
  }

  it('reports how much is available within its limit', () => {
    const { harness, taker } = book();
    const overrides: OrderOverrides = { price: 4100, timeInForce: 'FOK' };
    const reason = 'FOK_NOT_FILLABLE';
    expect(refusalOf(harness.place(taker, { ...overrides, size: 8 }))).toEqual({
      reason,
      field: 'shares',
      limit: 7 * SHARE,
      value: 8 * SHARE,
      unit: 'MICRO_SHARES',
    });
    expect(refusalOf(harness.place(taker, { ...overrides, price: 3900, size: 8 })).limit).toBe(0);
    expect(eventTexts(harness.place(taker, { ...overrides, size: 7 })).at(-1)).toContain('FILLED');
  });

  it('counts what is available under its self-trade mode', () => {
    const limits = (['CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const).map((selfTrade) => {
      const { harness, taker } = book();
      harness.buy(taker, 'NO', 5900, 9);
      harness.buy(taker, 'NO', 5800, 9);
      return refusalOf(harness.place(taker, { price: 4200, size: 20, timeInForce: 'FOK', selfTrade })).limit;
    });
    expect(limits).toEqual([7 * SHARE, 7 * SHARE, 7 * SHARE]);
  });

  it('reports how much an order group’s limit would allow', () => {
    const { harness, maker, taker } = book();
    harness.send('createGroup', { account: maker, maxFilled: SHARE, window: 1000 });
    harness.buy(maker, 'NO', 6100, 2, { group: 1 } as never);
    harness.buy(maker, 'NO', 6000, 50, { group: 1 } as never);
    const refusal = refusalOf(harness.place(taker, { price: 4100, size: 20, timeInForce: 'FOK' }));
    expect(refusal).toMatchObject({ reason: 'FOK_NOT_FILLABLE', limit: 9 * SHARE, value: 20 * SHARE });
    expect(eventTexts(harness.place(taker, { price: 4100, size: 9, timeInForce: 'FOK' })).at(-1)).toContain('FILLED');
  });
});

describe('an order that would make a sum inexact', () => {
  it('reports how much more fits at its price', () => {
    const { harness, unlimited } = unlimitedAccounts();
    for (let count = 0; count < 9; count++)
      harness.order(unlimited[count & 1] ?? 1, { price: 1000, microShares: MAX_SHARES });
    const limit = Number.MAX_SAFE_INTEGER - 9 * MAX_SHARES;
    const overrides = { price: 1000, microShares: MAX_SHARES };
    expect(refusalOf(harness.place(unlimited[0], overrides))).toEqual({
      reason: 'ABOVE_MAX',
      field: 'shares',
      limit: limit,
      value: MAX_SHARES,
      unit: 'MICRO_SHARES',
    });
    const fits = Math.floor(limit / LOT) * LOT;
    expect(eventTexts(harness.place(unlimited[0], { ...overrides, microShares: fits }))).toEqual(['accepted 10']);
    const set = { account: unlimited[0], market: 0, cancel: [], ifNoFillSince: undefined, mustReplace: false };
    const place = [{ ...overrides, microShares: 2 * LOT }, overrides].map((terms) => harness.terms(terms));
    expect(eventTexts(harness.send('replace', { ...set, place }))).toContain('refused 0 ABOVE_MAX shares');
  });

  it('reports how much more money may be in play', () => {
    const { harness, unlimited, account } = unlimitedAccounts();
    harness.send('transfer', { account, amount: 2_999_000_000_000_000 });
    const refusal = refusalOf(harness.place(unlimited[0], { price: 5000, microShares: MAX_SHARES }));
    expect(refusal).toMatchObject({ reason: 'ABOVE_MAX', field: 'shares', value: MAX_SHARES / 2, unit: 'MICRO_USD' });
    const lots = Math.floor((refusal.limit ?? 0) / 5000);
    expect(eventTexts(harness.place(unlimited[0], { price: 5000, microShares: (lots + 1) * LOT }))).toEqual([
      'refused 0 ABOVE_MAX shares',
    ]);
    expect(eventTexts(harness.place(unlimited[0], { price: 5000, microShares: lots * LOT }))).toEqual(['accepted 1']);
  });

  it('reports a limit below the value when a holding’s turnover would be too large', () => {
    const { harness, unlimited } = unlimitedAccounts();
    const [maker, taker] = unlimited;
    harness.send('changeTick', { market: 0, tickBps: 1 });
    const refusals: Refusal[] = [];
    for (let round = 0; round < 12 && refusals.length < 2; round++) {
      const events = harness.place(maker, { outcome: 'NO', price: 1, microShares: MAX_SHARES });
      if (events[0]?.type === 'refused') refusals.push(events[0].refusal);
      else harness.place(taker, { price: 9999, microShares: MAX_SHARES });
      const back = harness.place(taker, { side: 'SELL', price: 1, microShares: MAX_SHARES });
      if (back[0]?.type === 'refused') refusals.push(back[0].refusal);
      else harness.place(maker, { outcome: 'NO', side: 'SELL', price: 9999, microShares: MAX_SHARES });
    }
    expect(refusals.length).toBeGreaterThan(0);
    for (const { reason, field, limit, value, unit } of refusals) {
      expect({ reason, field, unit: unit !== undefined }).toEqual({ reason: 'ABOVE_MAX', field: 'shares', unit: true });
      expect(value).toBeGreaterThan(limit ?? Number.POSITIVE_INFINITY);
    }
  });
});

describe('a sale by an account with limits', () => {
  it('reports how far its proceeds exceed the turnover limit of the holding, and accepts the size at the limit', () => {
    const { harness, account } = unlimitedAccounts();
    harness.send('transfer', { account, amount: 1e12 });
    harness.send('changeTick', { market: 0, tickBps: 1 });
    const sold: string[] = [];
    let refusal: Refusal | undefined;
    for (let round = 0; round < 5 && refusal === undefined; round++) {
      // Each round has a new dealer, because paying for both outcomes soon exhausts a dealer's own limit.
      const dealer = harness.unlimitedAccount();
      harness.buy(dealer, 'NO', 9999, 0, { microShares: MAX_SHARES });
      harness.buy(account, 'YES', 1, 0, { microShares: MAX_SHARES });
      harness.buy(dealer, 'YES', 9999, 0, { microShares: MAX_SHARES });
      const events = harness.place(account, { side: 'SELL', price: 9999, microShares: MAX_SHARES });
      sold.push(eventTexts(events).at(-1) ?? '');
      if (events[0]?.type === 'refused') refusal = refusalOf(events);
      // Moves the money back to the dealer, because the money in play is bounded.
      else {
        harness.send('merge', { account: dealer, market: 0, shares: MAX_SHARES });
        harness.send('transfer', { account, amount: -999_000_000_000_000 });
        harness.send('transfer', { account: dealer, amount: 999_000_000_000_000 });
      }
    }
    expect(sold.slice(-2)).toEqual([expect.stringContaining('FILLED'), 'refused 0 ABOVE_MAX shares']);
    const { limit = 0 } = refusal ?? {};
    expect(refusal).toMatchObject({ value: MAX_SHARES, unit: 'MICRO_SHARES' });
    const fits = Math.floor(limit / LOT) * LOT;
    const sell = { side: 'SELL', price: 9999 } as const;
    expect(refusalOf(harness.place(account, { ...sell, microShares: fits + LOT })).reason).toBe('ABOVE_MAX');
    expect(eventTexts(harness.place(account, { ...sell, microShares: fits })).at(-1)).toContain('FILLED');
  });
});

describe('a transfer or conversion that would make a sum inexact', () => {
  const transfer = (harness: Harness, account: number, amount: number) => harness.send('transfer', { account, amount });

  /** Expects a refusal whose limit is accepted, while one micro-dollar more is refused. */
  function expectExactLimit(harness: Harness, account: number, sign: 1 | -1): number {
    const refusal = refusalOf(transfer(harness, account, sign * 9e15));
    expect(refusal).toMatchObject({ reason: 'ABOVE_MAX', field: 'amount', value: 9e15, unit: 'MICRO_USD' });
    const { limit = 0 } = refusal;
    expect(refusalOf(transfer(harness, account, sign * (limit + 1)))).toMatchObject({ limit, value: limit + 1 });
    expect(eventTexts(transfer(harness, account, sign * limit))).toEqual(['transferred']);
    return limit;
  }

  it('reports how much may be transferred', () => {
    const { harness, unlimited, account } = unlimitedAccounts();
    transfer(harness, unlimited[0], 5_000_000);
    expect(expectExactLimit(harness, account, 1)).toBe(3e15 - 1_005_000_000);
    expect(expectExactLimit(harness, unlimited[0], -1)).toBe(3e15 + 5_000_000);
    expect(expectExactLimit(harness, unlimited[1], 1)).toBe(5_000_000);
  });

  it('reports how many pairs may be split or merged', () => {
    const { harness, unlimited } = unlimitedAccounts();
    const split = { account: unlimited[0], market: 0 };
    for (const [shares, limit] of [
      [4e15, 3e15],
      [3e15 - LOT, 3e15 - 1_000_000_000],
    ] as const) {
      expect(refusalOf(harness.send('split', { ...split, shares }))).toEqual({
        reason: 'ABOVE_MAX',
        field: 'sets',
        limit,
        value: shares,
        unit: 'MICRO_USD',
      });
    }
    expect(refusalOf(harness.send('merge', { ...split, shares: 4e15 }))).toEqual({
      reason: 'ABOVE_MAX',
      field: 'sets',
      limit: 3e15,
      value: 4e15,
      unit: 'MICRO_SHARES',
    });
  });
});
