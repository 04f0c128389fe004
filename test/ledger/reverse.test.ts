import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome, Side } from '../../src/domain/index.ts';
import { Ledger } from '../../src/ledger/index.ts';
import { fill, fundedLedger, MARKET, mid, shares, usd } from './fills.ts';

function splitLedger(): Ledger {
  const ledger = fundedLedger();
  ledger.mark(MARKET, mid(10_000));
  ledger.split(MARKET, shares(50));
  return ledger;
}

const anyFill = fc.record({
  outcome: fc.constantFrom<Outcome>('YES', 'NO'),
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  count: fc.integer({ min: 1, max: 40 }),
  price: fc.integer({ min: 1, max: 9_999 }),
  fee: fc.constantFrom(0, 0.25),
});

describe('a reversed fill', () => {
  it.each([
    ['YES', 'BUY'],
    ['NO', 'BUY'],
    ['YES', 'SELL'],
    ['NO', 'SELL'],
  ] as const)('(%s %s) leaves the ledger unchanged', (outcome, side) => {
    const ledger = splitLedger();
    const before = ledger.snapshot();
    const reversedFill = fill(outcome, side, 20, 3_700, 0.5);
    ledger.reverse(reversedFill, ledger.fill(reversedFill));
    expect(ledger.snapshot()).toEqual(before);
  });

  it('removes its spread and the later inventory gain from the P&L by cause', () => {
    const ledger = splitLedger();
    const reversedFill = fill('YES', 'BUY', 20, 4_000);
    const effect = ledger.fill(reversedFill);
    ledger.mark(MARKET, mid(12_000));
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 2_000_000, inventoryMicros: 2_000_000 });
    ledger.reverse(reversedFill, effect);
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 0, inventoryMicros: 0 });
    expect(ledger.pnl()).toMatchObject({ totalMicros: 0 });
  });

  it.each([
    ['with its effect', true],
    ['without its effect', false],
  ])(
    '%s leaves the cash, shares and total P&L of a ledger without the fill, whatever is traded between',
    (_, isKnown) => {
      fc.assert(
        fc.property(
          anyFill,
          fc.array(anyFill, { maxLength: 6 }),
          fc.integer({ min: 1, max: 19_999 }),
          (first, between, end) => {
            const [reversed, reference] = [splitLedger(), splitLedger()];
            const reversedFill = fill(first.outcome, first.side, first.count, first.price, first.fee);
            const effect = reversed.fill(reversedFill);
            for (const { outcome, side, count, price, fee } of between) {
              const next = fill(outcome, side, count, price, fee);
              const gives = side === 'SELL' ? next.shares : shares(0);
              // Skips sales of shares that the provisional fill bought or sold.
              if (!reference.canRemove(MARKET, outcome, gives) || !reversed.canRemove(MARKET, outcome, gives)) continue;
              reversed.fill(next);
              reference.fill(next);
            }
            reversed.mark(MARKET, mid(end));
            reference.mark(MARKET, mid(end));
            reversed.reverse(reversedFill, isKnown ? effect : undefined);
            expect(reversed.balance).toEqual(reference.balance);
            if (isKnown) expect(reversed.pnlSplit()).toEqual(reference.pnlSplit());
            const [actual, expected] = [reversed.market(MARKET), reference.market(MARKET)];
            expect([actual.yes, actual.no, actual.netCash, actual.fees]).toEqual([
              expected.yes,
              expected.no,
              expected.netCash,
              expected.fees,
            ]);
            expect(reversed.pnl().totalMicros).toBe(reference.pnl().totalMicros);
          },
        ),
      );
    },
  );

  it.each([['YES'], ['NO']] as const)(
    'without its effect returns the shares of a %s sale at their average cost',
    (outcome) => {
      const ledger = splitLedger();
      ledger.fill(fill(outcome, 'BUY', 10, 6_000));
      const before = ledger.snapshot();
      const reversedFill = fill(outcome, 'SELL', 20, 3_700);
      ledger.fill(reversedFill);
      ledger.reverse(reversedFill);
      expect(ledger.snapshot()).toEqual(before);
    },
  );

  it('without its effect leaves the realized P&L of a purchase, and of a sale without remaining shares', () => {
    const ledger = splitLedger();
    ledger.fill(fill('YES', 'SELL', 10, 6_000));
    ledger.reverse(fill('YES', 'BUY', 10, 4_000));
    expect(ledger.pnl()).toMatchObject({ realizedMicros: 1_000_000 });
    ledger.fill(fill('YES', 'SELL', 30, 6_000));
    const { realizedMicros } = ledger.pnl();
    ledger.reverse(fill('YES', 'SELL', 30, 6_000));
    expect(ledger.pnl()).toMatchObject({ realizedMicros });
    expect(ledger.market(MARKET)).toMatchObject({ yes: shares(30), yesCost: usd(18) });
  });

  it('is refused when the account no longer holds the shares', () => {
    const ledger = new Ledger();
    ledger.deposit(usd(100));
    const reversedFill = fill('YES', 'BUY', 20, 4_000);
    const effect = ledger.fill(reversedFill);
    ledger.fill(fill('YES', 'SELL', 15, 4_100));
    expect(() => ledger.reverse(reversedFill, effect)).toThrow(RangeError);
  });
});
