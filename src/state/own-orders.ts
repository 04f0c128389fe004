/**
 * Own orders, from the decision to send a command until the venue closes the order.
 *
 *     place sent ──> new ── accepted, or filled in part ──> live ── reduce sent ──> reducing
 *                     │                                      │  ^  <── reduced, or refused ──┘
 *                     │                                      │  └── cancel refused ──┐
 *                     └──────── cancel, replace, cancelAll sent ─> cancelling ───────┘
 *     new ── no answer came ──> unknown ── accepted, or filled in part ──> live
 *     any phase ── rejected (new and unknown only), closed, all filled ──> gone
 *
 * Invariants:
 * - An order is in its market's list from `onSent` to its end. The oldest order is first, and each number occurs once.
 * - `remaining` only falls and is above 0. `reserved` is the sum of the open orders' reserves, at least 0.
 * - Late and repeated events, and events of orders that this bot did not send, do not change open orders. An answer
 *   after the close is ignored. An acceptance after a fill keeps the remaining size. A refused cancel makes an
 *   unanswered order `new` again. `money.ts` books fills of all orders, even unknown ones.
 * - `findInstance` knows the instances of open orders and of the last million orders, because answers may arrive late.
 *   After a restart, `findInstance` knows those of open orders and of the last 4,096 orders.
 *
 * HOT: a requote of both sides sends two orders and closes two (bench/replay.ts).
 */
import {
  type Conversion,
  type EpochMs,
  type InputEvent,
  type InstanceNo,
  IntMap,
  type MicroShares,
  type MicroUsd,
  type OrderCommand,
  type OrderNo,
  type OrderReduced,
  type PlaceOrder,
  type Retained,
  unchecked,
} from '../domain/index.ts';
import { InstanceIndex, type InstanceIndexSnapshot } from './instance-index.ts';
import { OwnOrder, type OwnOrderSnapshot } from './own-order.ts';
import type { TradedMarket } from './traded-market.ts';

export interface OwnOrdersSnapshot {
  readonly open: readonly OwnOrderSnapshot[];
  readonly bots: InstanceIndexSnapshot;
  /** Tags of orders that ended, oldest first; absent if there are none. */
  readonly endedTags?: readonly (readonly [OrderNo, string])[];
}

const MAX_ENDED_TAGS = 1_000;

export class OwnOrders {
  readonly #markets: readonly TradedMarket[];
  readonly #open = new IntMap<OwnOrder>();
  readonly #instances = new InstanceIndex();
  #reserved = 0;
  /** The last sent order, open or not. Keeps compiled code alive (see `Retained`). */
  readonly #retained: Retained = { last: undefined };
  /** Tags of the last orders that ended, for late answers; undefined before the first tag. */
  #endedTags: Map<OrderNo, string> | undefined;
  #externalFills = 0;
  #wasLastFillUnexpected = false;

  constructor(markets: readonly TradedMarket[]) {
    this.#markets = markets;
  }

  /** Number of fills of external orders: orders of the account that this bot did not send. */
  get externalFills(): number {
    return this.#externalFills;
  }

  /** Whether the last fill was of an order that was not open. */
  get wasLastFillUnexpected(): boolean {
    return this.#wasLastFillUnexpected;
  }

