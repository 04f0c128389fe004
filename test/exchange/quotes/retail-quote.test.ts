import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FULL_BPS } from '../../../src/domain/index.ts';
import {
  additive,
  closedQuote,
  fromBook,
  QUOTE_POLICIES,
  type QuotePolicyName,
  referencePrice,
  retailQuote,
  varianceScaled,
} from '../../../src/exchange/quotes/retail-quote.ts';
import { anyTopOfBook, NAMES } from './any-top-of-book.ts';

interface QuoteVector {
  readonly policy: QuotePolicyName;
  readonly bestBidBps: number | null;
  readonly bestAskBps: number | null;
  readonly lastTradePriceBps: number | null;
  readonly tickSizeBps: number;
  readonly configSpreadBps: number;
  readonly referenceBps: number;
  readonly yesPriceBps: number;
  readonly noPriceBps: number;
  readonly spreadBps: number;
}

const { quotes }: { readonly quotes: readonly QuoteVector[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/spec/quotes.json', import.meta.url), 'utf8'),
);

describe('retail quotes', () => {
  it('equal the specification in all 36 cases', () => {
    expect(quotes).toHaveLength(36);
    expect(new Set(quotes.map(({ policy }) => policy))).toEqual(new Set(NAMES));
    for (const vector of quotes) {
      const touch = {
        tickBps: vector.tickSizeBps,
        bestBid: vector.bestBidBps ?? 0,
        bestAsk: vector.bestAskBps ?? FULL_BPS,
        lastTrade: vector.lastTradePriceBps ?? 0,
      };
      expect(retailQuote(touch, QUOTE_POLICIES[vector.policy], vector.configSpreadBps), JSON.stringify(vector)).toEqual(
        {
          reference: vector.referenceBps,
          yes: vector.yesPriceBps,
          no: vector.noPriceBps,
          spreadBps: vector.spreadBps,
        },
      );
    }
  });

  it.each([
    ['additive, empty book', 'additive', 0, 10_000, 0, 10, 6000, 6000],
    ['additive, mid 1', 'additive', 1, 2, 0, 1, 1001, 9999],
    ['additive, mid 9999', 'additive', 0, 10_000, 9999, 1, 9999, 1001],
    ['multiplicative, mid 1', 'multiplicative', 1, 2, 0, 1, 2, 9999],
    ['book, one side empty', 'book', 4000, 10_000, 0, 10, 6000, 6000],
    ['book, both sides', 'book', 4000, 4200, 0, 10, 4200, 6000],
    ['variance, off the tick', 'variance', 4990, 5000, 0, 10, 6000, 6010],
  ] as const)(
    'have the right values at the edges: %s',
    (_name, policy, bestBid, bestAsk, lastTrade, tickBps, yes, no) => {
      const touch = { tickBps, bestBid, bestAsk, lastTrade };
      expect(retailQuote(touch, QUOTE_POLICIES[policy], 2000)).toMatchObject({ yes, no, spreadBps: yes + no - 10_000 });
    },
  );

  it('lie on the tick within the grid, never below the reference, with a spread that is never negative', () => {
    fc.assert(
      fc.property(
        anyTopOfBook,
        fc.constantFrom(...NAMES),
        fc.integer({ min: 0, max: 25_000 }),
        (touch, name, spread) => {
          const { reference, yes, no, spreadBps } = retailQuote(touch, QUOTE_POLICIES[name], spread);
          for (const price of [yes, no]) {
            expect(price % touch.tickBps).toBe(0);
            expect(price).toBeGreaterThanOrEqual(touch.tickBps);
            expect(price).toBeLessThanOrEqual(FULL_BPS - touch.tickBps);
          }
          expect(spreadBps).toBe(yes + no - FULL_BPS);
          expect(spreadBps).toBeGreaterThanOrEqual(0);
          expect(yes).toBeGreaterThanOrEqual(reference);
          expect(no).toBeGreaterThanOrEqual(FULL_BPS - reference);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('are mirrored when the book is mirrored', () => {
    fc.assert(
      fc.property(
        anyTopOfBook,
        fc.constantFrom(...NAMES),
        fc.integer({ min: 0, max: 25_000 }),
        (touch, name, spread) => {
          const mirrored = {
            tickBps: touch.tickBps,
            bestBid: FULL_BPS - touch.bestAsk,
            bestAsk: FULL_BPS - touch.bestBid,
            lastTrade: touch.lastTrade === 0 ? 0 : FULL_BPS - touch.lastTrade,
          };
          // The mean of an odd sum is rounded down on one side only.
          fc.pre((touch.bestBid + touch.bestAsk) % 2 === 0);
          const { yes, no } = retailQuote(touch, QUOTE_POLICIES[name], spread);
          expect(retailQuote(mirrored, QUOTE_POLICIES[name], spread)).toMatchObject({ yes: no, no: yes });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('round up exactly, as rational arithmetic confirms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 25_000 }), (reference, spreadBps) => {
        const basis = { reference, spreadBps, bestAsk: undefined };
        const [r, s] = [BigInt(reference), BigInt(spreadBps)];
        const up = (top: bigint, bottom: bigint): number => Number((top + bottom - 1n) / bottom);
        expect(additive(basis)).toBe(up(2n * r + s, 2n));
        expect(QUOTE_POLICIES.multiplicative(basis)).toBe(up(r * (10_000n + s), 10_000n));
        expect(varianceScaled(basis)).toBe(Number(r) + up(2n * s * r * (10_000n - r), 100_000_000n));
        expect(fromBook(basis)).toBe(additive(basis));
        expect(fromBook({ ...basis, bestAsk: 7777 })).toBe(7777);
      }),
    );
  });
});

describe('the reference price', () => {
  it.each([
    ['the rounded-down mean of both sides', 4990, 5001, 0, 4995],
    ['the mean of both sides instead of the last trade', 4990, 5001, 9000, 4995],
    ['the last trade in an empty book', 0, 10_000, 3000, 3000],
    ['5000 in an empty book without trades', 0, 10_000, 0, 5000],
    ['the last trade above a lone bid', 2000, 10_000, 3000, 3000],
    ['a lone bid above the last trade', 4000, 10_000, 3000, 4000],
    ['the last trade below a lone ask', 0, 4000, 3000, 3000],
    ['a lone ask below the last trade', 0, 2000, 3000, 2000],
    ['a lone bid without trades', 6000, 10_000, 0, 6000],
    ['a lone ask without trades', 0, 100, 0, 100],
    ['the lowest price for a last trade below the grid', 0, 10_000, 1, 10],
    ['the highest price for a last trade above the grid', 0, 10_000, 9999, 9990],
  ])('is %s', (_name, bestBid, bestAsk, lastTrade, reference) => {
    expect(referencePrice({ tickBps: 10, bestBid, bestAsk, lastTrade })).toBe(reference);
  });
});

describe('quotes of a closed market', () => {
  const last = retailQuote({ tickBps: 10, bestBid: 4000, bestAsk: 4200, lastTrade: 0 }, additive, 2000);

  it('stay unchanged while the market has no payout', () => {
    expect(closedQuote(last, undefined)).toBe(last);
  });

  it.each([
    [10_000, 0],
    [0, 10_000],
    [5000, 5000],
  ])('are the payouts of a final market: YES %i', (yes, no) => {
    expect(closedQuote(last, yes)).toEqual({ reference: last.reference, yes, no, spreadBps: 0 });
  });
});
