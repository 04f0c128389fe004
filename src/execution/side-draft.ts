import { column, type EpochMs, FULL_BPS, type QuoteTolerance, type ReduceOrder, type Sign } from '../domain/index.ts';
import type { OpenOrder } from '../state/index.ts';
import { added, type Line, lineAt } from './line.ts';

const NONE: readonly never[] = [];

/** One side of a plan while it is being made: its lines, its resting orders and what becomes of them. */
export class SideDraft {
  readonly sign: Sign;
  readonly lines: readonly Line[];
  readonly #sizeTolerancePct: number;
  #resting: Resting[] | undefined;
  #reduces: ReduceOrder[] | undefined;
  #blocked = false;
  #deferred = false;
  #cancels = 0;

  /** @param sizeTolerancePct a line that lacks no more than this part of its size is left as it is */
  constructor(sign: Sign, lines: readonly Line[], sizeTolerancePct: number) {
    this.sign = sign;
    this.lines = lines;
    this.#sizeTolerancePct = sizeTolerancePct;
  }

  get resting(): readonly Resting[] {
    return this.#resting ?? NONE;
  }
  get reduces(): readonly ReduceOrder[] {
    return this.#reduces ?? NONE;
  }
  /** Whether the side can only take away: what is in flight or reduced now may be open beside what is wished. */
  get blocked(): boolean {
    return this.#blocked;
  }
  /** Whether something is not as wished and cannot be asked for, as a request for it is in flight. */
  get deferred(): boolean {
    return this.#deferred;
  }
  /** How many orders are to be cancelled. */
  get cancels(): number {
    return this.#cancels;
  }
  /** The wished price nearest to the other side; beyond all prices when there is none. */
  get innermost(): number {
    let best = this.sign === 1 ? 0 : FULL_BPS;
    for (const { price } of this.lines) if (this.sign * (price - best) > 0) best = price;
    return best;
  }
  /** Whether any line lacks something. */
  get lacking(): boolean {
    for (const line of this.lines) if (this.lacks(line)) return true;
    return false;
  }

  /** Whether all stands as wished. */
  get settled(): boolean {
    return this.#cancels === 0 && this.#reduces === undefined && !this.#deferred && !this.lacking;
  }

  rest(order: OpenOrder): void {
    this.#resting = added(this.#resting, { order, line: undefined, cancelled: false });
  }

  /** Decides which orders stay, and takes away what is not wished or too much. */
  clear(facing: number, tolerance: QuoteTolerance | undefined, now: EpochMs): void {
    if (this.#resting === undefined) return;
    matchOrders(this.#resting, this.lines, facing, tolerance, now);
    for (const each of this.#resting) if (each.line === undefined) this.#remove(each);
    for (const line of this.lines) if (line.gap < 0) this.#trim(line);
  }

  /** Cancels a live order. */
  cancel(each: Resting): void {
    each.cancelled = true;
    each.line?.release(each.order.remaining);
    each.line = undefined;
    this.#cancels += 1;
  }

  lacks(line: Line): boolean {
    return line.kept === 0 ? line.shares > 0 : this.worthwhile(line, line.gap);
  }

  /** Whether so much more is worth a command. */
  worthwhile(line: Line, more: number): boolean {
    return more > 0 && more * 100 > line.shares * this.#sizeTolerancePct;
  }

  /** Whether the side adds orders in this plan: a blocked one cannot, and one that cancels needs a single step. */
  adds(atomic: boolean): boolean {
    return !this.#blocked && (atomic || this.#cancels === 0) && this.lacking;
  }

  #remove(each: Resting): void {
    if (each.order.phase === 'live') {
      this.cancel(each);
      return;
    }
    this.#blocked = true;
    if (each.order.phase !== 'leaving') this.#deferred = true;
  }

  /** Takes what is too much off the orders that came last. A reduce is no part of a replace, so it blocks the side. */
  #trim(line: Line): void {
    for (const each of this.resting.toReversed()) {
      const excess = -line.gap;
      if (excess <= 0 || each.line !== line || each.order.phase !== 'live') continue;
      if (each.order.remaining <= excess) {
        this.cancel(each);
        continue;
      }
      const { order, market } = each.order;
      this.#reduces = added(this.#reduces, { type: 'reduce', order, market, by: column.shares(excess) });
      line.release(excess);
      this.#blocked = true;
    }
    if (line.gap < 0) {
      this.#blocked = true;
      this.#deferred = true;
    }
  }
}

/** Which open orders of a side may go on standing for which wished lines. */

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
function matchOrders(
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
