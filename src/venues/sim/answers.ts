import {
  type CloseReason,
  type Conversion,
  column,
  type EpochMs,
  type FillTag,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type OrderNo,
  type PlaceOrder,
  type PriceBps,
  type RejectReason,
  type ReplaceOrders,
  type VenueEvent,
} from '../../domain/index.ts';

/** Where the venue's answers go, and when the bot will learn of what happens at `venueTime`; asked at most once a step. */
export interface AnswerLine {
  seenAt(venueTime: number): number;
  event(event: VenueEvent): void;
}

/** What a fill says beside its order; `price` in the terms of the order's outcome. */
export interface FillFacts {
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /** What is left of the order; 0 closes it. */
  readonly remaining: MicroShares;
  readonly fee: MicroUsd;
  readonly tag: FillTag;
  readonly inside: boolean;
}

/** Makes the venue's events. All events of one step (a message, a command) are one message to the bot. */
export class Answers {
  readonly #line: AnswerLine;
  #now: EpochMs = column.time(0);
  /** Below 0 while nothing has happened in this step. */
  #seen = -1;

  constructor(line: AnswerLine) {
    this.#line = line;
  }

  /** Exchange time of the present step. */
  get now(): EpochMs {
    return this.#now;
  }

  /** A step begins. */
  begin(time: number): void {
    this.#now = column.time(time);
    this.#seen = -1;
  }

  /** What this step tells from now on is not learned before `time`. */
  notBefore(time: number): void {
    this.#seen = Math.max(this.#time(), time);
  }

  accepted({ order, market }: PlaceOrder): void {
    this.#line.event({ type: 'orderAccepted', time: this.#time(), venueTime: this.#now, order, market });
  }

  rejected({ order, market }: PlaceOrder, reason: RejectReason): void {
    this.#line.event({ type: 'orderRejected', time: this.#time(), venueTime: this.#now, order, market, reason });
  }

  filled({ order, market, outcome, side }: PlaceOrder, facts: FillFacts): void {
    const { price, shares, remaining, fee, tag, inside } = facts;
    this.#line.event({
      type: 'orderFilled',
      time: this.#time(),
      venueTime: this.#now,
      order,
      market,
      outcome,
      side,
      price,
      shares,
      remaining,
      fee,
      liquidity: tag === 'taker' ? 'taker' : 'maker',
      tag,
      inside,
    });
  }

  reduced({ order, market }: PlaceOrder, remaining: MicroShares): void {
    this.#line.event({ type: 'orderReduced', time: this.#time(), venueTime: this.#now, order, market, remaining });
  }

  closed({ order, market }: PlaceOrder, reason: CloseReason): void {
    this.#line.event({ type: 'orderClosed', time: this.#time(), venueTime: this.#now, order, market, reason });
  }

  /** A replace was carried out whole. */
  replaced({ market, cancels, places }: ReplaceOrders): void {
    const [closed, accepted] = [numbersOf(cancels), numbersOf(places)];
    this.#line.event({ type: 'ordersReplaced', time: this.#time(), venueTime: this.#now, market, closed, accepted });
  }

  cancelRejected(order: OrderNo, market: MarketNo, reason: RejectReason): void {
    this.#line.event({ type: 'cancelRejected', time: this.#time(), venueTime: this.#now, order, market, reason });
  }

  /** @param paid cash in (positive) or out, less `fee` */
  converted({ type: conversion, bot, market, shares }: Conversion, paid: MicroUsd, fee: MicroUsd): void {
    const [time, venueTime] = [this.#time(), this.#now];
    this.#line.event({ type: 'converted', time, venueTime, conversion, bot, market, shares, paid, fee });
  }

  conversionRejected({ type: conversion, bot, market }: Conversion, reason: RejectReason): void {
    const [time, venueTime] = [this.#time(), this.#now];
    this.#line.event({ type: 'conversionRejected', time, venueTime, conversion, bot, market, reason });
  }

  #time(): EpochMs {
    if (this.#seen < 0) this.#seen = this.#line.seenAt(this.#now);
    return column.time(this.#seen);
  }
}

/** Not by `map`: its lists are of another kind once it is compiled, and all that reads them would be compiled anew. */
function numbersOf(orders: readonly { readonly order: OrderNo }[]): readonly OrderNo[] {
  const numbers: OrderNo[] = [];
  for (const { order } of orders) numbers.push(order);
  return numbers;
}
