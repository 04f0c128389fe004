/**
 * Reports to the core what became of own orders: each fact once, in the venue's order.
 *
 * Invariants:
 * - Acceptances, fills, reduces and ends come from the account's own stream alone, which loses and repeats nothing. Answers to
 *   requests report only what has no event there: refusals.
 * - A fill is reported once, whatever path brings it and however often: trades are known by their ids.
 * - An order is reported as refused or never found at most once, and never after an event of it. When the venue turns out to
 *   have it all the same, it is cancelled at once (`cancelUnreported`), and its fills are reported as fills.
 * - A replace is reported as one: its first event on the stream proves that all of it happened.
 * - A fact is reported before any row of a book that follows from it, and with its position in the stream, so that both
 *   become durable together. The position that is stored is never ahead of the facts that are.
 */
import {
  type CancelRejected,
  column,
  counted,
  type EpochMs,
  type MicroShares,
  negUsd,
  type OrderNo,
  type RejectReason,
  ZERO_SHARES,
} from '../../domain/index.ts';
import { cashOf, KnownTrades, tradeConflict } from './known-trades.ts';
import { MarketNumbers } from './market-numbers.ts';
import type { OwnEvent, OwnFill } from './own-event.ts';
import type { OrderEvent, ReporterDeps } from './reporter-deps.ts';
import type { SentReplace, VenueOrder } from './venue-orders.ts';

/** `order` of a fill that no order of ours explains. */
const FOREIGN: OrderNo = counted.order(0);

/** Refusals by a tick, a fee rate or a limit: those that risk knows are not the present ones. */
const BY_TERMS: ReadonlySet<RejectReason> = new Set([
  ...(['INVALID_TICK', 'INVALID_LOT', 'BELOW_MIN', 'ABOVE_MAX', 'EXPOSURE_LIMIT', 'FEE_ABOVE_MAX'] as const),
]);

