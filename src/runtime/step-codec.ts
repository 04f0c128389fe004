/**
 * A step as bytes, one way only for each step: what the event log's hash is taken of, and what a store may keep.
 *
 * Layout, little-endian: number = float64, code = one byte, count = uint32, text = count of UTF-16 units and the units.
 * A step is seq, time, row (numbers), the event, a count and the refusals, a count and the commands. Events and commands
 * begin with their code; reasons, tags and risk codes are places in the lists of `domain/`, so these lists only grow at
 * their ends. Steps that differ in any field differ in bytes (a decoder in `test/runtime/` holds this).
 */
import {
  CLOSE_REASONS,
  FILL_TAGS,
  type InputEvent,
  type MarketLimits,
  type OrderCommand,
  type PlaceOrder,
  REJECT_REASONS,
  type Refused,
  RISK_CODES,
} from '../domain/index.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Step } from './ports.ts';

/** Codes of events; 0 stands for a market message. Kept for ever. */
export const EVENT_CODES = {
  orderAccepted: 1,
  orderRejected: 2,
  orderFilled: 3,
  orderReduced: 4,
  orderClosed: 5,
  cancelRejected: 6,
  converted: 7,
  conversionRejected: 8,
  started: 9,
  stopped: 10,
  timerFired: 11,
  signalReceived: 12,
  operatorSpoke: 13,
  limitsChanged: 14,
  ordersReplaced: 15,
} as const satisfies Record<InputEvent['type'], number>;

/** Codes of commands. Kept for ever. */
export const COMMAND_CODES = {
  place: 1,
  cancel: 2,
  reduce: 3,
  replace: 4,
  split: 5,
  merge: 6,
  claim: 7,
  cancelAll: 8,
} as const satisfies Record<OrderCommand['type'], number>;

/** Words that stand for themselves in one byte, by their place. Kept for ever. */
export const WORDS = {
  outcome: ['YES', 'NO'],
  side: ['BUY', 'SELL'],
  timeInForce: ['GTC', 'GTD', 'FOK', 'FAK'],
  liquidity: ['maker', 'taker'],
  conversion: ['split', 'merge', 'claim'],
  operator: ['kill', 'reduce', 'resume'],
} as const;

type Told = Extract<InputEvent, { venueTime: unknown }>;
type RareEvent = Exclude<InputEvent, { type: `order${string}` } | { type: 'cancelRejected' }>;

export function encodeStep({ seq, time, row, event, refused, commands }: Step, to: ByteWriter): void {
  to.number(seq);
  to.number(time);
  to.number(row);
  if (event === undefined) to.byte(0);
  else encodeEvent(event, to);
  to.count(refused.length);
  for (const refusal of refused) encodeRefused(refusal, to);
  to.count(commands.length);
  for (const command of commands) encodeCommand(command, to);
}

/** Each kind writes its own code: a look-up by name would cost more than the writing. */
function encodeEvent(event: InputEvent, to: ByteWriter): void {
  switch (event.type) {
    case 'ordersReplaced':
      encodeTold(EVENT_CODES.ordersReplaced, event, to);
      encodeNumbers(event.closed, to);
      encodeNumbers(event.accepted, to);
      return;
    case 'orderFilled':
      encodeTold(EVENT_CODES.orderFilled, event, to);
      to.number(event.order);
      to.byte(code(WORDS.outcome, event.outcome));
      to.byte(code(WORDS.side, event.side));
      to.number(event.price);
      to.number(event.shares);
      to.number(event.remaining);
      to.number(event.fee);
      to.byte(code(WORDS.liquidity, event.liquidity));
      to.byte(code(FILL_TAGS, event.tag));
      to.byte(event.inside ? 1 : 0);
      return;
    case 'orderClosed':
      encodeTold(EVENT_CODES.orderClosed, event, to);
      to.number(event.order);
      to.byte(code(CLOSE_REASONS, event.reason));
      return;
    case 'orderAccepted':
      encodeTold(EVENT_CODES.orderAccepted, event, to);
      to.number(event.order);
      return;
    case 'orderRejected':
    case 'cancelRejected':
      encodeTold(EVENT_CODES[event.type], event, to);
      to.number(event.order);
      to.byte(code(REJECT_REASONS, event.reason));
      return;
    case 'orderReduced':
      encodeTold(EVENT_CODES.orderReduced, event, to);
      to.number(event.order);
      to.number(event.remaining);
      return;
    default:
      encodeRareEvent(event, to);
  }
}

