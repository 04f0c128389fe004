import { describe, expect, it } from 'vitest';
import {
  isPolymarketTradeRecord,
  readPolymarketMarketRecord,
  readPolymarketTradeRecord,
} from '../../../src/protocol/polymarket/index.ts';
import { MARKET, NO, YES } from './frames.ts';

describe('a trade of the Data API', () => {
  const record = {
    proxyWallet: '0x1',
    side: 'SELL',
    asset: YES,
    conditionId: MARKET,
    size: 12.5,
    price: 0.5233333,
    timestamp: 1_700_000_000,
    transactionHash: '0x99',
  };

  it('is read in micro-shares, with its average price rounded to the nearest basis point', () => {
    expect(isPolymarketTradeRecord(record)).toBe(true);
    expect(readPolymarketTradeRecord(record)).toEqual({
      market: MARKET,
      asset: YES,
      at: 1_700_000_000_000,
      side: 'SELL',
      price: 5233,
      isExactPrice: false,
      size: 12_500_000,
      transaction: '0x99',
    });
  });

  it('is refused with a price of 0 or 1', () => {
    expect(() => readPolymarketTradeRecord({ ...record, price: 1 })).toThrow(/^price: expected a price of more than 0/);
    expect(() => readPolymarketTradeRecord({ ...record, price: 0 })).toThrow(/^price: /);
    expect(() => readPolymarketTradeRecord({ ...record, size: -1 })).toThrow(/^size: expected .*, got -1/);
  });
});

describe('a market record', () => {
  const gamma = {
    conditionId: MARKET,
    clobTokenIds: JSON.stringify([YES, NO]),
    outcomes: '["Yes", "No"]',
    question: 'Rain?',
    category: 'Weather',
    slug: 'rain',
    orderPriceMinTickSize: 0.001,
    endDate: '2026-03-01T12:00:00Z',
    closedTime: '2026-03-02 09:00:00+00',
    negRisk: true,
    negRiskMarketID: '0x77',
    closed: true,
    outcomePrices: '["0", "1"]',
  };

  it('of Gamma is read with tokens, tick, times, event and winner', () => {
    expect(readPolymarketMarketRecord(gamma)).toEqual({
      market: MARKET,
      assets: [YES, NO],
      outcomes: ['Yes', 'No'],
      question: 'Rain?',
      category: 'Weather',
      slug: 'rain',
      tickBps: 10,
      endsAt: Date.UTC(2026, 2, 1, 12),
      closedAt: Date.UTC(2026, 2, 2, 9),
      negRiskEvent: '0x77',
      winner: NO,
    });
  });

  it('of Gamma has no winner before the market is closed with prices of 0 and 1 or 0.5', () => {
    const winner = (changes: object) => readPolymarketMarketRecord({ ...gamma, ...changes }).winner;
    expect(winner({ closed: false })).toBeUndefined();
    expect(winner({ outcomePrices: '["0.01", "0.99"]' })).toBeUndefined();
    expect(winner({ outcomePrices: '["1", "0"]' })).toBe(YES);
    expect(winner({ outcomePrices: '["0.5", "0.5"]' })).toBe('split');
  });

  it('of the CLOB is read like one of Gamma', () => {
    const clob = {
      condition_id: MARKET,
      tokens: [
        { token_id: NO, outcome: 'No', price: 0, winner: false },
        { token_id: YES, outcome: 'Yes', price: 1, winner: true },
      ],
      question: 'Rain?',
      market_slug: 'rain',
      minimum_tick_size: 0.01,
      end_date_iso: null,
      neg_risk: false,
    };
    expect(readPolymarketMarketRecord(clob)).toMatchObject({
      assets: [YES, NO],
      outcomes: ['Yes', 'No'],
      tickBps: 100,
      endsAt: undefined,
      negRiskEvent: undefined,
      winner: YES,
    });
    const short = {
      c: MARKET,
      t: [
        { t: YES, o: 'Djokovic' },
        { t: NO, o: 'Kyrgios' },
      ],
      mts: 0.01,
    };
    expect(readPolymarketMarketRecord(short)).toMatchObject({ assets: [YES, NO], outcomes: ['Djokovic', 'Kyrgios'] });
  });

  it('is refused with a single token or an invalid list', () => {
    expect(() => readPolymarketMarketRecord({ ...gamma, clobTokenIds: `["${YES}"]` })).toThrow(/^clobTokenIds/);
    expect(() => readPolymarketMarketRecord({ ...gamma, outcomes: 'Yes,No' })).toThrow(
      /^outcomes: expected a list as JSON/,
    );
    expect(() => readPolymarketMarketRecord({ c: 'x' })).toThrow(/^c: expected a condition id/);
  });
});
