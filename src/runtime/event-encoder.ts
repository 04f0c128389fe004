/** Events as bytes, those that come seldom; layout and rules in `step-codec.ts`. */
import {
  type ByteWriter,
  type InputEvent,
  LINKS,
  MARKET_STATUSES,
  type MarketAdded,
  type MarketInfo,
  type MarketLimits,
  type MarketNo,
  OPERATOR_COMMANDS,
  RATE_BUCKETS,
  REJECT_REASONS,
  VENUE_MODES,
} from '../domain/index.ts';
import { EVENT_CODES, OPERATOR_REMOVED, REASONED_OPERATOR, TRADE_CASH, WORDS } from './step-codes.ts';

type VenueTimed = Extract<InputEvent, { venueTime: unknown }>;
type Outside = Exclude<InputEvent, VenueTimed>;
export type RareEvent = Exclude<InputEvent, { type: `order${string}` } | { type: 'cancelRejected' }>;

/** The head of what a venue told of one market. */
export function encodeVenueHead(kind: number, event: VenueTimed & { readonly market: MarketNo }, to: ByteWriter): void {
  to.byte(kind);
  to.float(event.time);
  to.float(event.venueTime);
  to.float(event.market);
}

export function encodeRareEvent(event: RareEvent, to: ByteWriter): void {
  switch (event.type) {
    case 'converted':
      encodeVenueHead(EVENT_CODES.converted, event, to);
      to.float(event.bot);
      to.byte(placeOf(WORDS.conversion, event.conversion));
      to.float(event.shares);
      to.float(event.paid);
      to.float(event.fee);
      return;
    case 'conversionRejected':
      encodeVenueHead(EVENT_CODES.conversionRejected, event, to);
      to.float(event.bot);
      to.byte(placeOf(WORDS.conversion, event.conversion));
      to.byte(placeOf(REJECT_REASONS, event.reason));
      return;
    case 'limitsChanged':
      encodeVenueHead(EVENT_CODES.limitsChanged, event, to);
      encodeLimits(event.limits, to);
      return;
    case 'pricesUpdated':
      encodeVenueHead(EVENT_CODES.pricesUpdated, event, to);
      to.float(event.yes);
      to.float(event.no);
      return;
    case 'holdingAdjusted':
      encodeVenueHead(EVENT_CODES.holdingAdjusted, event, to);
      to.float(event.yes);
      to.float(event.no);
      to.float(event.yesCost);
      to.float(event.noCost);
      return;
    default:
      encodeUnplaced(event, to);
  }
}

/** Of no market: the account's, the venue's, or no word of the venue at all. */
function encodeUnplaced(event: Exclude<RareEvent, VenueTimed & { readonly market: MarketNo }>, to: ByteWriter): void {
  to.byte(codeOf(event));
  to.float(event.time);
  switch (event.type) {
    case 'cashAdjusted':
      to.float(event.venueTime);
      to.float(event.amount);
      if (event.trade !== undefined) to.utf16(event.trade);
      return;
    case 'venueChanged':
      to.float(event.venueTime);
      to.byte(placeOf(VENUE_MODES, event.mode));
      to.byte(placeOf(LINKS, event.link));
      return;
    case 'rateLimitUpdated':
      to.float(event.venueTime);
      to.byte(placeOf(RATE_BUCKETS, event.bucket));
      to.float(event.capacity);
      to.float(event.refillPerSecond);
      to.float(event.remaining);
      to.float(event.retryAfterMs);
      return;
    default:
      encodeOutside(event, to);
  }
}

/** Some words that an event may go without are in its code. */
function codeOf(event: Exclude<RareEvent, VenueTimed & { readonly market: MarketNo }>): number {
  if (event.type === 'operatorCommanded' && event.reason !== undefined) return REASONED_OPERATOR;
  if (event.type === 'marketRemoved' && event.byOperator === true) return OPERATOR_REMOVED;
  if (event.type === 'cashAdjusted' && event.trade !== undefined) return TRADE_CASH;
  return EVENT_CODES[event.type];
}

function encodeOutside(event: Outside, to: ByteWriter): void {
  switch (event.type) {
    case 'started':
    case 'stopped':
    case 'woke':
      return;
    case 'timerFired':
      to.float(event.bot);
      to.utf16(event.timer);
      return;
    case 'signalReceived':
      to.utf16(event.name);
      to.float(event.value);
      return;
    case 'operatorCommanded':
      to.byte(placeOf(OPERATOR_COMMANDS, event.command));
      if (event.reason !== undefined) to.utf16(event.reason);
      return;
    case 'parameterSet':
      to.float(event.bot);
      to.utf16(event.name);
      to.utf16(event.value);
      return;
    case 'marketAdded':
      encodeAdded(event, to);
      return;
    case 'marketRemoved':
      to.float(event.market);
      return;
    case 'feeConfirmed':
      to.float(event.market);
      to.float(event.feeRateBps);
      return;
  }
}

function encodeAdded({ info, limits, state, bots }: MarketAdded, to: ByteWriter): void {
  encodeInfo(info, to);
  encodeLimits(limits, to);
  to.byte(placeOf(MARKET_STATUSES, state.status));
  to.byte(state.acceptingOrders ? 1 : 0);
  to.float(state.placeDelay);
  to.count(bots.length);
  for (const { bot, strategy, params } of bots) {
    to.float(bot);
    to.utf16(strategy);
    to.utf16(params);
  }
}

function encodeInfo({ market, id, slug, question, grid, scheduledResolution }: MarketInfo, to: ByteWriter): void {
  to.float(market);
  to.utf16(id);
  to.utf16(slug);
  to.utf16(question);
  to.byte(placeOf(WORDS.grid, grid.type));
  if (grid.type === 'tick') to.float(grid.tickBps);
  else {
    encodeNumbers(grid.bids, to);
    encodeNumbers(grid.asks, to);
  }
  to.byte(scheduledResolution === undefined ? 0 : 1);
  if (scheduledResolution !== undefined) to.float(scheduledResolution);
}

function encodeLimits(limits: MarketLimits, to: ByteWriter): void {
  to.float(limits.minOrderShares);
  to.float(limits.minBet);
  to.float(limits.maxBet);
  to.float(limits.maxExposure);
  to.float(limits.feeRateBps);
  to.float(limits.spreadBps);
}

export function encodeNumbers(numbers: readonly number[], to: ByteWriter): void {
  to.count(numbers.length);
  for (const number of numbers) to.float(number);
}

/** The byte that stands for a word. @throws RangeError for a word that is not in the list */
export function placeOf<W extends string>(words: readonly W[], word: W): number {
  if (word === words[0]) return 0;
  const place = words.indexOf(word);
  if (place < 0) throw new RangeError(`Invariant: "${word}" is none of ${words.join(', ')}`);
  return place;
}
