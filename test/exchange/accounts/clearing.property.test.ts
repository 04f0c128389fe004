import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOT } from '../../../src/domain/index.ts';
import { checkClearing } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { restoreClearing, writeClearing } from '../../../src/exchange/accounts/state.ts';
import { inYesTerms, orderKind } from '../../../src/exchange/matching/codes.ts';
import { ClearingPair, type Step } from './clearing-pair.ts';
import type { NaiveClearing } from './naive-clearing.ts';
import { NaiveHolding } from './naive-holding.ts';
import { StateList } from './naive-state.ts';

const ADDRESSES = ['0xd', '0xb', '0xa', '0xc'];
const MARKETS = 2;

/** Random steps: first trading, then trading while markets end. */
function stepLists(lots: fc.Arbitrary<number>): fc.Arbitrary<Step[]> {
  const stepOfType = (type: fc.Arbitrary<Step['type']>) =>
    fc.record<Step>({
      type,
      account: fc.integer({ min: 1, max: ADDRESSES.length }),
      market: fc.integer({ min: 0, max: MARKETS - 1 }),
      outcome: fc.constantFrom('YES', 'NO'),
      side: fc.constantFrom('BUY', 'SELL'),
      price: fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(1, 5000, 9999)),
      lots,
      orderIndex: fc.nat(1000),
      flip: fc.boolean(),
    });
  const early = fc.array(stepOfType(trading), { minLength: 1, maxLength: 40, size: 'max' });
  const late = fc.array(stepOfType(fc.oneof(trading, ending)), { maxLength: 20, size: 'max' });
  return fc.tuple(early, late).map(([tradingSteps, endingSteps]) => [...tradingSteps, ...endingSteps]);
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
/** Lots up to the largest order; their sums are exact or inexact as doubles. */
const hugeLots = fc.oneof(
  fc.integer({ min: 1, max: 100_000_000_000 }),
  fc.integer({ min: 99_999_999_000, max: 100_000_000_000 }),
);
const rates = fc.constantFrom(0, 7, 200, 1000);

function runTwins(steps: readonly Step[], pair: ClearingPair): void {
  for (const step of steps) {
    pair.step(step);
    const { fast, naive } = pair.states();
    expect(fast).toEqual(naive);
    checkClearing(pair.clearing);
  }
}

/** Returns whether the clearing house accepts an order without an inexact sum. */
function fitsOrder(
  { overflowGuard, holdings }: Clearing,
  { account, market, outcome, side, price, lots }: Step,
): boolean {
  const kind = orderKind(outcome, side);
  const holding = holdings.find(account, market);
  return overflowGuard.fitsOrder(account, holding, kind, inYesTerms(kind, price), lots * LOT, 0);
}

/** Computes the same from the twin: the account's debts, and its sums if all open orders were filled. */
function fitsTwin(twin: NaiveClearing, { account, market, outcome, side, price, lots }: Step): boolean {
  const shares = BigInt(lots) * 10_000n;
  const cash = BigInt(lots) * BigInt(price);
  const holding = twin.holdings.get(`${account} ${market}`) ?? new NaiveHolding(account, market);
  const realized = holding[outcome].realized;
  if (side === 'SELL') {
    const received = shares + holding.YES.reservedShares + holding.NO.reservedShares - holding.netPaid;
    const moved = shares + holding[outcome].reservedShares + (realized < 0n ? -realized : realized);
    return received <= 3_000_000_000_000_000n && moved <= 3_000_000_000_000_000n;
  }
  const owing = twin.accounts.map(({ available }, at) => available - (at + 1 === account ? cash : 0n));
  const debts = [...owing, twin.outside].reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n);
  const isWithin = twin.account(account).unlimited === 0n || debts <= 3_000_000_000_000_000n;
  return isWithin && holding.netPaid + holding.reservedCash + cash <= 3_000_000_000_000_000n;
}

