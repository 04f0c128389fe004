import { describe, expect, it } from 'vitest';
import { eventTexts, Harness, SHARE } from './harness.ts';

function openMarket() {
  const harness = new Harness();
  const account = harness.account(100);
  harness.market();
  return { harness, account };
}

/** Votes until the market is RESOLVED, waits for the dispute window, and confirms the payout. */
function resolve(harness: Harness, market: number, vote: 'YES' | 'NO'): void {
  harness.send('closeEarly', { market });
  const round = harness.view.market(market)?.round;
  for (const model of ['a', 'b']) {
    const ballot = { id: `${market}${model}`, model, vote, confidenceBps: undefined, rationale: '', sources: [] };
    harness.send('castVote', { market, round, vote: ballot });
  }
  harness.time += 7_200_000;
  harness.send('tick');
  harness.confirm(market);
}

describe('split and merge', () => {
  it('convert dollars to pairs and back', () => {
    const { harness, account } = openMarket();
    expect(eventTexts(harness.send('split', { account, market: 0, shares: 10 * SHARE }))).toEqual(['converted']);
    expect(harness.view.account(account)?.available).toBe(90_000_000);
    expect(harness.view.holding(account, 0)).toMatchObject({
      yes: { shares: 10 * SHARE, cost: 5_000_000 },
      no: { shares: 10 * SHARE, cost: 5_000_000 },
      exposure: 0,
    });
    harness.send('merge', { account, market: 0, shares: 4 * SHARE });
    expect(harness.view.account(account)?.available).toBe(94_000_000);
    expect(harness.view.collateral(0)).toBe(6_000_000);
  });

  it.each([0, -1, 1.5, 15_000, Number.NaN, 2 ** 53])('refuse %d sets', (shares) => {
    const { harness, account } = openMarket();
    const before = harness.hash();
    expect(eventTexts(harness.send('split', { account, market: 0, shares }))).toEqual(['refused 0 INVALID_LOT sets']);
    expect(eventTexts(harness.send('merge', { account, market: 0, shares }))).toEqual(['refused 0 INVALID_LOT sets']);
    expect(harness.hash()).toBe(before);
  });

  it('report the lot size and the value of an invalid number of sets', () => {
    const { harness, account } = openMarket();
    expect(harness.send('split', { account, market: 0, shares: 15_000 })).toMatchObject([
      { refusal: { reason: 'INVALID_LOT', limit: 10_000, value: 15_000, unit: 'MICRO_SHARES' } },
    ]);
  });

  it('refuse more cash or shares than the account has available', () => {
    const { harness, account } = openMarket();
    expect(harness.send('split', { account, market: 0, shares: 101 * SHARE })).toEqual([
      {
        type: 'refused',
        entry: 0,
        refusal: {
          reason: 'INSUFFICIENT_BALANCE',
          field: 'sets',
          limit: 100_000_000,
          value: 101_000_000,
          unit: 'MICRO_USD',
        },
      },
    ]);
    harness.send('split', { account, market: 0, shares: 10 * SHARE });
    harness.sell(account, 'NO', 6000, 3);
    expect(harness.send('merge', { account, market: 0, shares: 8 * SHARE })).toEqual([
      {
        type: 'refused',
        entry: 0,
        refusal: {
          reason: 'INSUFFICIENT_SHARES',
          field: 'sets',
          limit: 7_000_000,
          value: 8_000_000,
          unit: 'MICRO_SHARES',
        },
      },
    ]);
    expect(eventTexts(harness.send('merge', { account, market: 0, shares: 4_000_000_000_000_000 }))).toEqual([
      'refused 0 ABOVE_MAX sets',
    ]);
  });

  it('allow splits while the market is open and merges until it is final', () => {
    const { harness, account } = openMarket();
    harness.send('split', { account, market: 0, shares: 10 * SHARE });
    harness.send('halt', { market: 0 });
    expect(eventTexts(harness.send('split', { account, market: 0, shares: SHARE }))).toEqual(['converted']);
    harness.send('closeEarly', { market: 0 });
    expect(eventTexts(harness.send('split', { account, market: 0, shares: SHARE }))).toEqual([
      'refused 0 MARKET_NOT_OPEN marketId',
    ]);
    expect(eventTexts(harness.send('merge', { account, market: 0, shares: SHARE }))).toEqual(['converted']);
    harness.send('voidMarket', { market: 0 });
    expect(eventTexts(harness.send('merge', { account, market: 0, shares: SHARE }))).toEqual([
      'refused 0 MARKET_NOT_OPEN marketId',
    ]);
    expect(eventTexts(harness.send('split', { account, market: 9, shares: SHARE }))).toEqual([
      'refused 0 NOT_FOUND marketId',
    ]);
    expect(eventTexts(harness.send('split', { account: 9, market: 0, shares: SHARE }))).toEqual([
      'refused 0 NOT_FOUND account',
    ]);
    harness.send('setMode', { mode: 'HALTED' });
    expect(eventTexts(harness.send('merge', { account, market: 0, shares: SHARE }))).toEqual(['refused 0 VENUE_MODE']);
  });
});

