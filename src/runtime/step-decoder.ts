/** Decodes steps. `step-codec.ts` describes the layout. */
import {
  ByteReader,
  FULL_BPS,
  type InputEvent,
  type OrderCommand,
  type PlaceOrder,
  type Refused,
  type ReplaceOrders,
  RISK_CODES,
  unchecked,
} from '../domain/index.ts';
import { decodeEvent } from './event-codec.ts';
import type { Step } from './ports.ts';
import {
  CANCEL_ALL_OF_ACCOUNT,
  COMMAND_CODES,
  ENCODED_WORDS,
  PLACE_WITH_TAG,
  RECOVERED_FILL,
  REPLACE_WITH_TAGS,
  STATE_CHANGED,
} from './step-codes.ts';
import type { StateChange } from './strategy-states.ts';

/** @throws RangeError for bytes that are not exactly one step */
export function decodeStep(bytes: Uint8Array): Step {
  const from = new ByteReader(bytes);
  const [seq, time, row] = [unchecked.seq(from.integer(0)), unchecked.time(from.integer()), from.integer(0)];
  const event = readEvent(from);
  const refused = from.list(readRefused);
  const states: StateChange[] = [];
  const commands: OrderCommand[] = [];
  for (const entry of from.list(readEntry)) 'type' in entry ? commands.push(entry) : states.push(entry);
  from.expectEnd();
  const step = { seq, time, row, event, refused, commands };
  return states.length === 0 ? step : { ...step, states };
}

function readEvent(from: ByteReader): InputEvent | undefined {
  const code = from.byte();
  if (code !== RECOVERED_FILL) return decodeEvent(code, from);
  const recovery = from.oneOf(ENCODED_WORDS.recovery);
  const event = decodeEvent(from.byte(), from);
  if (event?.type !== 'orderFilled') throw new RangeError(`a recovery finds fills, not ${event?.type}`);
  return { ...event, recovery };
}

function readRefused(from: ByteReader): Refused {
  const market = unchecked.market(from.integer(0));
  const code = from.oneOf(RISK_CODES);
  return { ok: false, market, code, limit: from.float(), actual: from.float() };
}

function readEntry(from: ByteReader): OrderCommand | StateChange {
  const code = from.byte();
  return code === STATE_CHANGED ? readState(from) : readCommand(code, from);
}

function readState(from: ByteReader): StateChange {
  const strategy = from.utf16();
  const market = from.flag() ? { market: unchecked.market(from.integer(0)) } : {};
  return { strategy, ...market, value: from.flag() ? from.utf16() : undefined };
}

function readCommand(code: number, from: ByteReader): OrderCommand {
  switch (code) {
    case COMMAND_CODES.place:
      return readPlace(from);
    case PLACE_WITH_TAG:
      return readTaggedPlace(from);
    case COMMAND_CODES.cancel:
      return { type: 'cancel', ...readOrderKey(from) };
    case COMMAND_CODES.reduce:
      return { type: 'reduce', ...readOrderKey(from), by: unchecked.shares(from.integer(0)) };
    case COMMAND_CODES.replace:
      return readReplace(from, readPlace);
    case REPLACE_WITH_TAGS:
      return readReplace(from, readTaggedPlace);
    case COMMAND_CODES.split:
      return { type: 'split', ...readConversion(from) };
    case COMMAND_CODES.merge:
      return { type: 'merge', ...readConversion(from) };
    case COMMAND_CODES.claim:
      return { type: 'claim', ...readConversion(from) };
    case COMMAND_CODES.cancelAll:
      return { type: 'cancelAll' };
    case CANCEL_ALL_OF_ACCOUNT:
      return { type: 'cancelAll', isAccountWide: true };
    default:
      throw new RangeError(`there is no command with code ${code}`);
  }
}

function readOrderKey(from: ByteReader) {
  return { order: unchecked.order(from.integer(0)), market: unchecked.market(from.integer(0)) };
}

function readConversion(from: ByteReader) {
  return {
    bot: unchecked.instance(from.integer(0)),
    market: unchecked.market(from.integer(0)),
    shares: unchecked.shares(from.integer(0)),
  };
}

function readReplace(from: ByteReader, readOrder: (from: ByteReader) => PlaceOrder): ReplaceOrders {
  return {
    type: 'replace',
    market: unchecked.market(from.integer(0)),
    cancels: from.list(() => {
      return { order: unchecked.order(from.integer(0)), remaining: unchecked.shares(from.integer(0)) };
    }),
    places: from.list(readOrder),
  };
}

function readTaggedPlace(from: ByteReader): PlaceOrder {
  const place = readPlace(from);
  const tag = from.utf16();
  return tag === '' ? place : { ...place, tag };
}

function readPlace(from: ByteReader): PlaceOrder {
  return {
    type: 'place',
    order: unchecked.order(from.integer(0)),
    bot: unchecked.instance(from.integer(0)),
    market: unchecked.market(from.integer(0)),
    outcome: from.oneOf(ENCODED_WORDS.outcome),
    side: from.oneOf(ENCODED_WORDS.side),
    price: unchecked.price(from.integer(0, FULL_BPS)),
    shares: unchecked.shares(from.integer(0)),
    timeInForce: from.oneOf(ENCODED_WORDS.timeInForce),
    postOnly: from.flag(),
    expiration: unchecked.time(from.integer()),
  };
}
