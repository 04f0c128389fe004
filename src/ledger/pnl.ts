import { column, type MicroUsd } from '../domain/index.ts';
import type { SplitHalves } from './pnl-split.ts';

/** P&L by cost basis: total = realised + unrealised, both after fees. */
export interface Pnl {
  /** Change of equity beside deposits. */
  readonly totalMicros: MicroUsd;
  readonly realizedMicros: MicroUsd;
  readonly unrealizedMicros: MicroUsd;
  /** Part of realised: fees and commission, negative when paid. */
  readonly feesMicros: MicroUsd;
  /** Part of fees: commission on net winnings, negative when paid. */
  readonly commissionMicros: MicroUsd;
  /** Part of realised: payouts and refunds less the **cost** of what was held to the end. */
  readonly settlementMicros: MicroUsd;
}

/**
 * P&L by mark (docs/spec/models.md#profit-and-loss). Each part is rounded **down** to micro-USD, what that leaves over
 * is `roundingMicros`: below one micro-USD a part. Together they are the total. Its settlement is the payout against
 * the last **mark**.
 */
export interface SplitMicros {
  readonly spreadMicros: MicroUsd;
  readonly inventoryMicros: MicroUsd;
  readonly settlementMicros: MicroUsd;
  /** Negative when paid. */
  readonly feesMicros: MicroUsd;
  readonly rewardsMicros: MicroUsd;
  readonly roundingMicros: MicroUsd;
}

export const ZERO_HALVES: SplitHalves = { spread: 0, inventory: 0, settlement: 0, fees: 0, rewards: 0 };

/** Parts of two markets, exact. @throws RangeError past 2^53 half micro-USD */
export function addHalves(a: SplitHalves, b: SplitHalves): SplitHalves {
  return {
    spread: safe(a.spread + b.spread),
    inventory: safe(a.inventory + b.inventory),
    settlement: safe(a.settlement + b.settlement),
    fees: safe(a.fees + b.fees),
    rewards: safe(a.rewards + b.rewards),
  };
}

/** Half micro-USD into micro-USD, once, at the end. */
export function splitMicros(halves: SplitHalves): SplitMicros {
  const { spread, inventory, settlement, fees, rewards } = halves;
  const parts = [spread, inventory, settlement, fees, rewards].map((part) => Math.floor(part / 2));
  const total = Math.floor(safe(spread + inventory + settlement + fees + rewards) / 2);
  const [spreadMicros = 0, inventoryMicros = 0, settlementMicros = 0, feesMicros = 0, rewardsMicros = 0] = parts;
  return {
    spreadMicros: column.usd(spreadMicros),
    inventoryMicros: column.usd(inventoryMicros),
    settlementMicros: column.usd(settlementMicros),
    feesMicros: column.usd(feesMicros),
    rewardsMicros: column.usd(rewardsMicros),
    roundingMicros: column.usd(parts.reduce((rest, part) => rest - part, total)),
  };
}

function safe(halves: number): number {
  if (!Number.isSafeInteger(halves)) throw new RangeError(`Invariant: ${halves} half micro-USD is not exact`);
  return halves;
}
