import { addUsd, type MicroUsd, subUsd, unchecked, ZERO_USD } from '../domain/index.ts';
import type { MarketAccount } from './market-account.ts';
import { requireExact, type SplitHalves } from './pnl-split.ts';

/** P&L by cost basis, after fees: total = realised + unrealised. */
export interface Pnl {
  /** Change of equity, without deposits. */
  readonly totalMicros: MicroUsd;
  readonly realizedMicros: MicroUsd;
  readonly unrealizedMicros: MicroUsd;
  /** The part of `realizedMicros` from fees and commission; negative if paid. */
  readonly feesMicros: MicroUsd;
  /** The part of `feesMicros` from commission on net winnings; negative if paid. */
  readonly commissionMicros: MicroUsd;
  /** The part of `realizedMicros` from payouts and refunds, less the **cost** of the final holdings. */
  readonly settlementMicros: MicroUsd;
}

/**
 * P&L by mark (docs/spec/models.md#profit-and-loss). Each part is rounded **down** to micro-USD. `roundingMicros` is
 * the remainder, less than one micro-USD per part. All fields sum to the total. Settlement is the payout less the
 * latest **mark**.
 */
export interface SplitMicros {
  readonly spreadMicros: MicroUsd;
  readonly inventoryMicros: MicroUsd;
  readonly settlementMicros: MicroUsd;
  /** Negative if paid. */
  readonly feesMicros: MicroUsd;
  readonly rewardsMicros: MicroUsd;
  readonly roundingMicros: MicroUsd;
}

export const ZERO_HALVES: SplitHalves = { spread: 0, inventory: 0, settlement: 0, fees: 0, rewards: 0 };

/** Adds the parts of two markets exactly. @throws RangeError beyond 2^53 half micro-USD */
export function addHalves(a: SplitHalves, b: SplitHalves): SplitHalves {
  return {
    spread: requireExact(a.spread + b.spread),
    inventory: requireExact(a.inventory + b.inventory),
    settlement: requireExact(a.settlement + b.settlement),
    fees: requireExact(a.fees + b.fees),
    rewards: requireExact(a.rewards + b.rewards),
  };
}

/** Converts half micro-USD to micro-USD. Convert sums, not their terms, because the conversion rounds. */
export function splitMicros(halves: SplitHalves): SplitMicros {
  const { spread, inventory, settlement, fees, rewards } = halves;
  const parts = [spread, inventory, settlement, fees, rewards].map((part) => Math.floor(part / 2));
  const total = Math.floor(requireExact(spread + inventory + settlement + fees + rewards) / 2);
  const [spreadMicros = 0, inventoryMicros = 0, settlementMicros = 0, feesMicros = 0, rewardsMicros = 0] = parts;
  return {
    spreadMicros: unchecked.usd(spreadMicros),
    inventoryMicros: unchecked.usd(inventoryMicros),
    settlementMicros: unchecked.usd(settlementMicros),
    feesMicros: unchecked.usd(feesMicros),
    rewardsMicros: unchecked.usd(rewardsMicros),
    roundingMicros: unchecked.usd(parts.reduce((rest, part) => rest - part, total)),
  };
}

type Accounts = readonly (MarketAccount | undefined)[];

/** Returns P&L by cost basis. @param total change of equity, without deposits */
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

export function accountPnlSplit(accounts: Accounts): SplitMicros {
  let sum = ZERO_HALVES;
  for (const account of accounts) if (account !== undefined) sum = addHalves(sum, account.split.halves());
  return splitMicros(sum);
}
