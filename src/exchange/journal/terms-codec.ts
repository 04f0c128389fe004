/**
 * Encodes order terms: two bytes of flags, then market, price, shares, timestamp (as an exact distance from the
 * command's time, if possible), epoch, highest fee, and the fields set in the flags: expiration, replaces, group, hash
 * (32 bytes for a digest, otherwise a text), clientOrderId. Every value decodes to itself, even an invalid value.
 */
import {
  type ByteReader,
  type ByteWriter,
  Fault,
  type Outcome,
  type TimeInForce,
  unchecked,
} from '../../domain/index.ts';
import { isOptionalText } from '../engine/order-validator.ts';
import { type OrderTerms, type Restriction, SELF_TRADE_MODES } from '../order-terms.ts';

/** The journal contains indexes, so append new values. Terms with HALTED_MEANWHILE, which has no code, become JSON. */
const OUTCOMES: readonly Outcome[] = ['YES', 'NO'];
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTD', 'FOK', 'FAK'];
const RESTRICTIONS: readonly (Restriction | undefined)[] = [
  undefined,
  'GEO_BLOCKED',
  'CLOSE_ONLY',
  'EMAIL_NOT_VERIFIED',
];

/** First byte: bit 0 NO, 1 SELL, 2-3 time in force, 4 post-only, 5-6 self-trade mode, 7 timestamp as a distance. */
const NO = 1;
const SELL = 2;
const POST_ONLY = 16;
const IS_DISTANCE = 128;
/** Second byte: bits 0-1 restriction, then the optional fields. */
const EXPIRATION = 4;
const REPLACES = 8;
const GROUP = 16;
const DIGEST = 32;
const HASH = 64;
const CLIENT_ID = 128;

const DIGEST_TEXT = /^0x[0-9a-f]{64}$/;
const DIGEST_BYTES = 32;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns whether all values match their types. A journalled batch has refused entries, which may have any value. */
export function areCompactTerms(terms: OrderTerms): boolean {
  return (
    typeof terms.market === 'number' &&
    typeof terms.price === 'number' &&
    typeof terms.shares === 'number' &&
    typeof terms.expiration === 'number' &&
    typeof terms.timestampMs === 'number' &&
    typeof terms.epoch === 'number' &&
    typeof terms.maxFeeBps === 'number' &&
    typeof terms.replaces === 'number' &&
    typeof terms.group === 'number' &&
    OUTCOMES.includes(terms.outcome) &&
    (terms.side === 'BUY' || terms.side === 'SELL') &&
    TIMES_IN_FORCE.includes(terms.timeInForce) &&
    typeof terms.postOnly === 'boolean' &&
    SELF_TRADE_MODES.includes(terms.selfTrade) &&
    RESTRICTIONS.includes(terms.restriction) &&
    isOptionalText(terms.hash) &&
    isOptionalText(terms.clientOrderId)
  );
}

/** Writes terms that pass `areCompactTerms`. @param time time of the command */
export function encodeTerms(terms: OrderTerms, time: number, to: ByteWriter): void {
  const { hash, clientOrderId } = terms;
  const distance = terms.timestampMs - time;
  // The sum may differ from a timestamp beyond 2^53 or with a fraction.
  const isDistance = Number.isSafeInteger(distance) && Object.is(time + distance, Number(terms.timestampMs));
  const isDigest = hash !== undefined && DIGEST_TEXT.test(hash);
  to.byte(
    (terms.outcome === 'NO' ? NO : 0) |
      (terms.side === 'SELL' ? SELL : 0) |
      (TIMES_IN_FORCE.indexOf(terms.timeInForce) << 2) |
      (terms.postOnly ? POST_ONLY : 0) |
      (SELF_TRADE_MODES.indexOf(terms.selfTrade) << 5) |
      (isDistance ? IS_DISTANCE : 0),
  );
  to.byte(
    RESTRICTIONS.indexOf(terms.restriction) |
      (isZero(terms.expiration) ? 0 : EXPIRATION) |
      (isZero(terms.replaces) ? 0 : REPLACES) |
      (isZero(terms.group) ? 0 : GROUP) |
      (hash === undefined ? 0 : isDigest ? DIGEST : HASH) |
      (clientOrderId === undefined ? 0 : CLIENT_ID),
  );
  to.number(terms.market);
  to.number(terms.price);
  to.number(terms.shares);
  to.number(isDistance ? distance : terms.timestampMs);
  to.number(terms.epoch);
  to.number(terms.maxFeeBps);
  if (!isZero(terms.expiration)) to.number(terms.expiration);
  if (!isZero(terms.replaces)) to.number(terms.replaces);
  if (!isZero(terms.group)) to.number(terms.group);
  if (isDigest) encodeDigest(hash, to);
  else if (hash !== undefined) to.text(hash);
  if (clientOrderId !== undefined) to.text(clientOrderId);
}

/** Reads the output of `encodeTerms`. @throws Fault if the bytes end too early */
export function decodeTerms(time: number, from: ByteReader): OrderTerms {
  const first = from.byte();
  const second = from.byte();
  const market = unchecked.market(from.number());
  const price = unchecked.price(from.number());
  const shares = unchecked.shares(from.number());
  const timeOrDistance = from.number();
  const epoch = from.number();
  const maxFeeBps = from.number();
  const expiration = second & EXPIRATION ? unchecked.time(from.number()) : 0;
  const replaces = second & REPLACES ? unchecked.order(from.number()) : 0;
  const group = unchecked.group(second & GROUP ? from.number() : 0);
  const hash = second & DIGEST ? decodeDigest(from) : second & HASH ? from.text() : undefined;
  return {
    market,
    outcome: first & NO ? 'NO' : 'YES',
    side: first & SELL ? 'SELL' : 'BUY',
    price,
    shares,
    timeInForce: TIMES_IN_FORCE[(first >> 2) & 3] ?? 'GTC',
    postOnly: (first & POST_ONLY) !== 0,
    expiration,
    timestampMs: unchecked.time(first & IS_DISTANCE ? time + timeOrDistance : timeOrDistance),
    epoch,
    maxFeeBps,
    replaces,
    selfTrade: decodeIndex(SELF_TRADE_MODES, (first >> 5) & 3),
    group,
    restriction: RESTRICTIONS[second & 3],
    hash,
    clientOrderId: second & CLIENT_ID ? from.text() : undefined,
  };
}

function encodeDigest(hash: string, to: ByteWriter): void {
  for (let at = 2; at < hash.length; at += 2) to.byte(hexDigitAt(hash, at) * 16 + hexDigitAt(hash, at + 1));
}

function decodeDigest(from: ByteReader): string {
  let text = '0x';
  for (let left = DIGEST_BYTES; left > 0; left--) text += HEX[from.byte()] ?? '';
  return text;
}

function hexDigitAt(hash: string, at: number): number {
  const code = hash.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
}

/** Returns whether a field can be omitted. Negative zero must decode to itself, so it is written. */
function isZero(value: number): boolean {
  return value === 0 && !Object.is(value, -0);
}

function decodeIndex<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new Fault('JOURNAL_BYTES', `${index} is not an index of ${values.join(', ')}`);
  return value;
}
