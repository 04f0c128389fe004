import { LOT, mulDivFloor } from '../../domain/index.ts';

/** Looked up once: both are loaded anew at each use where they stand. */
const LOT_SIZE = LOT;
const EXACT = Number.MAX_SAFE_INTEGER;

/**
 * Cost that goes out with `part` of `held` micro-shares: `floor(cost * part / held)` micro-USD, the last ones take all of
 * it, which is the same (docs/spec/venue.md#cost-basis). Both are whole lots, which divide out.
 *
 * HOT: with each sale; timed with the trade in bench/exchange.ts. Where even lots make the product pass 2^53, whole micro-USD a lot are taken off first, so
 * that BigInt is needed beyond some 10^8 lots only.
 */
export function costOut(cost: number, part: number, held: number): number {
  const product = cost * (part / LOT_SIZE);
  return product < EXACT
    ? Math.floor(product / (held / LOT_SIZE))
    : wideCostOut(cost, part / LOT_SIZE, held / LOT_SIZE);
}

function wideCostOut(cost: number, lots: number, all: number): number {
  const perLot = Math.floor(cost / all);
  return perLot * lots + mulDivFloor(cost - perLot * all, lots, all);
}
