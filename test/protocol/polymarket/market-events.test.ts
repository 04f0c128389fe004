import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { computeBookHash, readPolymarketEvent, readPolymarketFrame } from '../../../src/protocol/polymarket/index.ts';
import { AT, BOOK, MARKET, NEW_MARKET, NO, PRICE_CHANGE, RESOLVED, TICK_CHANGE, TOUCH, TRADE, YES } from './frames.ts';

const at = Number(AT);
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

function errorOf(json: unknown): string {
  try {
    readPolymarketEvent(json);
  } catch (error) {
    if (error instanceof InputFault) return error.message;
    throw error;
  }
  throw new Error('the event was read');
}

describe('events of the market channel', () => {
  it('are read as a book in basis points and micro-shares, with its tick', () => {
    expect(readPolymarketEvent(BOOK)).toEqual({
      type: 'book',
      market: MARKET,
      asset: YES,
      at,
      bids: [{ price: 5100, size: 50_000_000 }],
      asks: [{ price: 5300, size: 40_500_000 }],
      hash: BOOK.hash,
      tickBps: 100,
    });
  });

  it('are read as level changes with the best prices of the token after them', () => {
    expect(readPolymarketEvent(PRICE_CHANGE)).toEqual({
      type: 'price_change',
      market: MARKET,
      at,
      changes: [
        {
          asset: YES,
          side: 'BUY',
          price: 5200,
          size: 10_000_000,
          hash: '1f',
          bestBid: 5200,
          bestAsk: 5300,
          hasTouch: true,
        },
      ],
    });
  });

  it('are read as trades, ticks, best prices, new markets and resolutions', () => {
    expect(readPolymarketEvent(TRADE)).toEqual({
      type: 'last_trade_price',
      market: MARKET,
      asset: YES,
      at,
      side: 'BUY',
      price: 5300,
      isExactPrice: true,
      size: 4_000_000,
    });
    expect(readPolymarketEvent(TICK_CHANGE)).toEqual({
      type: 'tick_size_change',
      market: MARKET,
      asset: YES,
      at,
      oldTickBps: 100,
      newTickBps: 10,
    });
    expect(readPolymarketEvent(TOUCH)).toEqual({
      type: 'best_bid_ask',
      market: MARKET,
      asset: YES,
      at,
      bestBid: 5200,
      bestAsk: 5300,
    });
    expect(readPolymarketEvent(NEW_MARKET)).toEqual({
      type: 'new_market',
      market: MARKET,
      at,
      question: 'Rain?',
      slug: 'rain',
      assets: [YES, NO],
      outcomes: ['Yes', 'No'],
      tickBps: 100,
    });
    expect(readPolymarketEvent(RESOLVED)).toEqual({
      type: 'market_resolved',
      market: MARKET,
      at,
      assets: [YES, NO],
      winner: YES,
    });
  });

  it('are read in older forms, with one token per message, buys and sells, and prices without a leading zero', () => {
    const { event_type, market, timestamp } = PRICE_CHANGE;
    const old = { event_type, market, timestamp, asset_id: NO, hash: 'ff' };
    expect(readPolymarketEvent({ ...old, changes: [{ price: '.48', size: '0', side: 'SELL' }] })).toEqual({
      type: 'price_change',
      market: MARKET,
      at,
      changes: [
        {
          asset: NO,
          side: 'SELL',
          price: 4800,
          size: 0,
          hash: 'ff',
          bestBid: undefined,
          bestAsk: undefined,
          hasTouch: false,
        },
      ],
    });
    const inMessage = { ...old, price: '.48', size: '0', side: 'SELL' };
    expect(readPolymarketEvent(inMessage)).toEqual(
      readPolymarketEvent({ ...old, changes: [{ price: '.48', size: '0', side: 'SELL' }] }),
    );
    const { bids: buys, asks: sells, ...rest } = BOOK;
    expect(readPolymarketEvent({ ...rest, buys, sells })).toEqual(readPolymarketEvent(BOOK));
  });

  it('have no best price for an empty side, in each way to write it', () => {
    const bestPrices = (changes: object) => readPolymarketEvent({ ...TOUCH, ...changes });
    expect(bestPrices({ best_bid: '0', best_ask: '1' })).toMatchObject({ bestBid: undefined, bestAsk: undefined });
    expect(bestPrices({ best_bid: '', best_ask: null })).toMatchObject({ bestBid: undefined, bestAsk: undefined });
  });

  it('have an average price rounded to the nearest basis point with a flag, and sizes truncated to micro-shares', () => {
    const trade = { ...TRADE, price: '0.52347', size: '12.3456789' };
    expect(readPolymarketEvent(trade)).toMatchObject({ price: 5235, isExactPrice: false, size: 12_345_678 });
    expect(readPolymarketEvent({ ...trade, price: 0.52345 })).toMatchObject({ price: 5235 });
    expect(readPolymarketEvent({ ...trade, price: '0.523449' })).toMatchObject({ price: 5234 });
  });

  it('of unknown kinds are read with their name and not refused', () => {
    expect(readPolymarketEvent({ event_type: 'weather' })).toEqual({ type: 'unknown', name: 'weather' });
    expect(readPolymarketEvent({})).toEqual({ type: 'unknown', name: '' });
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(readPolymarketEvent({ event_type: name })).toEqual({ type: 'unknown', name });
  });

  it('are refused with the name of the invalid field', () => {
    expect(errorOf({ ...BOOK, market: '0xab' })).toMatch(
      /^market: expected a condition id: 0x and 64 hex digits, got "0xab"/,
    );
    expect(errorOf({ ...BOOK, timestamp: 'now' })).toMatch(/^timestamp: expected milliseconds since 1970, got "now"/);
    expect(errorOf({ ...BOOK, timestamp: undefined })).toMatch(/^timestamp: .* but it is missing/);
    expect(errorOf({ ...BOOK, bids: [{ price: '1', size: '5' }] })).toMatch(/^bids\.0: expected a level/);
    expect(errorOf({ ...BOOK, bids: [BOOK.bids[0], { price: '0.5', size: '-5' }] })).toMatch(
      /^bids\.1: expected a level/,
    );
    expect(errorOf({ ...BOOK, asks: 'x' })).toMatch(/^asks: expected a list of levels, got "x"/);
    expect(errorOf({ ...TRADE, price: '1.02' })).toMatch(/^price: expected a price/);
    expect(errorOf({ ...TRADE, side: 'HOLD' })).toMatch(/^side: expected "BUY" or "SELL", got "HOLD"/);
    expect(errorOf({ ...TRADE, size: '1000000001' })).toMatch(/^size: expected a number of shares/);
    const [change] = PRICE_CHANGE.price_changes;
    const changed = (changes: object) => errorOf({ ...PRICE_CHANGE, price_changes: [{ ...change, ...changes }] });
    expect(changed({ price: '0.52341' })).toMatch(/^price_changes\.0\.price: .*whole basis points, got "0\.52341"/);
    expect(changed({ size: '-1' })).toMatch(/^price_changes\.0\.size: /);
    expect(changed({ asset_id: undefined })).toMatch(/^price_changes\.0\.asset_id: expected a token id/);
    expect(errorOf({ ...PRICE_CHANGE, price_changes: undefined })).toMatch(
      /^price_changes: expected a list of changes/,
    );
    expect(errorOf({ ...TICK_CHANGE, new_tick_size: '0.03' })).toMatch(/^new_tick_size: expected a tick such as 0\.01/);
    expect(errorOf('PONG')).toMatch(/expected object, got "PONG"/);
  });

  it('are single or in a list in a frame', () => {
    expect(readPolymarketFrame(BOOK)).toEqual([BOOK]);
    expect(readPolymarketFrame([BOOK, TRADE])).toEqual([BOOK, TRADE]);
    expect(() => readPolymarketFrame('PONG')).toThrow(/expected an event of the market channel or a list of them/);
    expect(() => readPolymarketFrame(Array(10_001))).toThrow(/at most 10000 events/);
  });
});

describe('the hash of a book', () => {
  const rest = {
    market: MARKET,
    asset_id: YES,
    timestamp: AT,
    hash: '',
    bids: [
      { price: '0.5', size: '100' },
      { price: '0.51', size: '50' },
    ],
    asks: [
      { price: '0.55', size: '100' },
      { price: '0.53', size: '40.5' },
    ],
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price: '0.52',
  };

  it("is the SHA-1 of its compact JSON in the venue's key order, whatever the order of its own keys", () => {
    let bytes = 0;
    const countingSha1 = (text: string): string => {
      bytes = text.length;
      return sha1(text);
    };
    const reversed = Object.fromEntries(Object.entries(rest).reverse());
    expect(computeBookHash(reversed, countingSha1)).toBe('cf0c92f7a2b60243e2395be67ce1fc2a9e167b64');
    expect(bytes).toBe(428);
    expect(computeBookHash({ ...rest, timestamp: '1700000000001' }, sha1)).not.toBe(BOOK.hash);
  });

  it('is undefined for a book of the stream, which lacks fields', () => {
    expect(computeBookHash(BOOK, sha1)).toBeUndefined();
  });
});
