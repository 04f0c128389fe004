/**
 * Reports the events of own orders to the core: each event once, in the venue's order.
 *
 * Invariants:
 * - Acceptances, fills, reduces and ends come from the account's own stream, or from reads after a gap in the stream.
 *   Answers to commands report only refusals, which the stream does not contain.
 * - A fill is reported once, even if the venue sends the fill several times. Trade ids identify repeats.
 * - An order is reported as refused or not found at most once, and never after the order's other events. If the venue
 *   has the order after all, the order is cancelled at once (`cancelUnreported`), and its fills are reported as fills.
 * - A replace is one report, because its first event on the stream proves that the whole replace happened.
 * - An event is reported before any book row that results from it. Event and stream position become durable together,
 *   and the stored position is never ahead of the stored events.
 */
import {
  type CancelRejected,
  type EpochMs,
  type MicroShares,
  negUsd,
  type OrderNo,
  type RejectReason,
  unchecked,
  type VenueEvent,
  ZERO_SHARES,
} from '../../domain/index.ts';
import { cashChange, KnownTrades, tradeConflictFault } from './known-trades.ts';
import { marketNumber, type OwnFill, type OwnOrderEvent } from './own-event.ts';
import type { ReporterDeps } from './ports.ts';
import type { SentReplace, VenueOrder } from './venue-orders.ts';

type WithoutCommonFields<E> = E extends { type: string } ? Omit<E, 'time' | 'order' | 'market'> : never;
/** An event of one order, without `order`, `market` and `time`, which `#report` adds. */
type OrderEvent = WithoutCommonFields<
  Extract<VenueEvent, { type: 'orderAccepted' | 'orderFilled' | 'orderReduced' | 'orderClosed' | 'ordersReplaced' }>
>;

const UNKNOWN_ORDER: OrderNo = unchecked.order(0);

/** Refusals which show that the market's tick, fee rate or limits changed. */
const TERMS_REASONS = new Set<RejectReason>([
  'INVALID_TICK',
  'INVALID_LOT',
  'BELOW_MIN',
  'ABOVE_MAX',
  'EXPOSURE_LIMIT',
  'FEE_ABOVE_MAX',
]);

