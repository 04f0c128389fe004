/**
 * Our account at the simulated venue: open orders, what they hold, and the ledger.
 *
 * Invariants: an order is in `open` from its acceptance to its close; a resting one is in its market's own book and holds
 * its limit's cost (BUY) or its shares (SELL), so a fill can never fail (venue.md 2); the ledger is told of fills and
 * marks in the order of exchange time.
 *
 * HOT: changed at each requote. Measured in bench/replay.ts.
 */
import {
  addUsd,
  ascending,
  type CloseReason,
  column,
  complement,
  costAt,
  type DoubleMid,
  type FillTag,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  Numbered,
  type OrderNo,
  type PriceBps,
  subShares,
  subUsd,
  ZERO_USD,
} from '../../domain/index.ts';
import { Ledger } from '../../ledger/index.ts';
import type { Answers } from './answers.ts';
import { NumberSet } from './number-set.ts';
import type { OwnOrder } from './own-order.ts';
import type { FeeModel } from './ports.ts';
import type { SimMarket } from './sim-market.ts';
import type { SimTap } from './tap.ts';

/** The only account there is. */
export class Account {
  readonly ledger = new Ledger();
  readonly fees: FeeModel;
  readonly #markets: readonly SimMarket[];
  readonly #answers: Answers;
  readonly #tap: SimTap;
  readonly #open = new Numbered<OwnOrder>();
  readonly #known = new NumberSet();
  #held: MicroUsd = ZERO_USD;
  #arrivals = 0;

  constructor(markets: readonly SimMarket[], capital: MicroUsd, fees: FeeModel, answers: Answers, tap: SimTap) {
    this.#markets = markets;
    this.fees = fees;
    this.#answers = answers;
    this.#tap = tap;
    this.ledger.deposit(capital);
  }

  /** Cash that no open order holds. */
  get available(): MicroUsd {
    return subUsd(this.ledger.cash, this.#held);
  }

  /** Whether an order of this number was ever accepted. */
  knows(order: OrderNo): boolean {
    return this.#known.has(order);
  }

  /** An open order; undefined for one that is closed or never was. */
  find(order: OrderNo): OwnOrder | undefined {
    return this.#open.get(order);
  }

  /** The next rank in time; ranks may be skipped. */
  nextArrival(): number {
    this.#arrivals += 1;
    return this.#arrivals;
  }

  /** An order is accepted: it is open from now on, whether it rests or takes. */
  admit(order: OwnOrder): void {
    this.#register(order);
    this.#answers.accepted(order.place);
  }

  /** A replace is carried out: these have left the book, those are open from now on; told as one. */
  replace(market: MarketNo, leaving: readonly OwnOrder[], coming: readonly OwnOrder[]): void {
    for (const order of leaving) this.#open.delete(order.place.order);
    for (const order of coming) this.#register(order);
    this.#answers.replaced(market, leaving, coming);
  }

  /** Sets aside what an order can need while it rests. */
  hold(order: OwnOrder, shares: MicroShares): void {
    const market = this.#marketOf(order);
    const { outcome, side, price } = order.place;
    if (side === 'BUY') {
      const cost = costAt(shares, price);
      this.#held = addUsd(this.#held, cost);
      market.heldCash = addUsd(market.heldCash, cost);
    } else if (outcome === 'YES') market.heldYes = column.shares(market.heldYes + shares);
    else market.heldNo = column.shares(market.heldNo + shares);
  }

  /** Gives back what `hold` set aside. */
  release(order: OwnOrder, shares: MicroShares): void {
    const market = this.#marketOf(order);
    const { outcome, side, price } = order.place;
    if (side === 'BUY') {
      const cost = costAt(shares, price);
      this.#held = subUsd(this.#held, cost);
      market.heldCash = subUsd(market.heldCash, cost);
    } else if (outcome === 'YES') market.heldYes = subShares(market.heldYes, shares);
    else market.heldNo = subShares(market.heldNo, shares);
  }

  /** Sets aside, or gives back, the fee of an order that may take. */
  holdFee(fee: MicroUsd): void {
    this.#held = addUsd(this.#held, fee);
  }

  releaseFee(fee: MicroUsd): void {
    this.#held = subUsd(this.#held, fee);
  }

  /** A resting order trades at its own price. */
  make(order: OwnOrder, shares: MicroShares, tag: FillTag, inside: boolean): void {
    this.release(order, shares);
    this.#trade(order, shares, order.price, ZERO_USD, tag, inside);
    if (order.remaining === 0) this.#marketOf(order).own.remove(order);
  }

  /** An order that does not rest yet takes at a YES price. */
  take(order: OwnOrder, shares: MicroShares, yesPrice: PriceBps): void {
    const fee = this.fees.takerFee(shares, inOutcome(order, yesPrice));
    this.#trade(order, shares, yesPrice, fee, 'taker', false);
  }

  /** An order that does not rest is over. */
  drop(order: OwnOrder, reason: CloseReason): void {
    this.#finish(order, reason);
  }

  /** A resting order leaves the book. */
  close(order: OwnOrder, reason: CloseReason): void {
    this.release(order, order.remaining);
    this.#marketOf(order).own.remove(order);
    this.#finish(order, reason);
  }

  /** Closes all orders that rest in a market, or in all, in order of arrival. */
  closeAll(market: SimMarket | undefined, reason: CloseReason): void {
    const orders = market === undefined ? this.#open.list() : [...market.own.bids, ...market.own.asks];
    orders.sort((a, b) => ascending(a.arrival, b.arrival));
    for (const order of orders) this.close(order, reason);
  }

  #register(order: OwnOrder): void {
    order.acceptedAt = this.#answers.now;
    this.#open.set(order.place.order, order);
    this.#known.add(order.place.order);
  }

