/**
 * Looks at a bot from outside and judges what it sends: never beyond its limits, never on a stale book. It knows nothing of the
 * bot's own reckoning: exposure is counted again from the stored steps, the age of the book from the frames that came through.
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

/** What the bot may do. Shares whole, ms. */
export interface Bounds {
  readonly maxPosition: number;
  readonly maxOrder: number;
  readonly maxBookAgeMs: number;
}

/** One loop serves bot, line and venue: what was decided in time may be seen this much later. ms. */
const SLACK_MS = 1_000;
const PLACES = /placeOrder\(|placeOrders\(|"place":\[\{/;

/** Watches one market's book and the orders that are sent. */
export class BookWatch {
  readonly #maxAgeMs: number;
  readonly faults: string[] = [];
  #heardAt = Number.POSITIVE_INFINITY;

  constructor({ maxBookAgeMs }: Bounds) {
    this.#maxAgeMs = maxBookAgeMs + SLACK_MS;
  }

  join(line: FaultyProxy): void {
    this.#heardAt = Number.POSITIVE_INFINITY;
    line.received = (direction, text) => {
      const now = performance.now();
      if (direction === 'down' && text.includes('"orderBookUpdated":{')) this.#heardAt = now;
      if (direction === 'up' && PLACES.test(text) && now - this.#heardAt > this.#maxAgeMs) {
        this.faults.push(`an order was sent on a book of ${Math.round(now - this.#heardAt)} ms`);
      }
    };
  }
}

interface Exposed {
  readonly sign: 1 | -1;
  remaining: number;
  /** The replace that is to end it, or that it came by. */
  group: number;
  isNew: boolean;
}

/** Where steps went beyond the bounds, in words. One market. */
export function excesses(steps: readonly Step[], bounds: Bounds): readonly string[] {
  const exposure = new Exposure(bounds);
  for (const { event, commands } of steps) {
    if (event !== undefined) exposure.hear(event);
    for (const command of commands) exposure.send(command);
  }
  return exposure.faults;
}

/** What is held, and what may come of all that was sent and is not known to be over. */
class Exposure {
  readonly faults: string[] = [];
  readonly #bounds: Bounds;
  readonly #open = new Map<OrderNo, Exposed>();
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

  hear(event: InputEvent): void {
    switch (event.type) {
      case 'orderFilled':
        this.#net += yesSign(event.outcome, event.side) * event.shares;
        this.#left(event.order, event.remaining);
        return;
      case 'orderReduced':
        this.#left(event.order, event.remaining);
        return;
      case 'orderRejected':
      case 'orderClosed':
        this.#left(event.order, 0);
        return;
      case 'ordersReplaced':
        for (const order of event.closed) this.#left(order, 0);
        return;
      case 'holdingAdjusted':
        this.#net = event.yes - event.no;
        return;
      default:
        return;
    }
  }

  #left(order: OrderNo, remaining: number): void {
    const known = this.#open.get(order);
    if (known !== undefined) known.remaining = remaining;
    if (remaining === 0) this.#open.delete(order);
  }

  #place({ order, outcome, side, shares }: PlaceOrder, group: number): void {
    const { maxOrder, maxPosition } = this.#bounds;
    const sign = yesSign(outcome, side);
    this.#open.set(order, { sign, remaining: shares, group, isNew: true });
    if (shares > maxOrder * SHARE) this.faults.push(`order ${order} of ${shares / SHARE} shares`);
    const most = (sign * this.#net + this.#standing(sign)) / SHARE;
    if (most > maxPosition) this.faults.push(`order ${order} may lead to ${sign * most} shares`);
  }

  /** Most that may fill on a side: of a replace on its way either what it ends or what it brings. */
  #standing(side: 1 | -1): number {
    let sum = 0;
    const groups = new Map<number, { before: number; after: number }>();
    for (const { sign, remaining, group, isNew } of this.#open.values()) {
      if (sign !== side) continue;
      if (group === 0) sum += remaining;
      else {
        const both = groups.get(group) ?? { before: 0, after: 0 };
        groups.set(group, both);
        both[isNew ? 'after' : 'before'] += remaining;
      }
    }
    for (const { before, after } of groups.values()) sum += Math.max(before, after);
    return sum;
  }
}
