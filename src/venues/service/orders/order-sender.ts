/**
 * Sends places and replaces. The venue does all cancels and places of a replace in one step, or none.
 *
 * An order is signed and stored before it is sent. The stream or `UnknownOrderResolver` settles unanswered orders.
 *
 * HOT: the request reuses the stored bytes of its orders (bench/tick-to-order.ts).
 */
import type { PlaceOrder, RejectReason, ReplaceOrders } from '../../../domain/index.ts';
import { type DataOf, OPERATIONS, type PlaceOrderPayloadFieldsFragment } from '../../../protocol/index.ts';
import { batches, type SentReplace, type VenueOrder } from '../../base/index.ts';
import type { Piece } from '../transport/index.ts';
import type { CancelDeps, CancelSender } from './cancel-sender.ts';
import { outcomeHandler, type RequestOutcome } from './requests.ts';
import type { UnknownOrderResolver } from './unknown-order-resolver.ts';

type ReplacePayload = NonNullable<DataOf<typeof OPERATIONS.replaceOrders>['replaceOrders']>;

interface OrderSenderDeps extends CancelDeps {
  readonly cancels: CancelSender;
  readonly resolver: UnknownOrderResolver;
  /** Position of the own stream. A fill after this position stops a replace. */
  readonly stream: { readonly seq: number };
}

interface FailedReplace extends Pick<SentReplace, 'cancels' | 'places'> {
  readonly findReason: (order: VenueOrder) => RejectReason;
  /** Whether the venue sent the reasons. Default false. */
  readonly isAnswered?: boolean;
}

export class OrderSender {
  readonly #deps: OrderSenderDeps;

  constructor(deps: OrderSenderDeps) {
    this.#deps = deps;
  }

  send(places: readonly PlaceOrder[]): void {
    const orders = this.#sign(places);
    const { maxPlaces } = this.#deps.terms();
    try {
      for (const batch of batches(orders, maxPlaces)) this.#send(batch);
    } finally {
      this.#onSent(orders);
    }
  }

  replace(command: ReplaceOrders): void {
    const { orders, view, timers, transport } = this.#deps;
    const known = command.cancels.map(({ order }) => orders.byNumber(order));
    const places = this.#sign(command.places);
    const cancels = known.filter((order) => order !== undefined);
    // If an order to cancel has ended, the venue would refuse the whole replace.
    const hasEnded = cancels.length < known.length;
    // `ifNoFillSince` detects only fills that the own stream has not reported yet.
    if (hasEnded || command.cancels.some(({ remaining }, at) => known[at]?.life.remaining !== remaining)) {
      this.#onSent(places);
      const reason = hasEnded ? 'ALREADY_FINAL' : 'CONFLICT';
      timers.defer(() => this.#reportReplaceFailed(command, { cancels, places, findReason: () => reason }));
      return;
    }
    const replace: SentReplace = { cancels, places, isCommitted: false };
    for (const order of cancels) order.cancellingReplace = replace;
    for (const order of places) order.placingReplace = replace;
    const ids = cancels.map(({ hash }) => `"${hash}"`).join(',');
    const head = `{"input":{"marketId":"${view.market(command.market).info.id}","cancelOrderIds":[${ids}],"place":[`;
    const variables = joinOrders(head, places, `],"ifNoFillSince":"${this.#deps.stream.seq}"}}`);
    try {
      const onAnswer = outcomeHandler(this.#deps, OPERATIONS.replaceOrders, (outcome) =>
        this.#onReplaceAnswer(command, replace, outcome),
      );
      transport.send(OPERATIONS.replaceOrders, variables, onAnswer);
    } finally {
      for (const order of cancels) orders.markLeaving(order);
      this.#onSent(places);
    }
  }

  /** Signs and stores orders. Stored orders may be at the venue. */
  #sign(places: readonly PlaceOrder[]): readonly VenueOrder[] {
    if (places.length === 0) return [];
    const { signer, records, view, orders } = this.#deps;
    const { epoch } = records;
    const signed = places.map((place) => {
      const { limits, acceptedFeeBps, info } = view.market(place.market);
      // Risk refuses orders with a fee above the accepted one. The signature enforces it independently.
      const maxFeeBps = Math.min(limits.feeRateBps, acceptedFeeBps);
      return signer.sign(place, info.id, { timestampMs: view.now, epoch, maxFeeBps });
    });
    records.addSigned(signed);
    return signed.map((record) => orders.add(record));
  }

