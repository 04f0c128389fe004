/**
 * Own orders from the moment they are journalled to the moment the venue closes them.
 *
 *     place sent ──> new ── accepted, or filled in part ──> live ── reduce sent ──> reducing
 *                     │                                      │  ^  <── reduced, or refused ──┘
 *                     │                                      │  └── cancel refused ──┐
 *                     └──────── cancel, replace, cancelAll sent ──> leaving ─────────┘
 *     any phase ── rejected (new only), closed, all filled ──> gone
 *
 * Invariants:
 * - An order is in its market's list exactly while it is open: from `sent` until gone; oldest first, each number once.
 * - `remaining` only falls and is above 0; the cash held is the sum over the open orders, never negative.
 * - Whatever is told late, twice, or of an order that was never sent here changes nothing of what is open: an answer
 *   after the close is dropped, an acceptance after a fill keeps what is left, a refused cancel of an order that the venue
 *   has not answered makes it `new` again. Fills are money and are booked elsewhere, whatever is known of the order.
 * - The bot of an order is known for ever: late answers still find their strategy.
 *
 * HOT: a requote of both sides sends two orders and closes two. Short lists that are walked. Measured in bench/replay.ts.
 */
import {
  type BotNo,
  type CancelRejected,
  type Conversion,
  column,
  type EpochMs,
  type MicroShares,
  type MicroUsd,
  minShares,
  Numbered,
  type OrderCommand,
  type OrderNo,
  type OrderReduced,
  type OrdersReplaced,
  type PlaceOrder,
} from '../domain/index.ts';
import { BotIndex } from './bot-index.ts';
import type { MarketWorld } from './market-world.ts';
import { OwnOrder } from './own-order.ts';

export class OwnOrders {
  readonly #markets: readonly MarketWorld[];
  readonly #open = new Numbered<OwnOrder>();
  readonly #bots = new BotIndex();
  #held = 0;

  constructor(markets: readonly MarketWorld[]) {
    this.#markets = markets;
  }

  /** Cash that open orders hold. */
  get held(): MicroUsd {
    return column.usd(this.#held);
  }

  /** How many orders are open, over all markets. */
  get count(): number {
    return this.#open.size;
  }

  /** Who sent an order, open or not; undefined for one that was never sent here. */
  botOf(order: OrderNo): BotNo | undefined {
    return this.#bots.get(order);
  }

  /**
   * Marks what a command about orders is about to do.
   * @throws RangeError when an order number is used twice, or for a market that is not in this run
   */
  sent(command: Exclude<OrderCommand, Conversion>, time: EpochMs): void {
    switch (command.type) {
      case 'place':
        this.#place(command, time);
        return;
      case 'cancel':
        this.#request(command.order, 'leave');
        return;
      case 'reduce':
        this.#request(command.order, 'reduce');
        return;
      case 'replace':
        for (const { order } of command.cancels) this.#request(order, 'leave');
        for (const place of command.places) this.#place(place, time);
        return;
      case 'cancelAll':
        for (const order of this.#open.list()) order.request = 'leave';
        return;
    }
  }

  accepted(order: OrderNo): void {
    const open = this.#open.get(order);
    if (open === undefined) return;
    open.known = true;
    this.#hold(open);
  }

  /** Only an order that the venue does not know can be rejected: it never was. */
  rejected(order: OrderNo): void {
    const open = this.#open.get(order);
    if (open !== undefined && !open.known) this.#remove(open);
  }

  /** @param remaining what the venue says is left */
  filled(order: OrderNo, remaining: MicroShares): void {
    const open = this.#open.get(order);
    if (open === undefined) return;
    open.known = true;
    this.#leave(open, minShares(open.remaining, remaining));
  }

  reduced({ order, remaining }: OrderReduced): void {
    const open = this.#open.get(order);
    if (open === undefined) return;
    open.known = true;
    if (open.request === 'reduce') open.request = 'none';
    this.#leave(open, minShares(open.remaining, remaining));
  }

  closed(order: OrderNo): void {
    const open = this.#open.get(order);
    if (open !== undefined) this.#remove(open);
  }

  /** The same as closing and accepting them one by one. */
  replaced({ closed, accepted }: OrdersReplaced): void {
    for (const order of closed) this.closed(order);
    for (const order of accepted) this.accepted(order);
  }

  cancelRejected({ order }: CancelRejected): void {
    const open = this.#open.get(order);
    if (open !== undefined) open.request = 'none';
  }

  #place(place: PlaceOrder, time: EpochMs): void {
    if (this.#bots.get(place.order) !== undefined) {
      throw new RangeError(`Invariant: order number ${place.order} was used twice`);
    }
    const order = new OwnOrder(place, time);
    this.#worldOf(order).orders.push(order);
    this.#open.set(order.order, order);
    this.#bots.set(order.order, order.bot);
    this.#hold(order);
  }

  #request(order: OrderNo, request: 'reduce' | 'leave'): void {
    const open = this.#open.get(order);
    if (open !== undefined && open.request !== 'leave') open.request = request;
  }

  #leave(order: OwnOrder, remaining: MicroShares): void {
    order.remaining = remaining;
    if (remaining === 0) this.#remove(order);
    else this.#hold(order);
  }

  #remove(order: OwnOrder): void {
    const { orders } = this.#worldOf(order);
    // Moved by hand: `splice` makes an array each time.
    for (let at = orders.indexOf(order) + 1; at < orders.length; at += 1) orders[at - 1] = orders[at]!;
    orders.pop();
    this.#open.delete(order.order);
    this.#held -= order.held;
  }

  #hold(order: OwnOrder): void {
    const held = order.reserve(this.#worldOf(order).limits.feeRateBps);
    this.#held += held - order.held;
    order.held = held;
  }

  #worldOf({ market }: OwnOrder): MarketWorld {
    const world = this.#markets[market];
    if (world === undefined) throw new RangeError(`Invariant: market ${market} is not in this run`);
    return world;
  }
}
