import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costAt,
  LOT,
  MAX_ORDER_SHARES,
  microShares,
  type Side,
  takerFee,
  unchecked,
} from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG } from '../../../src/exchange/config.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { betLimits, betQuote } from '../../../src/exchange/quotes/bet-quote.ts';
import { runs } from '../../runs.ts';
import { vectors } from '../../spec-vectors.ts';
import { anyOrders, RealBook } from './real-book.ts';

const anySide = fc.record({
  outcome: fc.constantFrom('YES' as const, 'NO' as const),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  feeRateBps: fc.constantFrom(0, 1, 175, 1000),
});
const shares = (lots: number) => ({ shares: unchecked.shares(lots * LOT) });
const amount = (micros: number) => ({ amount: unchecked.usd(micros) });

/** Bids of 3 and 5 lots at 4000 and 3990, asks of 2, 4 and 10 lots at 4200, 4210 and 9990, of all four kinds. */
function smallBook(): RealBook {
  const real = new RealBook(10);
  real.rest({ kind: ORDER_KIND.buyYes, price: 4000, lots: 3 });
  real.rest({ kind: ORDER_KIND.sellNo, price: 6010, lots: 5 });
  real.rest({ kind: ORDER_KIND.sellYes, price: 4200, lots: 2 });
  real.rest({ kind: ORDER_KIND.buyNo, price: 5790, lots: 4 });
  real.rest({ kind: ORDER_KIND.sellYes, price: 9990, lots: 10 });
  return real;
}

