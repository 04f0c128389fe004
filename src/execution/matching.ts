/** Which open orders of a side may go on standing for which wished lines. */
import type { EpochMs, QuoteTolerance } from '../domain/index.ts';
import type { OpenOrder } from '../state/index.ts';
import { type Line, lineAt } from './line.ts';

/** An own resting order and the line it stands for. */
export interface Resting {
  readonly order: OpenOrder;
  line: Line | undefined;
  /** To be cancelled by this plan. */
  cancelled: boolean;
}

/**
 * Gives each order that may stay its line: at the exact price first, then within the tolerance of price, then the young
 * ones that are no more aggressive than wished. Orders that are leaving or too old stand for nothing.
 * @param facing nearest wished price of the other side in YES terms, which what stays keeps clear of
 */
export function matchOrders(
  resting: readonly Resting[],
  lines: readonly Line[],
  facing: number,
  tolerance: QuoteTolerance | undefined,
  now: EpochMs,
): void {
  const maxAge = Math.max(0, tolerance?.maxAgeMs ?? Number.POSITIVE_INFINITY);
  let unmatched = 0;
  for (const each of resting) {
    if (mayStay(each.order, now, maxAge) && !assign(each, exactLine(each.order, lines))) unmatched += 1;
  }
  if (unmatched === 0 || tolerance === undefined) return;
  const { pricePct = 0, minAgeMs = 0 } = tolerance;
  for (const each of resting) {
    const { order } = each;
    if (each.line !== undefined || !mayStay(order, now, maxAge)) continue;
    const clear = order.sign * (facing - order.yesPrice) > 0;
    if (clear && pricePct > 0)
      assign(
        each,
        nearestLine(order, lines, (line) => (line.price * pricePct) / 100),
      );
  }
  for (const each of resting) {
    const { order } = each;
    if (each.line !== undefined || !mayStay(order, now, maxAge)) continue;
    if (now - order.since < minAgeMs)
      assign(
        each,
        nearestLine(order, lines, (line) => passiveReach(order, line)),
      );
  }
}

function mayStay(order: OpenOrder, now: EpochMs, maxAge: number): boolean {
  return order.phase !== 'leaving' && !(order.phase === 'live' && now - order.since > maxAge);
}

function assign(resting: Resting, line: Line | undefined): boolean {
  if (line === undefined) return false;
  line.hold(resting.order);
  resting.line = line;
  return true;
}

/** The line at the order's price, unless others fill it already. */
function exactLine(order: OpenOrder, lines: readonly Line[]): Line | undefined {
  const line = lineAt(lines, order.yesPrice);
  return line !== undefined && line.gap > 0 ? line : undefined;
}

/** The nearest line that the order suits and that lies within the reach; an order too large only stands alone. */
function nearestLine(order: OpenOrder, lines: readonly Line[], reach: (line: Line) => number): Line | undefined {
  let best: Line | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const distance = Math.abs(order.yesPrice - line.price);
    const suits = order.remaining <= line.gap || line.kept === 0;
    if (!suits || distance > reach(line) || distance >= least) continue;
    best = line;
    least = distance;
  }
  return best;
}

/** Any distance on the passive side of the line, none on the other. */
function passiveReach(order: OpenOrder, line: Line): number {
  return order.sign * (line.price - order.yesPrice) >= 0 ? Number.POSITIVE_INFINITY : -1;
}