  #finish(order: OwnOrder, reason: CloseReason): void {
    this.#open.delete(order.place.order);
    this.#answers.closed(order.place, reason);
  }

  /** The fill that leaves nothing closes the order. */
  #trade(order: OwnOrder, shares: MicroShares, yesPrice: PriceBps, fee: MicroUsd, tag: FillTag, inside: boolean): void {
    const market = this.#marketOf(order);
    const { place } = order;
    if (!market.traded) {
      market.traded = true;
      if (market.mark > 0) this.ledger.mark(market.no, column.mid(market.mark));
    }
    market.lastBot = place.bot;
    const price = inOutcome(order, yesPrice);
    order.remaining = subShares(order.remaining, shares);
    if (order.remaining === 0) this.#open.delete(place.order);
    this.ledger.fill({ market: market.no, outcome: place.outcome, side: place.side, price, shares, fee });
    this.#answers.filled(place, { price, shares, remaining: order.remaining, fee, tag, inside });
    this.#tap.onFill?.({
      market: market.no,
      time: this.#answers.now,
      order: place.order,
      bot: place.bot,
      outcome: place.outcome,
      side: place.side,
      sign: order.sign,
      yesPrice,
      shares,
      fee,
      liquidity: tag === 'taker' ? 'taker' : 'maker',
      tag,
      inside,
      mark: markBefore(market, yesPrice),
      acceptedAt: order.acceptedAt,
      frontAtArrival: column.shares(order.frontAtArrival),
      front: column.shares(order.front),
      remaining: order.remaining,
    });
  }

  #marketOf(order: OwnOrder): SimMarket {
    return this.#markets[order.place.market]!;
  }
}

function inOutcome(order: OwnOrder, yesPrice: PriceBps): PriceBps {
  return order.place.outcome === 'YES' ? yesPrice : complement(yesPrice);
}

function markBefore(market: SimMarket, yesPrice: PriceBps): DoubleMid {
  return column.mid(market.mark > 0 ? market.mark : 2 * yesPrice);
}
