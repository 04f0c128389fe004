/**
 * Checks a replace (docs/spec/venue.md#replace) as if its cancelled orders were removed and its new orders rested.
 *
 * Invariant: the checks move the reserves. `undo` moves them back before any event, unless the replace is accepted and
 * all its orders are post-only. Books do not change: levels are computed without the cancelled and with the new orders.
 *
 * HOT: market makers mostly send replaces of two orders (bench/replay.ts). One object is reused, because the allocation
 * of lists and maps would take most of a replace's time.
 */
import { LOT, takerFee, unchecked } from '../../domain/index.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { BOOK_RESULT, FORCE, inYesTerms, isBidKind } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { OrderContext, OrderValidator, ValidatedOrder } from './order-validator.ts';

const { postOnly: POST_ONLY } = FORCE;
const { done: DONE, aboveMax: ABOVE_MAX, postOnlyWouldCross: WOULD_CROSS } = BOOK_RESULT;

/** Maximum number of cancelled orders for which a linear search is faster than a set and a map. */
const MAX_LINEAR = 8;

/** A checked new order. The next replace reuses the object. */
interface StagedOrder extends ValidatedOrder {
  terms: OrderTerms;
  kind: number;
  force: number;
  selfTrade: number;
  holding: number;
  /** In YES bps. */
  yesPrice: number;
  isBid: boolean;
  fee: number;
}

export class ReplaceTransaction implements OrderContext {
  readonly isInitial = false;
  market = 0;
  /** Slots of the cancelled orders, in the given order; the first `cancelCount` are valid. */
  readonly cancelled: number[] = [];
  cancelCount = 0;
  /** New orders, in the given order; the first `placeCount` are valid. */
  readonly staged: StagedOrder[] = [];
  placeCount = 0;
  /** Whether all new orders are post-only, so that the replace cannot trade. */
  isPostOnly = true;
  readonly #slots: OrderSlots;
  readonly #clearing: Clearing;
  readonly #records: readonly MarketRecord[];
  /** With more than `MAX_LINEAR` cancelled orders: their slots, and their totals by price. */
  readonly #cancelledSlots = new Set<number>();
  readonly #levels = new Map<number, { count: number; shares: number }>();
  #account = 0;
  #mustReplace = false;

  constructor({ slots, clearing, records }: ExchangeState) {
    this.#slots = slots;
    this.#clearing = clearing;
    this.#records = records;
  }

  begin(market: number, { account, mustReplace }: { readonly account: number; readonly mustReplace: boolean }): void {
    this.market = market;
    this.#account = account;
    this.#mustReplace = mustReplace;
    if (this.cancelCount > MAX_LINEAR) {
      this.#cancelledSlots.clear();
      this.#levels.clear();
    }
    this.cancelCount = 0;
    this.placeCount = 0;
    this.isPostOnly = true;
  }

