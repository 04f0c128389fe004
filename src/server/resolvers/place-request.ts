/** Reads and checks signed orders for all mutations, converts them for the exchange, and presents the results. */
import { type GroupNo, unchecked } from '../../domain/index.ts';
import {
  type ExchangeEvent,
  type ExchangeView,
  type OrderTerms,
  type Restriction,
  WHOLE_COMMAND,
} from '../../exchange/index.ts';
import {
  badArgument,
  invalidArgument,
  type RawPlaceOrderInput,
  readSignedOrder,
  readUuid,
  type SignedOrderFields,
} from '../../protocol/index.ts';
import { NO_HASH } from '../../signing/index.ts';
import { isGiven } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import { presentOrder, presentOrderFills } from '../presenters/order-presenter.ts';
import { type ApiRefusal, presentRejection } from '../rejection.ts';
import type { DelayedOrders } from '../replay/placing-delays.ts';
import type { WireIds } from '../wire-ids.ts';
import { type Caller, UNKNOWN_NUMBER } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { withNearestPrice } from './recorded-price.ts';

const MAX_CLIENT_ID_LENGTH = 64;

/** Reads an order and recovers its signer. @throws WireFault for a malformed order */
export function readPlaceRequest(input: RawPlaceOrderInput, { messages }: ResolverDeps) {
  const fields = readSignedOrder(input.order);
  const clientOrderId = readClientOrderId(input.clientOrderId);
  const groupId = isGiven(input.groupId) ? readUuid('group', input.groupId) : undefined;
  const verified = messages.order.verify(input.order, fields.signature);
  if (!verified.ok && verified.code === 'FIELD') throw invalidArgument(verified.message);
  const refusal: ApiRefusal | undefined = verified.ok
    ? undefined
    : { reason: 'BAD_SIGNATURE', field: 'signature', explanation: verified.message.replace(/^signature: /, '') };
  /** Undefined for an invalid signature. Then `refusal` has the reason. */
  const hash = verified.ok ? verified.hash : undefined;
  return { fields, hash, refusal, clientOrderId, groupId, selfTrade: input.selfTradePrevention ?? 'CANCEL_TAKER' };
}

export type PlaceRequest = Readonly<ReturnType<typeof readPlaceRequest>>;

/** @throws WireFault unless the id has 1 to 64 characters */
export function readClientOrderId(text: string | null | undefined): string | undefined {
  if (!isGiven(text)) return undefined;
  if (text.length > 0 && text.length <= 2 * MAX_CLIENT_ID_LENGTH && [...text].length <= MAX_CLIENT_ID_LENGTH)
    return text;
  throw badArgument('clientOrderId', text, `1 to ${MAX_CLIENT_ID_LENGTH} characters`);
}

/** Checks the signature, then maker and signer if the order is no duplicate. Call this in `Task.command`. */
export function refusalBeforeExchange(
  { fields, hash, refusal }: PlaceRequest,
  { address }: Caller,
  { ids, access }: ResolverDeps,
): ApiRefusal | undefined {
  if (refusal !== undefined || hash === undefined) return refusal;
  const { maker, signer } = fields;
  if (maker === address && (signer === maker || access.isDelegate(maker, signer))) return undefined;
  // The exchange itself reports duplicates, even duplicates of another account's order.
  if (ids.orderNo(hash) !== 0) return undefined;
  return { reason: 'SIGNER_NOT_ALLOWED', field: maker === address ? 'signer' : 'maker' };
}

/** Converts an order for the exchange. Call this in `Task.command`, because the result depends on the current state. */
export function toOrderTerms(request: PlaceRequest, restriction: Restriction | undefined, ids: WireIds): OrderTerms {
  const { fields, hash, clientOrderId, groupId, selfTrade } = request;
  const { outcome, side, timeInForce, postOnly, epoch, maxFeeBps } = fields;
  return {
    market: ids.marketNo(fields.marketId) ?? unchecked.market(UNKNOWN_NUMBER),
    outcome,
    side,
    price: unchecked.price(fields.priceBps),
    shares: unchecked.shares(fields.shares),
    timeInForce,
    postOnly,
    expiration: fields.expiration === 0 ? 0 : unchecked.time(fields.expiration),
    timestampMs: unchecked.time(fields.timestampMs),
    epoch,
    maxFeeBps,
    replaces: getReplacedOrder(fields, ids),
    selfTrade,
    group: findGroupNo(groupId, ids),
    restriction,
    hash,
    clientOrderId,
  };
}

/** Returns a group's number; 0 without an id, `UNKNOWN_NUMBER` for an unknown id. */
export function findGroupNo(groupId: string | undefined, ids: WireIds): GroupNo {
  if (groupId === undefined) return unchecked.group(0);
  return ids.groups.find(groupId)?.group ?? unchecked.group(UNKNOWN_NUMBER);
}

