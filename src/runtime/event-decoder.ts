/** Events back from their bytes; layout in `step-codec.ts`. */
import {
  CLOSE_REASONS,
  column,
  counted,
  type EpochMs,
  FILL_TAGS,
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
import type { ByteReader } from './byte-reader.ts';
import { EVENT_CODES, OPERATOR_REMOVED, REASONED_OPERATOR, WORDS } from './step-codes.ts';

type VenueType = Extract<InputEvent, { venueTime: unknown }>['type'];
type Unplaced = 'cashAdjusted' | 'venueChanged' | 'ratesTold';

const TYPES: ReadonlyMap<number, InputEvent['type']> = new Map<number, InputEvent['type']>([
  ...typesOf(EVENT_CODES).map((type) => [EVENT_CODES[type], type] as const),
  [REASONED_OPERATOR, 'operatorSpoke'],
  [OPERATOR_REMOVED, 'marketRemoved'],
]);

/** Undefined where a market message caused the step. @throws RangeError for bytes that are no event */
export function decodeEvent(from: ByteReader): InputEvent | undefined {
  const code = from.byte();
  if (code === 0) return undefined;
  const type = TYPES.get(code);
  if (type === undefined) throw new RangeError(`there is no event with code ${code}`);
  const time = column.time(from.number());
  switch (type) {
    case 'started':
    case 'stopped':
    case 'woke':
      return { type, time };
    case 'timerFired':
      return { type, time, bot: counted.bot(from.number()), timer: from.text() };
    case 'signalReceived':
      return { type, time, name: from.text(), value: from.number() };
    case 'operatorSpoke': {
      const spoke = { type, time, command: from.word(OPERATOR_COMMANDS) };
      return code === REASONED_OPERATOR ? { ...spoke, reason: from.text() } : spoke;
    }
    case 'parameterSet':
      return { type, time, bot: counted.bot(from.number()), name: from.text(), value: from.text() };
    case 'marketAdded':
      return readAdded(from, time);
    case 'marketRemoved': {
      const left = { type, time, market: counted.market(from.number()) };
      return code === OPERATOR_REMOVED ? { ...left, byOperator: true } : left;
    }
    case 'cashAdjusted':
    case 'venueChanged':
    case 'ratesTold':
      return readUnplaced(type, from, time);
    default:
      return readTold(type, from, time);
  }
}

function readUnplaced(type: Unplaced, from: ByteReader, time: EpochMs): InputEvent {
  const told = { time, venueTime: column.time(from.number()) };
  switch (type) {
    case 'cashAdjusted':
      return { type, ...told, amount: column.usd(from.number()) };
    case 'venueChanged':
      return { type, ...told, mode: from.word(VENUE_MODES), link: from.word(LINKS) };
    case 'ratesTold':
      return {
        type,
        ...told,
        bucket: from.word(RATE_BUCKETS),
        capacity: from.number(),
        refillPerSecond: from.number(),
        remaining: from.number(),
        retryAfterMs: from.number(),
      };
  }
}

function readTold(type: Exclude<VenueType, Unplaced>, from: ByteReader, time: EpochMs): InputEvent {
  const told = { time, venueTime: column.time(from.number()), market: counted.market(from.number()) };
  const order = () => counted.order(from.number());
  switch (type) {
    case 'orderAccepted':
    case 'orderUncertain':
      return { type, ...told, order: order() };
    case 'orderRejected':
      return { type, ...told, order: order(), reason: from.word(REJECT_REASONS) };
    case 'cancelRejected':
      return { type, ...told, order: order(), reason: from.word(REJECT_REASONS) };
    case 'orderReduced':
      return { type, ...told, order: order(), remaining: column.shares(from.number()) };
    case 'orderClosed':
      return { type, ...told, order: order(), reason: from.word(CLOSE_REASONS) };
    case 'orderFilled':
      return {
        type,
        ...told,
        order: order(),
        outcome: from.word(WORDS.outcome),
        side: from.word(WORDS.side),
        price: column.price(from.number()),
        shares: column.shares(from.number()),
        remaining: column.shares(from.number()),
        fee: column.usd(from.number()),
        liquidity: from.word(WORDS.liquidity),
        tag: from.word(FILL_TAGS),
        inside: from.flag(),
      };
    case 'ordersReplaced':
      return { type, ...told, closed: from.list(order), accepted: from.list(order) };
    case 'limitsChanged':
      return { type, ...told, limits: readLimits(from) };
    case 'pricesTold':
      return { type, ...told, yes: column.price(from.number()), no: column.price(from.number()) };
    case 'holdingAdjusted':
      return {
        type,
        ...told,
        yes: column.shares(from.number()),
        no: column.shares(from.number()),
        yesCost: column.usd(from.number()),
        noCost: column.usd(from.number()),
      };
    case 'converted':
    case 'conversionRejected': {
      const about = { ...told, bot: counted.bot(from.number()), conversion: from.word(WORDS.conversion) };
      if (type === 'conversionRejected') return { type, ...about, reason: from.word(REJECT_REASONS) };
      const shares = column.shares(from.number());
      return { type, ...about, shares, paid: column.usd(from.number()), fee: column.usd(from.number()) };
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
      placeDelay: column.duration(from.number()),
    },
    bots: from.list(() => ({ bot: counted.bot(from.number()), strategy: from.text(), params: from.text() })),
  };
}

function readInfo(from: ByteReader): MarketInfo {
  return {
    market: counted.market(from.number()),
    id: marketId(from.text()),
    slug: from.text(),
    question: from.text(),
    grid: readGrid(from),
    scheduledResolution: from.flag() ? column.time(from.number()) : undefined,
  };
}

function readGrid(from: ByteReader): PriceGrid {
  const type = from.word(WORDS.grid);
  if (type === 'tick') return { type, tickBps: from.number() };
  const prices = () => from.list(() => column.price(from.number()));
  return { type, bids: prices(), asks: prices() };
}

function readLimits(from: ByteReader): MarketLimits {
  return {
    minOrderShares: column.shares(from.number()),
    minBet: column.usd(from.number()),
    maxBet: column.usd(from.number()),
    maxExposure: column.usd(from.number()),
    feeRateBps: from.number(),
    spreadBps: from.number(),
  };
}

/** The keys, with their type: `Object.keys` forgets it. */
function typesOf<T extends string>(codes: Readonly<Record<T, number>>): readonly T[] {
  const types: T[] = [];
  for (const type in codes) types.push(type);
  return types;
}
