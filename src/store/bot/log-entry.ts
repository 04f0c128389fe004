/**
 * An entry of a bot's log: steps, and the signed orders that go out with them, as bytes.
 *
 * Layout, little-endian: float64 position in the venue's stream; uint32 number of steps, each a uint32 length and the bytes
 * of `encodeStep`; text of risk's state (JSON; empty where it is not part of the entry); uint32 number of signed orders. Of
 * each the float64s number, market, time signed, epoch, and the UTF-16 units of the market's id, of the hash and of the wire
 * form; then these three as one text, and behind them the command (JSON) where it is none of these steps. A text is a uint32
 * length and its UTF-8.
 *
 * HOT: on the way of every order. Text is written by the system's own code, as nothing of ours is warm at a few orders a
 * second: 25 us for two orders then (docs/performance.md), a few in a loop (bench/bot-store.ts has the whole way).
 */
import { counted, type PlaceOrder } from '../../domain/index.ts';
import { ByteWriter, decodeStep, encodeStep, type SignedRecord, type Step } from '../../runtime/index.ts';

/** What becomes durable in one go. */
export interface LogEntry {
  readonly steps: readonly Step[];
  readonly signed: readonly SignedRecord[];
  /** The position in the venue's own stream that all stored steps have come to. */
  readonly cursor: number;
  /** Risk's state as JSON; undefined where the steps leave it as it was. */
  readonly risk: string | undefined;
}

const FIRST_CAPACITY = 65_536;
/** Most bytes of a UTF-16 unit in UTF-8. */
const UTF8 = 3;
const COUNT = 4;
const NUMBER = 8;

/** Writes entries into one buffer that is used again and again. */
export class EntryWriter {
  /** Left free in front of the entry. */
  readonly #head: number;
  readonly #steps = new ByteWriter(4_096);
  #buffer: Buffer<ArrayBuffer> = Buffer.alloc(FIRST_CAPACITY);
  #view = new DataView(this.#buffer.buffer);
  #at = 0;

  /** @param head bytes to leave free in front of each entry */
  constructor(head: number) {
    this.#head = head;
  }

  /** The free bytes and the entry, to be used before the next call. */
  write({ steps, signed, cursor, risk }: LogEntry): Buffer<ArrayBuffer> {
    this.#at = this.#head;
    this.#number(cursor);
    this.#count(steps.length);
    for (const step of steps) this.#step(step);
    this.#text(risk ?? '');
    this.#count(signed.length);
    for (const record of signed) this.#signed(record, steps);
    return this.#buffer.subarray(0, this.#at);
  }

  #signed(
    { order, market, marketId, hash, timestampMs, epoch, wire, wireBytes, command }: SignedRecord,
    steps: readonly Step[],
  ): void {
    const other = placesIn(steps).includes(command) ? '' : JSON.stringify(command);
    this.#number(order);
    this.#number(market);
    this.#number(timestampMs);
    this.#number(epoch);
    this.#number(marketId.length);
    this.#number(hash.length);
    this.#number(wire.length);
    const from = this.#at;
    this.#count(0);
    this.#units(marketId);
    this.#units(hash);
    if (wireBytes === undefined) this.#units(wire);
    else this.#bytes(wireBytes);
    this.#units(other);
    this.#view.setUint32(from, this.#at - from - COUNT, true);
  }

  #step(step: Step): void {
    encodeStep(step, this.#steps);
    const bytes = this.#steps.take();
    this.#count(bytes.length);
    this.#bytes(bytes);
  }

  #text(text: string): void {
    const from = this.#at;
    this.#count(0);
    this.#units(text);
    this.#view.setUint32(from, this.#at - from - COUNT, true);
  }

  /** In UTF-8. */
  #units(text: string): void {
    if (text === '') return;
    this.#room(UTF8 * text.length);
    this.#at += this.#buffer.write(text, this.#at);
  }

  #bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #number(value: number): void {
    this.#room(NUMBER);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += NUMBER;
  }

  #count(value: number): void {
    this.#room(COUNT);
    this.#view.setUint32(this.#at, value, true);
    this.#at += COUNT;
  }

  #room(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Reads what `EntryWriter` wrote, without the free bytes. @throws RangeError or SyntaxError when it is something else */
export function readEntry(bytes: Uint8Array): LogEntry {
  const from = new EntryReader(bytes);
  const cursor = from.number();
  const steps = from.list(() => decodeStep(from.part()));
  const risk = from.text();
  const signed = from.list((): SignedRecord => {
    const [order, market] = [counted.order(from.number()), counted.market(from.number())];
    const [timestampMs, epoch] = [from.number(), from.number()];
    const ends = [from.number(), from.number(), from.number()];
    const text = from.text();
    let at = 0;
    const [marketId = '', hash = '', wire = ''] = ends.map((units) => {
      at += units;
      return text.slice(at - units, at);
    });
    const command: PlaceOrder | undefined =
      at === text.length ? placesIn(steps).find((place) => place.order === order) : JSON.parse(text.slice(at));
    if (command === undefined) throw new RangeError(`no step decided order ${order}`);
    return { order, market, marketId, hash, timestampMs, epoch, wire, command };
  });
  from.end();
  return { steps, signed, cursor, risk: risk === '' ? undefined : risk };
}

class EntryReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  number(): number {
    this.#at += NUMBER;
    return this.#buffer.readDoubleLE(this.#at - NUMBER);
  }

  part(): Buffer {
    const from = this.#at + COUNT;
    const to = from + this.#buffer.readUInt32LE(this.#at);
    if (to > this.#buffer.length) throw new RangeError(`a part ends at ${to} of ${this.#buffer.length} bytes`);
    this.#at = to;
    return this.#buffer.subarray(from, to);
  }

  text(): string {
    return this.part().toString();
  }

  list<T>(read: () => T): readonly T[] {
    const count = this.#buffer.readUInt32LE(this.#at);
    this.#at += COUNT;
    const items: T[] = [];
    while (items.length < count) items.push(read());
    return items;
  }

  end(): void {
    const rest = this.#buffer.length - this.#at;
    if (rest !== 0) throw new RangeError(`${rest} bytes follow the entry`);
  }
}

/** The orders that steps decided. */
function placesIn(steps: readonly Step[]): readonly PlaceOrder[] {
  const [only] = steps.length === 1 ? (steps[0]?.commands ?? []) : [];
  // Most often the one step of a requote.
  if (only?.type === 'replace' && steps[0]?.commands.length === 1) return only.places;
  return steps.flatMap(({ commands }) =>
    commands.flatMap((command) => {
      if (command.type === 'place') return [command];
      return command.type === 'replace' ? command.places : [];
    }),
  );
}
