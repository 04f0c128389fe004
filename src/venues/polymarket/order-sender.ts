/**
 * Places orders. An order is signed and stored before it is sent, and its hash is its id at the venue. `UnknownOrders`
 * resolves orders without an answer.
 */
import type { PlaceOrder, RejectReason } from '../../domain/index.ts';
import { tryRead } from '../../network/index.ts';
import {
  type PolymarketOrderVersion,
  readPolymarketError,
  readPolymarketPlaceAnswer,
} from '../../protocol/polymarket/index.ts';
import { batches, type VenueOrder } from '../base/index.ts';
import type { OwnEventDeps } from './account-poller.ts';
import { reportVenueRefusal } from './deps.ts';
import { signedShares } from './order-signer.ts';
import type { PolymarketError, RestOutcome } from './rest-client.ts';
import type { UnknownOrders } from './unknown-orders.ts';

type PlaceStatus = ReturnType<typeof readPolymarketPlaceAnswer>['status'];
type Answer =
  | { readonly type: 'placed'; readonly status: PlaceStatus }
  | { readonly type: 'refused'; readonly error: PolymarketError }
  | { readonly type: 'notSent' }
  | { readonly type: 'unknown' };

const UNKNOWN: Answer = { type: 'unknown' };

export interface OrderSenderDeps extends OwnEventDeps {
  readonly unknown: UnknownOrders;
  /** Called when the venue has accepted an order, which the user channel must then show. */
  readonly expectOnChannel: (order: VenueOrder) => void;
  readonly readTrades: () => void;
}

const MAX_BATCH_ORDERS = 15;
/** Time without an event after which a delayed order is unknown, ms. The venue delays orders by seconds at most. */
const DELAYED_TIMEOUT_MS = 10_000;
/** Time within which the user channel must show a matched order's trades, ms. Otherwise the trades are read. */
const TRADES_TIMEOUT_MS = 1_500;
/** Status of a refused single order. Entries of a batch have no status, so their errors are read with this status. */
const BAD_REQUEST = 400;

export class OrderSender {
  readonly #deps: OrderSenderDeps;

  constructor(deps: OrderSenderDeps) {
    this.#deps = deps;
  }

  send(places: readonly PlaceOrder[]): void {
    const { timers, records, orders, signer, view } = this.#deps;
    const version = this.#deps.version();
    const signable = places.filter((place) => signedShares(place) > 0);
    const tooSmall = places.filter((place) => !signable.includes(place));
    for (const place of tooSmall) timers.defer(() => this.#rejectUnsigned(place));
    const signed = signable.map((place) => signer.sign(place, version, view.market(place.market).info.id, view.now));
    if (signed.length === 0) return;
    records.addSigned(signed);
    const added = signed.map((record) => orders.add(record));
    for (const order of added) orders.addPending(order);
    for (const batch of batches(added, MAX_BATCH_ORDERS)) void this.#send(batch, version);
  }

  async #send(batch: readonly VenueOrder[], version: PolymarketOrderVersion): Promise<void> {
    const { rest, timers } = this.#deps;
    const isSingle = batch.length === 1;
    const wires = batch.map(({ record }) => record.wire).join(',');
    const outcome = await rest.sendPrivate({
      method: 'POST',
      path: isSingle ? '/order' : '/orders',
      body: isSingle ? wires : `[${wires}]`,
    });
    if (timers.isClosed) return;
    const answers = batch.map((order, index) => readAnswer(order, outcome, isSingle ? undefined : index));
    this.#reportVenueRefusals(answers, version);
    for (const [index, order] of batch.entries()) this.#onAnswer(order, answers[index]);
  }

  /** Reports each kind of refusal once. Call this before the core learns of the refused orders and places others. */
  #reportVenueRefusals(answers: readonly Answer[], version: PolymarketOrderVersion): void {
    const refusals = answers.flatMap((answer) => (answer.type === 'refused' ? [answer.error] : []));
    for (const error of new Map(refusals.map((each) => [each.kind, each])).values()) {
      // The version may have been replaced since the orders were signed.
      if (error.kind !== 'VERSION_MISMATCH' || version === this.#deps.version())
        reportVenueRefusal(this.#deps, error, 'order');
    }
  }

  #onAnswer(order: VenueOrder, answer: Answer = UNKNOWN): void {
    const { reporter, unknown } = this.#deps;
    if (answer.type === 'placed') this.#onPlaced(order, answer.status);
    else if (answer.type === 'notSent') reporter.reportRejected(order, 'NOT_FOUND');
    // A duplicate is or was at the venue already.
    else if (answer.type === 'unknown' || answer.error.kind === 'DUPLICATE') unknown.resolve(order);
    else {
      const reason = toRejectReason(answer.error, order);
      // The core gets a reason code. The log keeps the venue's text.
      const { text } = answer.error;
      this.#deps.log.warn({ order: order.record.order, reason, text }, 'polymarket: an order was refused');
      reporter.reportRejected(order, reason);
      const { kind } = answer.error;
      if (kind === 'BALANCE') this.#deps.onProblem({ type: 'balance', record: order.record });
      else if (kind === 'NO_MARKET') this.#deps.onProblem({ type: 'termsChanged' });
    }
  }

