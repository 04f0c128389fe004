/**
 * Own orders at the venue, from the signature until the own stream reports the end. They are separate from the core's
 * orders, because the orders of a failed run still have to be cancelled.
 */
import {
  IntMap,
  type MarketNo,
  type MicroShares,
  type OrderFilled,
  OrderLifecycle,
  type OrderNo,
  type PriceBps,
  type Retained,
  yesPrice,
  yesSign,
} from '../../domain/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import type { MarketFeed } from './market-feed.ts';
import type { OwnFill } from './own-event.ts';
import type { BookedOrder, SeqRemaining } from './own-levels.ts';
import { RecentKeys } from './recent-keys.ts';

/** A replace in flight. The venue does all of its cancels and places in one step, or none. */
export interface SentReplace {
  readonly cancels: readonly VenueOrder[];
  readonly places: readonly VenueOrder[];
  /** Whether the stream has reported the replace. */
  isCommitted: boolean;
}

/** A cancel that is repeated until the venue answers. */
export interface PendingCancel {
  /** Whether the core requested the cancel and receives a refusal. */
  isRequested: boolean;
  isInFlight: boolean;
  /** Number of requests. `ALREADY_FINAL` in answer to a repeat may be the effect of the first request. */
  attempts: number;
}

type OwnOrderBook = Pick<MarketFeed, 'ownLevels' | 'publishWithoutOwnOrders' | 'flushPrints'>;

/** One own order, as far as the venue has reported it. */
export class VenueOrder implements BookedOrder {
  readonly record: SignedRecord;
  readonly life: OrderLifecycle;
  /** Side in YES terms, as in the book. */
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  /** Action if the venue has the order. `cancelUnreported` reports only fills, because the order ended for the core. */
  ifAtVenue: 'keep' | 'cancel' | 'cancelUnreported' = 'keep';
  /** Position of the order's last event in the own stream; 0 before the first event. */
  seq = 0;
  /** Micro-shares filled. */
  filled = 0;
  /** Number of reported reduces. */
  reduces = 0;
  /** Whether the venue accepted the order but later did not find it. Meanwhile, no command names the order. */
  isMissing = false;
  cancel: PendingCancel | undefined;
  placingReplace: SentReplace | undefined;
  cancellingReplace: SentReplace | undefined;
  remainingAt: SeqRemaining[] = [];
  isLeaving = false;

  constructor(record: SignedRecord, life: OrderLifecycle = new OrderLifecycle(record.command.shares)) {
    const { outcome, side, price } = record.command;
    this.record = record;
    this.life = life;
    this.filled = record.command.shares - life.remaining;
    this.side = yesSign(outcome, side) === 1 ? 'bid' : 'ask';
    this.price = yesPrice(outcome, price);
  }

  get hash(): string {
    return this.record.hash;
  }

  get shares(): MicroShares {
    return this.record.command.shares;
  }

  /** Whether unfilled size rests in the book. */
  get canRest(): boolean {
    const { timeInForce } = this.record.command;
    return timeInForce === 'GTC' || timeInForce === 'GTD';
  }

  get isUnwanted(): boolean {
    return this.ifAtVenue !== 'keep';
  }

  get isUnreported(): boolean {
    return this.ifAtVenue === 'cancelUnreported';
  }

  /** Prevents another sending, and cancels the order if the venue has it. */
  cancelIfAtVenue(): void {
    if (this.ifAtVenue === 'keep') this.ifAtVenue = 'cancel';
  }
}

/** Number of recent own trades whose ids are kept, to recognise their prints. */
const RECENT_FILLS = 4_096;

export class VenueOrders {
  readonly #byHash = new Map<string, VenueOrder>();
  readonly #byNumber = new IntMap<VenueOrder>();
  readonly #retained: Retained = { last: undefined };
  readonly #books = new Map<MarketNo, OwnOrderBook>();
  /** Books whose own orders changed since the last `publishWithoutOwnOrders`. */
  readonly #changed = new Set<OwnOrderBook>();
  readonly #makerTrades = new RecentKeys<string>(RECENT_FILLS);
  readonly #takerTrades = new RecentKeys<string>(RECENT_FILLS);
  #seq = 0;