describe('claim', () => {
  it('pays once what a final market owes', () => {
    const { harness, account } = openMarket();
    harness.send('split', { account, market: 0, shares: 10 * SHARE });
    expect(eventTexts(harness.send('claim', { account, market: 0 }))).toEqual(['refused 0 CONFLICT marketId']);
    resolve(harness, 0, 'YES');
    expect(harness.view.market(0)?.status).toBe('RESOLVED_YES');
    expect(harness.send('claim', { account, market: 0 })).toMatchObject([
      { event: { type: 'claimed', market: 0, paid: 10_000_000, refundedFees: 0 } },
    ]);
    const before = harness.hash();
    expect(harness.send('claim', { account, market: 0 })).toEqual([]);
    expect(harness.send('claim', { account })).toEqual([]);
    expect(harness.hash()).toBe(before);
    expect(harness.view.account(account)?.available).toBe(100_000_000);
  });

  it('collects from all markets in order of their numbers', () => {
    const { harness, account } = openMarket();
    harness.market();
    harness.market();
    for (const market of [2, 1, 0]) harness.send('split', { account, market, shares: SHARE });
    for (const market of [2, 0]) harness.send('voidMarket', { market });
    const claimed = harness.send('claim', { account });
    expect(
      claimed.map((event) => (event.type === 'rareEvent' && event.event.type === 'claimed' ? event.event.market : -1)),
    ).toEqual([0, 2]);
  });

  it('is refused for an unknown market and in a halted venue', () => {
    const { harness, account } = openMarket();
    expect(eventTexts(harness.send('claim', { account, market: 5 }))).toEqual(['refused 0 NOT_FOUND marketId']);
    expect(eventTexts(harness.send('claim', { account: 5 }))).toEqual(['refused 0 NOT_FOUND account']);
    expect(harness.send('claim', { account })).toEqual([]);
    harness.send('setMode', { mode: 'HALTED' });
    expect(eventTexts(harness.send('claim', { account }))).toEqual(['refused 0 VENUE_MODE']);
  });
});

describe('transfer', () => {
  it('moves cash in and out, up to the available amount', () => {
    const { harness, account } = openMarket();
    harness.buy(account, 'YES', 5000, 100);
    expect(harness.send('transfer', { account, amount: -50_000_001 })).toEqual([
      {
        type: 'refused',
        entry: 0,
        refusal: {
          reason: 'INSUFFICIENT_BALANCE',
          field: 'amount',
          limit: 50_000_000,
          value: 50_000_001,
          unit: 'MICRO_USD',
        },
      },
    ]);
    expect(eventTexts(harness.send('transfer', { account, amount: -50_000_000 }))).toEqual(['transferred']);
    expect(harness.view.account(account)).toMatchObject({ available: 0, reserved: 50_000_000 });
  });

  it.each([
    [0, 'INVALID_ORDER'],
    [0.5, 'INVALID_ORDER'],
    [Number.NaN, 'INVALID_ORDER'],
    [2 ** 53, 'INVALID_ORDER'],
    [4e15, 'ABOVE_MAX'],
  ])('refuses %d: %s', (amount, reason) => {
    const { harness, account } = openMarket();
    const before = harness.hash();
    expect(eventTexts(harness.send('transfer', { account, amount }))).toEqual([`refused 0 ${reason} amount`]);
    expect(eventTexts(harness.send('transfer', { account: 7, amount }))).toEqual(['refused 0 NOT_FOUND account']);
    expect(harness.hash()).toBe(before);
  });
});
