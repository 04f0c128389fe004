import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DoubleMid, microShares, microUsd, payoutBps, priceBps, unchecked } from '../../src/domain/index.ts';
import { Ledger } from '../../src/ledger/index.ts';
import { expectBalanced, MARKET, mid } from './fills.ts';
import { type Move, type NaiveState, naiveState } from './naive-ledger.ts';

const price = fc.integer({ min: 1, max: 9999 });
const lots = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 500 }) },
  fc.integer({ min: 1, max: 10_000_000_000 }),
);

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      outcome: fc.constantFrom('YES' as const, 'NO' as const),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      price,
      lots,
      fee: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('mark' as const), mark: fc.integer({ min: 2, max: 19_998 }) }),
  },
  fc.record({ type: fc.constantFrom('split' as const, 'merge' as const), lots }),
  fc.record({ type: fc.constant('reward' as const), amount: fc.integer({ min: 0, max: 50_000 }) }),
);

/** Limits sales and merges to the held shares, and removes empty ones. */
function possibleMoves(moves: readonly Move[]): Move[] {
  const possible: Move[] = [];
  for (const move of moves) {
    const { yes, no } = naiveState(possible);
    const held =
      move.type === 'merge'
        ? Number(yes < no ? yes : no)
        : Number(move.type === 'fill' && move.outcome === 'NO' ? no : yes);
    const sells = move.type === 'merge' || (move.type === 'fill' && move.side === 'SELL');
    if (!sells) possible.push(move);
    else if (held > 0) possible.push({ ...move, lots: Math.min(move.lots, held) });
  }
  return possible;
}

const moveLists = fc.array(anyMove, { minLength: 1, maxLength: 40 }).map(possibleMoves);
const settlements = fc.constantFrom(0, 5_000, 10_000, 'CANCELLED' as const);

function apply(ledger: Ledger, market: number, move: Move, before?: DoubleMid): void {
  const no = unchecked.market(market);
  if (move.type === 'mark') ledger.mark(no, mid(move.mark));
  else if (move.type === 'reward') ledger.bookReward(no, microUsd(move.amount));
  else {
    const shares = microShares(move.lots * 10_000);
    if (move.type === 'fill') {
      const { outcome, side } = move;
      ledger.fill({ market: no, outcome, side, price: priceBps(move.price), shares, fee: microUsd(move.fee) }, before);
    } else if (move.type === 'split') ledger.split(no, shares);
    else ledger.merge(no, shares);
  }
}

function floorHalf(halves: bigint): number {
  return Number((halves - (((halves % 2n) + 2n) % 2n)) / 2n);
}

/** Checks invariants that hold for any ledger at any time. */
function expectInvariants(ledger: Ledger): void {
  expectBalanced(ledger);
  const split = ledger.pnlSplit();
  expect(split.feesMicros).toBe(ledger.pnl().feesMicros);
  expect(split.roundingMicros).toBeGreaterThanOrEqual(0);
  expect(split.roundingMicros).toBeLessThan(5);
}

function expectState(ledger: Ledger, market: number, twin: NaiveState): void {
  const position = ledger.market(unchecked.market(market));
  expect(position).toMatchObject({ yes: Number(twin.yes) * 10_000, no: Number(twin.no) * 10_000 });
  expect(position).toMatchObject({ netCash: Number(twin.netCash), fees: Number(twin.fees) });
  const split = ledger.pnlSplit(unchecked.market(market));
  expect(split).toMatchObject({ spreadMicros: floorHalf(twin.spread), inventoryMicros: floorHalf(twin.inventory) });
  expect(split).toMatchObject({ feesMicros: 0 - Number(twin.fees), rewardsMicros: Number(twin.rewards) });
}

