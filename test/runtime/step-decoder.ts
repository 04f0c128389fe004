/** The way back from `encodeStep`, to prove that nothing is lost on the way there. */
import {
  CLOSE_REASONS,
  column,
  counted,
  FILL_TAGS,
  type InputEvent,
  type MarketLimits,
  type OrderCommand,
  type PlaceOrder,
  REJECT_REASONS,
  type Refused,
  RISK_CODES,
} from '../../src/domain/index.ts';
import type { Step } from '../../src/runtime/index.ts';
import { COMMAND_CODES, EVENT_CODES, WORDS } from '../../src/runtime/step-codec.ts';

/** Reads one step and insists that nothing is left. */
export function decodeStep(bytes: Uint8Array): Step {
  const from = new Reader(bytes);
  const [seq, time, row] = [counted.seq(from.number()), column.time(from.number()), from.number()];
  const event = readEvent(from);
  const refused = from.list(readRefused);
  const commands = from.list(readCommand);
  from.end();
  return { seq, time, row, event, refused, commands };
}

class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    this.#at += 1;
    return this.#view.getUint8(this.#at - 1);
  }

  number(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  text(): string {
    return this.#units()
      .map((unit) => String.fromCharCode(unit))
      .join('');
  }

  word<W>(words: readonly W[]): W {
    const word = words[this.byte()];
    if (word === undefined) throw new Error('no such word');
    return word;
  }

  list<T>(read: (from: Reader) => T): readonly T[] {
    return Array.from({ length: this.#count() }, () => read(this));
  }

  end(): void {
    if (this.#at !== this.#view.byteLength) throw new Error('bytes are left over');
  }

  #units(): readonly number[] {
    return Array.from({ length: this.#count() }, () => {
      this.#at += 2;
      return this.#view.getUint16(this.#at - 2, true);
    });
  }

  #count(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }
}

function nameOf<N extends string>(codes: Readonly<Record<N, number>>, code: number): N {
  for (const name in codes) if (codes[name] === code) return name;
  throw new Error(`no code ${code}`);
}

function readEvent(from: Reader): InputEvent | undefined {
  const code = from.byte();
  if (code === 0) return undefined;
  const type = nameOf(EVENT_CODES, code);
  const time = column.time(from.number());
  switch (type) {
    case 'started':
    case 'stopped':
      return { type, time };
    case 'timerFired':
      return { type, time, bot: counted.bot(from.number()), timer: from.text() };
    case 'signalReceived':
      return { type, time, name: from.text(), value: from.number() };
    case 'operatorSpoke':
      return { type, time, command: from.word(WORDS.operator) };
    default:
      return readVenueEvent(type, from, time);
  }
}

function readVenueEvent(
  type: Extract<InputEvent, { venueTime: unknown }>['type'],
  from: Reader,
  time: ReturnType<typeof column.time>,
): InputEvent {
  const told = { time, venueTime: column.time(from.number()), market: counted.market(from.number()) };
  const order = () => counted.order(from.number());
  switch (type) {
    case 'orderAccepted':
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
        inside: from.byte() === 1,
      };
    case 'converted':
      return {
        type,
        ...told,
        bot: counted.bot(from.number()),
        conversion: from.word(WORDS.conversion),
        shares: column.shares(from.number()),
        paid: column.usd(from.number()),
        fee: column.usd(from.number()),
      };
    case 'conversionRejected':
      return {
        type,
        ...told,
        bot: counted.bot(from.number()),
        conversion: from.word(WORDS.conversion),
        reason: from.word(REJECT_REASONS),
      };
    case 'ordersReplaced':
      return { type, ...told, closed: from.list(() => order()), accepted: from.list(() => order()) };
    case 'limitsChanged':
      return { type, ...told, limits: readLimits(from) };
  }
}

function readLimits(from: Reader): MarketLimits {
  return {
    minOrderShares: column.shares(from.number()),
    minBet: column.usd(from.number()),
    maxBet: column.usd(from.number()),
    maxExposure: column.usd(from.number()),
    feeRateBps: from.number(),
    spreadBps: from.number(),
  };
}

function readRefused(from: Reader): Refused {
  const market = counted.market(from.number());
  const code = from.word(RISK_CODES);
  return { ok: false, market, code, limit: from.number(), was: from.number() };
}

function readCommand(from: Reader): OrderCommand {
  const type = nameOf(COMMAND_CODES, from.byte());
  switch (type) {
    case 'place':
      return readPlace(from);
    case 'cancel':
      return { type, order: counted.order(from.number()), market: counted.market(from.number()) };
    case 'reduce':
      return {
        type,
        order: counted.order(from.number()),
        market: counted.market(from.number()),
        by: column.shares(from.number()),
      };
    case 'replace':
      return {
        type,
        market: counted.market(from.number()),
        cancels: from.list(() => ({ order: counted.order(from.number()), remaining: column.shares(from.number()) })),
        places: from.list(readPlace),
      };
    case 'cancelAll':
      return { type };
    default:
      return {
        type,
        bot: counted.bot(from.number()),
        market: counted.market(from.number()),
        shares: column.shares(from.number()),
      };
  }
}

function readPlace(from: Reader): PlaceOrder {
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
    postOnly: from.byte() === 1,
    expiration: column.time(from.number()),
  };
}
