import { describe, expect, it } from 'vitest';
import { readKalshiMarketRecord, readKalshiMessage } from '../../../src/protocol/kalshi/index.ts';
import { AT, DELTA, DETERMINED, MARKET, SNAPSHOT, TICKER, TRADE } from './frames.ts';

const OPTIONS = { usesYesPrices: false };
const read = (json: unknown) => readKalshiMessage(json, OPTIONS);

describe('messages of the public streams', () => {
  it('are read as a snapshot in YES terms, in which NO bids are YES asks', () => {
    expect(read(SNAPSHOT)).toEqual({
      type: 'orderbook_snapshot',
      sid: 7,
      seq: 1,
      market: MARKET,
      at: undefined,
      bids: [{ price: 5200, size: 10_000_000 }],
      asks: [{ price: 5300, size: 40_500_000 }],
    });
  });

  it('have unchanged NO levels when the subscription requested YES prices', () => {
    const msg = { ...SNAPSHOT.msg, no_dollars_fp: [['0.5300', '40.50']] };
    expect(readKalshiMessage({ ...SNAPSHOT, msg }, { usesYesPrices: true })).toEqual(read(SNAPSHOT));
  });

  it('are read with an empty side when a side is absent', () => {
    expect(read({ ...SNAPSHOT, msg: { market_ticker: MARKET } })).toMatchObject({ bids: [], asks: [] });
  });

  it('are read as level changes with their sign', () => {
    expect(read(DELTA)).toEqual({
      type: 'orderbook_delta',
      sid: 7,
      seq: 2,
      market: MARKET,
      at: AT,
      side: 'bid',
      price: 5200,
      change: -4_000_000,
    });
    expect(read({ ...DELTA, msg: { ...DELTA.msg, side: 'no', price_dollars: '0.4725' } })).toMatchObject({
      side: 'ask',
      price: 5275,
    });
  });

  it('are read as trades with the side of the taker and a flag for block trades', () => {
    expect(read(TRADE)).toEqual({
      type: 'trade',
      sid: 8,
      seq: undefined,
      market: MARKET,
      id: 't1',
      at: AT,
      price: 5200,
      size: 4_000_000,
      side: 'SELL',
      isBlock: false,
    });
    expect(read({ ...TRADE, msg: { ...TRADE.msg, is_block_trade: true } })).toMatchObject({ isBlock: true });
  });

  it('are read as best prices of a ticker and as the payout of a determination', () => {
    expect(read(TICKER)).toMatchObject({ type: 'ticker', market: MARKET, at: AT, bestBid: 5200, bestAsk: 5300 });
    expect(read(DETERMINED)).toEqual({
      type: 'lifecycle',
      sid: 10,
      seq: undefined,
      market: MARKET,
      at: undefined,
      event: 'determined',
      payout: 10_000,
    });
    const ofResult = (result: string) => read({ ...DETERMINED, msg: { market_ticker: MARKET, result } });
    expect(ofResult('no')).toMatchObject({ payout: 0 });
    expect(ofResult('constructor')).toMatchObject({ payout: undefined });
  });

  it('are read in the forms of older recordings, with whole cents, counts as numbers and times in seconds', () => {
    expect(
      read({
        type: 'orderbook_snapshot',
        sid: 1,
        seq: 1,
        msg: { market_ticker: MARKET, yes: [[52, 10]], no: [[47, 40.5]] },
      }),
    ).toEqual({ ...read(SNAPSHOT), sid: 1 });
    expect(
      read({ type: 'orderbook_snapshot', msg: { market_ticker: MARKET, yes_dollars: [['0.52', 10]], no: null } }),
    ).toMatchObject({
      sid: undefined,
      bids: [{ price: 5200, size: 10_000_000 }],
      asks: [],
    });
    const delta = { market_ticker: MARKET, price: 47, delta: -54, side: 'no', ts: '2022-11-22T20:44:01Z' };
    expect(read({ type: 'orderbook_delta', sid: 2, seq: 3, msg: delta })).toMatchObject({
      at: Date.UTC(2022, 10, 22, 20, 44, 1),
      side: 'ask',
      price: 5300,
      change: -54_000_000,
    });
    const trade = {
      market_ticker: MARKET,
      yes_price: 36,
      no_price: 64,
      count: 136,
      taker_side: 'no',
      ts: 1_669_149_841,
    };
    expect(read({ type: 'trade', sid: 11, msg: trade })).toMatchObject({
      at: 1_669_149_841_000,
      price: 3600,
      size: 136_000_000,
      side: 'SELL',
    });
    expect(read({ type: 'ticker', msg: { market_ticker: MARKET, yes_bid: 0, yes_ask: 53 } })).toMatchObject({
      bestBid: undefined,
      bestAsk: 5300,
    });
    const { ts_ms: _, market_ticker: ticker, ...rest } = TRADE.msg;
    expect(read({ ...rest, ticker, created_time: '2023-11-14T22:13:20.1Z' })).toMatchObject({ type: 'trade', at: AT });
  });

  it('of an unknown kind have their sequence number, because it counts in the sequence', () => {
    expect(read({ type: 'ok', id: 3, sid: 7, seq: 5, msg: {} })).toEqual({
      type: 'other',
      name: 'ok',
      at: undefined,
      sid: 7,
      seq: 5,
    });
  });

  it('of the client are read as commands that say which prices were requested', () => {
    const params = { channels: ['orderbook_delta'], market_tickers: [MARKET], use_yes_price: true };
    expect(read({ id: 1, cmd: 'subscribe', params })).toEqual({ type: 'command', usesYesPrices: true });
  });

  it.each([
    [{ ...DELTA, msg: { ...DELTA.msg, price_dollars: '0' } }, /^msg\.price_dollars: expected a price of 0\.0001/],
    [
      { ...DELTA, msg: { ...DELTA.msg, price_dollars: undefined } },
      /^msg\.price_dollars: expected a price in dollars or cents/,
    ],
    [{ ...DELTA, msg: { ...DELTA.msg, delta_fp: 'x' } }, /^msg\.delta_fp: expected a change of contracts/],
    [{ ...DELTA, msg: { ...DELTA.msg, side: 'up' } }, /^msg\.side: expected "yes" or "no", got "up"/],
    [{ ...DELTA, msg: undefined }, /^msg: expected object, but it is missing/],
    [
      { ...SNAPSHOT, msg: { ...SNAPSHOT.msg, yes_dollars_fp: [['0.52', '-1']] } },
      /^msg\.yes_dollars_fp\.0: expected a level/,
    ],
    [{ ...SNAPSHOT, msg: { market_ticker: MARKET, yes: [[100, 1]] } }, /^msg\.yes\.0: expected a level \[52, 10\]/],
    [{ ...TRADE, msg: { ...TRADE.msg, count_fp: undefined } }, /^msg\.count_fp: expected a number of contracts/],
    [
      { ...DETERMINED, msg: { ...DETERMINED.msg, settlement_value: '1.2' } },
      /^msg\.settlement_value: expected 0 to 1 dollar/,
    ],
    ['x', /expected object, got "x"/],
  ])('are refused with the name of the invalid field: %#', (json, message) => {
    expect(() => read(json)).toThrow(message);
  });
});

