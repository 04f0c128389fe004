/** HOT: computes the sizes that a plan can place now, by cash, holdings and orders in flight (bench/peers.ts). */
import {
  costAt,
  FULL_BPS,
  type InstanceNo,
  LOT,
  legPrice,
  MAX_ORDER_SHARES,
  type MicroShares,
  minShares,
  mulDivCeil,
  type PriceBps,
  type Refused,
  type Sign,
  sharesOfLots,
  subShares,
  takerFee,
  unchecked,
  withAdded,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { AccountView, MarketView, OpenOrder } from '../state/index.ts';
import type { Legs, QuoteLevel, RestingOrder, SideDraft } from './side-draft.ts';

const MAX_LOTS = MAX_ORDER_SHARES / LOT;
/** Maximum number of places in one replace (docs/spec/venue.md#batches). */
const MAX_REPLACE_PLACES = 20;
const NONE: readonly never[] = [];

/** The parts of a level that determine its legs. `price` is in YES terms. `largest` is an order's maximum size. */
export type LegTerms = Pick<QuoteLevel, 'sign' | 'price' | 'largest' | 'tag'>;

/**
 * Cash and shares that a plan can still use (docs/spec/models.md#legs). A bid sells free NO first, then buys YES. An
 * ask sells free YES first, then buys NO.
 */
export class AvailableFunds {
  readonly #market: MarketView;
  readonly #feeRateBps: number;
  #cash: number;
  #yes: number;
  #no: number;

  /** @param role only a taker pays the market's fee */
  constructor(view: AccountView, market: MarketView, role: 'maker' | 'taker') {
    this.#market = market;
    this.#feeRateBps = role === 'taker' ? market.limits.feeRateBps : 0;
    let yes: number = market.sellable('YES');
    let no: number = market.sellable('NO');
    for (const order of market.orders) {
      if (order.side === 'BUY') continue;
      if (order.outcome === 'YES') yes -= order.remaining;
      else no -= order.remaining;
    }
    // A replace in flight reserves cash and shares for both its old and its new orders, so sums can be negative.
    this.#cash = Math.max(0, view.available);
    this.#yes = Math.max(0, yes);
    this.#no = Math.max(0, no);
  }

  /** Returns the micro-shares that a level of this side could sell. */
  sellableShares(sign: Sign): number {
    return sign === 1 ? this.#no : this.#yes;
  }

  /** Frees the cash and shares of an order that is cancelled in the same step. @param times -1 to undo the release */
  release({ remaining, outcome, side, price }: OpenOrder, times: 1 | -1 = 1): void {
    if (side === 'BUY') this.#cash += times * costAt(remaining, price);
    else if (outcome === 'YES') this.#yes += times * remaining;
    else this.#no += times * remaining;
  }

  /** Computes the legs for `shares` of a level without spending them. */
  computeLegs({ sign, price, largest }: LegTerms, shares: MicroShares): Legs {
    const free = this.sellableShares(sign);
    const sold = free >= shares ? shares : sharesOfLots(Math.floor(free / LOT));
    const rest = subShares(shares, sold);
    if (rest === 0) return { sold, bought: ZERO_SHARES, lacking: undefined };
    const buyPrice = legPrice(sign, price);
    const bought = minShares(rest, this.#affordableShares(buyPrice));
    const { minOrderShares, minBet } = this.#market.limits;
    const min = Math.max(minOrderShares, mulDivCeil(minBet, 1, buyPrice) * LOT);
    if (rest < min || largest < min) {
      return { sold, bought: ZERO_SHARES, lacking: refused(this.#market, 'BELOW_MIN', min, rest) };
    }
    // The last of several orders must reach the minimum, too.
    const lastShares = bought % largest;
    const placeable = unchecked.shares(lastShares < min ? bought - lastShares : bought);
    if (bought < rest) {
      const lacking = refused(this.#market, 'INSUFFICIENT_BALANCE', this.#cash, this.#costWithFee(rest, buyPrice));
      return { sold, bought: placeable, lacking };
    }
    const lacking = placeable < rest ? refused(this.#market, 'BELOW_MIN', min, lastShares) : undefined;
    return { sold, bought: placeable, lacking };
  }

  spend({ sign, price }: LegTerms, { sold, bought }: Legs): void {
    if (sign === 1) this.#no -= sold;
    else this.#yes -= sold;
    this.#cash -= this.#costWithFee(bought, legPrice(sign, price));
  }

  /** Returns the size that the cash can buy, fee included, rounded **down** to lots. */
  #affordableShares(price: PriceBps): MicroShares {
    const microUsdPerLot = price + (this.#feeRateBps * price * (10_000 - price)) / 100_000_000;
    let lots = Math.min(Math.floor(this.#cash / microUsdPerLot), MAX_LOTS);
    // The quotient is a double and can be one lot too large.
    while (lots > 0 && this.#costWithFee(sharesOfLots(lots), price) > this.#cash) lots -= 1;
    return sharesOfLots(Math.max(0, lots));
  }

  #costWithFee(shares: MicroShares, price: PriceBps): number {
    return costAt(shares, price) + takerFee(this.#feeRateBps, shares, price);
  }
}

function refused({ info }: MarketView, code: Refused['code'], limit: number, actual: number): Refused {
  return { ok: false, market: info.market, code, limit, actual };
}

export interface SizingOptions {
  readonly view: AccountView;
  readonly market: MarketView;
  readonly bot: InstanceNo;
  /** Both sides. The side that reduces the position comes first; bids come first without a position. */
  readonly sides: readonly [SideDraft, SideDraft];
  /** Whether one step can contain cancels and places. */
  readonly isAtomic: boolean;
  /** Maximum number of open orders of the account; Infinity for no limit. */
  readonly maxOpenOrders: number;
}

/**
 * Sizes the legs of incomplete levels until the cash or the room for open orders is used up. Takes the levels in quote
 * order, alternating between the sides.
 */
export class Sizing {
  readonly #options: SizingOptions;
  readonly #funds: AvailableFunds;
  #toReplace: RestingOrder[] | undefined;
  #dropped: Refused[] | undefined;
  #hasReplace = false;
  /** Number of orders that may still be added. An order that this plan replaces makes room for another. */
  #freeOrders: number;
  placeCount = 0;
  /** Whether a level waits for a request in flight or for a cancel of this plan. */
  isDeferred = false;
  isCashShort = false;
  isOrderLimitReached = false;

  constructor(options: SizingOptions) {
    this.#options = options;
    this.#funds = new AvailableFunds(options.view, options.market, 'maker');
    this.#freeOrders = countFreeOrders(options);
    const [first, second] = options.sides;
    const firstBound = this.#prepareSide(first, second);
    const secondBound = this.#prepareSide(second, first);
    const levelCount = Math.max(first.levels.length, second.levels.length);
    for (let rank = 0; rank < levelCount; rank += 1) {
      this.#sizeLevel(first.levels[rank], first, firstBound);
      this.#sizeLevel(second.levels[rank], second, secondBound);
    }
  }

  /** Orders that this sizing replaces by larger orders, in addition to the orders that the sides cancel. */
  get toReplace(): readonly RestingOrder[] {
    return this.#toReplace ?? NONE;
  }

  get dropped(): readonly Refused[] {
    return this.#dropped ?? NONE;
  }

  sellableShares(sign: Sign): number {
    return this.#funds.sellableShares(sign);
  }

  /** Frees a side's cancelled orders. Returns the own price that new orders must not reach; undefined for none. */
  #prepareSide(side: SideDraft, opposite: SideDraft): number | undefined {
    if (!side.canAdd(this.#options.isAtomic)) return undefined;
    if (side.cancelCount > 0) this.#hasReplace = true;
    this.#freeOrders += side.cancelCount;
    const { resting } = side;
    for (let at = 0; at < resting.length; at += 1)
      if (resting[at]!.isCancelled) this.#funds.release(resting[at]!.order);
    return nearestOwnPrice(opposite, this.#options);
  }

  #sizeLevel(level: QuoteLevel | undefined, side: SideDraft, oppositePrice: number | undefined): void {
    if (level !== undefined) level.legs = undefined;
    if (level === undefined || oppositePrice === undefined || !side.needsOrders(level)) return;
    const crosses = level.sign * (oppositePrice - level.price) <= 0;
    const isFull = this.placeCount + level.maxOrders > MAX_REPLACE_PLACES;
    if (crosses || (isFull && this.#hasReplace)) this.isDeferred = true;
    else if (level.openShares === 0) this.#placeWhole(level);
    else if (!this.#options.isAtomic) this.#placeMissing(level, side);
    else if (level.hasPendingRequest || isFull) this.isDeferred = true;
    else this.#replaceByLarger(level, side);
  }

  #placeWhole(level: QuoteLevel): void {
    const legs = this.#legs(level, level.shares);
    if (legs.lacking !== undefined) this.#dropped = withAdded(this.#dropped, legs.lacking);
    this.#addLegs(level, legs);
  }

  /** Places the missing size as another order. A replace would leave the level empty during the placing delay. */
  #placeMissing(level: QuoteLevel, side: SideDraft): void {
    const legs = this.#legs(level, unchecked.shares(level.missingShares));
    if (side.isWorthwhile(level, legs.sold + legs.bought)) this.#addLegs(level, legs);
  }

  /** Replaces the orders of a level by larger orders, as far as cash and holdings allow. */
  #replaceByLarger(level: QuoteLevel, side: SideDraft): void {
    const replaced = side.resting.filter((each) => each.level === level);
    for (const each of replaced) this.#funds.release(each.order);
    const legs = this.#legs(level, level.shares, replaced.length);
    if (side.isWorthwhile(level, legs.sold + legs.bought - level.openShares)) {
      this.#freeOrders += replaced.length;
      this.#addLegs(level, legs);
      for (const each of replaced) this.#toReplace = withAdded(this.#toReplace, each);
      this.#hasReplace = true;
    } else for (const each of replaced) this.#funds.release(each.order, -1);
  }

  /** @param replaced number of orders that the legs replace */
  #legs(level: QuoteLevel, shares: MicroShares, replaced = 0): Legs {
    const legs = this.#funds.computeLegs(level, shares);
    if (legs.lacking?.code === 'INSUFFICIENT_BALANCE') this.isCashShort = true;
    const room = this.#freeOrders + replaced;
    const needed = countOrders(level, legs);
    if (needed <= room) return legs;
    this.isOrderLimitReached = true;
    const { market, maxOpenOrders } = this.#options;
    const lacking = refused(market, 'MAX_OPEN_ORDERS', maxOpenOrders, maxOpenOrders - room + needed);
    return { ...cutLegs(level, legs, room), lacking };
  }

  #addLegs(level: QuoteLevel, legs: Legs): void {
    if (legs.sold === 0 && legs.bought === 0) return;
    this.#funds.spend(level, legs);
    level.legs = legs;
    const orders = countOrders(level, legs);
    this.placeCount += orders;
    this.#freeOrders -= orders;
  }
}

function countOrders({ largest }: LegTerms, { sold, bought }: Pick<Legs, 'sold' | 'bought'>): number {
  return Math.ceil(sold / largest) + Math.ceil(bought / largest);
}

/** Returns the part of the legs that fits into `maxOrders` orders, sales first. */
function cutLegs({ largest }: LegTerms, legs: Legs, maxOrders: number): Pick<Legs, 'sold' | 'bought'> {
  const sold = unchecked.shares(Math.min(legs.sold, maxOrders * largest));
  const left = maxOrders - Math.ceil(sold / largest);
  return { sold, bought: unchecked.shares(Math.min(legs.bought, left * largest)) };
}

/**
 * Returns the number of orders that may be added. A resting order takes up room until the order closes, because a
 * cancel may be refused. The view does not tell a replaced order from a cancelled one, so a replace in flight counts
 * both its old and its new orders. A take never rests.
 */
function countFreeOrders({ view, maxOpenOrders }: SizingOptions): number {
  let room = maxOpenOrders;
  if (room === Number.POSITIVE_INFINITY) return room;
  for (let index = 0; index < view.markets.length; index += 1) {
    for (const { rests } of view.markets[index]!.orders) if (rests) room -= 1;
  }
  return Math.max(0, room);
}

/**
 * Returns the own price nearest to the other side that may still be open after this plan's replace. Orders cancelled by
 * a separate command are included, because the cancel may come too late.
 */
function nearestOwnPrice(opposite: SideDraft, { market, bot, isAtomic }: SizingOptions): number {
  const { sign } = opposite;
  let nearest = sign === 1 ? 0 : FULL_BPS;
  for (const { bot: owner, sign: orderSign, rests, yesPrice } of market.orders) {
    if (owner !== bot && orderSign === sign && rests && sign * (yesPrice - nearest) > 0) nearest = yesPrice;
  }
  const replaced = opposite.canAdd(isAtomic);
  for (let at = 0; at < opposite.resting.length; at += 1) {
    const { order, isCancelled } = opposite.resting[at]!;
    if (!(isCancelled && replaced) && sign * (order.yesPrice - nearest) > 0) nearest = order.yesPrice;
  }
  return nearest;
}
