/**
 * An entry of a bot's log: steps, and the signed orders that go out with them, as bytes.
 *
 * Layout, little-endian: float64 position in the venue's stream; uint32 number of steps, each a uint32 length and the bytes
 * of `encodeStep`; uint32 length and UTF-8 of risk's state (JSON; length 0 where it is not part of the entry); uint32 length
 * and UTF-8 of the signed orders (JSON).
 *
 * HOT: on the way of every order. Text is written by the system's own code, as nothing of ours is warm at a few orders a
 * second; 5 us for an order (bench/bot-store.ts has the whole way).
 */
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
  #at = 0;

  /** @param head bytes to leave free in front of each entry */
  constructor(head: number) {
    this.#head = head;
  }

  /** The free bytes and the entry, to be used before the next call. */
  write({ steps, signed, cursor, risk }: LogEntry): Buffer<ArrayBuffer> {
    this.#at = this.#head;
    this.#room(NUMBER + COUNT);
    this.#at = this.#buffer.writeDoubleLE(cursor, this.#at);
    this.#at = this.#buffer.writeUInt32LE(steps.length, this.#at);
    for (const step of steps) this.#step(step);
    this.#text(risk ?? '');
    this.#text(signed.length === 0 ? '' : JSON.stringify(signed));
    return this.#buffer.subarray(0, this.#at);
  }

  #step(step: Step): void {
    encodeStep(step, this.#steps);
    const bytes = this.#steps.take();
    this.#room(COUNT + bytes.length);
    this.#at = this.#buffer.writeUInt32LE(bytes.length, this.#at);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #text(text: string): void {
    this.#room(COUNT + UTF8 * text.length);
    const length = this.#buffer.write(text, this.#at + COUNT);
    this.#buffer.writeUInt32LE(length, this.#at);
    this.#at += COUNT + length;
  }

  #room(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}

/** Reads what `EntryWriter` wrote, without the free bytes. @throws RangeError or SyntaxError when it is something else */
export function readEntry(bytes: Uint8Array): LogEntry {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const cursor = buffer.readDoubleLE(0);
  let at = NUMBER;
  const part = (): Buffer => {
    const from = at + COUNT;
    at = from + buffer.readUInt32LE(at);
    if (at > buffer.length) throw new RangeError(`a part ends at ${at} of ${buffer.length} bytes`);
    return buffer.subarray(from, at);
  };
  const count = buffer.readUInt32LE(at);
  at += COUNT;
  const steps = Array.from({ length: count }, () => decodeStep(part()));
  const risk = part().toString();
  const signed = part().toString();
  if (at !== buffer.length) throw new RangeError(`${buffer.length - at} bytes follow the entry`);
  const records: readonly SignedRecord[] = signed === '' ? [] : JSON.parse(signed);
  return { steps, signed: records, cursor, risk: risk === '' ? undefined : risk };
}