export class ExecutionReporter {
  readonly #deps: ReporterDeps;
  readonly trades: KnownTrades;
  readonly markets: MarketNumbers;
  /** The last of each kind: see `Retained`. */
  readonly #reported = new Map<string, object>();
  /** Called when an unwanted order turns out to stand at the venue. */
  onUnwanted: (order: VenueOrder) => void = () => {};

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
    this.trades = new KnownTrades((most) => deps.records.trades(most), deps.records.cursor);
    this.markets = new MarketNumbers(deps.view);
  }

  /** Processes an event of the stream, later than all before. */
  event(event: OwnEvent): void {
    if (event.kind === 'REVERSED') this.#reversed(event);
    else if (event.kind !== 'FILLED' || this.#isNew(event.fill)) {
      const order = this.#deps.orders.byHash(event.hash) ?? this.#returned(event);
      this.#reported.set(event.kind, event);
      if (order !== undefined) {
        order.seq = event.seq;
        this.#ownEvent(order, event);
      } else if (event.kind === 'FILLED') this.#foreignFill(event.fill, event.seq);
    }
    this.#deps.passed(event.seq);
    this.#deps.orders.reveal();
  }

  /**
   * A fill that is not the stream's next event: it was recovered after a gap, or has a number that was passed.
   * @param position in the own stream, where it is passed with this fill
   * @param left of its order, where the venue said so with the fill
   */
  lateFill(fill: OwnFill, position: number | undefined, left?: MicroShares): void {
    if (!this.#isNew(fill)) return;
    const order = this.#deps.orders.byHash(fill.hash);
    if (order === undefined) {
      this.#foreignFill(fill, position);
      return;
    }
    order.seq = Math.max(order.seq, fill.seq);
    const { remaining: before } = order.life;
    const remaining = column.shares(Math.max(0, Math.min(before, left ?? before - fill.shares)));
    this.#filled(order, { fill, at: fill.at, remaining }, position);
  }

  /** The venue's last event is this one, though later ones were reported. */
  wentBack(position: number): void {
    this.trades.wentBack(position);
    for (const order of this.#deps.orders.open()) order.seq = Math.min(order.seq, position);
    this.#deps.records.reached(position, true);
  }

  /** Whether this trade was not reported before. One with other contents than before is a conflict, and never booked. */
  #isNew(fill: OwnFill): boolean {
    const record = this.#deps.orders.byHash(fill.hash)?.record ?? this.#deps.records.find(fill.hash);
    const market = record?.market ?? this.markets.find(fill.marketId);
    const { tradeId: trade, outcome, side, price, shares, fee } = fill;
    const contents = { trade, order: record?.order ?? FOREIGN, market, outcome, side, price, shares, fee };
    const verdict = this.trades.take(contents, fill.seq);
    if (verdict === 'conflict') this.#deps.trouble({ type: 'tradeConflict', market, fault: tradeConflict(trade) });
    return verdict === 'new';
  }

  #ownEvent(order: VenueOrder, event: Exclude<OwnEvent, { kind: 'REVERSED' }>): void {
    this.#deps.orders.rests(order, event.seq, event.kind === 'CLOSED' ? ZERO_SHARES : event.remaining);
    switch (event.kind) {
      case 'ACCEPTED':
        this.#accepted(order, event, event.seq);
        return;
      case 'FILLED':
        this.#filled(order, event, event.seq);
        return;
      case 'REDUCED':
        order.reduces += 1;
        order.life.reduced(event.remaining);
        if (order.life.hasEnded) this.#deps.orders.remove(order);
        this.#report(order, { type: 'orderReduced', venueTime: event.at, remaining: event.remaining }, event.seq);
        return;
      case 'CLOSED':
        this.#closed(order, event);
    }
  }

  /** An order of the same account that was never sent here traded, or one that is over: the position moves, or only the cash. */
  #foreignFill(fill: OwnFill, position: number | undefined): void {
    const { clock, orders, report } = this.#deps;
    const market = this.markets.find(fill.marketId);
    const head = { time: clock.now(), venueTime: fill.at, trade: fill.tradeId };
    const order = this.#deps.records.find(fill.hash)?.order ?? FOREIGN;
    orders.traded(fill);
    if (market === undefined) report({ type: 'cashAdjusted', ...head, amount: cashOf(fill) }, position);
    else report({ type: 'orderFilled', ...head, order, market, remaining: ZERO_SHARES, ...termsOf(fill) }, position);
  }

  /** The venue took a trade back. What is open of its order stays, and nothing of the order comes back. */
  #reversed({ fill, at, seq }: Extract<OwnEvent, { kind: 'REVERSED' }>): void {
    const { order, market, head } = this.#placeOf(fill, at);
    const { tradeId: trade, outcome, side, price, shares, fee, liquidity } = fill;
    const terms = { trade, outcome, side, price, shares, fee, liquidity };
    if (market === undefined) this.#deps.report({ type: 'cashAdjusted', ...head, amount: negUsd(cashOf(fill)) }, seq);
    else this.#deps.report({ type: 'fillReversed', ...head, order, market, ...terms }, seq);
  }

  /** A fill that was reported as provisional is final. */
  settled(fill: OwnFill, at: EpochMs, position: number): void {
    const { order, market, head } = this.#placeOf(fill, at);
    if (market !== undefined)
      this.#deps.report({ type: 'fillSettled', ...head, order, market, trade: fill.tradeId }, position);
  }

  #placeOf({ hash, marketId }: OwnFill, venueTime: EpochMs) {
    const { clock, orders, records } = this.#deps;
    const order = (orders.byHash(hash)?.record ?? records.find(hash))?.order ?? FOREIGN;
    return { order, market: this.markets.find(marketId), head: { time: clock.now(), venueTime } };
  }

  /** The venue refused it, or has no trace of it and never will. */
  rejected(order: VenueOrder, reason: RejectReason): void {
    if (!order.life.rejected()) return;
    const { orders, clock, report, trouble } = this.#deps;
    const { record } = order;
    if (BY_TERMS.has(reason)) trouble({ type: 'terms' });
    orders.remove(order);
    orders.never(order);
    const time = clock.now();
    report({ type: 'orderRejected', time, venueTime: time, order: record.order, market: record.market, reason });
    orders.reveal();
  }

  /** No answer came. */
  uncertain(order: VenueOrder): void {
    if (!order.life.uncertain()) return;
    const { clock, report } = this.#deps;
    const time = clock.now();
    const { order: number, market } = order.record;
    report({ type: 'orderUncertain', time, venueTime: time, order: number, market });
  }

  /** A cancel, reduce or replace of it was refused. */
  cancelRefused({ order, market }: Pick<CancelRejected, 'order' | 'market'>, reason: RejectReason): void {
    const { clock, report } = this.#deps;
    const time = clock.now();
    report({ type: 'cancelRejected', time, venueTime: time, order, market, reason });
  }

  /** The venue has it as ended, and no event reported that: after a gap in the stream. */
  ended(order: VenueOrder, reason: Extract<OwnEvent, { kind: 'CLOSED' }>['reason'], at: EpochMs): void {
    if (order.life.hasEnded) return;
    this.#deps.orders.never(order);
    this.#deps.orders.remove(order);
    this.#report(order, { type: 'orderClosed', venueTime: at, reason });
    this.#deps.orders.reveal();
  }

  /** Remaining size at the venue, if no event reported it after a gap in the stream. */
  corrected(order: VenueOrder, remaining: MicroShares, at: EpochMs): void {
    const { life } = order;
    if (remaining >= life.remaining || !life.reduced(remaining)) return;
    if (life.hasEnded) this.#deps.orders.remove(order);
    this.#report(order, { type: 'orderReduced', venueTime: at, remaining });
  }

  /** The venue has it, and no event reported that: after a gap in the stream. */
  found(order: VenueOrder, seen: Seen): void {
    if (order.life.hasEnded) return;
    this.#accepted(order, seen, undefined);
    this.#deps.orders.reveal();
  }

  /** An event of an order that counted as ended: it was taken for refused. */
  #returned(event: OwnEvent): VenueOrder | undefined {
    const record = this.#deps.records.find(event.hash);
    if (record === undefined) return undefined;
    if (event.kind === 'CLOSED') return undefined;
    const order = this.#deps.orders.add(record);
    order.ifSeen = 'cancelUnreported';
    this.#deps.orders.placing(order);
    this.#deps.log.warn(
      { order: record.order, hash: record.hash },
      'an order that counted as refused is open at the venue',
    );
    return order;
  }

  /** @param position in the own stream; undefined for what no event reported */
  #accepted(order: VenueOrder, seen: Seen, position: number | undefined): void {
    const { arrivesWith } = order;
    if (order.life.accepted() && !order.isUnreported) {
      if (arrivesWith !== undefined && !arrivesWith.committed) this.#committed(arrivesWith, seen, position);
      else this.#report(order, { type: 'orderAccepted', venueTime: seen.at }, position);
    }
    if (order.isUnwanted && !order.life.hasEnded) this.onUnwanted(order);
  }

  #filled(
    order: VenueOrder,
    { fill, at, remaining }: Pick<Extract<OwnEvent, { kind: 'FILLED' }>, 'fill' | 'at' | 'remaining'>,
    position: number | undefined,
  ): void {
    order.life.filled(remaining);
    order.filled += fill.shares;
    this.#deps.orders.traded(fill);
    if (order.life.hasEnded) this.#deps.orders.remove(order);
    const trade = fill.tradeId;
    this.#report(order, { type: 'orderFilled', venueTime: at, remaining, trade, ...termsOf(fill) }, position);
  }

  #closed(order: VenueOrder, event: Extract<OwnEvent, { kind: 'CLOSED' }>): void {
    const { reason, at, seq } = event;
    const { leavesWith } = order;
    if (reason === 'REPLACED' && leavesWith !== undefined && !order.isUnreported) {
      if (!leavesWith.committed) this.#committed(leavesWith, event, seq);
      return;
    }
    this.#deps.orders.remove(order);
    if (!order.isUnreported) this.#report(order, { type: 'orderClosed', venueTime: at, reason }, seq);
  }

  #committed(replace: SentReplace, { at, seq }: Seen, position: number | undefined): void {
    const { cancels, places } = replace;
    replace.committed = true;
    // Dropped, because a replace that is kept would keep the orders that it replaced, and what those had replaced.
    for (const order of cancels) {
      order.leavesWith = undefined;
      this.#deps.orders.remove(order);
      this.#deps.orders.rests(order, seq, ZERO_SHARES);
    }
    for (const order of places) {
      order.arrivesWith = undefined;
      order.life.accepted();
    }
    const [closed, accepted] = [cancels.map(numberOf), places.map(numberOf)];
    const some = places[0] ?? cancels[0];
    if (some === undefined) return;
    this.#report(some, { type: 'ordersReplaced', venueTime: at, closed, accepted }, position);
    for (const order of places) if (order.isUnwanted && !order.life.hasEnded) this.onUnwanted(order);
  }

  /** About one order, with its number and market. @param position in the own stream; undefined for what no event reported */
  #report({ record: { order, market } }: VenueOrder, event: OrderEvent, position?: number): void {
    const { clock, report } = this.#deps;
    const time = clock.now();
    const reported = event.type === 'ordersReplaced' ? { ...event, time, market } : { ...event, time, order, market };
    this.#reported.set(event.type, reported);
    report(reported, position);
  }
}

/** Time and number of the venue's event. */
type Seen = Pick<OwnEvent, 'at' | 'seq'>;

function termsOf({ outcome, side, price, shares, fee, liquidity, isProvisional }: OwnFill) {
  const terms = { outcome, side, price, shares, fee, liquidity, basis: 'real', inside: false } as const;
  return isProvisional === true ? ({ ...terms, provisional: true } as const) : terms;
}

function numberOf({ record }: VenueOrder): OrderNo {
  return record.order;
}