  /** Cancels an open order of the account in the market. @returns false if it is already cancelled */
  cancel(slot: number): boolean {
    if (this.#isCancelled(slot)) return false;
    this.cancelled[this.cancelCount++] = slot;
    if (this.cancelCount > MAX_LINEAR) this.#indexCancelled();
    const slots = this.#slots;
    this.#clearing.release(slots.holding(slot), slots.kind(slot), this.#priceOf(slot), slots.remaining(slot));
    return true;
  }

  stage(terms: OrderTerms, { kind, force, selfTrade, holding: found }: OrderValidator): void {
    const holding = found === 0 ? this.#clearing.open(this.#account, this.market) : found;
    if (force !== POST_ONLY) this.isPostOnly = false;
    const yesPrice = inYesTerms(kind, terms.price);
    this.#clearing.reserve(holding, kind, yesPrice, terms.shares);
    const isBid = isBidKind(kind);
    const rate = (kind & 1) === 1 || force === POST_ONLY ? 0 : this.#records[this.market]!.feeRateBps;
    const taken = rate === 0 ? 0 : this.#takenShares(isBid, yesPrice, terms.shares);
    const fee = taken === 0 ? 0 : takerFee(rate, unchecked.shares(taken), terms.price);
    if (fee !== 0) this.#clearing.accounts.credit(this.#account, -fee);
    const reused = this.staged[this.placeCount];
    if (reused === undefined) this.staged.push({ terms, kind, force, selfTrade, holding, yesPrice, isBid, fee });
    else {
      reused.terms = terms;
      reused.kind = kind;
      reused.force = force;
      reused.selfTrade = selfTrade;
      reused.holding = holding;
      reused.yesPrice = yesPrice;
      reused.isBid = isBid;
      reused.fee = fee;
    }
    this.placeCount++;
  }

  /** Moves all reserves back, for a replace that fails or may trade. */
  undo(): void {
    const slots = this.#slots;
    const clearing = this.#clearing;
    for (let at = 0; at < this.placeCount; at++) {
      const { holding, kind, yesPrice, terms, fee } = this.staged[at]!;
      if (fee !== 0) clearing.accounts.credit(this.#account, fee);
      clearing.release(holding, kind, yesPrice, terms.shares);
    }
    for (let at = 0; at < this.cancelCount; at++) {
      const slot = this.cancelled[at]!;
      clearing.reserve(slots.holding(slot), slots.kind(slot), this.#priceOf(slot), slots.remaining(slot));
    }
  }

  get added(): number {
    return this.placeCount - this.cancelCount;
  }

  mayReplace(order: number): boolean {
    if (order === 0) return !this.#mustReplace;
    const slot = this.#slots.find(order);
    return slot !== 0 && this.#isCancelled(slot);
  }

  hasClientId(clientOrderId: string): boolean {
    for (let at = 0; at < this.placeCount; at++)
      if (this.staged[at]!.terms.clientOrderId === clientOrderId) return true;
    return false;
  }

  /** Returns whether a new order has the same signed bytes. */
  hasHash(hash: string): boolean {
    for (let at = 0; at < this.placeCount; at++) if (this.staged[at]!.terms.hash === hash) return true;
    return false;
  }

  refusal(kind: number, force: number, price: number, shares: number): number {
    const isBid = isBidKind(kind);
    const yesPrice = inYesTerms(kind, price);
    const opposite = this.opposite(isBid);
    if (isBid ? opposite <= yesPrice : opposite >= yesPrice) {
      return force === POST_ONLY ? WOULD_CROSS : DONE;
    }
    return this.#sharesAt(isBid, yesPrice) + shares > Number.MAX_SAFE_INTEGER ? ABOVE_MAX : DONE;
  }

  openShares(kind: number, price: number): number {
    return this.#sharesAt(isBidKind(kind), inYesTerms(kind, price));
  }

  opposite(isBid: boolean): number {
    const { book } = this.#records[this.market]!;
    let price = isBid ? book.bestAsk : book.bestBid;
    for (
      let cancelledCount = this.#cancelledCountAt(price);
      cancelledCount > 0 && cancelledCount === book.orderCountAt(price);
    ) {
      price = isBid ? book.priceAbove(price) : book.priceBelow(price);
      cancelledCount = this.#cancelledCountAt(price);
    }
    for (let at = 0; at < this.placeCount; at++) {
      const { isBid: isStagedBid, yesPrice } = this.staged[at]!;
      if (isStagedBid !== isBid && (isBid ? yesPrice < price : yesPrice > price)) price = yesPrice;
    }
    return price;
  }

  /** Returns the micro-shares, at most `shares`, within an order's limit on the other side, including own orders. */
  #takenShares(isBid: boolean, yesPrice: number, shares: number): number {
    const { book } = this.#records[this.market]!;
    let taken = 0;
    for (let at = 0; at < this.placeCount; at++) {
      const staged = this.staged[at]!;
      const matches = isBid ? staged.yesPrice <= yesPrice : staged.yesPrice >= yesPrice;
      if (staged.isBid !== isBid && matches) taken += staged.terms.shares;
    }
    let price = isBid ? book.bestAsk : book.bestBid;
    while (taken < shares && (isBid ? price <= yesPrice : price >= yesPrice)) {
      // Rounded **up**, because a recorded size may have a fraction of a lot.
      taken += Math.ceil((book.sharesAt(price) - this.#cancelledSharesAt(price)) / LOT) * LOT;
      price = isBid ? book.priceAbove(price) : book.priceBelow(price);
    }
    return taken < shares ? taken : shares;
  }

  #cancelledCountAt(price: number): number {
    if (this.cancelCount > MAX_LINEAR) return this.#levels.get(price)?.count ?? 0;
    let count = 0;
    for (let at = 0; at < this.cancelCount; at++) if (this.#priceOf(this.cancelled[at]!) === price) count++;
    return count;
  }

  #cancelledSharesAt(price: number): number {
    if (this.cancelCount > MAX_LINEAR) return this.#levels.get(price)?.shares ?? 0;
    let shares = 0;
    for (let at = 0; at < this.cancelCount; at++) {
      const slot = this.cancelled[at]!;
      if (this.#priceOf(slot) === price) shares += this.#slots.remaining(slot);
    }
    return shares;
  }

  #isCancelled(slot: number): boolean {
    if (this.cancelCount > MAX_LINEAR) return this.#cancelledSlots.has(slot);
    for (let at = 0; at < this.cancelCount; at++) if (this.cancelled[at] === slot) return true;
    return false;
  }

  /** Adds the cancelled orders that are not indexed yet to the set and the map. */
  #indexCancelled(): void {
    for (let at = this.#cancelledSlots.size; at < this.cancelCount; at++) {
      const slot = this.cancelled[at]!;
      this.#cancelledSlots.add(slot);
      const price = this.#priceOf(slot);
      const shares = this.#slots.remaining(slot);
      const level = this.#levels.get(price);
      if (level === undefined) this.#levels.set(price, { count: 1, shares });
      else {
        level.count++;
        level.shares += shares;
      }
    }
  }

  /** Returns the micro-shares that rest on a side at a price. */
  #sharesAt(isBid: boolean, yesPrice: number): number {
    let shares = this.#records[this.market]!.book.restingAt(yesPrice) - this.#cancelledSharesAt(yesPrice);
    for (let at = 0; at < this.placeCount; at++) {
      const staged = this.staged[at]!;
      if (staged.isBid === isBid && staged.yesPrice === yesPrice) shares += staged.terms.shares;
    }
    return shares;
  }

  #priceOf(slot: number): number {
    return this.#slots.level(slot) * this.#records[this.market]!.book.tickBps;
  }
}
