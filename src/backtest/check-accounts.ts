/** Checks at the end of a run that the accounts of the bot and of the venue agree. A difference is a bug. */
import type { Ledger } from '../ledger/index.ts';
import type { AccountState } from '../state/index.ts';
import type { CollectedResult } from './collect/result-collector.ts';

const COMPARED_FIELDS = ['yes', 'no', 'yesCost', 'noCost', 'realized', 'netCash', 'fees', 'owed'] as const;

/** @param capital cash at the start, micro-USD @throws Error "Invariant: …" with the two numbers */
export function checkAccounts(
  state: AccountState,
  ledger: Ledger,
  collected: Pick<CollectedResult, 'halfMicros' | 'commissionMicros'>,
  capital: number,
): void {
  assertSame('orders left open', state.openOrderCount, 0);
  assertSame('fills of orders never sent', state.externalFills, 0);
  assertSame('events that contradict the holdings', state.unexplainedEvents, 0);
  assertSame('cash of the bot and of the venue', state.cash, ledger.cash);
  for (const { info, position } of state.markets) {
    const venue = ledger.market(info.market);
    for (const field of COMPARED_FIELDS)
      assertSame(`${field} of the bot and of the venue in ${info.slug}`, position[field], venue[field]);
  }
  const { cash, outside, collateral, fees } = ledger.balance;
  assertSame('sum of the ledger', cash + outside + collateral + fees, 0);
  const pnl = ledger.pnl();
  const split = ledger.pnlSplit();
  assertSame('equity less capital', ledger.equity - capital, pnl.totalMicros);
  assertSame('realized and unrealized P&L', pnl.realizedMicros + pnl.unrealizedMicros, pnl.totalMicros);
  const parts = Object.values(split).reduce((sum, part) => sum + part, 0);
  assertSame('parts of the P&L split', parts, pnl.totalMicros);
  const sumOfTags = Math.floor(collected.halfMicros / 2 - collected.commissionMicros + split.rewardsMicros);
  // The refund of a cancelled market belongs to no fill, and therefore to no tag.
  if (!state.markets.some(({ position }) => position.settlement === 'CANCELLED'))
    assertSame('P&L by tag, less commission', sumOfTags, pnl.totalMicros);
}

function assertSame(quantity: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`Invariant: ${quantity}: ${actual} is not ${expected}`);
}
