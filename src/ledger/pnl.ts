import { addUsd, costAt, type MicroUsd, mulDivFloor, subUsd, unchecked, ZERO_USD } from '../domain/index.ts';
import type { FillEffect, LedgerFill } from './ledger-types.ts';
import type { MarketAccount } from './market-account.ts';
import { requireExact, type SplitHalves } from './pnl-split.ts';

/** P&L by cost basis, after fees: total = realized + unrealized. */
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
 * P&L by cause (docs/spec/models.md#profit-and-loss). Each part is rounded **down** to micro-USD. `roundingMicros` is
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

/** Adds the parts of two markets, in half micro-USD, exactly. @throws RangeError beyond 2^53 */
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
  const toMicros = (part: number): MicroUsd => unchecked.usd(Math.floor(part / 2));
  const parts = {
    spreadMicros: toMicros(spread),
    inventoryMicros: toMicros(inventory),
    settlementMicros: toMicros(settlement),
    feesMicros: toMicros(fees),
    rewardsMicros: toMicros(rewards),
  };
  const total = toMicros(requireExact(spread + inventory + settlement + fees + rewards));
  return { ...parts, roundingMicros: Object.values(parts).reduce(subUsd, total) };
}

/** Returns P&L by cost basis. @param total change of equity, without deposits */
export function accountPnl(accounts: readonly (MarketAccount | undefined)[], total: MicroUsd): Pnl {
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

/**
 * Estimates the effect of a settled fill, because its actual effect is no longer stored. Assumes that a sale removed
 * its shares at the current average cost. Total P&L stays exact, but its parts become approximate.
 */
export function estimateEffect(account: MarketAccount, { outcome, side, price, shares }: LedgerFill): FillEffect {
  const mark = account.pnlSplit.currentMark;
  const [held, cost] = outcome === 'YES' ? [account.yes, account.yesCost] : [account.no, account.noCost];
  if (side === 'BUY' || held === 0) return { gained: ZERO_USD, mark };
  return { gained: subUsd(costAt(shares, price), unchecked.usd(mulDivFloor(cost, shares, held))), mark };
}