describe('a bet quote', () => {
  it.each([
    ['BUY YES of one level', 'YES', 'BUY', shares(2), 4200, 4200, 2, 8400, true],
    ['BUY YES of two levels, average rounded up', 'YES', 'BUY', shares(3), 4204, 4210, 3, 12_610, true],
    ['SELL YES of two levels, average rounded down', 'YES', 'SELL', shares(4), 3997, 3990, 4, 15_990, true],
    ['BUY NO of two bid levels', 'NO', 'BUY', shares(4), 6003, 6010, 4, 24_010, true],
    ['SELL NO of two ask levels', 'NO', 'SELL', shares(3), 5796, 5790, 3, 17_390, true],
    ['more shares than the book has', 'YES', 'SELL', shares(9), 3993, 3990, 8, 31_950, false],
    ['all shares of the book', 'YES', 'SELL', shares(8), 3993, 3990, 8, 31_950, true],
    ['an amount that is spent exactly', 'YES', 'BUY', amount(12_610), 4204, 4210, 3, 12_610, true],
    [
      'an amount whose remainder is too small for a lot',
      'YES',
      'BUY',
      amount(12_609 + 4210),
      4204,
      4210,
      3,
      12_610,
      true,
    ],
    ['an amount under one lot', 'YES', 'BUY', amount(4199), undefined, undefined, 0, 0, false],
    ['an amount that the book cannot fill', 'YES', 'SELL', amount(100_000), 3993, 3990, 8, 31_950, false],
    ['an amount that empties the book', 'YES', 'SELL', amount(31_950), 3993, 3990, 8, 31_950, true],
    ['an amount that exceeds the book by less than a lot', 'YES', 'SELL', amount(35_939), 3993, 3990, 8, 31_950, true],
    ['an amount that exceeds the book by one lot', 'YES', 'SELL', amount(35_940), 3993, 3990, 8, 31_950, false],
  ] as const)(
    'has prices, size and amount for %s',
    (_name, outcome, side, size, averagePrice, worstPrice, lots, cost, fillable) => {
      expect(betQuote(smallBook().book, { outcome, side, size, feeRateBps: 0 })).toEqual({
        averagePrice,
        worstPrice,
        shares: lots * LOT,
        amount: cost,
        fee: 0,
        fillable,
      });
    },
  );

  it('by amount is limited to the largest order', () => {
    const real = new RealBook(1);
    for (let each = 0; each < 2; each++) real.rest({ kind: ORDER_KIND.sellYes, price: 1, lots: 100_000_000_000 });
    const request = { outcome: 'YES', side: 'BUY', feeRateBps: 0 } as const;
    const largest = { averagePrice: 1, worstPrice: 1, shares: 1e15, amount: 1e11, fee: 0 };
    expect(betQuote(real.book, { ...request, size: amount(1e11 + 1) })).toEqual({ ...largest, fillable: false });
    expect(betQuote(real.book, { ...request, size: amount(1e11) })).toEqual({ ...largest, fillable: true });
  });

  it('of an empty side fills nothing', () => {
    const nothing = { averagePrice: undefined, worstPrice: undefined, shares: 0, amount: 0, fee: 0, fillable: false };
    const request = { outcome: 'YES', side: 'BUY', feeRateBps: 100 } as const;
    expect(betQuote(new RealBook(10).book, { ...request, size: shares(1) })).toEqual(nothing);
    expect(betQuote(new RealBook(10).book, { ...request, size: amount(1) })).toEqual(nothing);
  });

  it('has the costs and fees of the specification', () => {
    for (const vector of vectors.costs) {
      const real = new RealBook(1);
      const [price, size] = [vector.priceBps, Number(vector.microShares)];
      real.rest({ kind: ORDER_KIND.sellYes, price, lots: size / LOT });
      const request = { outcome: 'YES', side: 'BUY', feeRateBps: vector.feeRateBps } as const;
      const quote = betQuote(real.book, { ...request, size: { shares: unchecked.shares(size) } });
      expect(quote).toMatchObject({ averagePrice: price, worstPrice: price, shares: size, fillable: true });
      expect([String(quote.amount), String(quote.fee)]).toEqual([vector.costMicros, vector.feeMicros]);
      expect(String(quote.amount + quote.fee)).toBe(vector.reserveMicros);
    }
  });

  it('by shares equals the fill of a FAK, for any book', () => {
    fc.assert(
      fc.property(anyOrders, anySide, fc.integer({ min: 1, max: 100_000_000_000 }), (input, requests, lots) => {
        const real = new RealBook(input.tickBps);
        for (const order of input.orders) real.rest(order);
        const quote = betQuote(real.book, { ...requests, size: shares(lots) });
        real.take(requests.outcome, requests.side, lots * LOT, input.tickBps);
        const fills = real.fills.map((fill) => ({
          price: unchecked.price(requests.outcome === 'YES' ? fill.yesPrice : 10_000 - fill.yesPrice),
          shares: unchecked.shares(fill.shares),
        }));
        const sum = (value: (fill: (typeof fills)[number]) => number): number =>
          fills.reduce((total, fill) => total + value(fill), 0);
        const filled = sum((fill) => fill.shares);
        expect(quote.shares).toBe(filled);
        expect(quote.fillable).toBe(filled === lots * LOT);
        expect(quote.amount).toBe(sum(({ price, shares: size }) => costAt(size, price)));
        expect(quote.worstPrice).toBe(fills.at(-1)?.price);
        const fee = sum(({ price, shares: size }) => takerFee(requests.feeRateBps, size, price));
        expect(quote.fee).toBeGreaterThanOrEqual(fee);
        expect(quote.fee - fee).toBeLessThanOrEqual(Math.max(0, fills.length - 1));
        if (filled === 0) expect(quote.averagePrice).toBeUndefined();
        else {
          const [cost, all] = [BigInt(quote.amount), BigInt(filled / LOT)];
          expect(quote.averagePrice).toBe(Number(requests.side === 'BUY' ? (cost + all - 1n) / all : cost / all));
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('by amount is the largest size whose cost does not exceed the amount', () => {
    fc.assert(
      fc.property(anyOrders, anySide, fc.integer({ min: 1, max: 10_000_000 }), (input, requests, micros) => {
        const real = new RealBook(input.tickBps);
        for (const order of input.orders) real.rest(order);
        const quote = betQuote(real.book, { ...requests, size: amount(micros) });
        expect(quote.amount).toBeLessThanOrEqual(micros);
        const more = betQuote(real.book, { ...requests, size: shares(quote.shares / LOT + 1) });
        if (more.fillable) expect(more.amount).toBeGreaterThan(micros);
        if (quote.shares === 0) {
          expect(quote.fillable).toBe(false);
          return;
        }
        const same = betQuote(real.book, { ...requests, size: { shares: quote.shares } });
        expect({ ...quote, fillable: true }).toEqual(same);
        // Fillable: the remainder does not pay for another lot at the next or the last price.
        const remainder = micros - quote.amount;
        expect(quote.fillable).toBe(more.fillable || remainder < (quote.worstPrice ?? 0));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each([0, -LOT, 1, LOT + 1, Number.NaN, Number.POSITIVE_INFINITY, 1e15 + LOT, 2 ** 53])(
    'of %d micro-shares is refused',
    (size) => {
      const request = { outcome: 'YES', side: 'BUY', feeRateBps: 0 } as const;
      const quote = () => betQuote(smallBook().book, { ...request, size: { shares: unchecked.shares(size) } });
      expect(quote).toThrow(/shares: expected whole lots/);
    },
  );

  it.each([0, -1, 0.5, Number.NaN, 2 ** 53])('of %d micro-USD is refused', (micros) => {
    const request = { outcome: 'YES', side: 'BUY', feeRateBps: 0 } as const;
    const quote = () => betQuote(smallBook().book, { ...request, size: amount(micros) });
    expect(quote).toThrow(/amount: expected a positive number of micro-USD/);
  });
});

const DOLLAR = 1_000_000;
const MARKET = { minOrderShares: microShares(2_500_000) };

describe('bet limits', () => {
  it('without an account come from configuration and market', () => {
    expect(betLimits(DEFAULT_CONFIG, MARKET, { caller: undefined, side: 'SELL' })).toEqual({
      minBet: 0.1 * DOLLAR,
      maxBet: 100_000 * DOLLAR,
      maxShares: MAX_ORDER_SHARES,
      maxExposure: 1_000_000 * DOLLAR,
      remainingExposure: undefined,
      minOrderShares: 2_500_000,
    });
  });

  it.each([
    ['zero', 0, 100_000, 1_000_000],
    ['less than a bet from the limit', 950_000, 50_000, 50_000],
    ['at the limit', 1_000_000, 0, 0],
    ['over a lowered limit', 1_200_000, 0, 0],
  ])('depend on the exposure of the account: %s', (_name, exposure, maxBet, remaining) => {
    const limits = betLimits(DEFAULT_CONFIG, MARKET, {
      caller: { exposure: exposure * DOLLAR, available: 0 },
      side: 'BUY',
    });
    expect(limits).toMatchObject({ maxBet: maxBet * DOLLAR, remainingExposure: remaining * DOLLAR });
    expect(limits.maxShares).toBe(MAX_ORDER_SHARES);
  });

  it('of a seller are the available shares, at most the largest order', () => {
    const limits = (available: number, side: Side | undefined) =>
      betLimits(DEFAULT_CONFIG, MARKET, { caller: { exposure: 0, available }, side });
    const maxSale = (available: number) => limits(available, 'SELL').maxShares;
    expect([maxSale(0), maxSale(5_000_000), maxSale(2 * MAX_ORDER_SHARES)]).toEqual([0, 5_000_000, MAX_ORDER_SHARES]);
    expect(limits(0, undefined).maxShares).toBe(MAX_ORDER_SHARES);
  });
});
