/**
 * Translates the exchange events of the bot's account into bot events, ledger entries and calls of `SimObserver`.
 *
 * Invariants: the ledger gets fills in the order of exchange time, and its positions equal those of the exchange's
 * account. Outside flow has order number 0, so exactly one side of a trade is the bot's. A replace is published as one
 * event, before the events of its orders.
 *
 * HOT: every own event passes here (bench/replay.ts).
 */
import {
  type CloseReason,
  type Conversion,
  complement,
  type EpochMs,
  type FillBasis,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type OrderNo,
  type PlaceOrder,
  type PriceBps,
  type RejectReason,
  type ReplaceOrders,
  unchecked,
  type VenueEvent,
  ZERO_USD,
} from '../../domain/index.ts';
import type { BookOptions, ExchangeSink, RareEvent, Refusal } from '../../exchange/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Replay } from '../../replay/index.ts';
import { OrderNumbers, toOrderNumbers } from './exchange-commands.ts';
import type { SimMarket } from './sim-market.ts';
import { type SimObserver, toSimFill } from './sim-observer.ts';
import type { TradeSettlement, UnsettledTrade } from './trade-settlement.ts';
import type { VenueCharges } from './venue-charges.ts';

export interface BotEventSink {
  /** Returns when the bot receives the events of `venueTime`. Called at most once per step. */
  receiveTime(venueTime: number): number;
  /** Returns when the bot receives a fill, if fills have a separate latency. */
  fillReceiveTime?(venueTime: number): number | undefined;
  emit(event: VenueEvent): void;
}

export interface TranslatorDeps {
  readonly markets: readonly SimMarket[];
  readonly slots: BookOptions['slots'];
  readonly replay: Replay;
  readonly ledger: Ledger;
  readonly output: BotEventSink;
  readonly observer: SimObserver;
  /** Undefined if fills are final at once. */
  readonly settlement: TradeSettlement | undefined;
  readonly charges: VenueCharges;
}

/**
 * The sink of a replayed exchange with one account. Call `beginCommand` before each command. All events of one step (a
 * message or a command) reach the bot at the same time, except fills with a separate latency.
 */
export class ExchangeEventTranslator implements ExchangeSink {
  readonly numbers = new OrderNumbers();
  /** Number of executed `cancelAll` commands. */
  epoch = 0;
  /** Reason why the whole command, or its only entry, failed. */
  refusal: Refusal | undefined;
  /** Reasons why entries of a replace failed, by entry. */
  readonly refusals = new Map<number, Refusal>();
  /** Payment of the last claim. */
  paid: MicroUsd = ZERO_USD;
  /** Untraded micro-shares of the incoming order. */
  #untraded = 0;
  #replace: ReplaceOrders | undefined;
  #isReplacePublished = false;
  #placedCount = 0;
  #now: EpochMs = unchecked.time(0);
  /** Receive time of this step's events; -1 before the first event. */
  #receivedAt = -1;
  readonly #deps: TranslatorDeps;

  constructor(deps: TranslatorDeps) {
    this.#deps = deps;
  }

  get now(): EpochMs {
    return this.#now;
  }

  beginStep(time: number): void {
    this.#now = unchecked.time(time);
    this.#receivedAt = -1;
  }

  /** Makes the bot receive this step's events no earlier than `time`. */
  delayUntil(time: number): void {
    this.#receivedAt = Math.max(this.#receiveTime(), time);
  }

  get needsSettleStep(): boolean {
    return this.#deps.settlement !== undefined || this.#deps.charges.isPending;
  }

  /** Ends a step of the tape: locks the proceeds of its fills until settlement, and charges its fees. */
  settleStep(): void {
    this.#deps.settlement?.lockNewTrades();
    this.#deps.charges.collect();
  }

  /** Begins a command that places one order, a replace, or neither. */
  beginCommand(place: PlaceOrder | undefined, replace: ReplaceOrders | undefined): void {
    this.#deps.replay.incomingOrder = place;
    this.#replace = replace;
    this.#isReplacePublished = false;
    this.#placedCount = 0;
    this.refusal = undefined;
    this.paid = ZERO_USD;
    if (this.refusals.size > 0) this.refusals.clear();
  }

