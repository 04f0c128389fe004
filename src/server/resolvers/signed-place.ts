/** Signed orders of `placeOrder`, `replaceOrder` and their like: reading, tests before the exchange, terms, results. */
import { column, counted, type GroupNo } from '../../domain/index.ts';
import type { ExchangeEvent, ExchangeView, OrderTerms, Restriction } from '../../exchange/index.ts';
import {
  badArgument,
  invalidArgument,
  type RawPlaceOrderInput,
  readSignedOrder,
  readUuid,
  type SignedOrderFields,
} from '../../protocol/index.ts';
import { NO_HASH } from '../../signing/index.ts';
import type { Model } from '../presenters/models.ts';
import { presentFillsOf, presentOrder } from '../presenters/order-presenter.ts';
import { presentRejection, type Refused } from '../rejection.ts';
import type { DelayedOrders } from '../replay/placing-delays.ts';
import type { WireIds } from '../wire-ids.ts';
import type { Caller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { withNearestPrice } from './recorded-price.ts';

const MAX_CLIENT_ID = 64;
/** A number that no market, group or order has. */
const UNKNOWN = -1;

/** Reads an order and recovers its signer. @throws WireFault on what cannot be part of an order */
export function readPlace(input: RawPlaceOrderInput, { messages }: Pick<ResolverDeps, 'messages'>) {
  const fields = readSignedOrder(input.order);
  const clientOrderId = readClientOrderId(input.clientOrderId);
  const { groupId, selfTradePrevention } = input;
  const group = groupId === null || groupId === undefined ? undefined : readUuid('group', groupId);
  const verified = messages.order.verify(input.order, fields.signature);
  if (!verified.ok && verified.code === 'FIELD') throw invalidArgument(verified.message);
  return {
    fields,
    /** Undefined when the signature is invalid: then `refusal` has the reason. */
    hash: verified.ok ? verified.hash : undefined,
    refusal: verified.ok ? undefined : badSignature(verified.message),
    clientOrderId,
    /** UUID; undefined for none. */
    groupId: group,
    selfTrade: selfTradePrevention ?? 'CANCEL_TAKER',
  };
}

/** An order that was read. */
export type SignedPlace = Readonly<ReturnType<typeof readPlace>>;

function badSignature(message: string): Refused {
  return { reason: 'BAD_SIGNATURE', field: 'signature', because: message.replace(/^signature: /, '') };
}

/** A client's own id of an order. @throws WireFault unless 1 to 64 characters */
export function readClientOrderId(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  if (text.length > 0 && text.length <= 2 * MAX_CLIENT_ID && [...text].length <= MAX_CLIENT_ID) return text;
  throw badArgument('clientOrderId', text, `1 to ${MAX_CLIENT_ID} characters`);
}

/**
 * The refusal of an order before the exchange, in the order of the tests: signature, then, unless its bytes are known,
 * maker and signer. To be called in the order's turn.
 */
export function refusalBefore(
  { fields, hash, refusal }: SignedPlace,
  { address }: Caller,
  { ids, callers }: Pick<ResolverDeps, 'ids' | 'callers'>,
): Refused | undefined {
  if (refusal !== undefined || hash === undefined) return refusal;
  const { maker, signer } = fields;
  if (maker === address && signer === maker) return undefined;
  if (maker === address && callers.isDelegate(maker, signer)) return undefined;
  // The engine answers known bytes, be they another account's.
  if (ids.order(hash) !== 0) return undefined;
  return { reason: 'SIGNER_NOT_ALLOWED', field: maker === address ? 'signer' : 'maker' };
}

/** The terms for the exchange. To be called in the order's turn. */
export function termsOf(place: SignedPlace, restriction: Restriction | undefined, ids: WireIds): OrderTerms {
  const { fields, hash, clientOrderId, groupId, selfTrade } = place;
  return {
    market: ids.market(fields.marketId) ?? counted.market(UNKNOWN),
    outcome: fields.outcome,
    side: fields.side,
    price: column.price(fields.priceBps),
    shares: column.shares(fields.shares),
    timeInForce: fields.timeInForce,
    postOnly: fields.postOnly,
    expiration: fields.expiration === 0 ? 0 : column.time(fields.expiration),
    timestampMs: column.time(fields.timestampMs),
    epoch: fields.epoch,
    maxFeeBps: fields.maxFeeBps,
    replaces: replacedBy(fields, ids),
    selfTrade,
    group: groupOf(groupId, ids),
    restriction,
    hash,
    clientOrderId,
  };
}

/** The number of a group; `UNKNOWN` for an unknown one. */
export function groupOf(groupId: string | undefined, ids: WireIds): GroupNo {
  if (groupId === undefined) return counted.group(0);
  return ids.groups.find(groupId)?.group ?? counted.group(UNKNOWN);
}

function replacedBy({ replaces }: SignedOrderFields, ids: WireIds): OrderTerms['replaces'] {
  if (replaces === NO_HASH) return 0;
  const order = ids.order(replaces);
  return order === 0 ? UNKNOWN : counted.order(order);
}

/**
 * Calls `act` at once when nothing delays these orders, which is the rule; else when all have waited. Only markets of tapes delay new
 * orders (docs/spec/models.md#time-and-look-ahead). Orders whose bytes are known, and refused ones, are not delayed.
 */
export function afterDelay<Result>(
  places: readonly SignedPlace[],
  { delays, ids }: Pick<ResolverDeps, 'delays' | 'ids'>,
  act: (delayed: DelayedOrders | undefined) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (delays === undefined || delays.isIdle) return act(undefined);
  const fresh = places.filter(({ hash }) => hash !== undefined && ids.order(hash) === 0);
  const delayed = fresh.length === 0 ? undefined : delays.hold(fresh.map(({ fields }) => fields.marketId));
  return delayed === undefined ? act(undefined) : delayed.passed.then(() => act(delayed));
}

/** The restriction of an order that may have waited. */
export function restrictionOf(
  { fields }: SignedPlace,
  ofCaller: Restriction | undefined,
  delayed: DelayedOrders | undefined,
): Restriction | undefined {
  if (delayed === undefined || !delayed.isInterrupted(fields.marketId)) return ofCaller;
  return ofCaller === undefined || ofCaller === 'CLOSE_ONLY' ? 'HALTED_MEANWHILE' : ofCaller;
}

/** The result of an order; `left` where the set that it belongs to was refused. */
export type PlaceResult =
  | { readonly type: 'placed'; readonly order: number; readonly isDuplicate: boolean }
  | { readonly type: 'refused'; readonly refusal: Refused }
  | { readonly type: 'left' };

/** Answers of the engine by entry of a command, and orders accepted by hash. */
export class EngineAnswers {
  /** Of the whole. */
  readonly whole: Refused | undefined;
  /** Made where there is one: of nearly every command nothing is refused, nothing a duplicate, and one order accepted. */
  #refusals: Map<number, Refused> | undefined;
  #duplicates: Map<number, number> | undefined;
  #first: { readonly hash: string; readonly order: number } | undefined;
  #accepted: Map<string, number> | undefined;

  constructor(events: readonly ExchangeEvent[]) {
    let whole: Refused | undefined;
    for (const event of events) {
      if (event.type === 'accepted') {
        if (event.terms.hash !== undefined) this.#accept(event.terms.hash, event.order);
      } else if (event.type === 'duplicate') {
        this.#duplicates ??= new Map();
        this.#duplicates.set(event.entry, event.order);
      } else if (event.type === 'refused') {
        if (event.entry === -1) whole = event.refusal;
        else {
          this.#refusals ??= new Map();
          this.#refusals.set(event.entry, event.refusal);
        }
      }
    }
    this.whole = whole;
  }

  /** Of an entry, or of the whole. */
  refusalOf(entry: number): Refused | undefined {
    return this.#refusals?.get(entry) ?? this.whole;
  }

  /** Of an entry alone. */
  ownRefusalOf(entry: number): Refused | undefined {
    return this.#refusals?.get(entry);
  }

  /** @param entry of the command */
  resultOf(entry: number, { hash, fields }: SignedPlace, view: ExchangeView): PlaceResult {
    const duplicate = this.#duplicates?.get(entry);
    if (duplicate !== undefined) return { type: 'placed', order: duplicate, isDuplicate: true };
    const refusal = this.#refusals?.get(entry);
    if (refusal !== undefined) return { type: 'refused', refusal: withNearestPrice(refusal, fields, view) };
    const order = hash === undefined ? undefined : this.#orderOf(hash);
    return order === undefined ? { type: 'left' } : { type: 'placed', order, isDuplicate: false };
  }

  /** The same, and the refusal of the whole where an entry has nothing of its own. */
  resultOrWhole(entry: number, signed: SignedPlace, view: ExchangeView): PlaceResult {
    const result = this.resultOf(entry, signed, view);
    if (result.type !== 'left' || this.whole === undefined) return result;
    return { type: 'refused', refusal: withNearestPrice(this.whole, signed.fields, view) };
  }

  #accept(hash: string, order: number): void {
    if (this.#first === undefined) this.#first = { hash, order };
    else {
      this.#accepted ??= new Map();
      this.#accepted.set(hash, order);
    }
  }

  #orderOf(hash: string): number | undefined {
    return this.#first?.hash === hash ? this.#first.order : this.#accepted?.get(hash);
  }
}

export function presentPlaceResult(result: PlaceResult, deps: ResolverDeps): Model<'PlaceOrderPayload'> {
  const { queue, archive, ids } = deps;
  const { view } = queue;
  const { seq } = view;
  if (result.type !== 'placed') {
    const rejection = result.type === 'left' ? null : presentRejection(result.refusal);
    return { accepted: false, duplicate: false, order: null, fills: [], rejection, seq };
  }
  const row = archive.order(result.order);
  if (row === undefined) throw new RangeError(`Invariant: order ${result.order} was accepted and has no row`);
  const by = { view, ids, archive };
  return {
    accepted: true,
    duplicate: result.isDuplicate,
    order: presentOrder(row, by),
    fills: presentFillsOf(row, by),
    rejection: null,
    seq,
  };
}
