/**
 * Encodes and decodes commands. A record is a code and the command's fields: frequent commands field by field, others
 * as canonical JSON. Codes are permanent, so a new field of a frequent command needs a new code.
 */
import { type ByteReader, type ByteWriter, Fault, type OrderNo, unchecked } from '../../domain/index.ts';
import type { Cancel, ExchangeCommand, Place, PlaceBatch, Reduce, Replace } from '../command.ts';
import { canonicalJson, type Json } from '../markets/canonical-json.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import type { PlayTape } from '../tape-command.ts';
import { areCompactTerms, decodeTerms, encodeTerms } from './terms-codec.ts';

/** Codes of command records, 1 … 15. */
export const COMMAND_CODES = {
  place: 1,
  cancel: 2,
  reduce: 3,
  replace: 4,
  placeBatch: 5,
  other: 6,
  playTape: 7,
} as const;

/** Commands that are encoded field by field. */
type CompactCommand = Place | Cancel | Reduce | Replace | PlaceBatch | PlayTape;

/** Flags of a replace. */
const CANCELS_ALL = 1;
const HAS_IF_NO_FILL_SINCE = 2;
const MUST_REPLACE = 4;

/** Writes a command so that it decodes to an equal command, even if a client sent invalid values. */
export function encodeCommand(command: ExchangeCommand, to: ByteWriter): void {
  if (isCompact(command)) encodeCompact(command, to);
  else {
    to.byte(COMMAND_CODES.other);
    to.text(canonicalJson(toJson(command)));
  }
}

function encodeCompact(command: CompactCommand, to: ByteWriter): void {
  to.byte(COMMAND_CODES[command.type]);
  to.number(command.time);
  if (command.type === 'playTape') {
    to.number(command.market);
    to.number(command.row);
    to.number(command.recordedAt);
    encodeNumbers(command.rows, to);
    return;
  }
  to.number(command.account);
  to.number(command.credential);
  if (command.type === 'place') encodeTerms(command, command.time, to);
  else if (command.type === 'cancel') encodeNumbers(command.orders, to);
  else if (command.type === 'replace') encodeReplace(command, to);
  else if (command.type === 'placeBatch') encodeOrders(command.orders, command.time, to);
  else {
    to.number(command.order);
    to.number(command.by);
  }
}

/** Returns whether a command is a `CompactCommand`, with values that match their types. */
function isCompact(command: ExchangeCommand): command is CompactCommand {
  switch (command.type) {
    case 'place':
      return isCaller(command) && areCompactTerms(command);
    case 'cancel':
      return isCaller(command) && areNumbers(command.orders);
    case 'reduce':
      return isCaller(command) && typeof command.order === 'number' && typeof command.by === 'number';
    case 'replace':
      return isCaller(command) && isCompactReplace(command);
    case 'placeBatch':
      return isCaller(command) && areCompactOrders(command.orders);
    case 'playTape':
      return areNumbers([command.time, command.market, command.row, command.recordedAt]) && areNumbers(command.rows);
    default:
      return false;
  }
}

function isCompactReplace({ market, cancel, place, ifNoFillSince, mustReplace }: Replace): boolean {
  return (
    typeof market === 'number' &&
    (cancel === 'all' || areNumbers(cancel)) &&
    areCompactOrders(place) &&
    (ifNoFillSince === undefined || typeof ifNoFillSince === 'number') &&
    typeof mustReplace === 'boolean'
  );
}

function isCaller({ time, account, credential }: AccountCommand): boolean {
  return typeof time === 'number' && typeof account === 'number' && typeof credential === 'number';
}

function areNumbers(values: readonly number[]): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'number');
}

function areCompactOrders(orders: readonly OrderTerms[]): boolean {
  return Array.isArray(orders) && orders.every(areCompactTerms);
}

/** Reads a command after its code. @throws Fault if the code is unknown or the bytes end too early */
export function decodeCommand(code: number, from: ByteReader): ExchangeCommand {
  if (code === COMMAND_CODES.other) return decodeOther(from.text());
  if (code === COMMAND_CODES.playTape) return decodePlayTape(from);
  if (!(code >= COMMAND_CODES.place && code < COMMAND_CODES.other)) {
    throw new Fault('JOURNAL_BYTES', `no command has the code ${code}; it was written by a later version`);
  }
  const time = unchecked.time(from.number());
  const account = unchecked.account(from.number());
  const credential = unchecked.credential(from.number());
  const caller = { time, account, credential };
  switch (code) {
    case COMMAND_CODES.place:
      return decodePlace(caller, decodeTerms(time, from));
    case COMMAND_CODES.cancel:
      return { type: 'cancel', time, account, credential, orders: decodeNumbers(from) };
    case COMMAND_CODES.reduce: {
      const order = unchecked.order(from.number());
      return { type: 'reduce', time, account, credential, order, by: unchecked.shares(from.number()) };
    }
    case COMMAND_CODES.replace:
      return decodeReplace(caller, from);
    default:
      return { type: 'placeBatch', time, account, credential, orders: decodeOrders(time, from) };
  }
}

