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
import { ByteReader, ByteWriter, counted, type PlaceOrder } from '../../domain/index.ts';
import { decodeStep, encodeStep, type SignedRecord, type Step } from '../../runtime/index.ts';

/** What becomes durable in one go. */
export interface LogEntry {
  readonly steps: readonly Step[];
  readonly signed: readonly SignedRecord[];
  /** The position in the venue's own stream that all stored steps have come to. */
  readonly cursor: number;
  /** Risk's state as JSON; undefined where the steps leave it as it was. */
  readonly risk: string | undefined;
}

/** Writes entries into memory that is used again and again. */
export class EntryWriter {
  /** Left free in front of the entry. */
  readonly #head: number;
  readonly #to = new ByteWriter(65_536);

  /** @param head bytes to leave free in front of each entry */
  constructor(head: number) {
    this.#head = head;
  }

  /** The free bytes and the entry, to be used before the next call. */
  write({ steps, signed, cursor, risk }: LogEntry): Buffer<ArrayBuffer> {
    const to = this.#to;
    to.skip(this.#head);
    to.float(cursor);
    to.count(steps.length);
    for (const step of steps) {
      const from = beginPart(to);
      encodeStep(step, to);
      to.setCount(from);
    }
    const from = beginPart(to);
    to.utf8(risk ?? '');
    to.setCount(from);
    to.count(signed.length);
    for (const record of signed) writeSigned(record, steps, to);
    const bytes = to.take();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

/** @returns where the count of the part's bytes goes */
function beginPart(to: ByteWriter): number {
  const from = to.length;
  to.skip(4);
  return from;
}

function writeSigned(record: SignedRecord, steps: readonly Step[], to: ByteWriter): void {
  const { order, market, marketId, hash, timestampMs, epoch, wire, wireBytes, command } = record;
  to.float(order);
  to.float(market);
  to.float(timestampMs);
  to.float(epoch);
  to.float(marketId.length);
  to.float(hash.length);
  to.float(wire.length);
  const from = beginPart(to);
  to.utf8(marketId);
  to.utf8(hash);
  if (wireBytes === undefined) to.utf8(wire);
  else to.bytes(wireBytes);
  if (!placesIn(steps).includes(command)) to.utf8(JSON.stringify(command));
  to.setCount(from);
}

/** Reads what `EntryWriter` wrote, without the free bytes. @throws RangeError or SyntaxError when it is something else */
export function readEntry(bytes: Uint8Array): LogEntry {
  const from = new ByteReader(bytes);
  const cursor = from.float();
  const steps = from.list(() => decodeStep(from.part()));
  const risk = from.utf8();
  const signed = from.list((): SignedRecord => {
    const [order, market] = [counted.order(from.float()), counted.market(from.float())];
    const [timestampMs, epoch] = [from.float(), from.float()];
    const ends = [from.float(), from.float(), from.float()];
    const text = from.utf8();
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