  /** Cash that open orders reserve. */
  get reserved(): MicroUsd {
    return unchecked.usd(this.#reserved);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Returns the strategy instance of an order, open or not; undefined for an order that this bot did not send. */
  findInstance(order: OrderNo): InstanceNo | undefined {
    return this.#instances.get(order) ?? this.#open.get(order)?.bot;
  }

  /** Returns the tag of the order's quote, which stays known for some time after the order's end. */
  findTag(order: OrderNo): string | undefined {
    return this.#open.get(order)?.tag ?? this.#endedTags?.get(order);
  }

  /** @throws RangeError for an order number that was used before, or a market that is not in this run */
  onSent(command: Exclude<OrderCommand, Conversion>, time: EpochMs): void {
    switch (command.type) {
      case 'place':
        this.#place(command, time);
        return;
      case 'cancel':
        this.#open.get(command.order)?.lifecycle.onRequested('cancel');
        return;
      case 'reduce':
        this.#open.get(command.order)?.lifecycle.onRequested('reduce');
        return;
      case 'replace':
        for (const { order } of command.cancels) this.#open.get(order)?.lifecycle.onRequested('cancel');
        for (const place of command.places) this.#place(place, time);
        return;
      case 'cancelAll':
        for (const { lifecycle } of this.#open.list()) lifecycle.onRequested('cancel');
        return;
    }
  }

  /** Applies the venue's order events, except fills; ignores other events. */
  apply(event: InputEvent): void {
    switch (event.type) {
      case 'orderAccepted':
        this.#onAccepted(event.order);
        return;
      case 'orderClosed':
        this.#onClosed(event.order);
        return;
      case 'ordersReplaced':
        for (const order of event.closed) this.#onClosed(order);
        for (const order of event.accepted) this.#onAccepted(order);
        return;
      case 'orderReduced':
        this.#onReduced(event);
        return;
      case 'orderRejected':
        this.#onRejected(event.order);
        return;
      case 'cancelRejected':
        this.#open.get(event.order)?.lifecycle.onRequestRejected();
        return;
      case 'orderUncertain':
        this.#open.get(event.order)?.lifecycle.onUncertain();
        return;
    }
  }

  /** @param remaining the venue's remaining size of the order */
  onFilled(order: OrderNo, remaining: MicroShares): void {
    if (this.findInstance(order) === undefined) this.#externalFills += 1;
    const open = this.#open.get(order);
    this.#wasLastFillUnexpected = open === undefined;
    if (open === undefined) return;
    open.lifecycle.onFilled(remaining);
    this.#updateOrRemove(open);
  }

  /** Returns the open orders by market, oldest first, with the instances and tags of recent orders. */
  snapshot(): OwnOrdersSnapshot {
    const open = this.#markets.flatMap(({ orders }) => orders.map((order) => order.snapshot()));
    const tags = this.#endedTags === undefined ? {} : { endedTags: [...this.#endedTags] };
    return { open, bots: this.#instances.snapshot(), ...tags };
  }

  /** Restores a snapshot into an empty list. */
  restore({ open, bots, endedTags }: OwnOrdersSnapshot, external: number): void {
    if (endedTags !== undefined) this.#endedTags = new Map(endedTags);
    this.#externalFills = external;
    // `bots` contains only recent orders, but an open order may be older.
    for (const { order, bot } of open.toSorted((a, b) => a.order - b.order)) this.#instances.set(order, bot);
    this.#instances.restore(bots);
    for (const snapshot of open) {
      const order = OwnOrder.restored(snapshot);
      this.#getMarket(order).orders.push(order);
      this.#open.set(order.order, order);
      this.#reserved += order.reserved;
    }
  }

  #onAccepted(order: OrderNo): void {
    const open = this.#open.get(order);
    if (open?.lifecycle.onAccepted()) this.#updateReserve(open);
  }

  #onRejected(order: OrderNo): void {
    const open = this.#open.get(order);
    if (open?.lifecycle.onRejected()) this.#remove(open);
  }

  #onReduced({ order, remaining }: OrderReduced): void {
    const open = this.#open.get(order);
    if (open === undefined) return;
    open.lifecycle.onReduced(remaining);
    this.#updateOrRemove(open);
  }

  #onClosed(order: OrderNo): void {
    const open = this.#open.get(order);
    if (open?.lifecycle.onEnded()) this.#remove(open);
  }

  #place(place: PlaceOrder, time: EpochMs): void {
    if (place.order < this.#instances.lowest || this.#instances.get(place.order) !== undefined) {
      throw new RangeError(`Invariant: order number ${place.order} was used twice`);
    }
    const order = OwnOrder.sent(place, time);
    this.#retained.last = order;
    this.#getMarket(order).orders.push(order);
    this.#open.set(order.order, order);
    this.#instances.set(order.order, order.bot);
    this.#updateReserve(order);
  }

  #updateOrRemove(order: OwnOrder): void {
    if (order.lifecycle.hasEnded) this.#remove(order);
    else this.#updateReserve(order);
  }

  #remove(order: OwnOrder): void {
    const { orders } = this.#getMarket(order);
    // Unlike this loop, `splice` would allocate an array.
    for (let next = orders.indexOf(order) + 1; next < orders.length; next += 1) orders[next - 1] = orders[next]!;
    orders.pop();
    this.#open.delete(order.order);
    if (order.tag !== undefined) this.#storeTag(order.order, order.tag);
    this.#reserved -= order.reserved;
  }

  #storeTag(order: OrderNo, tag: string): void {
    this.#endedTags ??= new Map();
    this.#endedTags.set(order, tag);
    if (this.#endedTags.size <= MAX_ENDED_TAGS) return;
    const [oldest] = this.#endedTags.keys();
    if (oldest !== undefined) this.#endedTags.delete(oldest);
  }

  #updateReserve(order: OwnOrder): void {
    const reserve = order.reserve(this.#getMarket(order).limits.feeRateBps);
    this.#reserved += reserve - order.reserved;
    order.reserved = reserve;
  }

  #getMarket({ market }: OwnOrder): TradedMarket {
    const tradedMarket = this.#markets[market];
    if (tradedMarket === undefined) throw new RangeError(`Invariant: market ${market} is not in this run`);
    return tradedMarket;
  }
}
