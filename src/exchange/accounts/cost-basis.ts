import { LOT, mulDivFloor } from '../../domain/index.ts';

/**
 * Cost that goes out with `part` of `held` micro-shares: `floor(cost * part / held)` micro-USD, the last ones take all of
 * it (venue.md 1). Both are whole lots, which divide out.
 *
 * HOT: with each sale, 3 ns. Where even lots make the product pass 2^53, whole micro-USD a lot are taken off first, so
 * that BigInt is needed beyond some 10^8 lots only.
 */
export function costOut(cost: number, part: number, held: number): number {
  if (part === held) return cost;
  const lots = part / LOT;
  const all = held / LOT;
  const product = cost * lots;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / all);
  const perLot = Math.floor(cost / all);
  return perLot * lots + mulDivFloor(cost - perLot * all, lots, all);
}
