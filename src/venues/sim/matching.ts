/**
 * Outside flow against own orders, and own takers against the outside book (models 5 and 6).
 *
 * Invariants: a print gives at most its size, a crossing at most V; prints never change R; only what crosses or is taken
 * raises K; fills are whole lots, rounded **down**; own orders at one price are served in order of arrival; a shrinking
 * level never fills.
 *
 * HOT: asked once a message and market that has own orders. Measured in bench/replay.ts.
 */
import { column, FULL_BPS, gridDown, gridUp, LOT, type MicroShares, type PriceBps } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { Account } from './account.ts';
import type { LevelChange } from './level-change.ts';
import type { OwnOrder } from './own-order.ts';
import type { QueueModel } from './ports.ts';
import type { SimMarket } from './sim-market.ts';
import type { TradesOnly } from './trades-only.ts';

/** Who trades with whom. */
export class Matching {
  readonly #account: Account;
  readonly #changes: LevelChange[];
  readonly #queue: QueueModel;
  readonly #tradesOnly: TradesOnly | undefined;

  constructor(account: Account, changes: LevelChange[], queue: QueueModel, tradesOnly: TradesOnly | undefined) {
    this.#account = account;
    this.#changes = changes;
    this.#queue = queue;
    this.#tradesOnly = tradesOnly;
  }

  /** Rule 2: a taker printed `shares` at `price`; of an unknown side only strictly through prices fill (rule 4). */
  print(market: SimMarket, taker: number, price: number, shares: number): void {
    const { own } = market;
    if (taker !== SIDE.ask && own.bestAsk <= price) {
      const left = this.#through(market, own.asks, price, shares);
      if (taker === SIDE.bid) this.#atPrice(market, own.asks, price, left, shares);
    }
    if (taker !== SIDE.bid && own.bestBid >= price) {
      const left = this.#through(market, own.bids, price, shares);
      if (taker === SIDE.ask) this.#atPrice(market, own.bids, price, left, shares);
    }
  }

  /** The recorded level goes from R to R': who waits there moves by the queue model. */
  queueAfterSet(market: SimMarket, side: number, price: number, before: number, after: number): void {
    for (const order of side === SIDE.bid ? market.own.bids : market.own.asks) {
      if (order.price !== price) continue;
      order.front = this.#queue.afterSet(order.front, before, after, order.printed);
      order.printed = 0;
    }
  }

  /** Rule 3: V at or beyond an own price fills it, at the own price. */
  cross(market: SimMarket): void {
    const { own, ladder } = market;
    while (ladder.topBid >= own.bestAsk && this.#crossOne(market, own.asks[0]!, SIDE.bid));
    while (ladder.topAsk <= own.bestBid && this.#crossOne(market, own.bids[0]!, SIDE.ask));
  }

  /**
   * An own order takes V best price first; it stops before an own resting order (CANCEL_TAKER).
   * @param keeps whether K stays as it is (`immutable`)
   * @returns whether it met an own order
   */
  take(market: SimMarket, order: OwnOrder, keeps: boolean): boolean {
    if (this.#tradesOnly !== undefined) return this.#takeAssumed(market, order);
    const side = order.sign > 0 ? SIDE.ask : SIDE.bid;
    for (let price = topOf(market, side); order.remaining > 0; price = nextOf(market, side, price)) {
      if (meetsOwn(market, order, price)) return true;
      if (!within(order, price)) return false;
      const shares = lotsDown(Math.min(order.remaining, market.outside.visible(side, price)));
      if (shares === 0) continue;
      if (!keeps) this.#consume(market, side, price, shares);
      this.#account.take(order, shares, column.price(price));
    }
    return false;
  }

  /** Of a book that takers leave alone: an order that comes to rest must not take again what it has just taken. */
  consumeBeyond(market: SimMarket, order: OwnOrder): void {
    const side = order.sign > 0 ? SIDE.ask : SIDE.bid;
    for (let price = topOf(market, side); within(order, price); price = topOf(market, side)) {
      this.#consume(market, side, price, market.outside.visible(side, price));
    }
  }

  /** What an order could take at once, the same way as `take`; at most what remains of it. */
  takeable(market: SimMarket, order: OwnOrder): number {
    if (this.#tradesOnly !== undefined) return this.#assumedPrice(market, order) === undefined ? 0 : order.remaining;
    const side = order.sign > 0 ? SIDE.ask : SIDE.bid;
    let sum = 0;
    for (let price = topOf(market, side); sum < order.remaining; price = nextOf(market, side, price)) {
      if (!within(order, price) || meetsOwn(market, order, price)) return sum;
      sum += lotsDown(market.outside.visible(side, price));
    }
    return order.remaining;
  }

  /** Without a book: all of it, at the assumed distance from the last trade. */
  #takeAssumed(market: SimMarket, order: OwnOrder): boolean {
    const price = this.#assumedPrice(market, order);
    if (price !== undefined) this.#account.take(order, order.remaining, price);
    return price === undefined && meetsOwn(market, order, order.sign > 0 ? FULL_BPS : 0);
  }

  /** Where an order would take without a book; undefined where it may not, or would meet an own order first. */
  #assumedPrice(market: SimMarket, order: OwnOrder): PriceBps | undefined {
    const away = this.#tradesOnly?.assumedHalfSpreadBps;
    if (away === undefined || market.lastPrint === 0) return undefined;
    const price =
      order.sign > 0 ? gridUp(market.grid, market.lastPrint + away) : gridDown(market.grid, market.lastPrint - away);
    return price === undefined || !within(order, price) || meetsOwn(market, order, price) ? undefined : price;
  }

  /** Own orders strictly better than a print, at their own price; answers what is left of it. */
  #through(market: SimMarket, orders: OwnOrder[], price: number, shares: number): number {
    let left = shares;
    for (let best = orders[0]; best !== undefined && left > 0; best = orders[0]) {
      if (best.sign > 0 ? best.price <= price : best.price >= price) break;
      const given = column.shares(Math.min(best.remaining, left));
      left -= given;
      this.#account.make(best, given, 'through', this.#inside(market, best));
    }
    return left;
  }

  /** Own orders at the price of a print of which `left` reaches it. */
  #atPrice(market: SimMarket, orders: OwnOrder[], price: number, left: number, printed: number): void {
    let at = 0;
    // Better ones that the print did not fill whole stand before.
    while (at < orders.length && orders[at]!.price !== price) at += 1;
    let reaching = this.#reaching(left);
    let open = true;
    for (let order = orders[at]; order !== undefined && order.price === price; order = orders[at]) {
      const { front } = order;
      const given = open ? lotsDown(Math.min(order.remaining, reaching - front)) : 0;
      if (given > 0) this.#account.make(order, column.shares(given), this.#tagAtPrice(), this.#inside(market, order));
      order.front = Math.max(0, front - reaching);
      order.printed += printed;
      reaching -= given;
      // Whoever came earlier is served first, whatever the model says about the one behind.
      open = open && order.remaining === 0;
      if (order.remaining > 0) at += 1;
    }
  }

