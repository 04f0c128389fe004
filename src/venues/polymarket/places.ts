/**
 * New orders. An order is signed and stored before a byte of it leaves, and its hash is the venue's id of it.
 *
 * What has no answer is settled by `UnknownOrders`: nothing is guessed, and nothing is signed anew.
 */
import { column, type EpochMs, type PlaceOrder, type RejectReason } from '../../domain/index.ts';
import type { readPolymarketPlaceAnswer } from '../../protocol/polymarket/index.ts';
import type { ExecutionReporter, VenueOrder } from '../base/index.ts';
import { noteRefusal, type PolymarketDeps, readPlaceAnswer } from './deps.ts';
import { signedShares } from './order-signer.ts';
import type { OwnFacts } from './own-facts.ts';
import type { PolymarketError, RestOutcome } from './rest-client.ts';
import type { UnknownOrders } from './unknown-orders.ts';

type PlaceAnswer = ReturnType<typeof readPolymarketPlaceAnswer>;

export interface PlacesParts {
  readonly reporter: ExecutionReporter;
  readonly facts: OwnFacts;
  readonly unknown: UnknownOrders;
  /** The venue has taken an order, of which the user channel has to tell soon. */
  readonly expectOnChannel: (order: VenueOrder) => void;
}

/** Orders that one request may place. */
const MOST_PLACES = 15;
/** A delayed order that nothing was heard of is looked for after so long, ms: the longest delay is some seconds. */
const DELAY_MS = 10_000;
/** The trades of an order that matched are told by the user channel; they are read where that is late. ms */
const TRADES_MS = 1_500;

export class Places {
  readonly #deps: PolymarketDeps;
  readonly #parts: PlacesParts;

  constructor(deps: PolymarketDeps, parts: PlacesParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  send(places: readonly PlaceOrder[]): void {
    const { timers, records, orders, signer, view, version } = this.#deps;
    const tooSmall = places.filter((place) => signedShares(place) === 0);
    for (const place of tooSmall) timers.soon(() => this.#rejectUnsigned(place));
    const rows = places
      .filter((place) => !tooSmall.includes(place))
      .map((place) => signer.sign(place, version(), view.market(place.market).info.id, view.now));
    if (rows.length === 0) return;
    records.signed(rows);
    const sent = rows.map((row) => orders.add(row));
    for (const order of sent) orders.placing(order);
    for (let at = 0; at < sent.length; at += MOST_PLACES) void this.#send(sent.slice(at, at + MOST_PLACES));
  }

  async #send(sent: readonly VenueOrder[]): Promise<void> {
    const { rest, timers } = this.#deps;
    const [only] = sent;
    if (only === undefined) return;
    const outcome =
      sent.length === 1
        ? await rest.askPrivate({ method: 'POST', path: '/order', body: only.record.wire })
        : await rest.askPrivate({
            method: 'POST',
            path: '/orders',
            body: `[${sent.map(({ record }) => record.wire).join(',')}]`,
          });
    if (timers.isClosed) return;
    if (outcome.type === 'refused') noteRefusal(this.#deps, outcome.error, 'order');
    for (const [at, order] of sent.entries()) this.#answered(order, outcome, sent.length === 1 ? undefined : at);
  }

  /** @param at place in the list of a batch; undefined for an order alone */
  #answered(order: VenueOrder, outcome: RestOutcome, at: number | undefined): void {
    const { reporter, unknown } = this.#parts;
    if (outcome.type === 'unknown') {
      if (outcome.sent) unknown.open(order);
      else reporter.rejected(order, 'NOT_FOUND');
      return;
    }
    if (outcome.type === 'refused') {
      // The same bytes had come before: the order is there, or was.
      if (outcome.error.kind === 'DUPLICATE') unknown.open(order);
      else this.#reject(order, reasonOf(outcome.error, order), outcome.error.text);
      return;
    }
    const answer = readPlaceAnswer(at === undefined ? outcome.json : entryOf(outcome.json, at));
    // The answer to another order says nothing of this one.
    if (answer === undefined || (answer.status !== 'REFUSED' && answer.order !== order.hash)) unknown.open(order);
    else this.#placed(order, answer);
  }

  /** The core learns a reason of ours; the venue's words are for people. */
  #reject(order: VenueOrder, reason: RejectReason, said: string): void {
    this.#deps.log.warn({ order: order.record.order, reason, said }, 'polymarket: an order was refused');
    this.#parts.reporter.rejected(order, reason);
  }

  #placed(order: VenueOrder, { status, error }: PlaceAnswer): void {
    const { expectOnChannel, facts, reporter, unknown } = this.#parts;
    const { timers } = this.#deps;
    if (status === 'REFUSED') {
      this.#reject(order, textReasonOf(error, order), error);
      return;
    }
    if (status === 'UNKNOWN') {
      unknown.open(order);
      return;
    }
    if (status === 'DELAYED') {
      timers.after(DELAY_MS, () => (order.life.isUnconfirmed ? unknown.open(order) : undefined));
      return;
    }
    facts.accepted(order, signedAt(order));
    expectOnChannel(order);
    if (order.isUnwanted && !order.life.hasEnded) reporter.onUnwanted(order);
    if (status === 'MATCHED') timers.after(TRADES_MS, () => (order.filled === 0 ? unknown.readTrades() : undefined));
  }

  /** Of a taking order nothing is left with the decimals that the venue takes. */
  #rejectUnsigned({ order, market }: PlaceOrder): void {
    const time = this.#deps.clock.now();
    this.#deps.report({ type: 'orderRejected', time, venueTime: time, order, market, reason: 'BELOW_MIN' });
  }
}

/** A book of the venue that is younger than the signature may have the order. */
function signedAt({ record }: VenueOrder): EpochMs {
  return column.time(record.timestampMs);
}

function entryOf(json: unknown, at: number): unknown {
  return Array.isArray(json) ? json[at] : undefined;
}

const KINDS: Readonly<Partial<Record<PolymarketError['kind'], RejectReason>>> = {
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
/** Refusals of one order by their words (docs/spec/polymarket.md#errors). */
const TEXTS: readonly (readonly [string, RejectReason])[] = [
  ['order crosses book', 'POST_ONLY_WOULD_CROSS'],
  ["couldn't be fully filled", 'FOK_NOT_FILLABLE'],
  ['no orders found to match', 'FOK_NOT_FILLABLE'],
  ['minimum tick size', 'INVALID_TICK'],
  ['lower than the minimum', 'BELOW_MIN'],
  ['min size', 'BELOW_MIN'],
  ['invalid amounts', 'INVALID_LOT'],
  ['invalid expiration', 'EXPIRED_PARAMS'],
  ['not yet ready', 'MARKET_HALTED'],
  ['No orderbook exists', 'MARKET_NOT_OPEN'],
  ['invalid signature', 'BAD_SIGNATURE'],
  ['signer address', 'SIGNER_NOT_ALLOWED'],
];

function reasonOf({ kind, text }: PolymarketError, order: VenueOrder): RejectReason {
  return KINDS[kind] ?? textReasonOf(text, order);
}

function textReasonOf(text: string, { record }: VenueOrder): RejectReason {
  if (text.includes('not enough balance'))
    return record.command.side === 'SELL' ? 'INSUFFICIENT_SHARES' : 'INSUFFICIENT_BALANCE';
  return TEXTS.find(([part]) => text.includes(part))?.[1] ?? 'INVALID_ORDER';
}
