/**
 * Commands on their way to the venue: signed, kept, written, answered.
 *
 * Commands go in their order; neighbours of one kind go in one request. Orders are kept before a byte of them goes out. Nothing
 * is told to the core before `send` is over.
 *
 * HOT: text is put together by hand around the signed orders, and written as one frame.
 */
import type {
  CancelOrder,
  OrderCommand,
  PlaceOrder,
  ReduceOrder,
  RejectReason,
  ReplaceOrders,
} from '../../../domain/index.ts';
import { yesPrice, yesSign } from '../../../domain/index.ts';
import { OPERATIONS, type PlaceFieldsFragment, type ReplaceFieldsFragment } from '../../../protocol/index.ts';
import type { Cancels } from './cancels.ts';
import { change } from './change.ts';
import type { Conversions } from './conversions.ts';
import type { Facts } from './facts.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { MissingOrders } from './missing-orders.ts';
import { wireOf, withOrders } from './order-pieces.ts';
import type { OrdersOf } from './orders-of.ts';
import type { Outcome } from './outcome.ts';
import type { Reduces } from './reduces.ts';
import type { SentOrder, SentOrders, SentReplace } from './sent-orders.ts';
import type { Settlement } from './settlement.ts';
import type { Sweep } from './sweep.ts';

export interface SenderParts {
  readonly sent: SentOrders;
  readonly facts: Facts;
  readonly cancels: Cancels;
  readonly reduces: Reduces;
  readonly conversions: Conversions;
  readonly settlement: Settlement;
  readonly held: HeldRefusals;
  readonly missing: MissingOrders;
  readonly sweep: Sweep;
  /** The stream's position: what has been told up to. */
  readonly seen: () => number;
}

export class Sender {
  readonly #of: OrdersOf;
  readonly #parts: SenderParts;

  constructor(of: OrdersOf, parts: SenderParts) {
    this.#of = of;
    this.#parts = parts;
  }

  send(commands: readonly OrderCommand[]): void {
    for (let at = 0; at < commands.length; ) {
      const command = commands[at];
      if (command === undefined) return;
      let end = at + 1;
      if (command.type === 'place' || command.type === 'cancel') {
        while (commands[end]?.type === command.type) end += 1;
      }
      this.#carryOut(command, commands.slice(at, end));
      at = end;
    }
  }

