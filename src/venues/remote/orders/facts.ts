/**
 * What is told to the core about own orders: each fact once, in the venue's order.
 *
 * Invariants:
 * - Acceptances, fills, reduces and ends come from the account's own stream alone, which loses and repeats nothing. Answers to
 *   requests tell only what has no event there: refusals.
 * - A fill is told once, whatever path brings it and however often: trades are known by their ids.
 * - An order is told of as refused or never found at most once, and never after the stream has told of it. When the venue
 *   turns out to have it all the same, it is cancelled at once (a revenant), and its fills are told as fills.
 * - A replace is told as one: its first event on the stream says that all of it happened.
 * - The core is told of a fact before any row of a book that follows from it, and with its position in the stream, so that
 *   both become durable together. The position that is stored is never ahead of the facts that are.
 */
import {
  column,
  counted,
  type EpochMs,
  type MicroShares,
  type OrderNo,
  type RejectReason,
  yesPrice,
  yesSign,
  ZERO_SHARES,
} from '../../../domain/index.ts';
import { cashOf, KnownTrades, tradeConflict } from './known-trades.ts';
import { MarketNumbers, type OrdersOf } from './orders-of.ts';
import type { OwnEvent, OwnFill } from './own-event.ts';
import type { SentOrder, SentOrders, SentReplace } from './sent-orders.ts';

/** `order` of a fill that no order of ours explains. */
const FOREIGN: OrderNo = counted.order(0);

/** Refusals by a tick, a fee rate or a limit: those that risk knows are not the present ones. */
const BY_TERMS: ReadonlySet<RejectReason> = new Set([
  ...(['INVALID_TICK', 'INVALID_LOT', 'BELOW_MIN', 'ABOVE_MAX', 'EXPOSURE_LIMIT', 'FEE_ABOVE_MAX'] as const),
]);

type FactsOf = Pick<OrdersOf, 'clock' | 'records' | 'own' | 'log' | 'tell' | 'passed' | 'view' | 'trouble'>;

export class Facts {
  readonly #of: FactsOf;
  readonly #sent: SentOrders;
  readonly trades: KnownTrades;
  readonly markets: MarketNumbers;
  /** The last of each kind: see `Kept`. */
  readonly #told = new Map<string, object>();
  /** Called when an order stands at the venue that nobody wants there. */
  onUnwanted: (order: SentOrder) => void = () => {};

  constructor(of: FactsOf, sent: SentOrders) {
    this.#of = of;
    this.#sent = sent;
    this.trades = new KnownTrades((most) => of.records.trades(most), of.records.cursor);
    this.markets = new MarketNumbers(of.view);
  }

  /** One event of the stream, later than all before. */
  event(event: OwnEvent): void {
    if (event.kind !== 'FILLED' || this.#isNew(event.fill)) {
      const order = this.#sent.find(event.hash) ?? this.#returned(event);
      this.#told.set(event.kind, event);
      if (order !== undefined) {
        order.seq = event.seq;
        this.#ownEvent(order, event);
      } else if (event.kind === 'FILLED') this.#foreignFill(event.fill, event.seq);
    }
    this.#of.passed(event.seq);
    this.#of.own.reveal();
  }

