/** P&L of a session: what the books say at its end less what they said when the bot began to trade, micro-USD. */
import type { PnlResult, SplitResult } from '../run-result.ts';

export const NO_SPLIT: SplitResult = {
  spreadMicros: 0,
  inventoryMicros: 0,
  settlementMicros: 0,
  feesMicros: 0,
  rewardsMicros: 0,
  roundingMicros: 0,
};

export function pnlSince(then: PnlResult, now: PnlResult): PnlResult {
  return {
    totalMicros: now.totalMicros - then.totalMicros,
    realizedMicros: now.realizedMicros - then.realizedMicros,
    unrealizedMicros: now.unrealizedMicros - then.unrealizedMicros,
    feesMicros: now.feesMicros - then.feesMicros,
    commissionMicros: now.commissionMicros - then.commissionMicros,
    settlementMicros: now.settlementMicros - then.settlementMicros,
  };
}

export function splitSince(then: SplitResult, now: SplitResult): SplitResult {
  return {
    spreadMicros: now.spreadMicros - then.spreadMicros,
    inventoryMicros: now.inventoryMicros - then.inventoryMicros,
    settlementMicros: now.settlementMicros - then.settlementMicros,
    feesMicros: now.feesMicros - then.feesMicros,
    rewardsMicros: now.rewardsMicros - then.rewardsMicros,
    roundingMicros: now.roundingMicros - then.roundingMicros,
  };
}

export function addSplits(one: SplitResult, other: SplitResult): SplitResult {
  return splitSince(splitSince(other, NO_SPLIT), one);
}

/** @param halves half micro-USD that were booked as inventory and are spread; rounded **down** */
export function movedToSpread(split: SplitResult, halves: number): SplitResult {
  const micros = Math.floor(halves / 2);
  return {
    ...split,
    spreadMicros: split.spreadMicros + micros,
    inventoryMicros: split.inventoryMicros - micros,
  };
}

/** What the parts leave of the total. */
export function roundingOf({ roundingMicros: _, ...parts }: SplitResult, totalMicros: number): number {
  return totalMicros - Object.values(parts).reduce((sum, part) => sum + part, 0);
}
