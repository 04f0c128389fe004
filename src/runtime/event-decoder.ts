/** Events back from their bytes; layout in `step-codec.ts`. */
import {
  type ByteReader,
  CLOSE_REASONS,
  column,
  counted,
  type EpochMs,
  FILL_TAGS,
  FULL_BPS,
  type InputEvent,
  LINKS,
  MARKET_STATUSES,
  type MarketAdded,
  type MarketInfo,
  type MarketLimits,
  marketId,
  OPERATOR_COMMANDS,
  type PriceGrid,
  RATE_BUCKETS,
  REJECT_REASONS,
  VENUE_MODES,
} from '../domain/index.ts';
import { EVENT_CODES, OPERATOR_REMOVED, REASONED_OPERATOR, TRADE_CASH, TRADE_FILLED, WORDS } from './step-codes.ts';

type VenueType = Extract<InputEvent, { venueTime: unknown }>['type'];
type Unplaced = 'cashAdjusted' | 'venueChanged' | 'rateLimitUpdated';

const TYPES: ReadonlyMap<number, InputEvent['type']> = new Map<number, InputEvent['type']>([
  ...typesOf(EVENT_CODES).map((type) => [EVENT_CODES[type], type] as const),
  [REASONED_OPERATOR, 'operatorCommanded'],
  [OPERATOR_REMOVED, 'marketRemoved'],
  [TRADE_FILLED, 'orderFilled'],
  [TRADE_CASH, 'cashAdjusted'],
]);

/** Undefined where a market message caused the step. @throws RangeError for bytes that are no event */
export function decodeEvent(from: ByteReader): InputEvent | undefined {
  const code = from.byte();
  if (code === 0) return undefined;
  const type = TYPES.get(code);
  if (type === undefined) throw new RangeError(`there is no event with code ${code}`);
  const time = column.time(from.integer());
  switch (type) {
    case 'started':
    case 'stopped':
    case 'woke':
      return { type, time };
    case 'timerFired':
      return { type, time, bot: counted.bot(from.integer(0)), timer: from.utf16() };
    case 'signalReceived':
      return { type, time, name: from.utf16(), value: from.float() };
    case 'operatorCommanded': {
      const spoke = { type, time, command: from.word(OPERATOR_COMMANDS) };
      return code === REASONED_OPERATOR ? { ...spoke, reason: from.utf16() } : spoke;
    }
    case 'parameterSet':
      return { type, time, bot: counted.bot(from.integer(0)), name: from.utf16(), value: from.utf16() };
    case 'marketAdded':
      return readAdded(from, time);
    case 'feeConfirmed':
      return { type, time, market: counted.market(from.float()), feeRateBps: from.float() };
    case 'marketRemoved': {
      const left = { type, time, market: counted.market(from.integer(0)) };
      return code === OPERATOR_REMOVED ? { ...left, byOperator: true } : left;
    }
    case 'cashAdjusted':
    case 'venueChanged':
    case 'rateLimitUpdated':
      return withTrade(readUnplaced(type, from, time), code, from);
    default:
      return withTrade(readMarketEvent(type, from, time), code, from);
  }
}

/** The venue's id of the trade stands behind the event. */
function withTrade(event: InputEvent, code: number, from: ByteReader): InputEvent {
  return code === TRADE_FILLED || code === TRADE_CASH ? Object.assign(event, { trade: from.utf16() }) : event;
}

function readUnplaced(type: Unplaced, from: ByteReader, time: EpochMs): InputEvent {
  const told = { time, venueTime: column.time(from.integer()) };
  switch (type) {
    case 'cashAdjusted':
      return { type, ...told, amount: column.usd(from.integer()) };
    case 'venueChanged':
      return { type, ...told, mode: from.word(VENUE_MODES), link: from.word(LINKS) };
    case 'rateLimitUpdated':
      return {
        type,
        ...told,
        bucket: from.word(RATE_BUCKETS),
        capacity: from.float(),
        refillPerSecond: from.float(),
        remaining: from.float(),
        retryAfterMs: from.float(),
      };
  }
}