  /** Adds orders to their books and prepares the next signatures. Called after the write, before any frame is read. */
  #onSent(places: readonly VenueOrder[]): void {
    const { orders, signer } = this.#deps;
    for (const order of places) orders.addPending(order);
    const last = places.at(-1)?.record.order;
    if (last !== undefined) signer.precomputeSalts(last);
  }

  #send(orders: readonly VenueOrder[]): void {
    const { transport } = this.#deps;
    const [only] = orders;
    if (only !== undefined && orders.length === 1) {
      const variables = ['{"input":{"order":', wirePiece(only), '}}'];
      const onAnswer = outcomeHandler(this.#deps, OPERATIONS.placeOrder, (outcome) =>
        this.#onAnswer(orders, outcome.type === 'done' ? { ...outcome, payload: [outcome.payload] } : outcome),
      );
      transport.send(OPERATIONS.placeOrder, variables, onAnswer);
      return;
    }
    const variables = joinOrders('{"input":{"orders":[', orders, ']}}');
    const onAnswer = outcomeHandler(this.#deps, OPERATIONS.placeOrders, (outcome) =>
      this.#onAnswer(orders, outcome.type === 'done' ? { ...outcome, payload: outcome.payload.results } : outcome),
    );
    transport.send(OPERATIONS.placeOrders, variables, onAnswer);
  }

  #onAnswer(orders: readonly VenueOrder[], outcome: RequestOutcome<readonly PlaceOrderPayloadFieldsFragment[]>): void {
    const { resolver, reporter } = this.#deps;
    for (const [at, order] of orders.entries()) {
      if (outcome.type === 'refused') this.#onRefused(order, outcome.reason, outcome.retryAfterMs);
      else if (outcome.type === 'unknown') {
        if (outcome.isSent) resolver.resolve(order);
        else reporter.reportRejected(order, 'NOT_FOUND');
      } else {
        const { accepted, rejection = null } = outcome.payload[at] ?? {};
        if (accepted === true) order.life.onFoundAtVenue();
        else if (rejection === null) resolver.resolve(order);
        else this.#onRefused(order, rejection.reason, rejection.retryAfterMs ?? 0);
      }
    }
  }

  #onRefused(order: VenueOrder, reason: RejectReason, retryAfterMs: number): void {
    if (reason === 'RATE_LIMITED') this.#deps.onProblem({ type: 'limited', bucket: 'order', retryAfterMs });
    if (reason === 'STALE_EPOCH') this.#deps.onProblem({ type: 'epoch' });
    this.#deps.reporter.reportRejected(order, reason);
  }

  #onReplaceAnswer(command: ReplaceOrders, replace: SentReplace, outcome: RequestOutcome<ReplacePayload>): void {
    const { cancels, places } = replace;
    if (outcome.type === 'unknown' && outcome.isSent) {
      for (const order of places) this.#deps.resolver.resolve(order);
      if (places.length === 0) this.#deps.cancels.cancel(cancels, { isRequested: false });
      return;
    }
    if (outcome.type === 'done' && outcome.payload.committed) {
      for (const order of places) order.life.onFoundAtVenue();
      return;
    }
    for (const order of cancels) if (order.cancellingReplace === replace) order.cancellingReplace = undefined;
    if (outcome.type === 'done') {
      this.#onReplaceRefused(command, replace, outcome.payload);
      return;
    }
    const reason = outcome.type === 'refused' ? outcome.reason : 'NOT_FOUND';
    this.#reportReplaceFailed(command, { cancels, places, findReason: () => reason });
  }

  /** Handles a refused replace. An order without a reason of its own gets CONFLICT if another order has a reason. */
  #onReplaceRefused(command: ReplaceOrders, { cancels, places }: SentReplace, payload: ReplacePayload): void {
    const { cancelled, placed, rejection } = payload;
    const replaceReason = rejection?.reason ?? 'CONFLICT';
    if (replaceReason === 'RATE_LIMITED')
      this.#deps.onProblem({ type: 'limited', bucket: 'order', retryAfterMs: rejection?.retryAfterMs ?? 0 });
    const results = cancels.flatMap((order, at) => {
      const result = cancelled[at];
      return result === undefined ? [] : [[order, result] as const];
    });
    const reasons = new Map<VenueOrder, RejectReason>();
    for (const [order, result] of results) if (result.rejection !== null) reasons.set(order, result.rejection.reason);
    for (const [at, order] of places.entries()) {
      const reason = placed[at]?.rejection?.reason;
      if (reason !== undefined) reasons.set(order, reason);
    }
    if ([...reasons.values()].includes('STALE_EPOCH')) this.#deps.onProblem({ type: 'epoch' });
    const otherReason = reasons.size === 0 ? replaceReason : 'CONFLICT';
    const findReason = (order: VenueOrder): RejectReason => reasons.get(order) ?? otherReason;
    const failed: FailedReplace = { cancels, places, findReason, isAnswered: true };
    this.#deps.heldRefusals.hold(results, () => this.#reportReplaceFailed(command, failed));
  }

  /**
   * Reports a replace that did not happen, except for orders that a later replace or cancel in flight names: the answer
   * came so late that `UnknownOrderResolver` had reported the replace already. Only the later command may free them.
   */
  #reportReplaceFailed(
    { cancels: requested, market }: ReplaceOrders,
    { cancels, places, findReason, isAnswered = false }: FailedReplace,
  ): void {
    const { reporter, missing } = this.#deps;
    for (const order of cancels) {
      if (order.cancellingReplace?.places === places) order.cancellingReplace = undefined;
      if (order.cancellingReplace !== undefined || order.cancel?.isRequested === true) continue;
      if (isAnswered) missing.onRefused(order, findReason(order));
      else reporter.reportCancelRefused(order.record, findReason(order));
    }
    for (const { order } of requested) {
      if (!cancels.some(({ record }) => record.order === order))
        reporter.reportCancelRefused({ order, market }, 'ALREADY_FINAL');
    }
    for (const order of places) reporter.reportRejected(order, findReason(order));
  }
}

function joinOrders(before: string, orders: readonly VenueOrder[], after: string): readonly Piece[] {
  const pieces: Piece[] = [before];
  for (let at = 0; at < orders.length; at += 1)
    pieces.push(at === 0 ? '{"order":' : ',{"order":', wirePiece(orders[at]!), '}');
  pieces.push(after);
  return pieces;
}

function wirePiece({ record }: VenueOrder): Piece {
  return record.wireBytes ?? record.wire;
}