/** Lists the members, because a spread would take three times as long as the rest of the decoding. */
function decodePlace({ time, account, credential }: AccountCommand, terms: OrderTerms): Place {
  return {
    type: 'place',
    time,
    account,
    credential,
    market: terms.market,
    outcome: terms.outcome,
    side: terms.side,
    price: terms.price,
    shares: terms.shares,
    timeInForce: terms.timeInForce,
    postOnly: terms.postOnly,
    expiration: terms.expiration,
    timestampMs: terms.timestampMs,
    epoch: terms.epoch,
    maxFeeBps: terms.maxFeeBps,
    replaces: terms.replaces,
    selfTrade: terms.selfTrade,
    group: terms.group,
    restriction: terms.restriction,
    hash: terms.hash,
    clientOrderId: terms.clientOrderId,
  };
}

function encodeReplace({ market, cancel, place, ifNoFillSince, mustReplace, time }: Replace, to: ByteWriter): void {
  to.byte(
    (cancel === 'all' ? CANCELS_ALL : 0) |
      (ifNoFillSince === undefined ? 0 : HAS_IF_NO_FILL_SINCE) |
      (mustReplace ? MUST_REPLACE : 0),
  );
  to.number(market);
  if (cancel !== 'all') encodeNumbers(cancel, to);
  encodeOrders(place, time, to);
  if (ifNoFillSince !== undefined) to.number(ifNoFillSince);
}

function decodeReplace({ time, account, credential }: AccountCommand, from: ByteReader): Replace {
  const flags = from.byte();
  const market = unchecked.market(from.number());
  const cancel = flags & CANCELS_ALL ? 'all' : decodeNumbers(from);
  const place = decodeOrders(time, from);
  const ifNoFillSince = flags & HAS_IF_NO_FILL_SINCE ? from.number() : undefined;
  const mustReplace = (flags & MUST_REPLACE) !== 0;
  return { type: 'replace', time, account, credential, market, cancel, place, ifNoFillSince, mustReplace };
}

function encodeNumbers(numbers: readonly number[], to: ByteWriter): void {
  to.number(numbers.length);
  for (const number of numbers) to.number(number);
}

function decodeNumbers(from: ByteReader): readonly OrderNo[] {
  const numbers: OrderNo[] = [];
  for (let left = from.number(); left > 0; left--) numbers.push(unchecked.order(from.number()));
  return numbers;
}

function encodeOrders(orders: readonly OrderTerms[], time: number, to: ByteWriter): void {
  to.number(orders.length);
  for (const terms of orders) encodeTerms(terms, time, to);
}

function decodeOrders(time: number, from: ByteReader): readonly OrderTerms[] {
  const orders: OrderTerms[] = [];
  for (let left = from.number(); left > 0; left--) orders.push(decodeTerms(time, from));
  return orders;
}

/** Checks only the type, because a checksum proves that this program wrote the record. */
function decodeOther(text: string): ExchangeCommand {
  const value = decodeJson(text);
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string') {
    return value as ExchangeCommand;
  }
  throw new Fault('JOURNAL_BYTES', `expected a command, got ${JSON.stringify(text.slice(0, 80))}`);
}

function decodePlayTape(from: ByteReader): PlayTape {
  const time = unchecked.time(from.number());
  const market = unchecked.market(from.number());
  const row = from.number();
  const recordedAt = unchecked.time(from.number());
  return { type: 'playTape', time, market, row, recordedAt, rows: decodeNumbers(from) };
}

const SPECIAL_NUMBERS = ['NaN', 'Infinity', '-Infinity', '-0'];

/** @throws Fault if the text is not JSON */
function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text, decodeSpecial);
  } catch (cause) {
    throw new Fault('JOURNAL_BYTES', `expected JSON, got ${JSON.stringify(text.slice(0, 80))}`, { cause });
  }
}

/** Converts to JSON without undefined members. A number that JSON lacks becomes an object with the only key `#`. */
function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Object.is(value, -0)) return { '#': '-0' };
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '#': String(value) };
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object') throw new RangeError(`Invariant: a ${typeof value} cannot be journalled`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, toJson(member)]));
}

function decodeSpecial(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('#' in value)) return value;
  const special = value['#'];
  return typeof special === 'string' && SPECIAL_NUMBERS.includes(special) ? Number(special) : value;
}