  /** @param run commands of the same kind, this one first */
  #carryOut(command: OrderCommand, run: readonly OrderCommand[]): void {
    switch (command.type) {
      case 'place':
        this.#placeAll(run.filter((each) => each.type === 'place'));
        return;
      case 'cancel':
        this.#cancelAll(run.filter((each) => each.type === 'cancel'));
        return;
      case 'reduce':
        this.#reduce(command);
        return;
      case 'replace':
        this.#replace(command);
        return;
      case 'cancelAll':
        this.#parts.sweep.cancelAll(command.everyone === true);
        return;
      default:
        this.#parts.conversions.send(command);
    }
  }

  #placeAll(places: readonly PlaceOrder[]): void {
    const orders = this.#sign(places);
    const { mostPlaces } = this.#of.terms();
    try {
      for (let from = 0; from < orders.length; from += mostPlaces) this.#place(orders.slice(from, from + mostPlaces));
    } finally {
      this.#expect(orders, []);
    }
  }

  #place(orders: readonly SentOrder[]): void {
    const [only] = orders;
    if (only === undefined) return;
    if (orders.length === 1) {
      const variables = ['{"input":{"order":', wireOf(only), '}}'];
      const take = (outcome: Outcome<PlaceFieldsFragment>): void =>
        this.#placed(orders, outcome.type === 'done' ? { ...outcome, payload: [outcome.payload] } : outcome);
      change(this.#of, OPERATIONS.placeOrder, variables, (data) => data.placeOrder, take);
      return;
    }
    change(
      this.#of,
      OPERATIONS.placeOrders,
      withOrders('{"input":{"orders":[', orders, ']}}'),
      (data) => data.placeOrders?.results ?? null,
      (outcome) => this.#placed(orders, outcome),
    );
  }

  #placed(orders: readonly SentOrder[], outcome: Outcome<readonly PlaceFieldsFragment[]>): void {
    for (const [at, order] of orders.entries()) {
      if (outcome.type === 'done') this.#placeResult(order, outcome.payload[at]);
      else this.#notPlaced(order, outcome);
    }
  }

  #placeResult(order: SentOrder, result: PlaceFieldsFragment | undefined): void {
    if (result?.accepted === true) order.uncertain = false;
    else if (result?.rejection === null || result === undefined) this.#parts.settlement.open(order);
    else this.#refused(order, result.rejection.reason, result.rejection.retryAfterMs ?? 0);
  }

  #notPlaced(order: SentOrder, outcome: Exclude<Outcome<never>, { type: 'done' }>): void {
    if (outcome.type === 'refused') this.#refused(order, outcome.reason, outcome.retryAfterMs);
    else if (!outcome.sent) this.#parts.facts.rejected(order, 'NOT_FOUND');
    else this.#parts.settlement.open(order);
  }

  #refused(order: SentOrder, reason: RejectReason, retryAfterMs: number): void {
    if (reason === 'RATE_LIMITED') this.#of.trouble({ type: 'limited', bucket: 'order', retryAfterMs });
    if (reason === 'STALE_EPOCH') this.#of.trouble({ type: 'epoch' });
    this.#parts.facts.rejected(order, reason);
  }

  #cancelAll(commands: readonly CancelOrder[]): void {
    const { sent, cancels } = this.#parts;
    const orders: SentOrder[] = [];
    for (const command of commands) {
      const order = sent.numbered(command.order);
      if (order === undefined) this.#unknown(command);
      else orders.push(order);
    }
    cancels.want(orders, true);
  }

  #reduce(command: ReduceOrder): void {
    const order = this.#parts.sent.numbered(command.order);
    if (order === undefined) this.#unknown(command);
    else this.#parts.reduces.send(order, command.by);
  }

  #replace(command: ReplaceOrders): void {
    const { sent, seen } = this.#parts;
    const known = command.cancels.map(({ order }) => sent.numbered(order));
    const places = this.#sign(command.places);
    const cancels = known.filter((order) => order !== undefined);
    if (cancels.length < known.length) {
      this.#expect(places, []);
      // One of them is over already: the venue would do nothing of it.
      this.#later(() => this.#stopped(command, cancels, places, () => 'ALREADY_FINAL'));
      return;
    }
    const replace: SentReplace = { cancels, places, committed: false };
    for (const order of cancels) order.leavesBy = replace;
    for (const order of places) order.cameBy = replace;
    const marketId = this.#parts.facts.markets.idOf(command.market);
    const ids = cancels.map(({ hash }) => `"${hash}"`).join(',');
    const head = `{"input":{"marketId":"${marketId}","cancelOrderIds":[${ids}],"place":[`;
    const variables = withOrders(head, places, `],"ifNoFillSince":"${seen()}"}}`);
    try {
      change(
        this.#of,
        OPERATIONS.replaceOrders,
        variables,
        (data) => data.replaceOrders,
        (outcome) => this.#replaced(command, replace, outcome),
      );
    } finally {
      this.#expect(places, cancels);
    }
  }

  #replaced(command: ReplaceOrders, replace: SentReplace, outcome: Outcome<ReplaceFieldsFragment>): void {
    const { cancels, places } = replace;
    if (outcome.type === 'unknown' && outcome.sent) {
      for (const order of places) this.#parts.settlement.open(order);
      if (places.length === 0) this.#parts.cancels.want(cancels, false);
      return;
    }
    if (outcome.type === 'done' && outcome.payload.committed) {
      for (const order of places) order.uncertain = false;
      return;
    }
    for (const order of cancels) if (order.leavesBy === replace) order.leavesBy = undefined;
    if (outcome.type !== 'done') {
      const reason = outcome.type === 'refused' ? outcome.reason : 'NOT_FOUND';
      this.#stopped(command, cancels, places, () => reason);
      return;
    }
    const { cancelled, placed, rejection } = outcome.payload;
    const whole = rejection?.reason ?? 'CONFLICT';
    if (whole === 'RATE_LIMITED') {
      this.#of.trouble({ type: 'limited', bucket: 'order', retryAfterMs: rejection?.retryAfterMs ?? 0 });
    }
    const results = cancels.flatMap((order, at) => {
      const result = cancelled[at];
      return result === undefined ? [] : [[order, result] as const];
    });
    const own = new Map<SentOrder, RejectReason>();
    for (const [order, result] of results) if (result.rejection !== null) own.set(order, result.rejection.reason);
    for (const [at, order] of places.entries()) {
      const reason = placed[at]?.rejection?.reason;
      if (reason !== undefined) own.set(order, reason);
    }
    if ([...own.values()].includes('STALE_EPOCH')) this.#of.trouble({ type: 'epoch' });
    // Of a set that failed each entry has its own reason, or stays because of the others.
    const other = own.size === 0 ? whole : 'CONFLICT';
    const reasonOf = (order: SentOrder): RejectReason => own.get(order) ?? other;
    this.#parts.held.hold(results, () => this.#stopped(command, cancels, places, reasonOf, true));
  }

  /** Nothing of a replace happened. @param isAnswered whether these are the venue's own reasons */
  #stopped(
    { cancels: named, market }: ReplaceOrders,
    cancels: readonly SentOrder[],
    places: readonly SentOrder[],
    reasonOf: (order: SentOrder) => RejectReason,
    isAnswered = false,
  ): void {
    for (const order of cancels) {
      if (order.leavesBy?.places === places) order.leavesBy = undefined;
      if (isAnswered) this.#parts.missing.refused(order, reasonOf(order));
      else this.#parts.facts.cancelRefused(order, reasonOf(order));
    }
    for (const { order } of named) {
      if (!cancels.some(({ record }) => record.order === order)) this.#tellUnknown({ order, market });
    }
    for (const order of places) this.#parts.facts.rejected(order, reasonOf(order));
  }

  /** Signs orders and keeps them; from now on they may be at the venue. */
  #sign(places: readonly PlaceOrder[]): readonly SentOrder[] {
    if (places.length === 0) return [];
    const { signer, records, view } = this.#of;
    const { sent, facts } = this.#parts;
    const { epoch } = records;
    const rows = places.map((place) => {
      const { limits, acceptedFeeBps } = view.market(place.market);
      // Risk lets no order pass where the fee is above what is accepted; the signature does not depend on that.
      const maxFeeBps = Math.min(limits.feeRateBps, acceptedFeeBps);
      const time = { timestampMs: view.now, epoch, maxFeeBps };
      return signer.sign(place, facts.markets.idOf(place.market), time);
    });
    records.signed(rows);
    return rows.map((record) => sent.add(record));
  }

  /** What the books will show of us, and what the next orders need. Done behind the bytes, as no frame of a book is read in between. */
  #expect(places: readonly SentOrder[], cancels: readonly SentOrder[]): void {
    const { own, signer } = this.#of;
    for (const { hash } of cancels) own.cancelling(hash);
    for (const { record, hash } of places) {
      const { outcome, side, price, shares } = record.command;
      const place = { market: record.market, price: yesPrice(outcome, price), shares };
      own.placing(hash, { ...place, side: yesSign(outcome, side) === 1 ? 'bid' : 'ask' });
    }
    const last = places.at(-1)?.record.order;
    if (last !== undefined) signer.drawAhead(last);
  }

  /** An order whose end was told before this command came. */
  #unknown(command: Pick<CancelOrder, 'order' | 'market'>): void {
    this.#later(() => this.#tellUnknown(command));
  }

  #tellUnknown({ order, market }: Pick<CancelOrder, 'order' | 'market'>): void {
    const time = this.#of.clock.now();
    this.#of.tell({ type: 'cancelRejected', time, venueTime: time, order, market, reason: 'ALREADY_FINAL' });
  }

  /** After what is going on now: nothing is told during `send`. */
  #later(work: () => void): void {
    if (this.#of.timers.isClosed) return;
    queueMicrotask(() => {
      if (!this.#of.timers.isClosed) work();
    });
  }
}
