import { describe, expect, it } from 'vitest';
import { checkAccounts } from '../../src/backtest/check-accounts.ts';
import { instanceNo, marketId, marketNo, microShares, microUsd, orderNo, priceBps } from '../../src/domain/index.ts';
import { Ledger, type LedgerFill } from '../../src/ledger/index.ts';
import { AccountState } from '../../src/state/index.ts';

const CAPITAL = microUsd(1_000_000_000);
const NO_LIMIT = microUsd(1_000_000_000_000);

function emptyState(): AccountState {
  const info = {
    market: marketNo(0),
    id: marketId('00000000-0000-4000-8000-000000000001'),
    slug: 'a-market',
    question: 'Does it?',
    grid: { type: 'tick', tickBps: 100 } as const,
    scheduledResolution: undefined,
  };
  const limits = {
    minOrderShares: microShares(10_000),
    minBet: microUsd(0),
    maxBet: NO_LIMIT,
    maxExposure: NO_LIMIT,
    feeRateBps: 0,
    spreadBps: 0,
  };
  return new AccountState({ cash: CAPITAL, markets: [{ info, limits }] });
}

function ledgerWith(...fills: readonly LedgerFill[]): Ledger {
  const ledger = new Ledger();
  ledger.deposit(CAPITAL);
  for (const fill of fills) ledger.fill(fill);
  return ledger;
}

const BUY: LedgerFill = {
  market: marketNo(0),
  outcome: 'YES',
  side: 'BUY',
  price: priceBps(6_000),
  shares: microShares(10_000_000),
  fee: microUsd(0),
};
const NOTHING = { halfMicros: 0, commissionMicros: 0 };

describe('the check of accounts at the end of a run', () => {
  it('accepts accounts without fills', () => {
    expect(() => checkAccounts(emptyState(), ledgerWith(), NOTHING, CAPITAL)).not.toThrow();
  });

  it('finds a fill that the bot missed', () => {
    expect(() => checkAccounts(emptyState(), ledgerWith(BUY), NOTHING, CAPITAL)).toThrow(
      'Invariant: cash of the bot and of the venue: 1000000000 is not 994000000',
    );
  });

  it('finds a difference in capital', () => {
    const otherCapital = microUsd(CAPITAL + 1);
    expect(() => checkAccounts(emptyState(), ledgerWith(), NOTHING, otherCapital)).toThrow('equity less capital');
  });

  it('finds a P&L by tag that differs from the total, except in a cancelled market', () => {
    const difference = { halfMicros: 2, commissionMicros: 0 };
    expect(() => checkAccounts(emptyState(), ledgerWith(), difference, CAPITAL)).toThrow(
      'P&L by tag, less commission: 1 is not 0',
    );
    const cancelled = emptyState();
    cancelled.ledger.resolve(marketNo(0), 'CANCELLED');
    expect(() => checkAccounts(cancelled, ledgerWith(), difference, CAPITAL)).not.toThrow();
    expect(() =>
      checkAccounts(emptyState(), ledgerWith(), { halfMicros: 2, commissionMicros: 1 }, CAPITAL),
    ).not.toThrow();
  });

  it('finds an open order', () => {
    const state = emptyState();
    const place = {
      type: 'place',
      order: orderNo(1),
      bot: instanceNo(0),
      market: marketNo(0),
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(5_000),
      shares: microShares(10_000_000),
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
    } as const;
    state.applyCommand(place, state.now);
    expect(() => checkAccounts(state, ledgerWith(), NOTHING, CAPITAL)).toThrow('orders left open: 1 is not 0');
  });
});
