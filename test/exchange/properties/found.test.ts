/** What the naive twin and the engine once disagreed about, each as its smallest story. */
import { describe, expect, it } from 'vitest';
import { counted } from '../../../src/domain/index.ts';
import { SHARE, Stage, story } from '../engine/stage.ts';

const HOUR = 3_600_000;

describe('a replace', () => {
  it('is refused when two of its new orders have the same client order id', () => {
    const stage = new Stage();
    const account = stage.account();
    const market = stage.market();
    const place = [
      stage.terms({ price: 4000, clientOrderId: 'mine' }),
      stage.terms({ price: 4100, clientOrderId: 'mine' }),
    ];
    const before = stage.hash();
    expect(story(stage.send('replace', { account, market, cancel: 'all', place, mustReplace: false }))).toEqual([
      'refused 1 CONFLICT clientOrderId',
      'refused -1 CONFLICT clientOrderId',
    ]);
    expect(stage.hash()).toBe(before);
  });

  it('is refused when two of its new orders are the same signed order', () => {
    const stage = new Stage();
    const account = stage.account();
    const market = stage.market();
    const terms = stage.terms({ price: 4000, hash: '0xsame' });
    const before = stage.hash();
    const events = stage.send('replace', { account, market, cancel: 'all', place: [terms, terms], mustReplace: false });
    expect(story(events).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'refused 1 CONFLICT',
      'refused -1 CONFLICT',
    ]);
    expect(stage.hash()).toBe(before);
  });
});

describe('a FOK', () => {
  it('is refused when an order group that it trips would remove the size it needs', () => {
    const stage = new Stage();
    const maker = stage.account();
    const taker = stage.account();
    const market = stage.market();
    stage.send('createGroup', { account: maker, maxFilled: 5_000_000, window: 60_000 });
    stage.buy(maker, 'NO', 5000, 6, { group: counted.group(1) });
    stage.buy(maker, 'NO', 5000, 6, { group: counted.group(1) });
    const before = stage.hash();
    expect(story(stage.place(taker, { market, price: 5000, size: 12, timeInForce: 'FOK' }))).toEqual([
      'refused 0 FOK_NOT_FILLABLE shares',
    ]);
    expect(stage.hash()).toBe(before);
  });

  it('is refused when it would trip its own group before it is filled', () => {
    const stage = new Stage();
    const maker = stage.account();
    const taker = stage.account();
    const market = stage.market();
    stage.send('createGroup', { account: taker, maxFilled: 5_000_000, window: 60_000 });
    stage.buy(maker, 'NO', 5000, 6);
    stage.buy(maker, 'NO', 5000, 6);
    const before = stage.hash();
    const overrides = { market, price: 5000, timeInForce: 'FOK', group: counted.group(1) } as const;
    expect(story(stage.place(taker, { ...overrides, size: 12 }))).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    expect(stage.hash()).toBe(before);
    expect(story(stage.place(taker, { ...overrides, size: 6 })).at(-1)).toBe('closed 3 FILLED 0');
  });
});

describe('a new market', () => {
  it('with a fractional basis point as its fee is refused, also with an initial order', () => {
    const stage = new Stage();
    stage.account();
    const before = stage.hash();
    stage.deploying({ feeRateBps: 5e-324, initialOrder: stage.terms() });
    expect([stage.view.markets.length, stage.hash()]).toEqual([0, before]);
  });
});

describe('an operator’s decision', () => {
  it('can be disputed by an account that disputed the previous decision of the round', () => {
    const stage = new Stage();
    const holder = stage.account();
    const market = stage.market();
    stage.send('split', { account: holder, market, shares: SHARE });
    stage.send('closeEarly', { market });
    for (const model of ['a', 'b']) {
      const vote = { id: model, model, vote: 'YES', confidenceBps: undefined, rationale: 'so', sources: [] };
      stage.send('castVote', { market, round: 1, vote });
    }
    expect(story(stage.send('dispute', { account: holder, market, reason: 'no' }))).toEqual(['resolutionStepped']);
    stage.time += 3 * HOUR;
    stage.send('tick');
    stage.send('chainFailed', { market, step: 'REPORT_PAYOUT', attempt: 2, permanent: true });
    stage.time += 25 * HOUR;
    stage.send('decideManually', { market, decision: 'NO' });
    expect(stage.view.market(market)?.status).toBe('RESOLVED');
    expect(story(stage.send('upholdDispute', { market }))).toEqual(['refused 0 CONFLICT marketId']);
    expect(story(stage.send('dispute', { account: holder, market, reason: 'no' }))).toEqual(['resolutionStepped']);
    expect(story(stage.send('dispute', { account: holder, market, reason: 'no' }))).toEqual([
      'refused 0 CONFLICT marketId',
    ]);
    stage.send('upholdDispute', { market });
    expect(stage.view.market(market)?.status).toBe('PENDING_RESOLUTION');
  });
});