function getReplacedOrder({ replaces }: SignedOrderFields, ids: WireIds): OrderTerms['replaces'] {
  if (replaces === NO_HASH) return 0;
  const order = ids.orderNo(replaces);
  return order === 0 ? UNKNOWN_NUMBER : unchecked.order(order);
}

/**
 * Calls `callback` after the orders' delay, or synchronously if there is no delay. New orders are delayed only in
 * markets that follow tapes (docs/spec/models.md#time-and-look-ahead). Duplicates and refused orders are not delayed.
 */
export function afterDelay<Result>(
  requests: readonly PlaceRequest[],
  { delays, ids }: ResolverDeps,
  callback: (delayed: DelayedOrders | undefined) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (delays.isIdle) return callback(undefined);
  const newOrders = requests.filter(({ hash }) => hash !== undefined && ids.orderNo(hash) === 0);
  const marketIds = newOrders.map(({ fields }) => fields.marketId);
  const delayed = marketIds.length === 0 ? undefined : delays.delayOrders(marketIds);
  return delayed === undefined ? callback(undefined) : delayed.passed.then(() => callback(delayed));
}

/** Returns the caller's restriction. After a halt during the delay, `HALTED_MEANWHILE` replaces none or CLOSE_ONLY. */
export function restrictionAfterDelay(
  { fields }: PlaceRequest,
  restriction: Restriction | undefined,
  delayed: DelayedOrders | undefined,
): Restriction | undefined {
  if (delayed === undefined || !delayed.isInterrupted(fields.marketId)) return restriction;
  return restriction === undefined || restriction === 'CLOSE_ONLY' ? 'HALTED_MEANWHILE' : restriction;
}

/** The result of an order. `skipped`: the whole request was refused, but not because of this order. */
export type PlaceResult =
  | { readonly type: 'placed'; readonly order: number; readonly isDuplicate: boolean }
  | { readonly type: 'refused'; readonly refusal: ApiRefusal }
  | { readonly type: 'skipped' };

/** The exchange's results of one command: refusals and duplicates by entry, accepted orders by hash. */
export class CommandResults {
  readonly commandRefusal: ApiRefusal | undefined;
  readonly #refusals = new Map<number, ApiRefusal>();
  readonly #duplicates = new Map<number, number>();
  readonly #accepted = new Map<string, number>();

  constructor(events: readonly ExchangeEvent[]) {
    for (const event of events) {
      if (event.type === 'duplicate') this.#duplicates.set(event.entry, event.order);
      else if (event.type === 'refused') this.#refusals.set(event.entry, event.refusal);
      else if (event.type === 'accepted' && event.terms.hash !== undefined) {
        this.#accepted.set(event.terms.hash, event.order);
      }
    }
    this.commandRefusal = this.#refusals.get(WHOLE_COMMAND);
  }

  /** Returns the refusal of an entry or of the whole command. */
  getRefusal(entry: number): ApiRefusal | undefined {
    return this.#refusals.get(entry) ?? this.commandRefusal;
  }

  getEntryRefusal(entry: number): ApiRefusal | undefined {
    return this.#refusals.get(entry);
  }

  /** @param entry index in the command */
  getResult(entry: number, { hash, fields }: PlaceRequest, view: ExchangeView): PlaceResult {
    const duplicate = this.#duplicates.get(entry);
    if (duplicate !== undefined) return { type: 'placed', order: duplicate, isDuplicate: true };
    const refusal = this.#refusals.get(entry);
    if (refusal !== undefined) return { type: 'refused', refusal: withNearestPrice(refusal, fields, view) };
    const order = hash === undefined ? undefined : this.#accepted.get(hash);
    return order === undefined ? { type: 'skipped' } : { type: 'placed', order, isDuplicate: false };
  }

  /** Like `getResult`, but an entry without its own result gets the refusal of the whole command. */
  getResultOrCommandRefusal(entry: number, request: PlaceRequest, view: ExchangeView): PlaceResult {
    const result = this.getResult(entry, request, view);
    if (result.type !== 'skipped' || this.commandRefusal === undefined) return result;
    return { type: 'refused', refusal: withNearestPrice(this.commandRefusal, request.fields, view) };
  }
}

export function presentPlaceResult(result: PlaceResult, deps: ResolverDeps): Model<'PlaceOrderPayload'> {
  const { queue, archive, ids } = deps;
  const { view } = queue;
  const { seq } = view;
  if (result.type !== 'placed') {
    const rejection = result.type === 'skipped' ? null : presentRejection(result.refusal);
    return { accepted: false, duplicate: false, order: null, fills: [], rejection, seq };
  }
  const row = ids.orderRow(result.order);
  const presenterDeps = { view, ids, archive };
  const presented = { order: presentOrder(row, presenterDeps), fills: presentOrderFills(row, presenterDeps) };
  return { accepted: true, duplicate: result.isDuplicate, ...presented, rejection: null, seq };
}