export class ExecutionReporter {
  readonly #deps: ReporterDeps;
  readonly trades: KnownTrades;
  /** The last event of each kind: see `Retained`. */
  readonly #retained = new Map<string, object>();
  /** Called when an order that must be cancelled is open at the venue. */
  onUnwanted: (order: VenueOrder) => void = () => {};

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
    this.trades = new KnownTrades((max) => deps.records.trades(max), deps.records.streamPosition);
  }

  onEvent(event: OwnOrderEvent): void {
    if (event.kind === 'REVERSED') this.#reportReversed(event);
    else if (event.kind !== 'FILLED' || this.#registerIfNew(event.fill)) {
      const order = this.#deps.orders.byHash(event.hash) ?? this.#trackAgain(event);
      this.#retained.set(event.kind, event);
      if (order !== undefined) {
        order.seq = event.seq;
        this.#applyEvent(order, event);
      } else if (event.kind === 'FILLED') this.#reportUntrackedFill(event.fill, event.seq);
    }
    this.#deps.onPositionPassed(event.seq);
    this.#deps.orders.publishWithoutOwnOrders();
  }

  /**
   * Processes a fill out of order: recovered after a gap, or with a number that the stream has already passed.
   * @param position own-stream position to store with the fill; undefined to store none
   * @param venueRemaining remaining size of the order, if the venue sent it with the fill
   */
  onLateFill(fill: OwnFill, position: number | undefined, venueRemaining?: MicroShares): void {
    if (!this.#registerIfNew(fill)) return;
    const order = this.#deps.orders.byHash(fill.hash);
    if (order === undefined) {
      this.#reportUntrackedFill(fill, position);
      return;
    }
    order.seq = Math.max(order.seq, fill.seq);
    const { remaining: before } = order.life;
    const remaining = unchecked.shares(Math.max(0, Math.min(before, venueRemaining ?? before - fill.shares)));
    this.#reportFilled(order, { fill, at: fill.at, remaining }, position);
  }

  /** Handles a loss of events at the venue: the own stream ends at `position`, but later events were reported. */
  onStreamRewind(position: number): void {
    this.trades.rewindTo(position);
    for (const order of this.#deps.orders.open()) order.seq = Math.min(order.seq, position);
    this.#deps.records.resetStreamPosition(position);
  }

  /** Registers a trade. Returns whether it is new. A known trade with other contents is a conflict: not booked. */
  #registerIfNew(fill: OwnFill): boolean {
    const record = this.#deps.orders.byHash(fill.hash)?.record ?? this.#deps.records.findByHash(fill.hash);
    const market = record?.market ?? marketNumber(this.#deps.view, fill.marketId);
    const { tradeId: trade, outcome, side, price, shares, fee } = fill;
    const contents = { trade, order: record?.order ?? UNKNOWN_ORDER, market, outcome, side, price, shares, fee };
    const result = this.trades.register(contents, fill.seq);
    if (result === 'conflict')
      this.#deps.onProblem({ type: 'tradeConflict', market, fault: tradeConflictFault(trade) });
    return result === 'new';
  }

  #applyEvent(order: VenueOrder, event: Exclude<OwnOrderEvent, { kind: 'REVERSED' }>): void {
    const { kind, seq, at, remaining } = event;
    this.#deps.orders.setRemaining(order, seq, kind === 'CLOSED' ? ZERO_SHARES : remaining);
    if (kind === 'ACCEPTED') this.#reportAccepted(order, event, seq);
    else if (kind === 'FILLED') this.#reportFilled(order, event, seq);
    else if (kind === 'CLOSED') this.#reportClosed(order, event);
    else {
      order.reduces += 1;
      order.life.onReduced(remaining);
      if (order.life.hasEnded) this.#deps.orders.remove(order);
      this.#report(order, { type: 'orderReduced', venueTime: at, remaining }, seq);
    }
  }

  /** Reports a fill of an order that has ended or has no record. Outside the run's markets, only the cash changes. */
  #reportUntrackedFill(fill: OwnFill, position: number | undefined): void {
    const { orders, report } = this.#deps;
    const { order, market, times } = this.#locate(fill, fill.at);
    const common = { ...times, trade: fill.tradeId };
    orders.recordTrade(fill);
    if (market === undefined) report({ type: 'cashAdjusted', ...common, amount: cashChange(fill) }, position);
    else report({ type: 'orderFilled', ...common, order, market, remaining: ZERO_SHARES, ...toTerms(fill) }, position);
  }

  /** Reports a reversed trade. The order's remaining size does not change. */
  #reportReversed({ fill, at, seq }: Extract<OwnOrderEvent, { kind: 'REVERSED' }>): void {
    const { order, market, times } = this.#locate(fill, at);
    const { tradeId: trade, outcome, side, price, shares, fee, liquidity } = fill;
    const terms = { trade, outcome, side, price, shares, fee, liquidity };
    const amount = negUsd(cashChange(fill));
    if (market === undefined) this.#deps.report({ type: 'cashAdjusted', ...times, amount }, seq);
    else this.#deps.report({ type: 'fillReversed', ...times, order, market, ...terms }, seq);
  }

  reportSettled(fill: OwnFill, at: EpochMs, position: number): void {
    const { order, market, times } = this.#locate(fill, at);
    if (market !== undefined)
      this.#deps.report({ type: 'fillSettled', ...times, order, market, trade: fill.tradeId }, position);
  }

  #locate({ hash, marketId }: OwnFill, venueTime: EpochMs) {
    const { clock, orders, records, view } = this.#deps;
    const order = (orders.byHash(hash)?.record ?? records.findByHash(hash))?.order ?? UNKNOWN_ORDER;
    return { order, market: marketNumber(view, marketId), times: { time: clock.now(), venueTime } };
  }

  /** Reports an order that the venue refused, or will never receive. */
  reportRejected(order: VenueOrder, reason: RejectReason): void {
    if (!order.life.onRejected()) return;
    const { orders, clock, report, onProblem } = this.#deps;
    if (TERMS_REASONS.has(reason)) onProblem({ type: 'termsChanged' });
    orders.remove(order);
    orders.dropFromBook(order);
    const time = clock.now();
    const { order: number, market } = order.record;
    report({ type: 'orderRejected', time, venueTime: time, order: number, market, reason });
    orders.publishWithoutOwnOrders();
  }

  /** Reports an order whose request got no answer. */
  reportUncertain({ life, record: { order, market } }: VenueOrder): void {
    if (!life.onUncertain()) return;
    const time = this.#deps.clock.now();
    this.#deps.report({ type: 'orderUncertain', time, venueTime: time, order, market });
  }

  /** Reports that a cancel, reduce or replace of an order was refused. */
  reportCancelRefused({ order, market }: Pick<CancelRejected, 'order' | 'market'>, reason: RejectReason): void {
    const time = this.#deps.clock.now();
    this.#deps.report({ type: 'cancelRejected', time, venueTime: time, order, market, reason });
  }

  /** Reports an order that a read of the venue shows as ended. */
  reportEnded(order: VenueOrder, reason: Extract<OwnOrderEvent, { kind: 'CLOSED' }>['reason'], at: EpochMs): void {
    if (order.life.hasEnded) return;
    this.#deps.orders.dropFromBook(order);
    this.#deps.orders.remove(order);
    this.#report(order, { type: 'orderClosed', venueTime: at, reason });
    this.#deps.orders.publishWithoutOwnOrders();
  }

  /** Reports a smaller remaining size that a read of the venue shows. */
  reportReduced(order: VenueOrder, remaining: MicroShares, at: EpochMs): void {
    const { life } = order;
    if (remaining >= life.remaining || !life.onReduced(remaining)) return;
    if (life.hasEnded) this.#deps.orders.remove(order);
    this.#report(order, { type: 'orderReduced', venueTime: at, remaining });
  }

  /** Reports an order that a read of the venue shows as accepted. */
  reportFound(order: VenueOrder, accepted: TimeAndSeq): void {
    if (order.life.hasEnded) return;
    this.#reportAccepted(order, accepted, undefined);
    this.#deps.orders.publishWithoutOwnOrders();
  }

  /** Resumes tracking an order that was reported as refused, because the venue sent an event of the order. */
  #trackAgain(event: OwnOrderEvent): VenueOrder | undefined {
    const record = this.#deps.records.findByHash(event.hash);
    if (record === undefined || event.kind === 'CLOSED') return undefined;
    const order = this.#deps.orders.add(record);
    order.ifAtVenue = 'cancelUnreported';
    this.#deps.orders.addPending(order);
    const fields = { order: record.order, hash: record.hash };
    this.#deps.log.warn(fields, 'an order that was reported as refused is open at the venue');
    return order;
  }

  /** @param position the event's position in the own stream; undefined if a read of the venue showed the order */
  #reportAccepted(order: VenueOrder, accepted: TimeAndSeq, position: number | undefined): void {
    const { placingReplace: replace } = order;
    if (order.life.onAccepted() && !order.isUnreported) {
      if (replace !== undefined && !replace.isCommitted) this.#reportReplaced(replace, accepted, position);
      else this.#report(order, { type: 'orderAccepted', venueTime: accepted.at }, position);
    }
    if (order.isUnwanted && !order.life.hasEnded) this.onUnwanted(order);
  }

  #reportFilled(
    order: VenueOrder,
    { fill, at, remaining }: Pick<Extract<OwnOrderEvent, { kind: 'FILLED' }>, 'fill' | 'at' | 'remaining'>,
    position: number | undefined,
  ): void {
    order.life.onFilled(remaining);
    order.filled += fill.shares;
    this.#deps.orders.recordTrade(fill);
    if (order.life.hasEnded) this.#deps.orders.remove(order);
    const trade = fill.tradeId;
    this.#report(order, { type: 'orderFilled', venueTime: at, remaining, trade, ...toTerms(fill) }, position);
  }

  #reportClosed(order: VenueOrder, event: Extract<OwnOrderEvent, { kind: 'CLOSED' }>): void {
    const { reason, at, seq } = event;
    const { cancellingReplace } = order;
    if (reason === 'REPLACED' && cancellingReplace !== undefined && !order.isUnreported) {
      if (!cancellingReplace.isCommitted) this.#reportReplaced(cancellingReplace, event, seq);
      return;
    }
    this.#deps.orders.remove(order);
    if (!order.isUnreported) this.#report(order, { type: 'orderClosed', venueTime: at, reason }, seq);
  }

  #reportReplaced(replace: SentReplace, { at, seq }: TimeAndSeq, position: number | undefined): void {
    const { cancels, places } = replace;
    const [anyOrder] = [...places, ...cancels];
    if (anyOrder === undefined) return;
    replace.isCommitted = true;
    // Otherwise, each replace would retain the chain of all earlier replaces.
    for (const order of cancels) {
      order.cancellingReplace = undefined;
      this.#deps.orders.remove(order);
      this.#deps.orders.setRemaining(order, seq, ZERO_SHARES);
    }
    for (const order of places) {
      order.placingReplace = undefined;
      order.life.onAccepted();
    }
    const closed = cancels.map(({ record }) => record.order);
    const accepted = places.map(({ record }) => record.order);
    this.#report(anyOrder, { type: 'ordersReplaced', venueTime: at, closed, accepted }, position);
    for (const order of places) if (order.isUnwanted && !order.life.hasEnded) this.onUnwanted(order);
  }

  /** @param position the event's position in the own stream; undefined if a read of the venue showed the change */
  #report({ record: { order, market } }: VenueOrder, event: OrderEvent, position?: number): void {
    const { clock, report } = this.#deps;
    const time = clock.now();
    const reported = event.type === 'ordersReplaced' ? { ...event, time, market } : { ...event, time, order, market };
    this.#retained.set(event.type, reported);
    report(reported, position);
  }
}

/** Venue time and own-stream position of an event. */
type TimeAndSeq = Pick<OwnOrderEvent, 'at' | 'seq'>;

function toTerms({ outcome, side, price, shares, fee, liquidity, isProvisional }: OwnFill) {
  const terms = { outcome, side, price, shares, fee, liquidity, basis: 'real', inside: false } as const;
  return isProvisional === true ? ({ ...terms, provisional: true } as const) : terms;
}