  accepted(_seq: number, order: number): void {
    const { replay } = this.#deps;
    const replace = this.#replace;
    let place = replay.incomingOrder;
    if (replace !== undefined) {
      this.#publishReplaceOnce(replace);
      place = replace.places[this.#placedCount]!;
      this.#placedCount += 1;
      replay.incomingOrder = place;
    }
    if (place === undefined) throw new RangeError(`Invariant: order ${order} was never placed`);
    this.#untraded = place.shares;
    this.numbers.set(place.order, order);
    if (replace !== undefined) return;
    const { market } = place;
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    this.#deps.output.emit({ type: 'orderAccepted', time, venueTime, order: place.order, market });
  }

  traded(
    _seq: number,
    _market: number,
    _maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    _match: number,
    fee: number,
  ): void {
    const price = unchecked.price(yesPrice);
    const { replay } = this.#deps;
    if (taker === 0)
      this.#fill(replay.positions.placeOrder[replay.slot]!, price, unchecked.shares(shares), ZERO_USD, replay.basis);
    else {
      this.#untraded -= shares;
      this.#fill(replay.incomingOrder!, price, unchecked.shares(shares), unchecked.usd(fee), 'taker');
    }
  }

  reduced(_seq: number, order: number, remaining: number): void {
    const { slots, replay, output } = this.#deps;
    const { order: own, market } = replay.positions.placeOrder[slots.find(order)]!;
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    output.emit({ type: 'orderReduced', time, venueTime, order: own, market, remaining: unchecked.shares(remaining) });
  }

  closed(_seq: number, order: number, _unfilled: number, reason: CloseReason): void {
    if (reason === 'REPLACED') {
      if (this.#replace !== undefined) this.#publishReplaceOnce(this.#replace);
      return;
    }
    // For the bot, the last fill closes the order.
    if (reason === 'FILLED') return;
    const { slots, replay, output } = this.#deps;
    const slot = slots.find(order);
    const { order: own, market } = slot === 0 ? replay.incomingOrder! : replay.positions.placeOrder[slot]!;
    output.emit({ type: 'orderClosed', time: this.#receiveTime(), venueTime: this.#now, order: own, market, reason });
  }

  rareEvent(_seq: number, event: RareEvent): void {
    if (event.type === 'epochRaised') this.epoch = event.epoch;
    else if (event.type === 'claimed') this.paid = event.paid;
  }

  refused(entry: number, refusal: Refusal): void {
    if (this.#replace !== undefined && entry >= 0) this.refusals.set(entry, refusal);
    else this.refusal = refusal;
  }

  duplicate(): void {
    throw new RangeError('Invariant: unsigned orders cannot be duplicates');
  }

  publishRejected({ order, market }: PlaceOrder, reason: RejectReason): void {
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    this.#deps.output.emit({ type: 'orderRejected', time, venueTime, order, market, reason });
  }

  publishSettled({ trade, place: { order, market } }: UnsettledTrade): void {
    this.#deps.observer.onFillSettled?.(trade);
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    this.#deps.output.emit({ type: 'fillSettled', time, venueTime, order, market, trade });
  }

  publishReversed(reversed: UnsettledTrade): void {
    const { trade, place, fill, liquidity } = reversed;
    this.#deps.charges.reverse(reversed);
    this.#deps.observer.onFillReversed?.(trade, this);
    const times = { time: this.#receiveTime(), venueTime: this.#now };
    this.#deps.output.emit({ type: 'fillReversed', ...times, order: place.order, trade, ...fill, liquidity });
  }

  publishCancelRejected(order: OrderNo, market: MarketNo, reason: RejectReason): void {
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    this.#deps.output.emit({ type: 'cancelRejected', time, venueTime, order, market, reason });
  }

  /** @param paid cash received, after `fee`; negative for cash paid */
  publishConverted({ type: conversion, bot, market, shares }: Conversion, paid: MicroUsd, fee: MicroUsd): void {
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    this.#deps.output.emit({ type: 'converted', time, venueTime, conversion, bot, market, shares, paid, fee });
  }

  publishConversionRejected({ type: conversion, bot, market }: Conversion, reason: RejectReason): void {
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    this.#deps.output.emit({ type: 'conversionRejected', time, venueTime, conversion, bot, market, reason });
  }

  #receiveTime(): EpochMs {
    if (this.#receivedAt < 0) this.#receivedAt = this.#deps.output.receiveTime(this.#now);
    return unchecked.time(this.#receivedAt);
  }

  #fillReceiveTime(): EpochMs {
    const time = this.#deps.output.fillReceiveTime?.(this.#now);
    if (time === undefined) return this.#receiveTime();
    // Later events of this step, such as the order's end, must not precede the fill.
    if (this.#receivedAt >= 0 && this.#receivedAt < time) this.#receivedAt = time;
    return unchecked.time(time);
  }

  /** Publishes a replace at its first event, because the exchange executes it as a whole. */
  #publishReplaceOnce({ market, cancels, places }: ReplaceOrders): void {
    if (this.#isReplacePublished) return;
    this.#isReplacePublished = true;
    const [time, venueTime] = [this.#receiveTime(), this.#now];
    const [closed, accepted] = [toOrderNumbers(cancels), toOrderNumbers(places)];
    this.#deps.output.emit({ type: 'ordersReplaced', time, venueTime, market, closed, accepted });
  }

  #fill(place: PlaceOrder, yesPrice: PriceBps, shares: MicroShares, exchangeFee: MicroUsd, basis: FillBasis): void {
    const { markets, ledger, observer, replay, slots, settlement, charges } = this.#deps;
    const market = markets[place.market]!;
    if (!market.hasOwnFill) {
      market.hasOwnFill = true;
      if (market.mark > 0) ledger.mark(market.number, unchecked.mid(market.mark));
    }
    market.lastFillInstance = place.bot;
    const price = place.outcome === 'YES' ? yesPrice : complement(yesPrice);
    const inside = basis !== 'taker' && replay.isInside;
    const liquidity = basis === 'taker' ? 'taker' : 'maker';
    const remaining = unchecked.shares(basis === 'taker' ? this.#untraded : slots.remaining(replay.slot));
    const { order, outcome, side } = place;
    const feeFill = { order, market: market.number, side, liquidity, price, shares, remaining } as const;
    const fee = charges.bookFee(feeFill, exchangeFee, this.#now);
    const trade = settlement?.bookFill(place, { price, shares, fee, exchangeFee, liquidity }, this.#now);
    if (trade === undefined) ledger.fill({ market: market.number, outcome, side, price, shares, fee });
    const event = {
      type: 'orderFilled',
      time: this.#fillReceiveTime(),
      venueTime: this.#now,
      order,
      market: market.number,
      outcome,
      side,
      price,
      shares,
      remaining,
      fee,
      liquidity,
      basis,
      inside,
    } as const;
    this.#deps.output.emit(trade === undefined ? event : { ...event, trade, provisional: true });
    observer.onFill?.(
      toSimFill(place, market, replay, this.#now, { yesPrice, shares, remaining, fee, basis, inside, trade }),
    );
  }
}