  /** Number of orders whose end was not reported. */
  get size(): number {
    return this.#byHash.size;
  }

  add(record: SignedRecord, life?: OrderLifecycle): VenueOrder {
    const order = new VenueOrder(record, life);
    this.#retained.last = order;
    this.#byHash.set(record.hash, order);
    this.#byNumber.set(record.order, order);
    return order;
  }

  /** Adds an order of an earlier run. @param known the core's restored order; undefined if the core does not know it */
  restore(record: SignedRecord, known: OrderLifecycle | undefined): void {
    if (known === undefined) {
      this.add(record).ifAtVenue = 'cancelUnreported';
      return;
    }
    // A live order with a pending cancel stays live, because the venue has accepted the order.
    const { isLive, remaining, request } = known;
    this.add(record, new OrderLifecycle(remaining, isLive ? 'live' : 'sent', request));
  }

  byHash(hash: string): VenueOrder | undefined {
    return this.#byHash.get(hash);
  }

  byNumber(order: OrderNo): VenueOrder | undefined {
    return this.#byNumber.get(order);
  }

  /** Orders whose end was not reported, oldest first. */
  open(): readonly VenueOrder[] {
    return [...this.#byHash.values()];
  }

  remove(order: VenueOrder): void {
    order.life.onEnded();
    this.#byHash.delete(order.hash);
    this.#byNumber.delete(order.record.order);
  }

  /** Adds the market's open orders to this book, and informs the book of later changes. */
  attach(market: MarketNo, book: OwnOrderBook): void {
    this.#books.set(market, book);
    for (const order of this.#byHash.values()) {
      if (order.record.market !== market) continue;
      book.ownLevels.addPending(order);
      if (order.life.isLive) book.ownLevels.setRemaining(order, { seq: order.seq, remaining: order.life.remaining });
    }
  }

  detach(market: MarketNo): void {
    const book = this.#books.get(market);
    if (book !== undefined) this.#changed.delete(book);
    this.#books.delete(market);
  }

  addPending(order: VenueOrder): void {
    this.#books.get(order.record.market)?.ownLevels.addPending(order);
  }

  /** Sets the size that rests from the venue's event `seq` on; 0 for an ended order. */
  setRemaining(order: VenueOrder, seq: number, remaining: MicroShares): void {
    const book = this.#books.get(order.record.market);
    if (book?.ownLevels.setRemaining(order, { seq, remaining }) === true) this.#changed.add(book);
  }

  markLeaving(order: VenueOrder): void {
    this.#books.get(order.record.market)?.ownLevels.markLeaving(order);
  }

  /** Removes an order from its book, because the order never arrived or gets no more events. */
  dropFromBook(order: VenueOrder): void {
    const book = this.#books.get(order.record.market);
    if (book?.ownLevels.drop(order) === true) this.#changed.add(book);
  }

  /** Passes to the core the levels whose outside size changed since the last call. */
  publishWithoutOwnOrders(): void {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const book of changed) book.publishWithoutOwnOrders();
  }

  recordTrade({ tradeId, liquidity }: Pick<OwnFill, 'tradeId' | 'liquidity'>): void {
    (liquidity === 'maker' ? this.#makerTrades : this.#takerTrades).add(tradeId);
  }

  ownRoleIn(tradeId: string): OrderFilled['liquidity'] | undefined {
    if (this.#makerTrades.has(tradeId)) return 'maker';
    return this.#takerTrades.has(tradeId) ? 'taker' : undefined;
  }

  /** Position up to which the own stream was processed. */
  get seq(): number {
    return this.#seq;
  }

  /** Advances the position, and writes the prints that waited for it. */
  advanceTo(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
    for (const book of this.#books.values()) book.flushPrints(this.#seq);
  }
}
