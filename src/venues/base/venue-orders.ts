/**
 * Own orders as the venue has them: the adapter's one model, from the signature until the venue's stream has reported the end,
 * and the trades and books that they concern.
 *
 * It is kept apart from the core's orders: a run that has failed takes nothing more, and its orders still have to be cancelled.
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
import type { OwnFill } from './own-event.ts';
import type { BookedOrder, OwnLevels, SeqRemaining } from './own-levels.ts';
import { Recent } from './recent.ts';

/** A replace on its way: its cancels and places happen in one step, or nothing does. */
export interface SentReplace {
  readonly cancels: readonly VenueOrder[];
  readonly places: readonly VenueOrder[];
  /** The stream has reported that it happened. */
  committed: boolean;
}

/** A cancel that is repeated until it is answered. */
export interface PendingCancel {
  /** The core requested it and learns when it cannot be done. */
  isRequested: boolean;
  inFlight: boolean;
  /** Number of times it was sent. `ALREADY_FINAL` as answer to the second may be the effect of the first. */
  sendings: number;
}

export interface OwnOrderBook {
  readonly own: OwnLevels;
  /** Hands the core the levels that show another size now. */
  reveal(): void;
  /** Hands on prints that waited for the own stream. @param ownSeq the stream's position */
  flushPrints(ownSeq: number): unknown;
}

/** One own order, as far as the venue has reported it. */
export class VenueOrder implements BookedOrder {
  readonly record: SignedRecord;
  readonly life: OrderLifecycle;
  /** In YES terms, as the book has it. */
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  /** `cancel` when it turns out to stand; `cancelUnreported` when the core also takes it for ended and learns of fills alone. */
  ifSeen: 'keep' | 'cancel' | 'cancelUnreported' = 'keep';
  /** Position in the own stream of its last event; 0 before. */
  seq = 0;
  /** Micro-shares filled. */
  filled = 0;
  /** Number of reported reduces. */
  reduces = 0;
  /** The venue did not find it for a command, though it had accepted it: it is looked for, and no command names it. */
  isMissing = false;
  cancel: PendingCancel | undefined;
  arrivesWith: SentReplace | undefined;
  leavesWith: SentReplace | undefined;
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

  /** Whether it stays until it is cancelled. */
  get rests(): boolean {
    const { timeInForce } = this.record.command;
    return timeInForce === 'GTC' || timeInForce === 'GTD';
  }

  get isUnwanted(): boolean {
    return this.ifSeen !== 'keep';
  }

  get isUnreported(): boolean {
    return this.ifSeen === 'cancelUnreported';
  }

  /** It is not sent again, and cancelled when it turns out to stand. */
  cancelIfSeen(): void {
    if (this.ifSeen === 'keep') this.ifSeen = 'cancel';
  }
}

/** A fill is reported before its trade is printed, or shortly after. */
const RECENT_FILLS = 4_096;

export class VenueOrders {
  readonly #byHash = new Map<string, VenueOrder>();
  readonly #byNumber = new IntMap<VenueOrder>();
  readonly #retained: Retained = { last: undefined };
  readonly #books = new Map<MarketNo, OwnOrderBook>();
  /** Books whose own orders changed since the last `reveal`. */
  readonly #changed = new Set<OwnOrderBook>();
  readonly #made = new Recent<string>(RECENT_FILLS);
  readonly #taken = new Recent<string>(RECENT_FILLS);
  #seq = 0;

  /** Orders whose end was not reported. */
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

  /** An order of an earlier run. @param known as the core restored it; undefined where it does not know the order */
  restore(record: SignedRecord, known: OrderLifecycle | undefined): void {
    if (known === undefined) {
      this.add(record).ifSeen = 'cancelUnreported';
      return;
    }
    // Also one whose cancel was under way: a venue that does not know it any more contradicts itself.
    const { isLive, remaining, request } = known;
    this.add(record, OrderLifecycle.restored(isLive ? 'live' : 'sent', remaining, request));
  }

  byHash(hash: string): VenueOrder | undefined {
    return this.#byHash.get(hash);
  }

  byNumber(order: OrderNo): VenueOrder | undefined {
    return this.#byNumber.get(order);
  }

  /** All whose end was not reported, oldest first. */
  open(): readonly VenueOrder[] {
    return [...this.#byHash.values()];
  }

  /** Removes an order whose end was reported. */
  remove(order: VenueOrder): void {
    order.life.ended();
    this.#byHash.delete(order.hash);
    this.#byNumber.delete(order.record.order);
  }

  /** From now on the market's own orders are noted in this book, those that stand already too. */
  attach(market: MarketNo, book: OwnOrderBook): void {
    this.#books.set(market, book);
    for (const order of this.#byHash.values()) {
      if (order.record.market !== market) continue;
      book.own.placing(order);
      if (order.life.isLive) book.own.rests(order, { seq: order.seq, remaining: order.life.remaining });
    }
  }

  detach(market: MarketNo): void {
    const book = this.#books.get(market);
    if (book !== undefined) this.#changed.delete(book);
    this.#books.delete(market);
  }

  /** An order is about to be sent, or was found at the venue: what grows at its price may be it. */
  placing(order: VenueOrder): void {
    this.#books.get(order.record.market)?.own.placing(order);
  }

  /** From the venue's event `seq` on, `remaining` of it rests; 0 when it is gone. */
  rests(order: VenueOrder, seq: number, remaining: MicroShares): void {
    const book = this.#books.get(order.record.market);
    if (book?.own.rests(order, { seq, remaining }) === true) this.#changed.add(book);
  }

  /** A cancel or reduce is about to be sent: what shrinks at its price may be it. */
  cancelling(order: VenueOrder): void {
    this.#books.get(order.record.market)?.own.cancelling(order);
  }

  /** It never arrived (refused, never found), or nothing more will be reported of it. */
  never(order: VenueOrder): void {
    const book = this.#books.get(order.record.market);
    if (book?.own.never(order) === true) this.#changed.add(book);
  }

  /** Hands the core the levels that show another size since the last call. */
  reveal(): void {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const book of changed) book.reveal();
  }

  traded({ tradeId, liquidity }: Pick<OwnFill, 'tradeId' | 'liquidity'>): void {
    (liquidity === 'maker' ? this.#made : this.#taken).add(tradeId);
  }

  /** Role of the own order in a trade; undefined for a trade of others. */
  ownRoleIn(tradeId: string): OrderFilled['liquidity'] | undefined {
    if (this.#made.has(tradeId)) return 'maker';
    return this.#taken.has(tradeId) ? 'taker' : undefined;
  }

  /** The own stream was processed up to here. */
  get seq(): number {
    return this.#seq;
  }

  /** Every own event up to `seq` was processed: trades that waited for it may be known. */
  caughtUp(seq: number): void {
    if (seq > this.#seq) this.#seq = seq;
    for (const book of this.#books.values()) book.flushPrints(this.#seq);
  }
}
