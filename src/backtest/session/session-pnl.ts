/** P&L of a session in micro-USD: the books at its end minus the books when the bot began to trade. */
import type { SplitResult } from '../run-result.ts';

export const NO_SPLIT: SplitResult = {
  spreadMicros: 0,
  inventoryMicros: 0,
  settlementMicros: 0,
  feesMicros: 0,
  rewardsMicros: 0,
  roundingMicros: 0,
};

/** Subtracts `then` from `now`, field by field. */
export function since<Figures extends object>(then: Figures, now: Figures): Figures {
  const figures = Object.entries(now).map(([name, value]) => [name, value - Number(Reflect.get(then, name))]);
  return Object.fromEntries(figures);
}

export function addSplits(one: SplitResult, other: SplitResult): SplitResult {
  return since(since(other, NO_SPLIT), one);
}

/** Moves P&L from inventory to spread. @param halves half micro-USD, rounded **down** */
export function movedToSpread(split: SplitResult, halves: number): SplitResult {
  const micros = Math.floor(halves / 2);
  return {
    ...split,
    spreadMicros: split.spreadMicros + micros,
    inventoryMicros: split.inventoryMicros - micros,
  };
}

/** Returns the total minus all other parts. */
export function roundingOf({ roundingMicros: _, ...parts }: SplitResult, totalMicros: number): number {
  return totalMicros - Object.values(parts).reduce((sum, part) => sum + part, 0);
}
