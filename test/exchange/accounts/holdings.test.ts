import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AMOUNTS, rowStart } from '../../../src/exchange/accounts/holding-amounts.ts';
import { Holdings } from '../../../src/exchange/accounts/holdings.ts';

describe('holdings', () => {
  it('exist once for each account and market', () => {
    const holdings = new Holdings();
    expect(holdings.find(1, 0)).toBe(0);
    expect(holdings.open(1, 0)).toBe(1);
    expect(holdings.open(2, 0)).toBe(2);
    expect(holdings.open(1, 0)).toBe(1);
    expect(holdings.count).toBe(2);
    expect([holdings.accountOf(2), holdings.marketOf(2)]).toEqual([2, 0]);
  });

  it('are found at any count and listed by market and by account', () => {
    const number = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 100_000 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 300, size: 'max' }), (pairs) => {
        const holdings = new Holdings(1);
        const known = new Map<string, number>();
        for (const [account, market] of pairs) {
          const key = `${account} ${market}`;
          expect(holdings.find(account, market)).toBe(known.get(key) ?? 0);
          known.set(key, holdings.open(account, market));
        }
        expect(holdings.count).toBe(known.size);
        for (const [account, market] of pairs) {
          expect(holdings.find(account, market)).toBe(known.get(`${account} ${market}`));
          const markets = holdings.ofAccount(account).map((holding) => holdings.marketOf(holding));
          const accounts = holdings.ofMarket(market).map((holding) => holdings.accountOf(holding));
          expect(markets).toEqual(unique(pairs.filter(([a]) => a === account).map(([, m]) => m)));
          expect(accounts).toEqual(unique(pairs.filter(([, m]) => m === market).map(([a]) => a)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are first in the lists of their account and market when these lists grow', () => {
    const holdings = new Holdings();
    for (const number of [63, 64, 65, 127, 128, 256]) {
      const holding = holdings.open(number, number);
      expect([holdings.firstOfAccount(number), holdings.firstOfMarket(number)]).toEqual([holding, holding]);
    }
    expect([holdings.firstOfAccount(64), holdings.firstOfMarket(64)]).toEqual([2, 2]);
  });

  it('keep their values when the columns grow', () => {
    const holdings = new Holdings(1);
    for (let at = 1; at <= 50; at++) {
      const holding = holdings.open(at, at % 3);
      holdings.amounts.fill(at, rowStart(holding), rowStart(holding) + AMOUNTS);
      holdings.claimed[holding] = at % 2;
    }
    for (let at = 1; at <= 50; at++) {
      const holding = holdings.find(at, at % 3);
      expect([holdings.netPaid(holding), holdings.shares(holding, 'NO'), holdings.claimed[holding]]).toEqual([
        at,
        at,
        at % 2,
      ]);
    }
  });

  it('are zero before their first use', () => {
    const holdings = new Holdings();
    holdings.open(1, 0);
    const values = [
      holdings.freeSharesOfKind(0, 0),
      holdings.freeSharesOfKind(0, 3),
      holdings.netPaid(0),
      holdings.reservedCash(0),
      holdings.fees(0),
    ];
    expect(values).toEqual([0, 0, 0, 0, 0]);
    expect([holdings.firstOfAccount(999), holdings.firstOfMarket(999), holdings.find(999, 999)]).toEqual([0, 0, 0]);
    expect([holdings.ofAccount(999), holdings.ofMarket(999)]).toEqual([[], []]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 26])('refuse a capacity of %s', (capacity) => {
    expect(() => new Holdings(capacity)).toThrow('capacity of holdings');
  });
});

function unique(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
