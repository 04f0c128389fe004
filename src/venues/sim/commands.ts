/**
 * What the venue does with the commands about orders (venue.md 2).
 *
 * Invariants: a refusal leaves no trace; a replace happens whole or not at all; a command is one step, nothing else
 * happens in between.
 *
 * HOT: a requote passes here. Measured in bench/replay.ts.
 */
import {
  type CancelOrder,
  column,
  LOT,
  type MarketLimits,
  type OrderNo,
  type PlaceOrder,
  type ReduceOrder,
  type RejectReason,
  type ReplaceOrders,
  subShares,
} from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { Account } from './account.ts';
import type { Answers } from './answers.ts';
import type { Matching } from './matching.ts';
import { type OwnOrder, ownOrder } from './own-order.ts';
import { feeReserve, type PlacementContext, refusalOf } from './placement.ts';
import type { SimMarket } from './sim-market.ts';
import type { TimeHeap } from './time-heap.ts';

/** How a command came to be carried out now. */
export interface Arrival {
  /** Whether it was sent before the account's last `cancelAll` was carried out. */
  readonly stale: boolean;
  /** Whether the market stopped accepting orders while the placing delay held it back. */
  readonly interrupted: boolean;
}

/** What commands work on. */
export interface CommandsSetup {
  readonly account: Account;
  readonly matching: Matching;
  readonly answers: Answers;
  readonly limits: MarketLimits;
  readonly immutable: boolean;
  readonly takersRefused: boolean;
  /** Orders with an expiry are put here when they come to rest. */
  readonly expiries: TimeHeap<OwnOrder>;
}

/** Carries out commands about orders, one at a time. */
export class Commands {
  readonly #account: Account;
  readonly #matching: Matching;
  readonly #answers: Answers;
  readonly #setup: CommandsSetup;
  /** Why a replace fails, by order: one map for all of them. */
  readonly #reasons = new Map<OrderNo, RejectReason>();

  constructor(setup: CommandsSetup) {
    this.#setup = setup;
    this.#account = setup.account;
    this.#matching = setup.matching;
    this.#answers = setup.answers;
  }

  /** @param market undefined for a number that no market has */
  place(place: PlaceOrder, market: SimMarket | undefined, arrival: Arrival): void {
    const order = ownOrder(place);
    const reason = market === undefined ? 'NOT_FOUND' : refusalOf(order, market, this.#context(arrival, false));
    if (market === undefined || reason !== undefined) this.#answers.rejected(place, reason ?? 'NOT_FOUND');
    else {
      this.#account.admit(order);
      this.#matchOrRest(order, market);
    }
  }

  cancel({ order, market }: CancelOrder): void {
    const open = this.#account.find(order);
    if (open === undefined) this.#answers.cancelRejected(order, market, this.#whyNotOpen(order));
    else this.#account.close(open, 'USER');
  }

  /** Keeps the place in the queue. Nobody else's front changes: fronts count outside shares only. */
  reduce({ order, market, by }: ReduceOrder): void {
    const open = this.#account.find(order);
    if (open === undefined) {
      this.#answers.cancelRejected(order, market, this.#whyNotOpen(order));
    } else if (!(by > 0 && by % LOT === 0)) {
      this.#answers.cancelRejected(order, market, 'INVALID_LOT');
    } else if (by >= open.remaining) {
      this.#account.close(open, 'USER');
    } else {
      this.#account.release(open, by);
      open.remaining = subShares(open.remaining, by);
      this.#answers.reduced(open.place, open.remaining);
    }
  }

  /** @param market undefined for a number that no market has */
  replace(command: ReplaceOrders, market: SimMarket | undefined, arrival: Arrival): void {
    if (this.#reasons.size > 0) this.#reasons.clear();
    if (market === undefined) {
      this.#refuse(command, 'NOT_FOUND');
      return;
    }
    const leaving = this.#takeOut(command.cancels, market);
    // Not by `map`, for the reason told in `answers.ts`.
    const coming: OwnOrder[] = [];
    for (const place of command.places) coming.push(ownOrder(place));
    const staged = this.#reasons.size > 0 ? 0 : this.#stageAll(coming, market, this.#context(arrival, true));
    if (this.#reasons.size === 0) this.#commit(leaving, coming, market);
    else {
      for (let at = staged - 1; at >= 0; at -= 1) this.#unstage(coming[at]!, market);
      this.#putBack(leaving, market);
      this.#refuse(command, 'CONFLICT');
    }
  }

  /** Takes the orders to be cancelled out of the book and frees what they hold, as far as they are as expected. */
  #takeOut(cancels: ReplaceOrders['cancels'], market: SimMarket): OwnOrder[] {
    const leaving: OwnOrder[] = [];
    for (const { order, remaining } of cancels) {
      const open = this.#account.find(order);
      if (open === undefined || open.leaving || open.place.market !== market.no) {
        this.#reasons.set(order, open === undefined ? this.#whyNotOpen(order) : 'CONFLICT');
      } else if (open.remaining !== remaining) {
        this.#reasons.set(order, 'CONFLICT');
      } else {
        open.leaving = true;
        market.own.remove(open);
        this.#account.release(open, open.remaining);
        leaving.push(open);
      }
    }
    return leaving;
  }

  /** Tests each place with those before it at rest; answers how many rest now: all of them, or those before the first bad. */
  #stageAll(coming: readonly OwnOrder[], market: SimMarket, context: PlacementContext): number {
    for (let at = 0; at < coming.length; at += 1) {
      const order = coming[at]!;
      const reason = order.place.market === market.no ? refusalOf(order, market, context) : 'CONFLICT';
      if (reason !== undefined) {
        this.#reasons.set(order.place.order, reason);
        return at;
      }
      this.#stage(order, market);
    }
    return coming.length;
  }

  #putBack(orders: readonly OwnOrder[], market: SimMarket): void {
    for (const order of orders) {
      order.leaving = false;
      this.#account.hold(order, order.remaining);
      market.own.add(order);
    }
  }

