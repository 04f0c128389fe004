/**
 * The book of a replayed market: the exchange's orders between the recorded levels
 * (docs/spec/models.md#outside-flow, docs/spec/models.md#queue).
 *
 * Invariants: the available size of a level (V) is one aggregate; `front` is the part of it before an order. Orders
 * match by price and time. Self-trade prevention applies when the next order is the taker's own. Taking raises the
 * consumed size K, unless liquidity is immutable. Fills are whole lots, rounded **down**. The exchange stores only the
 * orders.
 *
 * HOT: a requote passes here (bench/replay.ts).
 */
import { FULL_BPS, onGrid, type PriceGrid } from '../domain/index.ts';
import {
  BOOK_RESULT,
  type Book,
  type BookOptions,
  CLOSE,
  FORCE,
  inYesTerms,
  isBidKind,
  type MatchSink,
  SELF_TRADE,
  type TapeEffects,
} from '../exchange/index.ts';
import { SIDE } from '../tape/index.ts';
import { LevelFlags } from './level-flags.ts';
import { Liquidity } from './liquidity.ts';
import { OutsideBook } from './outside-book.ts';
import { OwnQueues } from './own-queues.ts';
import { floorToLots, type Replay } from './replay.ts';

interface Taker {
  isBid: boolean;
  limit: number;
  left: number;
  holding: number;
  selfTrade: number;
}

export class ReplayBook implements Book {
  readonly number: number;
  readonly grid: PriceGrid;
  readonly levelFlags = new LevelFlags();
  readonly outside: OutsideBook;
  readonly own: OwnQueues;
  readonly liquidity: Liquidity;
  readonly #replay: Replay;
  readonly #sink: MatchSink;
  readonly #tape: TapeEffects;

  constructor(options: BookOptions, grid: PriceGrid, replay: Replay) {
    this.number = options.number;
    this.grid = grid;
    this.outside = new OutsideBook(grid, this.levelFlags);
    this.own = new OwnQueues(options, this.tickBps, this.levelFlags, replay);
    this.liquidity = new Liquidity(options.number, grid, this.outside, replay);
    this.#replay = replay;
    this.#sink = options.sink;
    this.#tape = options.tape;
  }

  get tickBps(): number {
    return this.outside.ladder.tickBps;
  }

  get bestBid(): number {
    return Math.max(this.own.ownBid, this.outside.ladder.topBid);
  }

  get bestAsk(): number {
    return Math.min(this.own.ownAsk, this.outside.ladder.topAsk);
  }

  /** Returns whether a price is on the grid. Resting orders use their side's grid (docs/spec/models.md#price-grid). */
  hasPrice(kind: number, force: number, price: number): boolean {
    const rests = force === FORCE.gtc || force === FORCE.postOnly;
    const sign = isBidKind(kind) ? 1 : -1;
    return this.grid.type === 'tick' || onGrid(this.grid, inYesTerms(kind, price), rests ? sign : undefined);
  }

  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number {
    const isBid = isBidKind(kind);
    const limit = inYesTerms(kind, price);
    if (force === FORCE.postOnly && (isBid ? this.bestAsk <= limit : this.bestBid >= limit))
      return BOOK_RESULT.postOnlyWouldCross;
    if (force === FORCE.fok && this.fillable(kind, price, shares, holding, selfTrade) < shares)
      return BOOK_RESULT.fokNotFillable;
    return this.own.sharesAt(limit) + shares > Number.MAX_SAFE_INTEGER ? BOOK_RESULT.aboveMax : BOOK_RESULT.done;
  }

  levelFor(kind: number, price: number, shares: number): number {
    return this.hasPrice(kind, FORCE.gtc, price) ? this.own.levelFor(kind, price, shares) : -1;
  }

  enterGtc(order: number, kind: number, level: number, shares: number, holding: number): void {
    const price = inYesTerms(kind, level * this.own.tickBps);
    this.enter(order, kind, FORCE.gtc, price, shares, holding, SELF_TRADE.cancelTaker);
  }

