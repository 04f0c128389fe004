/**
 * Encodes a step as bytes, for the event log's hash and for stores. Each step has exactly one encoding.
 *
 * Layout, little-endian: number = float64, code = one byte, count = uint32, text = count of UTF-16 units and the units.
 * A step is seq, time, row (numbers), the event, a count and the refusals, a count and the commands followed by saved
 * states. Events and commands begin with their code. Reasons, tags and risk codes are indexes in lists of `domain/`, so
 * append to these lists only. Steps that differ in any field differ in bytes. `step-decoder.ts` decodes them.
 */
import {
  type ByteWriter,
  CLOSE_REASONS,
  FILL_BASES,
  type InputEvent,
  type OrderCommand,
  type OrderFilled,
  type PlaceOrder,
  type Refused,
  RISK_CODES,
} from '../domain/index.ts';
import { encodeNumbers, encodeRareEvent, encodeVenueHead, toCode } from './event-codec.ts';
import type { Step } from './ports.ts';
import {
  CANCEL_ALL_OF_ACCOUNT,
  COMMAND_CODES,
  ENCODED_WORDS,
  EVENT_CODES,
  FILL_WITH_TRADE,
  PLACE_WITH_TAG,
  PROVISIONAL_FILL,
  RECOVERED_FILL,
  REPLACE_WITH_TAGS,
  STATE_CHANGED,
} from './step-codes.ts';
import type { StateChange } from './strategy-states.ts';

const NONE: readonly never[] = [];

export function encodeStep({ seq, time, row, event, refused, commands, states = NONE }: Step, to: ByteWriter): void {
  to.float(seq);
  to.float(time);
  to.float(row);
  if (event === undefined) to.byte(0);
  else encodeEvent(event, to);
  to.count(refused.length);
  for (const refusal of refused) encodeRefused(refusal, to);
  to.count(commands.length + states.length);
  for (const command of commands) encodeCommand(command, to);
  for (const change of states) encodeState(change, to);
}

function encodeState({ strategy, market, value }: StateChange, to: ByteWriter): void {
  to.byte(STATE_CHANGED);
  to.utf16(strategy);
  to.byte(market === undefined ? 0 : 1);
  if (market !== undefined) to.float(market);
  to.byte(value === undefined ? 0 : 1);
  if (value !== undefined) to.utf16(value);
}

/** Encodes frequent events directly, because a lookup by name would cost more than the encoding. */
function encodeEvent(event: InputEvent, to: ByteWriter): void {
  switch (event.type) {
    case 'ordersReplaced':
      encodeVenueHead(EVENT_CODES.ordersReplaced, event, to);
      encodeNumbers(event.closed, to);
      encodeNumbers(event.accepted, to);
      return;
    case 'orderFilled':
      if (event.recovery !== undefined) {
        to.byte(RECOVERED_FILL);
        to.byte(toCode(ENCODED_WORDS.recovery, event.recovery));
      }
      encodeVenueHead(fillCode(event), event, to);
      to.float(event.order);
      to.byte(toCode(ENCODED_WORDS.outcome, event.outcome));
      to.byte(toCode(ENCODED_WORDS.side, event.side));
      to.float(event.price);
      to.float(event.shares);
      to.float(event.remaining);
      to.float(event.fee);
      to.byte(toCode(ENCODED_WORDS.liquidity, event.liquidity));
      to.byte(toCode(FILL_BASES, event.basis));
      to.byte(event.inside ? 1 : 0);
      if (event.trade !== undefined) to.utf16(event.trade);
      return;
    case 'orderClosed':
      encodeVenueHead(EVENT_CODES.orderClosed, event, to);
      to.float(event.order);
      to.byte(toCode(CLOSE_REASONS, event.reason));
      return;
    case 'orderAccepted':
      encodeVenueHead(EVENT_CODES.orderAccepted, event, to);
      to.float(event.order);
      return;
    case 'orderReduced':
      encodeVenueHead(EVENT_CODES.orderReduced, event, to);
      to.float(event.order);
      to.float(event.remaining);
      return;
    default:
      encodeRareEvent(event, to);
  }
}

/** Returns the code, which depends on whether a fill has a trade and is final. */
function fillCode({ trade, provisional }: OrderFilled): number {
  if (trade === undefined) return EVENT_CODES.orderFilled;
  return provisional === true ? PROVISIONAL_FILL : FILL_WITH_TRADE;
}

function encodeRefused(refusal: Refused, to: ByteWriter): void {
  to.float(refusal.market);
  to.byte(toCode(RISK_CODES, refusal.code));
  to.float(refusal.limit);
  to.float(refusal.actual);
}

function encodeCommand(command: OrderCommand, to: ByteWriter): void {
  switch (command.type) {
    case 'place':
      to.byte(command.tag === undefined ? COMMAND_CODES.place : PLACE_WITH_TAG);
      encodePlace(command, to);
      if (command.tag !== undefined) to.utf16(command.tag);
      return;
    case 'cancel':
      to.byte(COMMAND_CODES.cancel);
      to.float(command.order);
      to.float(command.market);
      return;
    case 'reduce':
      to.byte(COMMAND_CODES.reduce);
      to.float(command.order);
      to.float(command.market);
      to.float(command.by);
      return;
    case 'replace': {
      const hasTags = command.places.some(({ tag }) => tag !== undefined);
      to.byte(hasTags ? REPLACE_WITH_TAGS : COMMAND_CODES.replace);
      to.float(command.market);
      to.count(command.cancels.length);
      for (const { order, remaining } of command.cancels) {
        to.float(order);
        to.float(remaining);
      }
      to.count(command.places.length);
      for (const place of command.places) {
        encodePlace(place, to);
        if (hasTags) to.utf16(place.tag ?? '');
      }
      return;
    }
    case 'split':
    case 'merge':
    case 'claim':
      to.byte(COMMAND_CODES[command.type]);
      to.float(command.bot);
      to.float(command.market);
      to.float(command.shares);
      return;
    case 'cancelAll':
      to.byte(command.isAccountWide === true ? CANCEL_ALL_OF_ACCOUNT : COMMAND_CODES.cancelAll);
      return;
  }
}

function encodePlace(place: PlaceOrder, to: ByteWriter): void {
  to.float(place.order);
  to.float(place.bot);
  to.float(place.market);
  to.byte(toCode(ENCODED_WORDS.outcome, place.outcome));
  to.byte(toCode(ENCODED_WORDS.side, place.side));
  to.float(place.price);
  to.float(place.shares);
  to.byte(toCode(ENCODED_WORDS.timeInForce, place.timeInForce));
  to.byte(place.postOnly ? 1 : 0);
  to.float(place.expiration);
}