function encodeTold(kind: number, event: Told, to: ByteWriter): void {
  to.byte(kind);
  to.number(event.time);
  to.number(event.venueTime);
  to.number(event.market);
}

function encodeRareEvent(event: RareEvent, to: ByteWriter): void {
  const kind = EVENT_CODES[event.type];
  switch (event.type) {
    case 'converted':
      encodeTold(kind, event, to);
      to.number(event.bot);
      to.byte(code(WORDS.conversion, event.conversion));
      to.number(event.shares);
      to.number(event.paid);
      to.number(event.fee);
      return;
    case 'conversionRejected':
      encodeTold(kind, event, to);
      to.number(event.bot);
      to.byte(code(WORDS.conversion, event.conversion));
      to.byte(code(REJECT_REASONS, event.reason));
      return;
    case 'limitsChanged':
      encodeTold(kind, event, to);
      encodeLimits(event.limits, to);
      return;
    default:
      to.byte(kind);
      to.number(event.time);
      encodeOutsideEvent(event, to);
  }
}

function encodeOutsideEvent(event: Exclude<RareEvent, Told>, to: ByteWriter): void {
  switch (event.type) {
    case 'started':
    case 'stopped':
      return;
    case 'timerFired':
      to.number(event.bot);
      to.text(event.timer);
      return;
    case 'signalReceived':
      to.text(event.name);
      to.number(event.value);
      return;
    case 'operatorSpoke':
      to.byte(code(WORDS.operator, event.command));
      return;
  }
}

function encodeNumbers(numbers: readonly number[], to: ByteWriter): void {
  to.count(numbers.length);
  for (const number of numbers) to.number(number);
}

function encodeLimits(limits: MarketLimits, to: ByteWriter): void {
  to.number(limits.minOrderShares);
  to.number(limits.minBet);
  to.number(limits.maxBet);
  to.number(limits.maxExposure);
  to.number(limits.feeRateBps);
  to.number(limits.spreadBps);
}

function encodeRefused(refusal: Refused, to: ByteWriter): void {
  to.number(refusal.market);
  to.byte(code(RISK_CODES, refusal.code));
  to.number(refusal.limit);
  to.number(refusal.was);
}

function encodeCommand(command: OrderCommand, to: ByteWriter): void {
  switch (command.type) {
    case 'place':
      to.byte(COMMAND_CODES.place);
      encodePlace(command, to);
      return;
    case 'cancel':
      to.byte(COMMAND_CODES.cancel);
      to.number(command.order);
      to.number(command.market);
      return;
    case 'reduce':
      to.byte(COMMAND_CODES.reduce);
      to.number(command.order);
      to.number(command.market);
      to.number(command.by);
      return;
    case 'replace':
      to.byte(COMMAND_CODES.replace);
      to.number(command.market);
      to.count(command.cancels.length);
      for (const { order, remaining } of command.cancels) {
        to.number(order);
        to.number(remaining);
      }
      to.count(command.places.length);
      for (const place of command.places) encodePlace(place, to);
      return;
    case 'split':
    case 'merge':
    case 'claim':
      to.byte(COMMAND_CODES[command.type]);
      to.number(command.bot);
      to.number(command.market);
      to.number(command.shares);
      return;
    case 'cancelAll':
      to.byte(COMMAND_CODES.cancelAll);
      return;
  }
}

function encodePlace(place: PlaceOrder, to: ByteWriter): void {
  to.number(place.order);
  to.number(place.bot);
  to.number(place.market);
  to.byte(code(WORDS.outcome, place.outcome));
  to.byte(code(WORDS.side, place.side));
  to.number(place.price);
  to.number(place.shares);
  to.byte(code(WORDS.timeInForce, place.timeInForce));
  to.byte(place.postOnly ? 1 : 0);
  to.number(place.expiration);
}

function code<W extends string>(words: readonly W[], word: W): number {
  if (word === words[0]) return 0;
  const place = words.indexOf(word);
  if (place < 0) throw new RangeError(`Invariant: "${word}" is none of ${words.join(', ')}`);
  return place;
}
