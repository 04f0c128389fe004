/** Amounts, fills and checks of ledgers. */
import { expect } from 'vitest';
import {
  type DoubleMid,
  type MicroShares,
  type MicroUsd,
  microShares,
  microUsd,
  type Outcome,
  priceBps,
  type Side,
  unchecked,
} from '../../src/domain/index.ts';
import { Ledger, type LedgerFill } from '../../src/ledger/index.ts';

export const MARKET = unchecked.market(0);

/** Converts dollars to micro-USD. */
export function usd(dollars: number): MicroUsd {
  return microUsd(Math.round(dollars * 1_000_000));
}

export function shares(count: number): MicroShares {
  return microShares(Math.round(count * 100) * 10_000);
}

export function mid(value: number): DoubleMid {
  return unchecked.mid(value);
}

/** A fill of `count` shares at `price` bps, with a fee in dollars. */
export function fill(outcome: Outcome, side: Side, count: number, price: number, fee = 0): LedgerFill {
  return { market: MARKET, outcome, side, price: priceBps(price), shares: shares(count), fee: usd(fee) };
}

/** A ledger with a deposit of $1,000. */
export function fundedLedger(): Ledger {
  const ledger = new Ledger();
  ledger.deposit(usd(1_000));
  return ledger;
}

/** Checks that the accounts sum to zero, and both splits of the P&L to its total. */
export function expectBalanced(ledger: Ledger): void {
  const { cash, outside, collateral, fees } = ledger.balance;
  expect(cash + outside + collateral + fees).toBe(0);
  const pnl = ledger.pnl();
  expect(ledger.equity - ledger.deposited).toBe(pnl.totalMicros);
  expect(pnl.realizedMicros + pnl.unrealizedMicros).toBe(pnl.totalMicros);
  const parts = Object.values(ledger.pnlSplit());
  expect(parts.reduce((total, part) => total + part, 0)).toBe(pnl.totalMicros);
}
