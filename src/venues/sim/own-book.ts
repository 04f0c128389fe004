import { FULL_BPS } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import { type LevelMarks, MARK } from './level-marks.ts';
import type { OwnOrder } from './own-order.ts';

/**
 * Own resting orders of one market, each side by price and time.
 *
 * HOT: changed twice a requote. Short lists that are walked: a maker shows a handful of orders a market.
 * Invariant: best first, at one price by arrival; `bestBid` 0 and `bestAsk` 10000 stand for an empty side.
 */
export class OwnBook {
  readonly bids: OwnOrder[] = [];
  readonly asks: OwnOrder[] = [];
  bestBid = 0;
  bestAsk = FULL_BPS;
  readonly #marks: LevelMarks;

  constructor(marks: LevelMarks) {
    this.#marks = marks;
  }

  /** Puts an order where its price and its arrival belong, also one that had been taken out. */
  add(order: OwnOrder): void {
    const orders = order.sign > 0 ? this.bids : this.asks;
    let at = orders.length;
    orders.push(order);
    // Moved by hand: `splice` makes an array each time.
    for (; at > 0 && before(order, orders[at - 1]!); at -= 1) orders[at] = orders[at - 1]!;
    orders[at] = order;
    this.#marks.set(order.price, sideOf(order), MARK.own);
    this.#touch();
  }

  remove(order: OwnOrder): void {
    const orders = order.sign > 0 ? this.bids : this.asks;
    const at = orders.indexOf(order);
    if (at < 0) throw new Error(`Invariant: order ${order.place.order} does not rest`);
    for (let next = at + 1; next < orders.length; next += 1) orders[next - 1] = orders[next]!;
    orders.pop();
    if (this.lastAt(order) === undefined) this.#marks.unset(order.price, sideOf(order), MARK.own);
    this.#touch();
  }

  /** The last in the queue at an order's price; undefined when nobody is. */
  lastAt({ sign, price }: OwnOrder): OwnOrder | undefined {
    const orders = sign > 0 ? this.bids : this.asks;
    for (let at = orders.length - 1; at >= 0; at -= 1) if (orders[at]!.price === price) return orders[at];
    return undefined;
  }

  #touch(): void {
    this.bestBid = this.bids.length > 0 ? this.bids[0]!.price : 0;
    this.bestAsk = this.asks.length > 0 ? this.asks[0]!.price : FULL_BPS;
  }
}

function before(a: OwnOrder, b: OwnOrder): boolean {
  if (a.price !== b.price) return a.price > b.price === a.sign > 0;
  return a.arrival < b.arrival;
}

function sideOf(order: OwnOrder): number {
  return order.sign > 0 ? SIDE.bid : SIDE.ask;
}