describe('a market record', () => {
  const record = {
    ticker: MARKET,
    event_ticker: 'KXTEST-26NOV20',
    title: 'Rain?',
    yes_sub_title: 'In London',
    result: '',
    close_time: '2026-11-20T12:00:00Z',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
  };

  it('is read with names, grid and times, and without a payout before the end', () => {
    expect(readKalshiMarketRecord(record)).toEqual({
      market: MARKET,
      event: 'KXTEST-26NOV20',
      isExclusive: false,
      category: undefined,
      title: 'Rain?: In London',
      grid: { type: 'tick', tickBps: 100 },
      closesAt: Date.UTC(2026, 10, 20, 12),
      settledAt: undefined,
      payout: undefined,
    });
    expect(readKalshiMarketRecord({ ...record, result: 'no' }).payout).toBe(0);
    expect(readKalshiMarketRecord({ ...record, result: 'toString' }).payout).toBeUndefined();
    expect(readKalshiMarketRecord({ ...record, result: 'scalar', settlement_value_dollars: '0.3300' }).payout).toBe(
      3300,
    );
    expect(readKalshiMarketRecord({ ...record, result: 'no', status: 'finalized' }).payout).toBe(0);
  });

  it.each(['determined', 'disputed', 'amended'])('has no payout while its result can change: %s', (status) => {
    expect(readKalshiMarketRecord({ ...record, result: 'no', status }).payout).toBeUndefined();
  });

  it('has a list of prices when the step is finer at the ends', () => {
    const price_ranges = [
      { start: '0', end: '0.1', step: '0.001' },
      { start: '0.1', end: '0.9', step: '0.01' },
      { start: '0.9', end: '1', step: '0.001' },
    ];
    const { grid } = readKalshiMarketRecord({ ...record, price_ranges });
    expect(grid?.type === 'list' && grid.bids).toHaveLength(279);
    expect(grid?.type === 'list' && grid.bids.slice(98, 103)).toEqual([990, 1000, 1100, 1200, 1300]);
  });
});
