/** A signed order on its way in: read, its signature tested; what the engine has to know of it is found in its turn. */
import { column, counted, type GroupNo } from '../../domain/index.ts';
import type { OrderTerms, Restriction } from '../../exchange/index.ts';
import {
  badArgument,
  type HexText,
  invalidArgument,
  type RawPlaceOrderInput,
  readSignedOrder,
  readUuid,
  type SignedOrderFields,
} from '../../protocol/index.ts';
import { NO_HASH } from '../../signing/index.ts';
import type { Refused } from '../rejection.ts';
import type { WireIds } from '../wire-ids.ts';
import type { Caller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';

/** An order that was read. */
export interface SignedPlace {
  readonly fields: SignedOrderFields;
  /** Undefined where the signature does not hold: then `refusal` says why. */
  readonly hash: HexText | undefined;
  readonly refusal: Refused | undefined;
  readonly clientOrderId: string | undefined;
  /** UUID; undefined for none. */
  readonly groupId: string | undefined;
  readonly selfTrade: OrderTerms['selfTrade'];
}

const MAX_CLIENT_ID = 64;
/** A number that no market, group or order has. */
const NOBODY = -1;

/** Reads an order and recovers its signer. @throws WireFault on what cannot be part of an order */
export function readPlace(input: RawPlaceOrderInput, { messages }: Pick<ResolverDeps, 'messages'>): SignedPlace {
  const fields = readSignedOrder(input.order);
  const clientOrderId = readClientOrderId(input.clientOrderId);
  const { groupId, selfTradePrevention } = input;
  const group = groupId === null || groupId === undefined ? undefined : readUuid('group', groupId);
  const verified = messages.order.verify(input.order, fields.signature);
  if (!verified.ok && verified.code === 'FIELD') throw invalidArgument(verified.message);
  return {
    fields,
    hash: verified.ok ? verified.hash : undefined,
    refusal: verified.ok ? undefined : badSignature(verified.message),
    clientOrderId,
    groupId: group,
    selfTrade: selfTradePrevention ?? 'CANCEL_TAKER',
  };
}

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
 * Why an order does not come before the engine, in the order of the tests: signature, then, unless its bytes are known,
 * maker and signer. Asked in its turn.
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

/** What the engine is told. Asked in its turn. */
export function termsOf(place: SignedPlace, restriction: Restriction | undefined, ids: WireIds): OrderTerms {
  const { fields, hash, clientOrderId, groupId, selfTrade } = place;
  return {
    market: ids.market(fields.marketId) ?? counted.market(NOBODY),
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

/** The number of a group; one that nobody has where it is unknown. */
export function groupOf(groupId: string | undefined, ids: WireIds): GroupNo {
  if (groupId === undefined) return counted.group(0);
  return ids.groups.find(groupId)?.group ?? counted.group(NOBODY);
}

function replacedBy({ replaces }: SignedOrderFields, ids: WireIds): OrderTerms['replaces'] {
  if (replaces === NO_HASH) return 0;
  const order = ids.order(replaces);
  return order === 0 ? NOBODY : counted.order(order);
}
