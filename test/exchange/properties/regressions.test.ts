/** Minimal scenarios in which random tests once found a difference between the engine and the naive implementation. */
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { eventTexts, Harness, SHARE } from '../engine/harness.ts';

const HOUR = 3_600_000;

describe('a replace', () => {
  it('is refused when two of its new orders have the same client order id', () => {
    const harness = new Harness();
    const account = harness.account();
    const market = harness.market();
    const place = [
      harness.terms({ price: 4000, clientOrderId: 'mine' }),
      harness.terms({ price: 4100, clientOrderId: 'mine' }),
    ];
    const before = harness.hash();
    expect(eventTexts(harness.send('replace', { account, market, cancel: 'all', place, mustReplace: false }))).toEqual([
      'refused 1 CONFLICT clientOrderId',
      'refused -1 CONFLICT clientOrderId',
    ]);
    expect(harness.hash()).toBe(before);
  });

  it('is refused when two of its new orders are the same signed order', () => {
    const harness = new Harness();
    const account = harness.account();
    const market = harness.market();
    const terms = harness.terms({ price: 4000, hash: '0xsame' });
    const before = harness.hash();
    const events = harness.send('replace', {
      account,
      market,
      cancel: 'all',
      place: [terms, terms],
      mustReplace: false,
    });
    expect(eventTexts(events).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'refused 1 CONFLICT',
      'refused -1 CONFLICT',
    ]);
    expect(harness.hash()).toBe(before);
  });
});

describe('a FOK', () => {
  it('is refused when an order group that it trips would remove the size it needs', () => {
    const harness = new Harness();
    const maker = harness.account();
    const taker = harness.account();
    const market = harness.market();
    harness.send('createGroup', { account: maker, maxFilled: 5_000_000, window: 60_000 });
    harness.buy(maker, 'NO', 5000, 6, { group: unchecked.group(1) });
    harness.buy(maker, 'NO', 5000, 6, { group: unchecked.group(1) });
    const before = harness.hash();
    expect(eventTexts(harness.place(taker, { market, price: 5000, size: 12, timeInForce: 'FOK' }))).toEqual([
      'refused 0 FOK_NOT_FILLABLE shares',
    ]);
    expect(harness.hash()).toBe(before);
  });

  it('is refused when it would trip its own group before it is filled', () => {
    const harness = new Harness();
    const maker = harness.account();
    const taker = harness.account();
    const market = harness.market();
    harness.send('createGroup', { account: taker, maxFilled: 5_000_000, window: 60_000 });
    harness.buy(maker, 'NO', 5000, 6);
    harness.buy(maker, 'NO', 5000, 6);
    const before = harness.hash();
    const overrides = { market, price: 5000, timeInForce: 'FOK', group: unchecked.group(1) } as const;
    expect(eventTexts(harness.place(taker, { ...overrides, size: 12 }))).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    expect(harness.hash()).toBe(before);
    expect(eventTexts(harness.place(taker, { ...overrides, size: 6 })).at(-1)).toBe('closed 3 FILLED 0');
  });
});

describe('a new market', () => {
  it('is refused, also with an initial order, when its fee is not a whole number of basis points', () => {
    const harness = new Harness();
    harness.account();
    const before = harness.hash();
    harness.createMarket({ feeRateBps: 5e-324, initialOrder: harness.terms() });
    expect([harness.view.markets.length, harness.hash()]).toEqual([0, before]);
  });
});

describe('an operator’s decision', () => {
  it('can be disputed by an account that disputed the previous decision of the round', () => {
    const harness = new Harness();
    const holder = harness.account();
    const market = harness.market();
    harness.send('split', { account: holder, market, shares: SHARE });
    harness.send('closeEarly', { market });
    for (const model of ['a', 'b']) {
      const vote = { id: model, model, vote: 'YES', confidenceBps: undefined, rationale: 'so', sources: [] };
      harness.send('castVote', { market, round: 1, vote });
    }
    expect(eventTexts(harness.send('dispute', { account: holder, market, reason: 'no' }))).toEqual([
      'resolutionStepped',
    ]);
    harness.time += 3 * HOUR;
    harness.send('tick');
    harness.send('chainFailed', { market, step: 'REPORT_PAYOUT', attempt: 2, permanent: true });
    harness.time += 25 * HOUR;
    harness.send('decideManually', { market, decision: 'NO' });
    expect(harness.view.market(market)?.status).toBe('RESOLVED');
    expect(eventTexts(harness.send('upholdDispute', { market }))).toEqual(['refused 0 CONFLICT marketId']);
    expect(eventTexts(harness.send('dispute', { account: holder, market, reason: 'no' }))).toEqual([
      'resolutionStepped',
    ]);
    expect(eventTexts(harness.send('dispute', { account: holder, market, reason: 'no' }))).toEqual([
      'refused 0 CONFLICT marketId',
    ]);
    harness.send('upholdDispute', { market });
    expect(harness.view.market(market)?.status).toBe('PENDING_RESOLUTION');
  });
});
