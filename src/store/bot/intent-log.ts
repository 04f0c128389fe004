/**
 * A bot's log (`<file>-intents`). Each entry is first written here with one system call, and later to the tables of the bot's
 * file, when no caller waits. SQLite's write-ahead log would need several pages for an entry.
 *
 * The file is one segment (`segment.ts`) with one record for each entry. Its checksums are salted with a number of the
 * database, so that a log is never written to another bot's tables.
 *
 * Layout of an entry, little-endian: float64 position in the venue's stream; uint32 number of steps, each a uint32
 * length and the bytes of `encodeStep`; text of the risk gate's state (JSON; empty if it is not part of the entry); uint32
 * number of signed orders. Each has the float64s number, market, time signed, epoch, and the UTF-16 lengths of the market's
 * id, the hash and the wire form; then these three as one text, followed by the command (JSON) if it is not in these steps.
 * A text is a uint32 length and its UTF-8.
 *
 * Invariants: entries are numbered without gaps, and the tables store the number of their last entry, so that an entry can
 * be read twice but is never skipped. The log is emptied only when all entries are in the tables. Only the last entry can
 * be incomplete; it was never acknowledged.
 *
 * HOT: `append` is on the path of every order. Native code writes the texts, because our own code is not optimised at a few
 * orders a second (docs/performance.md, bench/bot-store.ts).
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import {
  ByteReader,
  ByteWriter,
  epochMs,
  FileFault,
  formatTime,
  type PlaceOrder,
  unchecked,
} from '../../domain/index.ts';
import { decodeStep, encodeStep, type SignedRecord, type Step } from '../../runtime/index.ts';
import { inPlaceCheck, withDisk } from '../disk-fault.ts';
import { OWNER_ONLY } from '../private-files.ts';
import type { Mark, MarkFile } from '../sqlite/mark-file.ts';
import {
  FRAME_HEADER,
  putFrameHeader,
  readSegmentHeader,
  SEGMENT_HEADER,
  scanFrames,
  segmentHeader,
} from './segment.ts';

/** Entries that become durable together. */
export interface LogEntry {
  readonly steps: readonly Step[];
  readonly signed: readonly SignedRecord[];
  /** Position of the stored steps in the venue's stream. */
  readonly cursor: number;
  /** State of the risk gate as JSON; undefined if the steps do not change it. */
  readonly risk: string | undefined;
}

export interface LogPlace {
  readonly path: string;
  /** Salt of its database, 32 bits. */
  readonly salt: number;
  /** Number of the last entry in the tables. */
  readonly lastStoredEntry: number;
  /** The last acknowledged entry and its time; undefined if unknown. */
  readonly acknowledged: Pick<Mark, 'last' | 'at'> | undefined;
  /** Whether entries may be missing: after a power cut, or because the user accepts the loss. */
  readonly mayBeShort: boolean;
  /** Whether to leave an incomplete end unchanged. Default false. */
  readonly isOnlyRead?: boolean;
}

const REMEDY =
  'Put back a good copy of it together with the bot’s file. To continue with the existing data, start with --accept-loss: orders of that time are cancelled, and the rest is read from the venue';

export class IntentLog {
  readonly #path: string;
  readonly #salt: number;
  readonly #writer = new EntryWriter();
  #fd: number | undefined;
  #next: number;
  /** Entries that are not in the tables yet, the oldest first. Read at the start. */
  readonly tail: readonly LogEntry[];
  /** Number of missing acknowledged entries. */
  readonly missing: number;
  #mark: MarkFile | undefined;
  /** @throws FileFault if the open log was removed or replaced */
  assertInPlace: () => void = () => {};

  /**
   * Reads an existing log. A missing file is created with the first entry.
   * @throws FileFault if the log is damaged, belongs to another database, or lacks acknowledged entries
   */
  constructor(place: LogPlace) {
    const { path, salt, lastStoredEntry, acknowledged, mayBeShort, isOnlyRead = false } = place;
    this.#path = path;
    this.#salt = salt;
    const found = existsSync(path) ? readLog(place) : undefined;
    this.tail = found?.tail ?? [];
    this.#next = lastStoredEntry + this.tail.length + 1;
    this.missing = Math.max(0, (acknowledged?.last ?? 0) - this.last);
    if (this.missing > 0 && !mayBeShort) {
      const at = acknowledged === undefined ? '' : ` at ${formatTime(epochMs(acknowledged.at))}`;
      const isMissing = found === undefined ? 'it is missing, and the bot’s file ends' : 'it ends';
      const problem = `${isMissing} with entry ${this.last}, but entry ${acknowledged?.last ?? 0} was acknowledged${at}`;
      throw new FileFault(path, undefined, problem, REMEDY);
    }
    if (found === undefined || isOnlyRead) return;
    if (found.needed === 0) this.#on('removed', () => rmSync(path));
    else if (found.needed < found.length) this.#on('cut', () => truncateSync(path, found.needed));
  }

  /** Records acknowledged entries in this mark from now on. */
  follow(mark: MarkFile): void {
    this.#mark = mark;
  }

  get last(): number {
    return this.#next - 1;
  }

  /**
   * Durable across process crashes on return. @throws FileFault; the entry may be partly written, so do not append after it
   */
  append(entry: LogEntry): void {
    const frame = this.#writer.write(entry, this.#next, this.#salt);
    this.#on('written', () => writeWhole(this.#opened(), frame));
    this.#next += 1;
    this.#mark?.acknowledgeLast(this.last);
  }

