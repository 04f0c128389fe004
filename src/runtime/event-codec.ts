/** Encodes and decodes events, with fields in the order of the tables below. `step-codec.ts` describes the layout. */
import {
  type ByteReader,
  type ByteWriter,
  CLOSE_REASONS,
  type DurationMs,
  type EpochMs,
  FILL_BASES,
  FULL_BPS,
  type InputEvent,
  type InstanceNo,
  LINKS,
  MARKET_STATUSES,
  type MarketInfo,
  type MarketLimits,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  marketId,
  OPERATOR_COMMANDS,
  type OrderNo,
  type PriceBps,
  type PriceGrid,
  RATE_BUCKETS,
  REJECT_REASONS,
  VENUE_MODES,
} from '../domain/index.ts';
import {
  CASH_WITH_TRADE,
  ENCODED_WORDS,
  EVENT_CODES,
  FILL_WITH_TRADE,
  MARKET_REMOVED_BY_OPERATOR,
  OPERATOR_COMMAND_WITH_REASON,
  PROVISIONAL_FILL,
} from './step-codes.ts';

type EventType = InputEvent['type'];

interface Format<T> {
  readonly write: (value: T, to: ByteWriter) => void;
  readonly read: (from: ByteReader) => T;
}

const FLOAT: Format<number> = { write: (value, to) => to.float(value), read: (from) => from.float() };
const WHOLE = whole<number>(0);
const TIME = whole<EpochMs>();
const ORDER = whole<OrderNo>(0);
const INSTANCE = whole<InstanceNo>(0);
const MARKET = whole<MarketNo>(0);
const PRICE = whole<PriceBps>(0, FULL_BPS);
const SHARES = whole<MicroShares>(0);
const USD = whole<MicroUsd>();
const TEXT: Format<string> = { write: (value, to) => to.utf16(value), read: (from) => from.utf16() };
const FLAG: Format<boolean> = { write: (value, to) => to.byte(value ? 1 : 0), read: (from) => from.flag() };
const REJECT_REASON = word(REJECT_REASONS);
const CONVERSION = word(ENCODED_WORDS.conversion);
const LIQUIDITY = word(ENCODED_WORDS.liquidity);
const TRADE = { outcome: word(ENCODED_WORDS.outcome), side: word(ENCODED_WORDS.side), price: PRICE, shares: SHARES };
/** Fields of every venue event about one market. */
const HEAD = { time: TIME, venueTime: TIME, market: MARKET };

const GRID: Format<PriceGrid> = {
  write(grid, to) {
    to.byte(toCode(ENCODED_WORDS.grid, grid.type));
    if (grid.type === 'tick') to.float(grid.tickBps);
    else for (const prices of [grid.bids, grid.asks]) encodeNumbers(prices, to);
  },
  read(from) {
    const type = from.oneOf(ENCODED_WORDS.grid);
    if (type === 'tick') return { type, tickBps: from.integer(1, FULL_BPS) };
    return { type, bids: from.list(PRICE.read), asks: from.list(PRICE.read) };
  },
};

const INFO_HEAD = record<Pick<MarketInfo, 'market' | 'id' | 'slug' | 'question' | 'grid'>>({
  market: MARKET,
  id: { write: TEXT.write, read: (from) => marketId(from.utf16()) },
  slug: TEXT,
  question: TEXT,
  grid: GRID,
});

/** Bits of the byte that lists the optional fields of a market. The present fields follow the byte. */
const FIELD_BIT = { resolution: 1, eventId: 2, exclusive: 4, venue: 8 } as const;
const INFO: Format<MarketInfo> = {
  write(info, to) {
    const { scheduledResolution, eventId, exclusive, venue } = info;
    INFO_HEAD.write(info, to);
    let present = scheduledResolution === undefined ? 0 : FIELD_BIT.resolution;
    if (eventId !== undefined) present += FIELD_BIT.eventId;
    if (exclusive === true) present += FIELD_BIT.exclusive;
    if (venue !== undefined) present += FIELD_BIT.venue;
    to.byte(present);
    if (scheduledResolution !== undefined) to.float(scheduledResolution);
    if (eventId !== undefined) to.utf16(eventId);
    if (venue !== undefined) to.utf16(venue);
  },
  read(from) {
    const head = INFO_HEAD.read(from);
    const present = from.byte();
    if (present > 15) throw new RangeError(`the optional fields of a market are ${present}, not 0 to 15`);
    const scheduledResolution = (present & FIELD_BIT.resolution) === 0 ? undefined : TIME.read(from);
    const eventId = (present & FIELD_BIT.eventId) === 0 ? {} : { eventId: from.utf16() };
    const exclusive = (present & FIELD_BIT.exclusive) === 0 ? {} : { exclusive: true as const };
    const venue = (present & FIELD_BIT.venue) === 0 ? {} : { venue: from.utf16() };
    return { ...head, scheduledResolution, ...eventId, ...exclusive, ...venue };
  },
};

