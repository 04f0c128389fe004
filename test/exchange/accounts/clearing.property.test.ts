import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOT } from '../../../src/domain/index.ts';
import { check } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { restoreClearing, writeClearing } from '../../../src/exchange/accounts/state.ts';
import { inYesTerms, orderKind } from '../../../src/exchange/matching/codes.ts';
import { Desk, type Step } from './desk.ts';
import type { NaiveClearing } from './naive-clearing.ts';
import { NaiveHolding } from './naive-holding.ts';
import { StateList } from './naive-state.ts';

const ADDRESSES = ['0xd', '0xb', '0xa', '0xc'];
const MARKETS = 2;

/** Trading, then trading while markets end. */
function stepsOf(lots: fc.Arbitrary<number>): fc.Arbitrary<Step[]> {
  const stepOf = (type: fc.Arbitrary<Step['type']>) =>
    fc.record<Step>({
      type,
      account: fc.integer({ min: 1, max: ADDRESSES.length }),
      market: fc.integer({ min: 0, max: MARKETS - 1 }),
      outcome: fc.constantFrom('YES', 'NO'),
      side: fc.constantFrom('BUY', 'SELL'),
      price: fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(1, 5000, 9999)),
      lots,
      which: fc.nat(1000),
      flip: fc.boolean(),
    });
  const early = fc.array(stepOf(trading), { minLength: 1, maxLength: 40, size: 'max' });
  const late = fc.array(stepOf(fc.oneof(trading, ending)), { maxLength: 20, size: 'max' });
  return fc.tuple(early, late).map(([first, then]) => [...first, ...then]);
}

const trading = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Step['type']>('place') },
  { weight: 20, arbitrary: fc.constant<Step['type']>('trade') },
  { weight: 6, arbitrary: fc.constantFrom<Step['type']>('cancel', 'reduce') },
  { weight: 8, arbitrary: fc.constantFrom<Step['type']>('split', 'merge') },
  { weight: 2, arbitrary: fc.constant<Step['type']>('transfer') },
);
const ending = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Step['type']>('settle', 'refund') },
  { weight: 3, arbitrary: fc.constant<Step['type']>('claim') },
);
const smallLots = fc.integer({ min: 1, max: 500 });
/** Up to the largest order, on both sides of what is exact. */
const hugeLots = fc.oneof(
  fc.integer({ min: 1, max: 100_000_000_000 }),
  fc.integer({ min: 99_999_999_000, max: 100_000_000_000 }),
);
const rates = fc.constantFrom(0, 7, 200, 1000);

function runTwins(steps: readonly Step[], desk: Desk): void {
  for (const step of steps) {
    desk.step(step);
    const { fast, naive } = desk.states();
    expect(fast).toEqual(naive);
    check(desk.clearing);
  }
}

/** Whether a huge order fits, as the clearing house says. */
function fitsOrder(
  { overflowGuard, holdings }: Clearing,
  { account, market, outcome, side, price, lots }: Step,
): boolean {
  const kind = orderKind(outcome, side);
  const holding = holdings.find(account, market);
  return overflowGuard.fitsOrder(account, holding, kind, inYesTerms(kind, price), lots * LOT, 0);
}

/** The same from the twin's numbers: what the account owes, and what its sums would be with all that is open filled. */
function fitsNaively(twin: NaiveClearing, { account, market, outcome, side, price, lots }: Step): boolean {
  const shares = BigInt(lots) * 10_000n;
  const cash = BigInt(lots) * BigInt(price);
  const holding = twin.holdings.get(`${account} ${market}`) ?? new NaiveHolding(account, market);
  const realized = holding[outcome].realized;
  if (side === 'SELL') {
    const received = shares + holding.YES.held + holding.NO.held - holding.netPaid;
    const moved = shares + holding[outcome].held + (realized < 0n ? -realized : realized);
    return received <= 3_000_000_000_000_000n && moved <= 3_000_000_000_000_000n;
  }
  const owing = twin.accounts.map(({ available }, at) => available - (at + 1 === account ? cash : 0n));
  const debts = [...owing, twin.outside].reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n);
  const isWithin = twin.account(account).unlimited === 0n || debts <= 3_000_000_000_000_000n;
  return isWithin && holding.netPaid + holding.heldCash + cash <= 3_000_000_000_000_000n;
}

