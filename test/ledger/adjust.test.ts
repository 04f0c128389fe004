import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microShares, microUsd, payoutBps, priceBps } from '../../src/domain/index.ts';
import { Ledger, type LedgerSnapshot } from '../../src/ledger/index.ts';
import { expectBalanced, MARKET, mid } from './fills.ts';

const lots = fc.integer({ min: 0, max: 500 });
const cents = fc.integer({ min: 0, max: 5_000_000 });

type Move =
  | {
      readonly type: 'held';
      readonly yes: number;
      readonly no: number;
      readonly yesCost: number;
      readonly noCost: number;
    }
  | { readonly type: 'fill'; readonly outcome: 'YES' | 'NO'; readonly price: number; readonly lots: number }
  | { readonly type: 'sell'; readonly outcome: 'YES' | 'NO'; readonly price: number }
  | { readonly type: 'mark'; readonly mark: number }
  | { readonly type: 'cash'; readonly amount: number }
  | { readonly type: 'end'; readonly end: number | 'CANCELLED' }
  | { readonly type: 'claim' };

const outcome = fc.constantFrom('YES' as const, 'NO' as const);
const price = fc.integer({ min: 1, max: 9_999 });
const literal = <T extends string>(type: T) => fc.constant(type);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: literal('held'), yes: lots, no: lots, yesCost: cents, noCost: cents }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: literal('fill'), outcome, price, lots: fc.integer({ min: 1, max: 500 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: literal('sell'), outcome, price }) },
  { weight: 3, arbitrary: fc.record({ type: literal('mark'), mark: fc.integer({ min: 2, max: 19_998 }) }) },
  fc.record({ type: literal('cash'), amount: fc.integer({ min: -1_000_000, max: 1_000_000 }) }),
  fc.record({ type: literal('end'), end: fc.constantFrom(0, 5_000, 10_000, 'CANCELLED' as const) }),
  fc.record({ type: literal('claim') }),
);

function apply(ledger: Ledger, step: Move): void {
  const position = ledger.market(MARKET);
  switch (step.type) {
    case 'held': {
      if (!ledger.canRemove(MARKET, 'YES', microShares(0))) return;
      const held = {
        yes: microShares(step.yes * 10_000),
        no: microShares(step.no * 10_000),
        yesCost: microUsd(step.yesCost),
        noCost: microUsd(step.noCost),
      };
      ledger.adjust(MARKET, held);
      return;
    }
    case 'fill':
    case 'sell': {
      const held = step.outcome === 'YES' ? position.yes : position.no;
      const shares = step.type === 'fill' ? microShares(step.lots * 10_000) : held;
      if (position.settlement !== undefined || shares === 0) return;
      const side = step.type === 'fill' ? 'BUY' : 'SELL';
      const terms = { market: MARKET, outcome: step.outcome, side, price: priceBps(step.price) } as const;
      ledger.fill({ ...terms, shares, fee: microUsd(7) });
      return;
    }
    case 'mark':
      ledger.mark(MARKET, mid(step.mark));
      return;
    case 'cash':
      ledger.deposit(microUsd(step.amount));
      return;
    case 'end':
      if (position.settlement === undefined)
        ledger.resolve(MARKET, step.end === 'CANCELLED' ? step.end : payoutBps(step.end));
      return;
    case 'claim':
      if (position.settlement !== undefined) ledger.claim(MARKET);
  }
}

describe('adjusted holdings', () => {
  it('have the sizes and costs of the venue, and leave cash, realized P&L, fees and the total gain unchanged', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const ledger = new Ledger();
        for (const step of moves) {
          const { realized, fees, yesCost, noCost } = ledger.market(MARKET);
          const before = { cash: ledger.cash, realized, fees, deposited: ledger.deposited - yesCost - noCost };
          const open = ledger.canRemove(MARKET, 'YES', microShares(0));
          const voided = ledger.market(MARKET).settlement === 'CANCELLED';
          apply(ledger, step);
          expectBalanced(ledger);
          if (step.type !== 'held' || !open) continue;
          const held = ledger.market(MARKET);
          expect([held.yesCost, held.noCost]).toEqual([step.yesCost, step.noCost]);
          if (!voided) expect([held.yes, held.no]).toEqual([step.yes * 10_000, step.no * 10_000]);
          const after = { cash: ledger.cash, realized: held.realized, fees: held.fees };
          expect({ ...after, deposited: ledger.deposited - step.yesCost - step.noCost }).toEqual(before);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a restored ledger', () => {
  it('continues as without a restart, at any point of the sequence', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), fc.array(move, { maxLength: 30 }), (head, tail) => {
        const continuous = new Ledger();
        for (const step of head) apply(continuous, step);
        const snapshot: LedgerSnapshot = JSON.parse(JSON.stringify(continuous.snapshot()));
        const restored = new Ledger();
        restored.restore(snapshot);
        for (const step of tail) {
          apply(continuous, step);
          apply(restored, step);
        }
        expect(restored.snapshot()).toEqual(continuous.snapshot());
        expect([restored.pnl(), restored.pnlSplit(), restored.equity]).toEqual([
          continuous.pnl(),
          continuous.pnlSplit(),
          continuous.equity,
        ]);
        expectBalanced(restored);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused when the collateral of a market differs from its pairs', () => {
    const ledger = new Ledger();
    apply(ledger, { type: 'fill', outcome: 'YES', price: 5_000, lots: 3 });
    const snapshot = ledger.snapshot();
    const [market] = snapshot.markets;
    if (market === null || market === undefined) throw new Error('there is one market');
    const wrong = { ...snapshot, markets: [{ ...market, pairs: microShares(50_000) }] };
    expect(() => new Ledger().restore(wrong)).toThrow('Invariant: collateral 30000 is not 50000 micro-USD');
  });
});