  /** Empties the log. All entries must be in the tables. @throws FileFault */
  empty(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#on('emptied', () => {
      ftruncateSync(fd, 0);
      writeWhole(fd, segmentHeader(this.#next, this.#salt));
    });
  }

  /** @param isNeeded whether entries are missing in the tables; if not, the file is removed */
  close(isNeeded: boolean): void {
    const fd = this.#fd;
    this.#fd = undefined;
    this.#on('closed', () => {
      if (fd !== undefined) closeSync(fd);
      if (!isNeeded) rmSync(this.#path, { force: true });
    });
  }

  #opened(): number {
    if (this.#fd !== undefined) return this.#fd;
    const isNew = !existsSync(this.#path);
    this.#fd = openSync(this.#path, 'a', OWNER_ONLY);
    this.assertInPlace = inPlaceCheck(this.#path);
    if (isNew) writeWhole(this.#fd, segmentHeader(this.#next, this.#salt));
    return this.#fd;
  }

  #on(what: string, work: () => void): void {
    withDisk(this.#path, what, work);
  }
}

/** Encodes entries as frames, in reused memory. */
export class EntryWriter {
  readonly #to = new ByteWriter(65_536);

  /** Returns a frame that is valid until the next call. */
  write({ steps, signed, cursor, risk }: LogEntry, number: number, salt: number): Uint8Array<ArrayBuffer> {
    const to = this.#to;
    to.skip(FRAME_HEADER);
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
    const frame = to.take();
    putFrameHeader(frame, number, salt);
    return frame;
  }
}

/** Writes all bytes, usually with one system call. @throws Error of the system; some bytes may be written */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
}

/**
 * Reads entries that are not in the tables, and returns the number of needed bytes. Later bytes are removed.
 * @throws FileFault
 */
function readLog({ path, salt, lastStoredEntry, mayBeShort }: LogPlace) {
  const bytes = withDisk(path, 'read', () => readFileSync(path));
  const { length } = bytes;
  const tail: LogEntry[] = [];
  const nothing = { tail, length, needed: 0 };
  const wrong = (where: string | undefined, problem: string, cause?: unknown): FileFault =>
    new FileFault(path, where, problem, REMEDY, { cause });
  // The previous process ended after emptying the log and before writing the header.
  if (length < SEGMENT_HEADER) return nothing;
  const head = readSegmentHeader(bytes);
  if (!head.isValid) {
    if (mayBeShort) return nothing;
    throw wrong(undefined, head.problem);
  }
  if (head.salt !== salt) throw wrong(undefined, 'it is the log of another database');
  if (head.first > lastStoredEntry + 1) {
    if (mayBeShort) return nothing;
    throw wrong(undefined, `it begins with entry ${head.first}, the bot’s file ends with ${lastStoredEntry}`);
  }
  const end = scanFrames(bytes, head, (number, entry) => {
    if (number <= lastStoredEntry) return;
    try {
      tail.push(readEntry(entry));
    } catch (cause) {
      throw wrong(`entry ${number}`, `it cannot be read (${String(cause)})`, cause);
    }
  });
  // A power cut can lose blocks in any order. The log then ends before the first missing block.
  if (end.problem !== undefined && !end.isTorn && !mayBeShort) throw wrong(`byte ${end.offset}`, end.problem);
  // After a power cut, the tables can have more entries than the log, which is then not needed.
  return { tail, length, needed: end.next <= lastStoredEntry ? 0 : end.offset };
}

/**
 * Decodes an entry of `EntryWriter`, without the frame's header.
 * @throws RangeError or SyntaxError for invalid bytes
 */
function readEntry(bytes: Uint8Array): LogEntry {
  const from = new ByteReader(bytes);
  const cursor = from.float();
  const steps = from.list(() => decodeStep(from.part()));
  const risk = from.utf8();
  const signed = from.list((): SignedRecord => {
    const [order, market] = [unchecked.order(from.float()), unchecked.market(from.float())];
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

function writeSigned(record: SignedRecord, steps: readonly Step[], to: ByteWriter): void {
  const { order, market, marketId, hash, timestampMs, epoch, wire, wireBytes, command } = record;
  for (const number of [order, market, timestampMs, epoch, marketId.length, hash.length, wire.length]) to.float(number);
  const from = beginPart(to);
  to.utf8(marketId);
  to.utf8(hash);
  if (wireBytes === undefined) to.utf8(wire);
  else to.bytes(wireBytes);
  if (!placesIn(steps).includes(command)) to.utf8(JSON.stringify(command));
  to.setCount(from);
}

/** @returns the offset for the length of the part */
function beginPart(to: ByteWriter): number {
  const from = to.length;
  to.skip(4);
  return from;
}

function placesIn(steps: readonly Step[]): readonly PlaceOrder[] {
  const [only] = steps.length === 1 ? (steps[0]?.commands ?? []) : [];
  // Fast path for a requote, which is the most frequent case.
  if (only?.type === 'replace' && steps[0]?.commands.length === 1) return only.places;
  return steps.flatMap(({ commands }) =>
    commands.flatMap((command) => {
      if (command.type === 'place') return [command];
      return command.type === 'replace' ? command.places : [];
    }),
  );
}