  fillable(kind: number, price: number, shares: number, holding: number, selfTrade: number): number {
    const taker = { isBid: isBidKind(kind), limit: inYesTerms(kind, price), left: shares, holding, selfTrade };
    return shares - Math.max(0, this.#unfillable(taker));
  }

  enter(
    order: number,
    kind: number,
    force: number,
    price: number,
    shares: number,
    holding: number,
    selfTrade: number,
  ): void {
    const isBid = isBidKind(kind);
    const limit = inYesTerms(kind, price);
    let left = shares;
    if (force !== FORCE.postOnly) {
      this.own.takerSells = kind & 1;
      left = this.#match({ isBid, limit, left, holding, selfTrade });
      if (left === 0) return;
      if (force === FORCE.fak || force === FORCE.fok) {
        this.#sink.ended(left, CLOSE.fakRemainder);
        return;
      }
      if (this.#replay.isImmutable) this.liquidity.takeAll(isBid, limit);
    }
    this.own.rest(order, kind, limit, left, holding, this.outside.available(isBid ? SIDE.bid : SIDE.ask, limit));
  }

  close(slot: number, reason: number): void {
    this.own.close(slot, reason);
  }

  reduce(slot: number, by: number): void {
    this.own.reduce(slot, by);
  }

  closeAll(reason: number): void {
    this.own.closeAll(reason);
  }

  /** Returns the size before the order, including the outside size that the queue model estimates. */
  queueAhead(slot: number): number {
    return this.recordedAhead(slot) + this.own.queueAhead(slot);
  }

  recordedAhead(slot: number): number {
    return this.#replay.positions.front[slot]!;
  }

  recordedBefore(isBid: boolean, price: number, slot: number): number {
    const available = this.liquidity.sizeAt(isBid, price);
    return slot === 0 ? available : Math.min(available, this.#replay.positions.front[slot]!);
  }

  firstAt(price: number): number {
    return this.own.firstAt(price);
  }

  restingAt(price: number): number {
    return this.own.sharesAt(price);
  }

  sharesAt(price: number): number {
    return this.own.sharesAt(price) + this.outside.available(SIDE.bid, price) + this.outside.available(SIDE.ask, price);
  }

  orderCountAt(price: number): number {
    const bid = this.outside.available(SIDE.bid, price) > 0 ? 1 : 0;
    const ask = this.outside.available(SIDE.ask, price) > 0 ? 1 : 0;
    return this.own.orderCountAt(price) + bid + ask;
  }

  priceBelow(price: number): number {
    return Math.max(this.own.priceBelow(price), this.outside.ladder.nextBid(price) ?? 0);
  }

  priceAbove(price: number): number {
    return Math.min(this.own.priceAbove(price), this.outside.ladder.nextAsk(price) ?? FULL_BPS);
  }

  /** Matches by price, then time. @returns the size left to rest or cancel; 0 if the order's end was reported */
  #match(taker: Taker): number {
    const { isBid, limit } = taker;
    const { own } = this;
    let outsidePrice = this.liquidity.top(isBid);
    /** Size already taken at `outsidePrice` that immutable liquidity still shows. */
    let spent = 0;
    for (;;) {
      const ownPrice = isBid ? own.ownAsk : own.ownBid;
      const meetsOwn = isBid ? ownPrice <= outsidePrice : ownPrice >= outsidePrice;
      const price = meetsOwn ? ownPrice : outsidePrice;
      if (isBid ? price > limit : price < limit) return taker.left;
      const slot = meetsOwn ? own.firstAt(price) : 0;
      const available = price === outsidePrice ? this.liquidity.sizeAt(isBid, price) - spent : 0;
      let endReason: number = CLOSE.filled;
      if (slot !== 0 && own.belongsTo(slot, taker.holding)) endReason = this.#preventSelfTrade(slot, taker.selfTrade);
      else {
        const before = slot === 0 ? available : Math.min(available, this.#replay.positions.front[slot]!);
        const traded = floorToLots(Math.min(taker.left, before));
        if (traded > 0) {
          spent += this.liquidity.take(isBid, price, traded);
          taker.left -= traded;
          if (this.#tape.fillFromTape(this.number, isBid, price, traded)) endReason = this.#sink.paused();
          if (slot !== 0) own.advanceAt(price, traded);
        } else if (slot === 0) {
          outsidePrice = this.liquidity.next(isBid, price);
          spent = 0;
        } else {
          const shares = Math.min(taker.left, own.remaining(slot));
          this.#replay.basis = 'queue';
          this.#replay.isInside = false;
          taker.left -= shares;
          if (own.fill(slot, shares)) endReason = this.#sink.paused();
        }
      }
      if (taker.left === 0 || endReason !== CLOSE.filled) {
        this.#sink.ended(taker.left, taker.left === 0 ? CLOSE.filled : endReason);
        return 0;
      }
    }
  }

  /** Applies self-trade prevention. @returns the taker's close reason; `CLOSE.filled` if the taker continues */
  #preventSelfTrade(slot: number, selfTrade: number): number {
    if (selfTrade !== SELF_TRADE.cancelTaker) this.own.close(slot, CLOSE.selfTrade);
    return selfTrade === SELF_TRADE.cancelMaker ? CLOSE.filled : CLOSE.selfTrade;
  }

  /** Returns the size that `#match` could not fill; 0 or less if `#match` could fill all. */
  #unfillable({ isBid, limit, holding, selfTrade, left: wanted }: Taker): number {
    const { own } = this;
    let left = wanted;
    let outsidePrice = this.liquidity.top(isBid);
    let ownPrice = isBid ? own.ownAsk : own.ownBid;
    while (left > 0) {
      const meetsOwn = isBid ? ownPrice <= outsidePrice : ownPrice >= outsidePrice;
      const price = meetsOwn ? ownPrice : outsidePrice;
      if (isBid ? price > limit : price < limit) return left;
      const available = price === outsidePrice ? this.liquidity.sizeAt(isBid, price) : 0;
      let spent = 0;
      for (let slot = meetsOwn ? own.firstAt(price) : 0; slot !== 0; slot = own.behind(slot)) {
        if (own.belongsTo(slot, holding)) {
          if (selfTrade === SELF_TRADE.cancelMaker) continue;
          return left;
        }
        const before = Math.min(available, this.#replay.positions.front[slot]!) - spent;
        const traded = floorToLots(Math.min(left, before));
        spent += traded;
        left -= traded + own.remaining(slot);
      }
      left -= floorToLots(Math.min(Math.max(0, left), available - spent));
      if (meetsOwn) ownPrice = isBid ? own.priceAbove(price) : own.priceBelow(price);
      if (price === outsidePrice) outsidePrice = this.liquidity.next(isBid, price);
    }
    return left;
  }
}
