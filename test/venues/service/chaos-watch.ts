/**
 * Checks from outside that a bot never exceeds its limits and never sends orders on a stale book.
 *
 * The checks use nothing that the bot computes: exposure comes from stored steps, book age from the proxy's frames.
 */
import {
  type InputEvent,
  type OrderCommand,
  type OrderNo,
  type PlaceOrder,
  yesSign,
} from '../../../src/domain/index.ts';
import type { Step } from '../../../src/runtime/index.ts';
import type { FaultyProxy } from './faulty-proxy.ts';
import { SHARE } from './harness.ts';

/** Limits of a bot: whole shares and ms. */
export interface Bounds {
  readonly maxPosition: number;
  readonly maxOrder: number;
  readonly maxBookAgeMs: number;
}

/** Delay between a decision and its frame at the proxy, ms: one event loop serves bot, proxy and venue. */
const SLACK_MS = 1_000;
const PLACES = /placeOrder\(|placeOrders\(|"place":\[\{/;

/** Watches one market's book and the orders that are sent. */
export class BookWatch {
  readonly #maxAgeMs: number;
  readonly faults: string[] = [];
  #lastBookAt = Number.POSITIVE_INFINITY;

  constructor({ maxBookAgeMs }: Bounds) {
    this.#maxAgeMs = maxBookAgeMs + SLACK_MS;
  }

  join(proxy: FaultyProxy): void {
    this.#lastBookAt = Number.POSITIVE_INFINITY;
    proxy.onMessage = (direction, text) => {
      const now = performance.now();
      if (direction === 'down' && text.includes('"orderBookUpdated":{')) this.#lastBookAt = now;
      if (direction === 'up' && PLACES.test(text) && now - this.#lastBookAt > this.#maxAgeMs) {
        this.faults.push(`an order was sent on a book of ${Math.round(now - this.#lastBookAt)} ms`);
      }
    };
  }
}

interface OpenOrder {
  readonly sign: 1 | -1;
  remaining: number;
  /** The pending replace that cancels or places the order; 0 for none. */
  group: number;
  /** The replace places the order, instead of cancelling it. */
  isNew: boolean;
}

/** Returns the limits that the steps of one market exceed, as text. */
export function limitViolations(steps: readonly Step[], bounds: Bounds): readonly string[] {
  const exposure = new Exposure(bounds);
  for (const { event, commands } of steps) {
    if (event !== undefined) exposure.apply(event);
    for (const command of commands) exposure.send(command);
  }
  return exposure.faults;
}

/** The net position and all orders that may still fill. */
class Exposure {
  readonly faults: string[] = [];
  readonly #bounds: Bounds;
  readonly #open = new Map<OrderNo, OpenOrder>();
  #net = 0;
  #groups = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  send(command: OrderCommand): void {
    if (command.type === 'place') this.#place(command, 0);
    if (command.type !== 'replace') return;
    this.#groups += 1;
    for (const { order } of command.cancels) {
      const known = this.#open.get(order);
      if (known !== undefined) Object.assign(known, { group: this.#groups, isNew: false });
    }
    for (const place of command.places) this.#place(place, this.#groups);
  }

  apply(event: InputEvent): void {
    switch (event.type) {
      case 'orderFilled':
        this.#net += yesSign(event.outcome, event.side) * event.shares;
        this.#setRemaining(event.order, event.remaining);
        return;
      case 'orderReduced':
        this.#setRemaining(event.order, event.remaining);
        return;
      case 'orderRejected':
      case 'orderClosed':
        this.#setRemaining(event.order, 0);
        return;
      case 'ordersReplaced':
        for (const order of event.closed) this.#setRemaining(order, 0);
        return;
      case 'holdingAdjusted':
        this.#net = event.yes - event.no;
        return;
      default:
        return;
    }
  }

  #setRemaining(order: OrderNo, remaining: number): void {
    const known = this.#open.get(order);
    if (known !== undefined) known.remaining = remaining;
    if (remaining === 0) this.#open.delete(order);
  }

  #place({ order, outcome, side, shares }: PlaceOrder, group: number): void {
    const { maxOrder, maxPosition } = this.#bounds;
    const sign = yesSign(outcome, side);
    this.#open.set(order, { sign, remaining: shares, group, isNew: true });
    if (shares > maxOrder * SHARE) this.faults.push(`order ${order} of ${shares / SHARE} shares`);
    const worst = (sign * this.#net + this.#maxFill(sign)) / SHARE;
    if (worst > maxPosition) this.faults.push(`order ${order} may lead to ${sign * worst} shares`);
  }

  /** Maximum micro-shares that can fill on a side. In a pending replace, cancelled or placed orders can fill. */
  #maxFill(side: 1 | -1): number {
    let sum = 0;
    const groups = new Map<number, { before: number; after: number }>();
    for (const { sign, remaining, group, isNew } of this.#open.values()) {
      if (sign !== side) continue;
      if (group === 0) sum += remaining;
      else {
        const totals = groups.get(group) ?? { before: 0, after: 0 };
        groups.set(group, totals);
        totals[isNew ? 'after' : 'before'] += remaining;
      }
    }
    for (const { before, after } of groups.values()) sum += Math.max(before, after);
    return sum;
  }
}