const LIMITS = record<MarketLimits>({
  minOrderShares: SHARES,
  minBet: USD,
  maxBet: USD,
  maxExposure: USD,
  feeRateBps: WHOLE,
  spreadBps: WHOLE,
});

/** Required fields of each event, without its type. */
const EVENTS: { readonly [T in EventType]: Format<RequiredFields<Extract<InputEvent, { type: T }>>> } = {
  started: record({ time: TIME }),
  stopped: record({ time: TIME }),
  woke: record({ time: TIME }),
  timerFired: record({ time: TIME, bot: INSTANCE, timer: TEXT }),
  signalReceived: record({ time: TIME, name: TEXT, value: FLOAT }),
  operatorCommanded: record({ time: TIME, command: word(OPERATOR_COMMANDS) }),
  cancelCommanded: record({ time: TIME, market: MARKET, order: ORDER }),
  parameterSet: record({ time: TIME, bot: INSTANCE, name: TEXT, value: TEXT }),
  marketAdded: record({
    time: TIME,
    info: INFO,
    limits: LIMITS,
    state: record({ status: word(MARKET_STATUSES), acceptingOrders: FLAG, placeDelay: whole<DurationMs>(0) }),
    bots: list(record({ bot: INSTANCE, strategy: TEXT, params: TEXT })),
  }),
  marketRemoved: record({ time: TIME, market: MARKET }),
  feeConfirmed: record({ time: TIME, market: MARKET, feeRateBps: FLOAT }),
  cashAdjusted: record({ time: TIME, venueTime: TIME, amount: USD }),
  venueChanged: record({ time: TIME, venueTime: TIME, mode: word(VENUE_MODES), link: word(LINKS) }),
  rateLimitUpdated: record({
    time: TIME,
    venueTime: TIME,
    bucket: word(RATE_BUCKETS),
    capacity: FLOAT,
    refillPerSecond: FLOAT,
    remaining: FLOAT,
    retryAfterMs: FLOAT,
  }),
  orderAccepted: record({ ...HEAD, order: ORDER }),
  orderUncertain: record({ ...HEAD, order: ORDER }),
  orderRejected: record({ ...HEAD, order: ORDER, reason: REJECT_REASON }),
  cancelRejected: record({ ...HEAD, order: ORDER, reason: REJECT_REASON }),
  orderReduced: record({ ...HEAD, order: ORDER, remaining: SHARES }),
  orderClosed: record({ ...HEAD, order: ORDER, reason: word(CLOSE_REASONS) }),
  orderFilled: record({
    ...HEAD,
    order: ORDER,
    ...TRADE,
    remaining: SHARES,
    fee: USD,
    liquidity: LIQUIDITY,
    basis: word(FILL_BASES),
    inside: FLAG,
  }),
  fillSettled: record({ ...HEAD, order: ORDER, trade: TEXT }),
  fillReversed: record({ ...HEAD, order: ORDER, trade: TEXT, ...TRADE, fee: USD, liquidity: LIQUIDITY }),
  ordersReplaced: record({ ...HEAD, closed: list(ORDER), accepted: list(ORDER) }),
  limitsChanged: record({ ...HEAD, limits: LIMITS }),
  pricesUpdated: record({ ...HEAD, yes: PRICE, no: PRICE }),
  holdingAdjusted: record({ ...HEAD, yes: SHARES, no: SHARES, yesCost: USD, noCost: USD }),
  makerPaid: record({ ...HEAD, cause: word(ENCODED_WORDS.makerPayment), day: TIME, amount: USD }),
  converted: record({ ...HEAD, bot: INSTANCE, conversion: CONVERSION, shares: SHARES, paid: USD, fee: USD }),
  conversionRejected: record({ ...HEAD, bot: INSTANCE, conversion: CONVERSION, reason: REJECT_REASON }),
};