describe('Ledger against a naive implementation', () => {
  it('has the same cash, holdings, equity and every part of P&L after every command', () => {
    fc.assert(
      fc.property(moveLists, (moves) => {
        const ledger = new Ledger();
        for (const [at, move] of moves.entries()) {
          apply(ledger, 0, move);
          const twin = naiveState(moves.slice(0, at + 1));
          expectInvariants(ledger);
          expectState(ledger, 0, twin);
          expect(ledger.cash).toBe(Number(twin.cash));
          expect(ledger.equity).toBe(floorHalf(twin.equity));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has one dollar of collateral for each pair that was minted and not merged', () => {
    fc.assert(
      fc.property(moveLists, (moves) => {
        const ledger = new Ledger();
        let pairs = 0n;
        for (const move of moves) {
          apply(ledger, 0, move);
          if (move.type === 'split' || (move.type === 'fill' && move.side === 'BUY')) pairs += BigInt(move.lots);
          if (move.type === 'merge') pairs -= BigInt(move.lots);
          expect(ledger.balance.collateral).toBe(Number(pairs * 10_000n));
        }
      }),
    );
  });

  it('pays exactly at the end, and the parts of P&L still sum to the total', () => {
    fc.assert(
      fc.property(moveLists, settlements, (moves, end) => {
        const ledger = new Ledger();
        for (const move of moves) apply(ledger, 0, move);
        const { yes, no, netCash, fees, cash } = naiveState(moves);
        const paidIn = netCash < 0n ? -netCash : 0n;
        const due = end === 'CANCELLED' ? paidIn + fees : yes * BigInt(end) + no * BigInt(10_000 - end);
        ledger.resolve(MARKET, end === 'CANCELLED' ? end : payoutBps(end));
        expectInvariants(ledger);
        const equity = ledger.equity;
        expect(ledger.claim(MARKET)).toBe(Number(due));
        expect([ledger.equity, ledger.cash, ledger.balance.collateral]).toEqual([equity, Number(cash + due), 0]);
        expect(ledger.pnl().unrealizedMicros).toBe(0);
        expectInvariants(ledger);
      }),
      { numRuns: 300 },
    );
  });

  it('sums markets without losing a half micro-USD', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), anyMove), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(steps, settlements, (mixed, end) => {
        const ledger = new Ledger();
        const perMarket = [0, 1, 2].map((market) =>
          possibleMoves(mixed.filter(([at]) => at === market).map(([, move]) => move)),
        );
        for (const [market, moves] of perMarket.entries()) for (const move of moves) apply(ledger, market, move);
        const twins = perMarket.map(naiveState);
        expect(ledger.equity).toBe(floorHalf(twins.reduce((total, { equity }) => total + equity, 0n)));
        expectInvariants(ledger);
        ledger.resolve(unchecked.market(1), end === 'CANCELLED' ? end : payoutBps(end));
        expectInvariants(ledger);
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same result when fills arrive late, after marks and the end', () => {
    const lateness = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 40, maxLength: 40 });
    const marked = moveLists.map((moves): Move[] => [{ type: 'mark', mark: 10_000 }, ...moves]);
    const boughtOnly = marked.map((moves) =>
      moves.filter((move) => move.type === 'mark' || (move.type === 'fill' && move.side === 'BUY')),
    );
    fc.assert(
      fc.property(boughtOnly, lateness, settlements, (moves, delays, end) => {
        const settlement = end === 'CANCELLED' ? end : payoutBps(end);
        const direct = new Ledger();
        for (const move of moves) apply(direct, 0, move);
        direct.resolve(MARKET, settlement);

        const delayed = new Ledger();
        const waiting: { due: number; move: Move; before: DoubleMid }[] = [];
        const applyDue = (now: number): void => {
          for (const fill of waiting.splice(0)) {
            if (fill.due <= now) apply(delayed, 0, fill.move, fill.before);
            else waiting.push(fill);
          }
        };
        let mark = mid(10_000);
        for (const [at, move] of moves.entries()) {
          if (move.type === 'mark') {
            mark = mid(move.mark);
            apply(delayed, 0, move);
          } else waiting.push({ due: at + 10 * (delays[at % delays.length] ?? 0), move, before: mark });
          applyDue(at);
        }
        delayed.resolve(MARKET, settlement);
        applyDue(Number.POSITIVE_INFINITY);

        expect(delayed.balance).toEqual(direct.balance);
        expect(delayed.pnlSplit()).toEqual(direct.pnlSplit());
        expect(delayed.pnl()).toEqual(direct.pnl());
        expectInvariants(delayed);
      }),
      { numRuns: 200 },
    );
  });
});