  /**
   * A fill that is not the stream's next event: it was recovered after a gap, or has a number that was passed.
   * @param position in the own stream, where it is passed with this fill
   * @param left of its order, where the venue said so with the fill
   */
  lateFill(fill: OwnFill, position: number | undefined, left?: MicroShares): void {
    if (!this.#isNew(fill)) return;
    const order = this.#sent.find(fill.hash);
    if (order === undefined) {
      this.#foreignFill(fill, position);
      return;
    }
    order.seq = Math.max(order.seq, fill.seq);
    const remaining = column.shares(Math.max(0, Math.min(order.remaining, left ?? order.remaining - fill.shares)));
    this.#filled(order, { fill, at: fill.at, remaining }, position);
  }

  /** The venue's last event is this one, though later ones were told. */
  wentBack(position: number): void {
    this.trades.wentBack(position);
    for (const order of this.#sent.list()) order.seq = Math.min(order.seq, position);
    this.#of.records.reached(position, true);
  }

  /** Whether the core has not been told of this trade. One with other contents than before is trouble, and never booked. */
  #isNew(fill: OwnFill): boolean {
    const record = this.#sent.find(fill.hash)?.record ?? this.#of.records.find(fill.hash);
    const market = record?.market ?? this.markets.find(fill.marketId);
    const { tradeId: trade, outcome, side, price, shares, fee } = fill;
    const contents = { trade, order: record?.order ?? FOREIGN, market, outcome, side, price, shares, fee };
    const verdict = this.trades.take(contents, fill.seq);
    if (verdict === 'conflict') this.#of.trouble({ type: 'tradeConflict', market, fault: tradeConflict(trade) });
    return verdict === 'new';
  }

  #ownEvent(order: SentOrder, event: OwnEvent): void {
    this.#of.own.rests(order.hash, event.seq, event.kind === 'CLOSED' ? ZERO_SHARES : event.remaining);
    switch (event.kind) {
      case 'ACCEPTED':
        this.#accepted(order, event, event.seq);
        return;
      case 'FILLED':
        this.#filled(order, event, event.seq);
        return;
      case 'REDUCED':
        order.accepted = true;
        order.reduces += 1;
        order.remaining = event.remaining;
        this.#tell(order, { type: 'orderReduced', venueTime: event.at, remaining: event.remaining }, event.seq);
        return;
      case 'CLOSED':
        this.#closed(order, event);
    }
  }