function readMarketEvent(type: Exclude<VenueType, Unplaced>, from: ByteReader, time: EpochMs): InputEvent {
  const told = { time, venueTime: column.time(from.integer()), market: counted.market(from.integer(0)) };
  const order = () => counted.order(from.integer(0));
  switch (type) {
    case 'orderAccepted':
    case 'orderUncertain':
      return { type, ...told, order: order() };
    case 'orderRejected':
      return { type, ...told, order: order(), reason: from.word(REJECT_REASONS) };
    case 'cancelRejected':
      return { type, ...told, order: order(), reason: from.word(REJECT_REASONS) };
    case 'orderReduced':
      return { type, ...told, order: order(), remaining: column.shares(from.integer(0)) };
    case 'orderClosed':
      return { type, ...told, order: order(), reason: from.word(CLOSE_REASONS) };
    case 'orderFilled':
      return {
        type,
        ...told,
        order: order(),
        outcome: from.word(WORDS.outcome),
        side: from.word(WORDS.side),
        price: column.price(from.integer(0, FULL_BPS)),
        shares: column.shares(from.integer(0)),
        remaining: column.shares(from.integer(0)),
        fee: column.usd(from.integer()),
        liquidity: from.word(WORDS.liquidity),
        tag: from.word(FILL_TAGS),
        inside: from.flag(),
      };
    case 'ordersReplaced':
      return { type, ...told, closed: from.list(order), accepted: from.list(order) };
    case 'limitsChanged':
      return { type, ...told, limits: readLimits(from) };
    case 'pricesUpdated':
      return {
        type,
        ...told,
        yes: column.price(from.integer(0, FULL_BPS)),
        no: column.price(from.integer(0, FULL_BPS)),
      };
    case 'holdingAdjusted':
      return {
        type,
        ...told,
        yes: column.shares(from.integer(0)),
        no: column.shares(from.integer(0)),
        yesCost: column.usd(from.integer()),
        noCost: column.usd(from.integer()),
      };
    case 'converted':
    case 'conversionRejected': {
      const about = { ...told, bot: counted.bot(from.integer(0)), conversion: from.word(WORDS.conversion) };
      if (type === 'conversionRejected') return { type, ...about, reason: from.word(REJECT_REASONS) };
      const shares = column.shares(from.integer(0));
      return { type, ...about, shares, paid: column.usd(from.integer()), fee: column.usd(from.integer()) };
    }
  }
}

function readAdded(from: ByteReader, time: EpochMs): MarketAdded {
  return {
    type: 'marketAdded',
    time,
    info: readInfo(from),
    limits: readLimits(from),
    state: {
      status: from.word(MARKET_STATUSES),
      acceptingOrders: from.flag(),
      placeDelay: column.duration(from.integer(0)),
    },
    bots: from.list(() => ({ bot: counted.bot(from.integer(0)), strategy: from.utf16(), params: from.utf16() })),
  };
}

function readInfo(from: ByteReader): MarketInfo {
  return {
    market: counted.market(from.integer(0)),
    id: marketId(from.utf16()),
    slug: from.utf16(),
    question: from.utf16(),
    grid: readGrid(from),
    scheduledResolution: from.flag() ? column.time(from.integer()) : undefined,
  };
}

function readGrid(from: ByteReader): PriceGrid {
  const type = from.word(WORDS.grid);
  if (type === 'tick') return { type, tickBps: from.integer(1, FULL_BPS) };
  const prices = () => from.list(() => column.price(from.integer(0, FULL_BPS)));
  return { type, bids: prices(), asks: prices() };
}

function readLimits(from: ByteReader): MarketLimits {
  return {
    minOrderShares: column.shares(from.integer(0)),
    minBet: column.usd(from.integer()),
    maxBet: column.usd(from.integer()),
    maxExposure: column.usd(from.integer()),
    feeRateBps: from.integer(0),
    spreadBps: from.integer(0),
  };
}

/** The keys, with their type: `Object.keys` forgets it. */
function typesOf<T extends string>(codes: Readonly<Record<T, number>>): readonly T[] {
  const types: T[] = [];
  for (const type in codes) types.push(type);
  return types;
}
