/** P&L summed over several markets. */
import { addUsd, type MicroUsd, subUsd, ZERO_USD } from '../domain/index.ts';
import type { MarketAccount } from './market-account.ts';
import { addHalves, type Pnl, type SplitMicros, splitMicros, ZERO_HALVES } from './pnl.ts';

type Accounts = readonly (MarketAccount | undefined)[];

/** Returns P&L by cost basis. @param total change of equity, deposits excluded */
export function accountPnl(accounts: Accounts, total: MicroUsd): Pnl {
  let realized = ZERO_USD;
  let settlement = ZERO_USD;
  let fees = ZERO_USD;
  let commission = ZERO_USD;
  for (const account of accounts) {
    if (account === undefined) continue;
    realized = addUsd(realized, account.realized);
    settlement = addUsd(settlement, account.realizedSettlement);
    fees = subUsd(fees, account.fees);
    commission = subUsd(commission, account.commissionPaid);
  }
  return {
    totalMicros: total,
    realizedMicros: realized,
    unrealizedMicros: subUsd(total, realized),
    feesMicros: fees,
    commissionMicros: commission,
    settlementMicros: settlement,
  };
}

/** Returns P&L by mark (docs/spec/models.md#profit-and-loss). */
export function accountPnlSplit(accounts: Accounts): SplitMicros {
  let sum = ZERO_HALVES;
  for (const account of accounts) if (account !== undefined) sum = addHalves(sum, account.split.halves());
  return splitMicros(sum);
}