  /** An order of the same account that was never sent here traded, or one that is over: the position moves, or only the cash. */
  #foreignFill(fill: OwnFill, position: number | undefined): void {
    const { clock, own, tell } = this.#of;
    const market = this.markets.find(fill.marketId);
    const told = { time: clock.now(), venueTime: fill.at, trade: fill.tradeId };
    const order = this.#of.records.find(fill.hash)?.order ?? FOREIGN;
    own.traded(fill.tradeId);
    if (market === undefined) tell({ type: 'cashAdjusted', ...told, amount: cashOf(fill) }, position);
    else tell({ type: 'orderFilled', ...told, order, market, remaining: ZERO_SHARES, ...termsOf(fill) }, position);
  }

  /** The venue refused it, or has no trace of it and never will. */
  rejected(order: SentOrder, reason: RejectReason): void {
    if (order.gone || order.accepted) return;
    const { own, clock, tell, trouble } = this.#of;
    const { record } = order;
    if (BY_TERMS.has(reason)) trouble({ type: 'terms' });
    this.#sent.end(order);
    own.never(order.hash);
    const time = clock.now();
    tell({ type: 'orderRejected', time, venueTime: time, order: record.order, market: record.market, reason });
    own.reveal();
  }

  /** No answer came. */
  uncertain(order: SentOrder): void {
    if (order.gone || order.accepted || order.uncertain) return;
    order.uncertain = true;
    const { clock, tell } = this.#of;
    const time = clock.now();
    const { order: number, market } = order.record;
    tell({ type: 'orderUncertain', time, venueTime: time, order: number, market });
  }

  /** A cancel, reduce or replace of it was refused. */
  cancelRefused({ record }: Pick<SentOrder, 'record'>, reason: RejectReason): void {
    const { clock, tell } = this.#of;
    const time = clock.now();
    tell({ type: 'cancelRejected', time, venueTime: time, order: record.order, market: record.market, reason });
  }

  /** The venue says that it is over, where no event said so: after a gap in the stream. */
  ended(order: SentOrder, reason: Extract<OwnEvent, { kind: 'CLOSED' }>['reason'], at: EpochMs): void {
    if (order.gone) return;
    this.#of.own.never(order.hash);
    this.#sent.end(order);
    this.#tell(order, { type: 'orderClosed', venueTime: at, reason });
    this.#of.own.reveal();
  }

  /** The venue says what is left of it, where no event said so: after a gap in the stream. */
  corrected(order: SentOrder, remaining: SentOrder['remaining'], at: EpochMs): void {
    if (order.gone || order.remaining === remaining) return;
    order.remaining = remaining;
    this.#tell(order, { type: 'orderReduced', venueTime: at, remaining: column.shares(remaining) });
  }

  /** The venue has it, where no event said so: after a gap in the stream. */
  found(order: SentOrder, seen: Seen): void {
    if (order.gone) return;
    this.#accepted(order, seen, undefined);
    this.#of.own.reveal();
  }

  /** Ended as far as was told, and yet it has an event: one that was held for refused. */
  #returned(event: OwnEvent): SentOrder | undefined {
    const record = this.#of.records.find(event.hash);
    if (record === undefined) return undefined;
    if (event.kind === 'CLOSED') return undefined;
    const order = this.#sent.add(record);
    const { outcome, side, price } = record.command;
    order.revenant = true;
    order.unwanted = true;
    const place = { market: record.market, price: yesPrice(outcome, price), shares: event.remaining };
    this.#of.own.placing(order.hash, { ...place, side: yesSign(outcome, side) === 1 ? 'bid' : 'ask' });
    this.#of.log.warn(
      { order: record.order, hash: record.hash },
      'an order that was held for refused stands at the venue',
    );
    return order;
  }

  /** @param position in the own stream; undefined for what no event said */
  #accepted(order: SentOrder, seen: Seen, position: number | undefined): void {
    const { cameBy } = order;
    const isNews = !order.accepted;
    order.accepted = true;
    if (isNews && !order.revenant) {
      if (cameBy !== undefined && !cameBy.committed) this.#committed(cameBy, seen, position);
      else this.#tell(order, { type: 'orderAccepted', venueTime: seen.at }, position);
    }
    if (order.unwanted && !order.gone) this.onUnwanted(order);
  }

  #filled(
    order: SentOrder,
    { fill, at, remaining }: Pick<Extract<OwnEvent, { kind: 'FILLED' }>, 'fill' | 'at' | 'remaining'>,
    position: number | undefined,
  ): void {
    order.accepted = true;
    order.remaining = remaining;
    order.filled += fill.shares;
    this.#of.own.traded(fill.tradeId);
    if (remaining === 0) this.#sent.end(order);
    const trade = fill.tradeId;
    this.#tell(order, { type: 'orderFilled', venueTime: at, remaining, trade, ...termsOf(fill) }, position);
  }

  #closed(order: SentOrder, event: Extract<OwnEvent, { kind: 'CLOSED' }>): void {
    const { reason, at, seq } = event;
    const { leavesBy } = order;
    if (reason === 'REPLACED' && leavesBy !== undefined && !order.revenant) {
      if (!leavesBy.committed) this.#committed(leavesBy, event, seq);
      return;
    }
    this.#sent.end(order);
    if (!order.revenant) this.#tell(order, { type: 'orderClosed', venueTime: at, reason }, seq);
  }

  #committed(replace: SentReplace, { at, seq }: Seen, position: number | undefined): void {
    const { cancels, places } = replace;
    replace.committed = true;
    // Nobody asks for it any more, and whoever kept it would keep the orders that it replaced, and what those had replaced.
    for (const order of cancels) {
      order.leavesBy = undefined;
      this.#sent.end(order);
      this.#of.own.rests(order.hash, seq, ZERO_SHARES);
    }
    for (const order of places) {
      order.cameBy = undefined;
      order.accepted = true;
    }
    const [closed, accepted] = [cancels.map(numberOf), places.map(numberOf)];
    const some = places[0] ?? cancels[0];
    if (some === undefined) return;
    this.#tell(some, { type: 'ordersReplaced', venueTime: at, closed, accepted }, position);
    for (const order of places) if (order.unwanted && !order.gone) this.onUnwanted(order);
  }

  /** About one order, with its number and market. @param position in the own stream; undefined for what no event said */
  #tell({ record: { order, market } }: SentOrder, event: OrderNews, position?: number): void {
    const { clock, tell } = this.#of;
    const time = clock.now();
    const told = event.type === 'ordersReplaced' ? { ...event, time, market } : { ...event, time, order, market };
    this.#told.set(event.type, told);
    tell(told, position);
  }
}

/** When and at which event of the venue. */
type Seen = Pick<OwnEvent, 'at' | 'seq'>;

type News<E> = E extends { type: string } ? Omit<E, 'time' | 'order' | 'market'> : never;
type OrderNews = News<
  Extract<
    Parameters<OrdersOf['tell']>[0],
    { type: 'orderAccepted' | 'orderFilled' | 'orderReduced' | 'orderClosed' | 'ordersReplaced' }
  >
>;

function termsOf({ outcome, side, price, shares, fee, liquidity }: OwnFill) {
  return { outcome, side, price, shares, fee, liquidity, tag: 'real', inside: false } as const;
}

function numberOf({ record }: SentOrder): OrderNo {
  return record.order;
}