describe('any sequence of postings', () => {
  it('gives the clearing house and its naive implementation the same states', () => {
    const executed = new Map<string, number>();
    fc.assert(
      fc.property(stepLists(smallLots), rates, (steps, rate) => {
        const pair = new ClearingPair(ADDRESSES, 30_000_000, rate, [false, false, false, true]);
        runTwins(steps, pair);
        for (const [type, count] of pair.executed) executed.set(type, (executed.get(type) ?? 0) + count);
      }),
      { numRuns: 500 },
    );
    for (const type of ['place', 'trade', 'cancel', 'reduce', 'split', 'merge', 'settle', 'refund', 'claim']) {
      expect(executed.get(type), type).toBeGreaterThan(30);
    }
  });

  it('keeps sizes and money exact up to the largest, and predicts which posting would not be exact', () => {
    const predictions = new Map<boolean, number>();
    fc.assert(
      fc.property(stepLists(hugeLots), rates, (steps, rate) => {
        const pair = new ClearingPair(ADDRESSES, 700_000_000_000_000, rate, [true, false, true, false]);
        for (const step of steps) {
          runTwins([step], pair);
          const fits = fitsTwin(pair.twin, step);
          expect(fitsOrder(pair.clearing, step)).toBe(fits);
          predictions.set(fits, (predictions.get(fits) ?? 0) + 1);
        }
      }),
      { numRuns: 200 },
    );
    expect(predictions.get(true)).toBeGreaterThan(100);
    expect(predictions.get(false)).toBeGreaterThan(100);
  });

  it('changes the cash of each account by its deposits and realized P&L less the cost of its shares', () => {
    fc.assert(
      fc.property(stepLists(smallLots), rates, (steps, rate) => {
        const pair = new ClearingPair(ADDRESSES, 30_000_000, rate);
        for (const step of steps) pair.step(step);
        const { accounts, holdings } = pair.clearing;
        for (let account = 1; account <= accounts.count; account++) {
          let gained = 0;
          for (const holding of holdings.ofAccount(account)) {
            for (const outcome of ['YES', 'NO'] as const) {
              gained += holdings.realized(holding, outcome);
              if (holdings.claimed[holding] === 0) gained -= holdings.cost(holding, outcome);
            }
          }
          const cash = accounts.available[account]! + accounts.reserved[account]!;
          expect(cash - (pair.deposits.get(account) ?? 0)).toBe(gained);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('pays out exactly all collateral after every holding has claimed', () => {
    fc.assert(
      fc.property(stepLists(smallLots), rates, fc.infiniteStream(fc.boolean()), (steps, rate, refunds) => {
        const pair = new ClearingPair(ADDRESSES, 30_000_000, rate);
        for (const step of steps) pair.step(step);
        const { collateralLedger, settlement, holdings } = pair.clearing;
        for (let market = 0; market < MARKETS; market++) {
          const type = refunds.next().value === true ? 'refund' : 'settle';
          pair.step({ ...END, type, market });
        }
        for (let holding = 1; holding <= holdings.count; holding++) {
          const owed = settlement.owed(holding);
          const before = collateralLedger.collateral[holdings.marketOf(holding)]!;
          expect(settlement.claim(holding)).toBe(owed);
          expect(settlement.claim(holding)).toBe(0);
          expect(collateralLedger.collateral[holdings.marketOf(holding)]).toBe(before - owed);
        }
        for (let market = 0; market < MARKETS; market++) expect(collateralLedger.collateral[market]).toBe(0);
        checkClearing(pair.clearing);
      }),
      { numRuns: 200 },
    );
  });

  it('writes the same state after a restore and continues identically', () => {
    fc.assert(
      fc.property(stepLists(smallLots), rates, (steps, rate) => {
        const pair = new ClearingPair(ADDRESSES, 30_000_000, rate, [false, true]);
        for (const step of steps) pair.step(step);
        const written = new StateList();
        writeClearing(pair.clearing, written);
        const restored = new Clearing({ accounts: 1, holdings: 1, markets: 1 });
        restoreClearing(restored, written.reader());
        const again = new StateList();
        writeClearing(restored, again);
        expect(again.values).toEqual(written.values);
        for (const step of steps) expect(fitsOrder(restored, step)).toBe(fitsOrder(pair.clearing, step));
        expect(restored.accounts.debt).toBe(pair.clearing.accounts.debt);
        for (let holding = 1; holding <= pair.clearing.holdings.count; holding++) {
          const twin = restored.holdings.find(
            pair.clearing.holdings.accountOf(holding),
            pair.clearing.holdings.marketOf(holding),
          );
          expect(restored.exposure(twin)).toBe(pair.clearing.exposure(holding));
          expect(restored.settlement.owed(twin)).toBe(pair.clearing.settlement.owed(holding));
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
  orderIndex: 0,
  flip: false,
};
