import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, type Outcome, priceBps, type Side } from '../../src/domain/index.ts';
import { Ledger, type LedgerFill } from '../../src/ledger/index.ts';
import { mid, shares, usd } from './amounts.ts';

const MARKET = counted.market(0);

function fill(outcome: Outcome, side: Side, count: number, price: number, fee = 0): LedgerFill {
  return { market: MARKET, outcome, side, price: priceBps(price), shares: shares(count), fee: usd(fee) };
}

function funded(): Ledger {
  const ledger = new Ledger();
  ledger.deposit(usd(1_000));
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
  ] as const)('of %s, side %s, leaves the ledger as without the fill', (outcome, side) => {
    const ledger = funded();
    const before = ledger.snapshot();
    const taken = fill(outcome, side, 20, 3_700, 0.5);
    ledger.reverse(taken, ledger.fill(taken));
    expect(ledger.snapshot()).toEqual(before);
  });

  it('removes its spread and the later inventory gain from the P&L by cause', () => {
    const ledger = funded();
    const taken = fill('YES', 'BUY', 20, 4_000);
    const effect = ledger.fill(taken);
    ledger.mark(MARKET, mid(12_000));
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 2_000_000, inventoryMicros: 2_000_000 });
    ledger.reverse(taken, effect);
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 0, inventoryMicros: 0 });
    expect(ledger.pnl()).toMatchObject({ totalMicros: 0 });
  });

  it.each([
    ['with what it did', true],
    ['that counted as final', false],
  ])(
    '%s gives the same cash, shares and total P&L as if it had never been, whatever is traded between',
    (_, isKnown) => {
      fc.assert(
        fc.property(
          anyFill,
          fc.array(anyFill, { maxLength: 6 }),
          fc.integer({ min: 1, max: 19_999 }),
          (first, between, end) => {
            const [reversed, reference] = [funded(), funded()];
            const taken = fill(first.outcome, first.side, first.count, first.price, first.fee);
            const effect = reversed.fill(taken);
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
            reversed.reverse(taken, isKnown ? effect : undefined);
            expect(reversed.balance).toEqual(reference.balance);
            if (isKnown) expect(reversed.pnlSplit()).toEqual(reference.pnlSplit());
            const [mine, theirs] = [reversed.market(MARKET), reference.market(MARKET)];
            expect([mine.yes, mine.no, mine.netCash, mine.fees]).toEqual([
              theirs.yes,
              theirs.no,
              theirs.netCash,
              theirs.fees,
            ]);
            expect(reversed.pnl().totalMicros).toBe(reference.pnl().totalMicros);
          },
        ),
      );
    },
  );

  it.each([['YES'], ['NO']] as const)(
    'that counted as final takes a %s sale to have given up shares at their average cost',
    (outcome) => {
      const ledger = funded();
      ledger.fill(fill(outcome, 'BUY', 10, 6_000));
      const before = ledger.snapshot();
      const taken = fill(outcome, 'SELL', 20, 3_700);
      ledger.fill(taken);
      ledger.reverse(taken);
      expect(ledger.snapshot()).toEqual(before);
    },
  );

  it('that counted as final keeps the realised P&L of a purchase, and of a sale without remaining shares', () => {
    const ledger = funded();
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
    const taken = fill('YES', 'BUY', 20, 4_000);
    const effect = ledger.fill(taken);
    ledger.fill(fill('YES', 'SELL', 15, 4_100));
    expect(() => ledger.reverse(taken, effect)).toThrow(RangeError);
  });
});
