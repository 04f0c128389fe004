/** P&L of a session: what the books say at its end less what they said when the bot began to trade, micro-USD. */
import type { SplitResult } from '../run-result.ts';

export const NO_SPLIT: SplitResult = {
  spreadMicros: 0,
  inventoryMicros: 0,
  settlementMicros: 0,
  feesMicros: 0,
  rewardsMicros: 0,
  roundingMicros: 0,
};

/** Each figure now less what it was then. */
export function since<Figures extends object>(then: Figures, now: Figures): Figures {
  const figures = Object.entries(now).map(([name, value]) => [name, value - Number(Reflect.get(then, name))]);
  return Object.fromEntries(figures);
}

export function addSplits(one: SplitResult, other: SplitResult): SplitResult {
  return since(since(other, NO_SPLIT), one);
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