  /** How much of a print reaches its own price: without a book nobody knows the queue, and a share of it stands in. */
  #reaching(left: number): number {
    if (this.#tradesOnly === undefined) return left;
    return this.#tradesOnly.fill === 'touch' ? this.#tradesOnly.share * left : 0;
  }

  #tagAtPrice(): 'queue' | 'touch' {
    return this.#tradesOnly === undefined ? 'queue' : 'touch';
  }

  /** Answers whether the order was filled whole: else nothing more stands at or beyond its price. */
  #crossOne(market: SimMarket, order: OwnOrder, side: number): boolean {
    let filled = 0;
    for (let price = topOf(market, side); within(order, price); price = nextOf(market, side, price)) {
      const shares = lotsDown(Math.min(order.remaining - filled, market.outside.visible(side, price)));
      if (shares === 0) continue;
      this.#consume(market, side, price, shares);
      filled += shares;
      if (filled === order.remaining) break;
    }
    const whole = filled === order.remaining;
    if (filled > 0) this.#account.make(order, column.shares(filled), 'cross', this.#inside(market, order));
    return whole;
  }

  #consume(market: SimMarket, side: number, price: number, shares: number): void {
    market.outside.take(side, price, shares);
    this.#changes.push({ market, side, price });
  }

  /** Better than the recorded touch was before this message; a tape without a book has no touch. */
  #inside(market: SimMarket, order: OwnOrder): boolean {
    if (this.#tradesOnly !== undefined) return false;
    return order.sign > 0 ? order.price > market.touchBid : order.price < market.touchAsk;
  }
}

/** Best V of a side; 0 and 10000 for none, which no limit reaches. */
function topOf(market: SimMarket, side: number): number {
  return side === SIDE.bid ? market.ladder.topBid : market.ladder.topAsk;
}

function nextOf(market: SimMarket, side: number, price: number): number {
  return side === SIDE.bid ? (market.ladder.nextBid(price) ?? 0) : (market.ladder.nextAsk(price) ?? FULL_BPS);
}

/** Whether an outside price is at or beyond an order's limit. */
function within(order: OwnOrder, price: number): boolean {
  return order.sign > 0 ? price <= order.price : price >= order.price;
}

/** Whether an own order that this one would trade with stands at an outside price or before it. */
function meetsOwn(market: SimMarket, order: OwnOrder, price: number): boolean {
  const { bestBid, bestAsk } = market.own;
  return order.sign > 0
    ? bestAsk <= price && within(order, bestAsk) && bestAsk < FULL_BPS
    : bestBid >= price && within(order, bestBid) && bestBid > 0;
}

/** Whole lots, rounded **down**, not below 0. */
function lotsDown(shares: number): MicroShares {
  return column.shares(shares > 0 ? shares - (shares % LOT) : 0);
}
