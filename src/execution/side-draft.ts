/**
 * One side of a quote plan: the quoted levels, the resting orders, and the decision for each.
 *
 * HOT: each requote creates two drafts (bench/peers.ts). Loops use indexes, as in planner.ts.
 */
import {
  addShares,
  type EpochMs,
  FULL_BPS,
  gridAbove,
  gridBelow,
  type MicroShares,
  type PriceBps,
  type QuoteIntent,
  type QuoteTolerance,
  type ReduceOrder,
  type Refused,
  type Sign,
  unchecked,
  withAdded,
} from '../domain/index.ts';
import type { MarketView, OpenOrder } from '../state/index.ts';

const NONE: readonly never[] = [];

/** How a level is executed: the part sold from holdings, and the part bought in the other outcome. */
export interface Legs {
  readonly sold: MicroShares;
  readonly bought: MicroShares;
  /** Reason for a missing part. */
  readonly lacking: Refused | undefined;
}

/**
 * All quotes at one price of a side, and the open orders for them. A level may need several orders, none larger than
 * the largest quote at its price.
 */
export class QuoteLevel {
  readonly sign: Sign;
  /** The quoted price in YES terms, capped one grid step short of others' best opposite price. */
  readonly price: PriceBps;
  shares: MicroShares;
  /** Largest size of one order, micro-shares. */
  largest: MicroShares;
  /** Maximum number of orders that the level may need. */
  maxOrders = 2;
  /** Micro-shares of the level's open orders; above `shares` until the excess is removed. */
  openShares = 0;
  hasPendingRequest = false;
  /** Orders to place for the level now, set by `Sizing`; undefined for none. */
  legs: Legs | undefined;
  /** Tag of the first quote at the level's price. */
  readonly tag: string | undefined;

  constructor(sign: Sign, price: PriceBps, shares: MicroShares, tag: string | undefined) {
    this.sign = sign;
    this.price = price;
    this.shares = shares;
    this.largest = shares;
    this.tag = tag;
  }

  /** Missing micro-shares; negative for an excess. */
  get missingShares(): number {
    return this.shares - this.openShares;
  }

  add(shares: MicroShares): void {
    this.shares = addShares(this.shares, shares);
    if (shares > this.largest) this.largest = shares;
    this.maxOrders += 1;
  }

  addOrder(order: OpenOrder): void {
    this.openShares += order.remaining;
    if (order.phase !== 'live') this.hasPendingRequest = true;
  }
}

/** Returns the levels of one side, in the order of the quotes, without quotes whose capped price is off the grid. */
function quoteLevels(intent: QuoteIntent, market: MarketView, sign: Sign): readonly QuoteLevel[] {
  let levels: QuoteLevel[] | undefined;
  const side = sign === 1 ? 'bid' : 'ask';
  for (let at = 0; at < intent.quotes.length; at += 1) {
    const quote = intent.quotes[at]!;
    if (quote.side !== side) continue;
    const price = capPrice(quote.price, market, sign);
    const level = findLevel(levels ?? NONE, price);
    if (level !== undefined) level.add(quote.shares);
    else if (price !== undefined) levels = withAdded(levels, new QuoteLevel(sign, price, quote.shares, quote.tag));
  }
  return levels ?? NONE;
}

function findLevel(levels: readonly QuoteLevel[], price: number | undefined): QuoteLevel | undefined {
  for (let at = 0; at < levels.length; at += 1) if (levels[at]!.price === price) return levels[at];
  return undefined;
}

/** Caps a post-only price one grid step short of others' best opposite price (docs/spec/models.md#signs-and-units). */
function capPrice(price: PriceBps, { book, info }: MarketView, sign: Sign): PriceBps | undefined {
  const touch = sign === 1 ? book.bestAsk() : book.bestBid();
  if (touch === undefined || sign * (touch - price) > 0) return price;
  return sign === 1 ? gridBelow(info.grid, touch) : gridAbove(info.grid, touch);
}

/** An own resting order and its matched level. */
export interface RestingOrder {
  readonly order: OpenOrder;
  level: QuoteLevel | undefined;
  /** Whether this plan cancels the order. */
  isCancelled: boolean;
}

export class SideDraft {
  readonly sign: Sign;
  readonly levels: readonly QuoteLevel[];
  readonly #canReduce: boolean;
  readonly #sizeTolerancePct: number;
  #resting: RestingOrder[] | undefined;
  #reduces: ReduceOrder[] | undefined;
  /** Whether the side may only remove orders in this plan, because unquoted or excess size may still be open. */
  isBlocked = false;
  /** Whether an order differs from its quote but cannot be changed now, because a request is in flight. */
  isDeferred = false;
  cancelCount = 0;

  /**
   * @param sizeTolerancePct a level smaller than quoted by at most this percentage stays unchanged
   * @param canReduce whether the venue supports reduce; otherwise orders are cancelled and placed again
   */
  constructor(sign: Sign, intent: QuoteIntent, market: MarketView, sizeTolerancePct: number, canReduce: boolean) {
    this.#canReduce = canReduce;
    this.sign = sign;
    this.levels = quoteLevels(intent, market, sign);
    this.#sizeTolerancePct = sizeTolerancePct;
  }

  get resting(): readonly RestingOrder[] {
    return this.#resting ?? NONE;
  }

  get reduces(): readonly ReduceOrder[] {
    return this.#reduces ?? NONE;
  }

  /** The quoted price nearest to the other side; 0 or 10000 without quotes. */
  get innermost(): number {
    let best = this.sign === 1 ? 0 : FULL_BPS;
    for (let at = 0; at < this.levels.length; at += 1) {
      const { price } = this.levels[at]!;
      if (this.sign * (price - best) > 0) best = price;
    }
    return best;
  }

