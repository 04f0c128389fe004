/** Tests at the end of a run that nothing was lost on the way: a difference is a bug of ours, never a result. */
import type { Ledger, Position } from '../ledger/index.ts';
import type { AccountState } from '../state/index.ts';
import type { CollectedResult } from './collect/result-collector.ts';

const COMPARED = ['yes', 'no', 'yesCost', 'noCost', 'realized', 'netCash', 'fees', 'owed'] as const;

/**
 * @param capital cash at the start, micro-USD
 * @param voided whether a market was cancelled: its refund belongs to no fill
 * @throws Error "Invariant: …" that names the two numbers
 */
export function checkBooks(
  state: AccountState,
  ledger: Ledger,
  collected: Pick<CollectedResult, 'tagHalves' | 'commissionMicros'>,
  capital: number,
  voided: boolean,
): void {
  same('orders left open', state.openOrders, 0);
  same('fills of orders never sent', state.external, 0);
  same('events that contradict the holdings', state.unexplained, 0);
  same('cash of the bot and of the venue', state.cash, ledger.cash);
  for (const { info, position } of state.markets) samePosition(info.slug, position, ledger.market(info.market));
  const { cash, outside, collateral, fees } = ledger.balance;
  same('sum of the ledger', cash + outside + collateral + fees, 0);
  const pnl = ledger.pnl();
  const split = ledger.pnlSplit();
  same('equity less capital', ledger.equity - capital, pnl.totalMicros);
  same('realised and unrealised P&L', pnl.realizedMicros + pnl.unrealizedMicros, pnl.totalMicros);
  same(
    'parts of the P&L split',
    Object.values(split).reduce((sum, part) => sum + part, 0),
    pnl.totalMicros,
  );
  const byTag = Math.floor(collected.tagHalves / 2 - collected.commissionMicros + split.rewardsMicros);
  if (!voided) same('P&L by tag, less commission', byTag, pnl.totalMicros);
}

function samePosition(market: string, mine: Position, theirs: Position): void {
  for (const field of COMPARED) same(`${field} of the bot and of the venue in ${market}`, mine[field], theirs[field]);
}

function same(what: string, one: number, other: number): void {
  if (one !== other) throw new Error(`Invariant: ${what}: ${one} is not ${other}`);
}
