/** The way back from `encodeStep`; layout there. */
import { column, counted, type OrderCommand, type PlaceOrder, type Refused, RISK_CODES } from '../domain/index.ts';
import { ByteReader } from './byte-reader.ts';
import { decodeEvent } from './event-decoder.ts';
import type { Step } from './ports.ts';
import { CANCEL_EVERYONE, COMMAND_CODES, WORDS } from './step-codes.ts';

/** Reads the one step that these bytes are. @throws RangeError when they are none */
export function decodeStep(bytes: Uint8Array): Step {
  const from = new ByteReader(bytes);
  const [seq, time, row] = [counted.seq(from.number()), column.time(from.number()), from.number()];
  const event = decodeEvent(from);
  const refused = from.list(readRefused);
  const commands = from.list(readCommand);
  from.end();
  return { seq, time, row, event, refused, commands };
}

function readRefused(from: ByteReader): Refused {
  const market = counted.market(from.number());
  const code = from.word(RISK_CODES);
  return { ok: false, market, code, limit: from.number(), was: from.number() };
}

function readCommand(from: ByteReader): OrderCommand {
  const code = from.byte();
  switch (code) {
    case COMMAND_CODES.place:
      return readPlace(from);
    case COMMAND_CODES.cancel:
      return { type: 'cancel', order: counted.order(from.number()), market: counted.market(from.number()) };
    case COMMAND_CODES.reduce:
      return {
        type: 'reduce',
        order: counted.order(from.number()),
        market: counted.market(from.number()),
        by: column.shares(from.number()),
      };
    case COMMAND_CODES.replace:
      return {
        type: 'replace',
        market: counted.market(from.number()),
        cancels: from.list(() => ({ order: counted.order(from.number()), remaining: column.shares(from.number()) })),
        places: from.list(readPlace),
      };
    case COMMAND_CODES.split:
      return { type: 'split', ...readConversion(from) };
    case COMMAND_CODES.merge:
      return { type: 'merge', ...readConversion(from) };
    case COMMAND_CODES.claim:
      return { type: 'claim', ...readConversion(from) };
    case COMMAND_CODES.cancelAll:
      return { type: 'cancelAll' };
    case CANCEL_EVERYONE:
      return { type: 'cancelAll', everyone: true };
    default:
      throw new RangeError(`there is no command with code ${code}`);
  }
}

function readConversion(from: ByteReader) {
  return {
    bot: counted.bot(from.number()),
    market: counted.market(from.number()),
    shares: column.shares(from.number()),
  };
}

function readPlace(from: ByteReader): PlaceOrder {
  return {
    type: 'place',
    order: counted.order(from.number()),
    bot: counted.bot(from.number()),
    market: counted.market(from.number()),
    outcome: from.word(WORDS.outcome),
    side: from.word(WORDS.side),
    price: column.price(from.number()),
    shares: column.shares(from.number()),
    timeInForce: from.word(WORDS.timeInForce),
    postOnly: from.flag(),
    expiration: column.time(from.number()),
  };
}