  get hasMissingShares(): boolean {
    for (let at = 0; at < this.levels.length; at += 1) if (this.needsOrders(this.levels[at]!)) return true;
    return false;
  }

  /** Whether all orders match their quotes. */
  get isSettled(): boolean {
    return this.cancelCount === 0 && this.#reduces === undefined && !this.isDeferred && !this.hasMissingShares;
  }

  addResting(order: OpenOrder): void {
    this.#resting = withAdded(this.#resting, { order, level: undefined, isCancelled: false });
  }

  /**
   * Decides which orders stay, and removes unquoted orders and excess size.
   * @param oppositePrice nearest quoted price of the other side in YES terms, which remaining orders must not cross
   */
  removeUnquoted(oppositePrice: number, tolerance: QuoteTolerance | undefined, now: EpochMs): void {
    const { resting } = this;
    if (resting.length === 0) return;
    matchOrders(resting, this.levels, oppositePrice, tolerance, now);
    for (let at = 0; at < resting.length; at += 1) if (resting[at]!.level === undefined) this.#remove(resting[at]!);
    for (let at = 0; at < this.levels.length; at += 1)
      if (this.levels[at]!.missingShares < 0) this.#trim(this.levels[at]!);
  }

  /** Cancels a live order. */
  cancel(resting: RestingOrder): void {
    resting.isCancelled = true;
    if (resting.level !== undefined) resting.level.openShares -= resting.order.remaining;
    resting.level = undefined;
    this.cancelCount += 1;
  }

  needsOrders(level: QuoteLevel): boolean {
    return level.openShares === 0 ? level.shares > 0 : this.isWorthwhile(level, level.missingShares);
  }

  /** Returns whether it is worth a command to add `size` micro-shares to the level. */
  isWorthwhile(level: QuoteLevel, size: number): boolean {
    return size > 0 && size * 100 > level.shares * this.#sizeTolerancePct;
  }

  /** Returns whether the side adds orders in this plan. @param isAtomic whether cancels and places go in one step */
  canAdd(isAtomic: boolean): boolean {
    return !this.isBlocked && (isAtomic || this.cancelCount === 0) && this.hasMissingShares;
  }

  #remove(resting: RestingOrder): void {
    if (resting.order.phase === 'live') {
      this.cancel(resting);
      return;
    }
    this.isBlocked = true;
    if (resting.order.phase !== 'cancelling') this.isDeferred = true;
  }

  /** Reduces the youngest orders by the excess. A reduce blocks the side, because a replace cannot contain it. */
  #trim(level: QuoteLevel): void {
    for (const each of this.resting.toReversed()) {
      const excess = -level.missingShares;
      if (excess <= 0 || each.level !== level || each.order.phase !== 'live') continue;
      if (!this.#canReduce || each.order.remaining <= excess) {
        this.cancel(each);
        continue;
      }
      const { order, market } = each.order;
      this.#reduces = withAdded(this.#reduces, { type: 'reduce', order, market, by: unchecked.shares(excess) });
      level.openShares -= excess;
      this.isBlocked = true;
    }
    if (level.missingShares < 0) {
      this.isBlocked = true;
      this.isDeferred = true;
    }
  }
}

/**
 * Assigns orders to levels: first at the exact price, then within the price tolerance, then young orders that are not
 * more aggressive than quoted. Orders that are being cancelled or too old get no level.
 */
function matchOrders(
  resting: readonly RestingOrder[],
  levels: readonly QuoteLevel[],
  oppositePrice: number,
  tolerance: QuoteTolerance | undefined,
  now: EpochMs,
): void {
  const maxAge = Math.max(0, tolerance?.maxAgeMs ?? Number.POSITIVE_INFINITY);
  let unmatched: RestingOrder[] | undefined;
  for (let at = 0; at < resting.length; at += 1) {
    const each = resting[at]!;
    const { phase, since, yesPrice } = each.order;
    if (phase === 'cancelling' || (phase === 'live' && now - since > maxAge)) continue;
    const level = findLevel(levels, yesPrice);
    if (level !== undefined && level.missingShares > 0) assign(each, level);
    else unmatched = withAdded(unmatched, each);
  }
  if (unmatched === undefined || tolerance === undefined) return;
  const { pricePct = 0, minAgeMs = 0 } = tolerance;
  for (const each of unmatched) {
    const isUncrossed = each.order.sign * (oppositePrice - each.order.yesPrice) > 0;
    if (isUncrossed && pricePct > 0) assign(each, nearestLevel(each.order, levels, pricePct));
  }
  for (const each of unmatched) {
    if (each.level === undefined && now - each.order.since < minAgeMs) assign(each, nearestLevel(each.order, levels));
  }
}

function assign(resting: RestingOrder, level: QuoteLevel | undefined): void {
  level?.addOrder(resting.order);
  resting.level = level;
}

/**
 * Returns the nearest suitable level. A level with orders is unsuitable if the order is larger than its missing size.
 * @param pricePct maximum distance in percent of the level's price. Default: any distance on the passive side only
 */
function nearestLevel(order: OpenOrder, levels: readonly QuoteLevel[], pricePct?: number): QuoteLevel | undefined {
  let best: QuoteLevel | undefined;
  let smallest = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    const distance = Math.abs(order.yesPrice - level.price);
    const isPassive = order.sign * (level.price - order.yesPrice) >= 0;
    const isWithin = pricePct === undefined ? isPassive : distance <= (level.price * pricePct) / 100;
    const hasRoom = order.remaining <= level.missingShares || level.openShares === 0;
    if (!hasRoom || !isWithin || distance >= smallest) continue;
    best = level;
    smallest = distance;
  }
  return best;
}