  #refuse({ cancels, places, market }: ReplaceOrders, other: RejectReason): void {
    const reasons = this.#reasons;
    for (const { order } of cancels) this.#answers.cancelRejected(order, market, reasons.get(order) ?? other);
    for (const place of places) this.#answers.rejected(place, reasons.get(place.order) ?? other);
  }

  #commit(leaving: readonly OwnOrder[], coming: readonly OwnOrder[], market: SimMarket): void {
    this.#account.replace(market.no, leaving, coming);
    if (coming.every(({ place }) => place.postOnly)) return;
    // One that may take must not meet those that come after it.
    for (const order of coming.toReversed()) this.#unstage(order, market);
    for (const order of coming) this.#matchOrRest(order, market);
  }

  /** For the test of a set: as if it rested already. */
  #stage(order: OwnOrder, market: SimMarket): void {
    this.#account.holdFee(column.usd(feeReserve(order.place, this.#account)));
    this.#rest(order, market);
  }

  #unstage(order: OwnOrder, market: SimMarket): void {
    market.own.remove(order);
    this.#account.release(order, order.remaining);
    this.#account.releaseFee(column.usd(feeReserve(order.place, this.#account)));
  }

  /** An order that was accepted takes what it may, and the rest stays or goes. */
  #matchOrRest(order: OwnOrder, market: SimMarket): void {
    const { timeInForce, postOnly } = order.place;
    if (!postOnly) {
      const met = this.#matching.take(market, order, this.#setup.immutable);
      if (order.remaining === 0) return;
      if (met || timeInForce === 'FAK' || timeInForce === 'FOK') {
        this.#account.drop(order, met ? 'SELF_TRADE' : 'FAK_REMAINDER');
        return;
      }
      if (this.#setup.immutable) this.#matching.consumeBeyond(market, order);
    }
    this.#rest(order, market);
  }

  /** Last in the queue of its price: what is there stands before it. */
  #rest(order: OwnOrder, market: SimMarket): void {
    this.#account.hold(order, order.remaining);
    order.arrival = this.#account.nextArrival();
    order.front = market.outside.visible(order.sign > 0 ? SIDE.bid : SIDE.ask, order.price);
    order.frontAtArrival = order.front;
    order.printed = market.own.lastAt(order)?.printed ?? 0;
    market.own.add(order);
    if (order.place.expiration !== 0) this.#setup.expiries.add(order.place.expiration, order);
  }

  #whyNotOpen(order: OrderNo): RejectReason {
    return this.#account.knows(order) ? 'ALREADY_FINAL' : 'NOT_FOUND';
  }

  #context({ stale, interrupted }: Arrival, restsOnly: boolean): PlacementContext {
    const { account, matching, limits, takersRefused } = this.#setup;
    return { account, matching, limits, now: this.#answers.now, stale, interrupted, restsOnly, takersRefused };
  }
}