/** The optional field of an event type, written after the other fields. An event with the field has the code `code`. */
const OPTIONAL_FIELDS: Partial<Record<EventType, { code: number; name: string; format: Format<unknown> }>> = {
  orderFilled: { code: FILL_WITH_TRADE, name: 'trade', format: TEXT as Format<unknown> },
  cashAdjusted: { code: CASH_WITH_TRADE, name: 'trade', format: TEXT as Format<unknown> },
  operatorCommanded: { code: OPERATOR_COMMAND_WITH_REASON, name: 'reason', format: TEXT as Format<unknown> },
  marketRemoved: {
    code: MARKET_REMOVED_BY_OPERATOR,
    name: 'byOperator',
    format: { write: () => {}, read: () => true },
  },
};

const TYPE_BY_CODE: ReadonlyMap<number, EventType> = new Map(
  Object.entries(EVENT_CODES).flatMap(([name, code]) => {
    const type = name as EventType;
    const optionalField = OPTIONAL_FIELDS[type];
    const codes = optionalField === undefined ? [code] : [code, optionalField.code];
    return codes.map((each): readonly [number, EventType] => [each, type]);
  }),
);

/** Encodes an event that `step-codec.ts` does not encode itself. */
export function encodeRareEvent(event: InputEvent, to: ByteWriter): void {
  const fields: Partial<Record<string, unknown>> = { ...event };
  const optionalField = OPTIONAL_FIELDS[event.type];
  const value = fields[optionalField?.name ?? ''];
  to.byte(optionalField === undefined || value === undefined ? EVENT_CODES[event.type] : optionalField.code);
  findFormat(event.type).write(event, to);
  if (value !== undefined) optionalField?.format.write(value, to);
}

/** @returns undefined for the code of a market message. @throws RangeError for bytes that are not an event */
export function decodeEvent(code: number, from: ByteReader): InputEvent | undefined {
  if (code === 0) return undefined;
  const type = code === PROVISIONAL_FILL ? 'orderFilled' : TYPE_BY_CODE.get(code);
  if (type === undefined) throw new RangeError(`there is no event with code ${code}`);
  const fields: object = findFormat(type).read(from);
  if (code === PROVISIONAL_FILL) return { type, ...fields, trade: TEXT.read(from), provisional: true } as InputEvent;
  const optionalField = OPTIONAL_FIELDS[type];
  const optional = optionalField?.code === code ? { [optionalField.name]: optionalField.format.read(from) } : undefined;
  return { type, ...fields, ...optional } as InputEvent;
}

/** Encodes the code and the fields of `HEAD`. */
export function encodeVenueHead(code: number, event: Record<keyof typeof HEAD, number>, to: ByteWriter): void {
  to.byte(code);
  to.float(event.time);
  to.float(event.venueTime);
  to.float(event.market);
}

export function encodeNumbers(numbers: readonly number[], to: ByteWriter): void {
  to.count(numbers.length);
  for (const number of numbers) to.float(number);
}

/** Returns the index of a word in its list, which is its code. @throws RangeError for a word that is not in the list */
export function toCode<W extends string>(words: readonly W[], word: W): number {
  for (let code = 0; code < words.length; code += 1) if (words[code] === word) return code;
  throw new RangeError(`Invariant: "${word}" is not one of ${words.join(', ')}`);
}

/** Returns the format of a type. The casts are safe, because each format fits the events of its type. */
function findFormat(type: EventType): Format<InputEvent> {
  return EVENTS[type] as Format<unknown> as Format<InputEvent>;
}

type RequiredFields<E> = { readonly [K in keyof E as undefined extends E[K] ? never : Exclude<K, 'type'>]: E[K] };

/** A whole number. `read` checks the bounds. */
function whole<T extends number>(min?: number, max?: number): Format<T> {
  return { write: (value, to) => to.float(value), read: (from) => from.integer(min, max) as T };
}

function word<W extends string>(words: readonly W[]): Format<W> {
  return { write: (value, to) => to.byte(toCode(words, value)), read: (from) => from.oneOf(words) };
}

function list<T>(item: Format<T>): Format<readonly T[]> {
  return {
    write(values, to) {
      to.count(values.length);
      for (const value of values) item.write(value, to);
    },
    read: (from) => from.list(item.read),
  };
}

/** Writes and reads fields in the order of the keys. */
function record<T extends object>(fields: { readonly [K in keyof T]: Format<T[K]> }): Format<T> {
  return {
    write(value, to) {
      for (const name in fields) fields[name].write(value[name], to);
    },
    read(from) {
      const value: Partial<T> = {};
      for (const name in fields) value[name] = fields[name].read(from);
      return value as T;
    },
  };
}