  #onPlaced(order: VenueOrder, status: PlaceStatus): void {
    const { expectOnChannel, translator, readTrades, reporter, unknown, timers } = this.#deps;
    if (status === 'UNKNOWN' || status === 'DELAYED') {
      if (status === 'UNKNOWN') unknown.resolve(order);
      // Does nothing for an order that an event has confirmed.
      else timers.after(DELAYED_TIMEOUT_MS, () => unknown.resolve(order));
      return;
    }
    // A book of the venue may include the order from this time on.
    translator.onAccepted(order, this.#deps.venueTime(order.record.timestampMs));
    expectOnChannel(order);
    if (order.isUnwanted && !order.life.hasEnded) reporter.onUnwanted(order);
    if (status === 'MATCHED') timers.after(TRADES_TIMEOUT_MS, () => (order.filled === 0 ? readTrades() : undefined));
  }

  /** Rejects a taking order whose size rounds to 0 with the decimals that the venue allows. */
  #rejectUnsigned({ order, market }: PlaceOrder): void {
    const time = this.#deps.clock.now();
    this.#deps.report({ type: 'orderRejected', time, venueTime: time, order, market, reason: 'BELOW_MIN' });
  }
}

/** Reads the result of one order of a request. @param index position in the batch; undefined for a single order */
function readAnswer(order: VenueOrder, outcome: RestOutcome, index: number | undefined): Answer {
  if (outcome.type === 'unknown') return outcome.isSent ? UNKNOWN : { type: 'notSent' };
  if (outcome.type === 'refused') return outcome;
  const { json } = outcome;
  const entry: unknown = index === undefined ? json : Array.isArray(json) ? json[index] : undefined;
  const answer = tryRead(readPolymarketPlaceAnswer, entry);
  if (answer?.status === 'REFUSED')
    return { type: 'refused', error: readPolymarketError(BAD_REQUEST, { error: answer.error }) };
  // An answer with another hash does not concern this order.
  return answer?.order === order.hash ? { type: 'placed', status: answer.status } : UNKNOWN;
}

const REASON_BY_KIND: Readonly<Partial<Record<PolymarketError['kind'], RejectReason>>> = {
  RESTARTING: 'VENUE_MODE',
  POST_ONLY: 'VENUE_MODE',
  CANCEL_ONLY: 'VENUE_MODE',
  DISABLED: 'VENUE_MODE',
  FORBIDDEN: 'GEO_BLOCKED',
  CLOSED_ONLY: 'GEO_BLOCKED',
  UNAUTHORIZED: 'SIGNER_NOT_ALLOWED',
  RATE_LIMITED: 'RATE_LIMITED',
  VERSION_MISMATCH: 'STALE_EPOCH',
  WOULD_CROSS: 'POST_ONLY_WOULD_CROSS',
  NOT_FILLABLE: 'FOK_NOT_FILLABLE',
  NO_MARKET: 'MARKET_NOT_OPEN',
};
/** Reasons by a part of the venue's text (docs/spec/polymarket.md#errors). */
const REASON_BY_TEXT: readonly (readonly [string, RejectReason])[] = [
  ['minimum tick size', 'INVALID_TICK'],
  ['lower than the minimum', 'BELOW_MIN'],
  ['min size', 'BELOW_MIN'],
  ['invalid amounts', 'INVALID_LOT'],
  ['invalid expiration', 'EXPIRED_PARAMS'],
  ['not yet ready', 'MARKET_HALTED'],
  ['invalid signature', 'BAD_SIGNATURE'],
  ['signer address', 'SIGNER_NOT_ALLOWED'],
];

function toRejectReason({ kind, text }: PolymarketError, { record }: VenueOrder): RejectReason {
  if (kind === 'BALANCE') return record.command.side === 'SELL' ? 'INSUFFICIENT_SHARES' : 'INSUFFICIENT_BALANCE';
  return REASON_BY_KIND[kind] ?? REASON_BY_TEXT.find(([part]) => text.includes(part))?.[1] ?? 'INVALID_ORDER';
}