describe('any sequence of postings', () => {
  it('gives the clearing house and its naive implementation the same states', () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(stepsOf(smallLots), rates, (steps, rate) => {
        const desk = new Desk(ADDRESSES, 30_000_000, rate, [false, false, false, true]);
        runTwins(steps, desk);
        for (const [type, count] of desk.done) done.set(type, (done.get(type) ?? 0) + count);
      }),
      { numRuns: 500 },
    );
    for (const type of ['place', 'trade', 'cancel', 'reduce', 'split', 'merge', 'settle', 'refund', 'claim']) {
      expect(done.get(type), type).toBeGreaterThan(30);
    }
  });

  it('keeps sizes and money exact up to the largest, and predicts which posting would not be exact', () => {
    const answers = new Map<boolean, number>();
    fc.assert(
      fc.property(stepsOf(hugeLots), rates, (steps, rate) => {
        const desk = new Desk(ADDRESSES, 700_000_000_000_000, rate, [true, false, true, false]);
        for (const step of steps) {
          runTwins([step], desk);
          const fits = fitsNaively(desk.twin, step);
          expect(fitsOrder(desk.clearing, step)).toBe(fits);
          answers.set(fits, (answers.get(fits) ?? 0) + 1);
        }
      }),
      { numRuns: 200 },
    );
    expect(answers.get(true)).toBeGreaterThan(100);
    expect(answers.get(false)).toBeGreaterThan(100);
  });

  it('adds up cash, cost and P&L of each account', () => {
    fc.assert(
      fc.property(stepsOf(smallLots), rates, (steps, rate) => {
        const desk = new Desk(ADDRESSES, 30_000_000, rate);
        for (const step of steps) desk.step(step);
        const { accounts, holdings } = desk.clearing;
        for (let account = 1; account <= accounts.count; account++) {
          let gained = 0;
          for (const holding of holdings.ofAccount(account)) {
            for (const outcome of ['YES', 'NO'] as const) {
              gained += holdings.realized(holding, outcome);
              if (holdings.claimed[holding] === 0) gained -= holdings.cost(holding, outcome);
            }
          }
          const cash = accounts.available[account]! + accounts.reserved[account]!;
          expect(cash - (desk.deposits.get(account) ?? 0)).toBe(gained);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('pays out exactly all collateral after every holding has claimed', () => {
    fc.assert(
      fc.property(stepsOf(smallLots), rates, fc.infiniteStream(fc.boolean()), (steps, rate, voids) => {
        const desk = new Desk(ADDRESSES, 30_000_000, rate);
        for (const step of steps) desk.step(step);
        const { collateralLedger, settlement, holdings } = desk.clearing;
        for (let market = 0; market < MARKETS; market++) {
          const type = voids.next().value === true ? 'refund' : 'settle';
          desk.step({ ...END, type, market });
        }
        for (let holding = 1; holding <= holdings.count; holding++) {
          const owed = settlement.owed(holding);
          const before = collateralLedger.collateral[holdings.marketOf(holding)]!;
          expect(settlement.claim(holding)).toBe(owed);
          expect(settlement.claim(holding)).toBe(0);
          expect(collateralLedger.collateral[holdings.marketOf(holding)]).toBe(before - owed);
        }
        for (let market = 0; market < MARKETS; market++) expect(collateralLedger.collateral[market]).toBe(0);
        check(desk.clearing);
      }),
      { numRuns: 200 },
    );
  });

  it('writes the same state after a restore and continues identically', () => {
    fc.assert(
      fc.property(stepsOf(smallLots), rates, (steps, rate) => {
        const desk = new Desk(ADDRESSES, 30_000_000, rate, [false, true]);
        for (const step of steps) desk.step(step);
        const written = new StateList();
        writeClearing(desk.clearing, written);
        const restored = new Clearing({ accounts: 1, holdings: 1, markets: 1 });
        restoreClearing(restored, written.reader());
        const again = new StateList();
        writeClearing(restored, again);
        expect(again.values).toEqual(written.values);
        for (const step of steps) expect(fitsOrder(restored, step)).toBe(fitsOrder(desk.clearing, step));
        expect(restored.accounts.debt).toBe(desk.clearing.accounts.debt);
        for (let holding = 1; holding <= desk.clearing.holdings.count; holding++) {
          const twin = restored.holdings.find(
            desk.clearing.holdings.accountOf(holding),
            desk.clearing.holdings.marketOf(holding),
          );
          expect(restored.exposure(twin)).toBe(desk.clearing.exposure(holding));
          expect(restored.settlement.owed(twin)).toBe(desk.clearing.settlement.owed(holding));
        }
      }),
      { numRuns: 100 },
    );
  });
});

const END: Step = {
  type: 'settle',
  account: 1,
  market: 0,
  outcome: 'YES',
  side: 'BUY',
  price: 5000,
  lots: 1,
  which: 0,
  flip: false,
};
