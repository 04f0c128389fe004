/**
 * A bot's write-ahead log (`<file>-intents`). Each entry is first written here with one system call, and later, when no
 * caller waits, to the tables of the bot's database. SQLite's own log would need several pages for an entry.
 *
 * The file is one segment (`segment.ts`) with one frame for each entry. The database's salt is in all checksums, so
 * that a log is never written to another bot's tables.
 *
 * Layout of an entry, little-endian:
 * * float64 position in the venue's stream;
 * * uint32 number of steps, then for each step a uint32 length and the bytes of `encodeStep`;
 * * the risk gate's state as a text (JSON; empty if the steps do not change the state);
 * * uint32 number of signed orders, then for each order float64s: order number, market, time of signing, epoch, UTF-16
 *   lengths of market id, hash and wire form; then one text: these three, and the command (JSON) unless a step has it.
 *
 * A text is a uint32 length and its UTF-8.
 *
 * Invariants: entries have consecutive numbers, and the tables store the number of their last entry. An entry can
 * therefore be read twice but is never skipped. The log is emptied only when all entries are in the tables. Only the
 * last entry can be incomplete. An incomplete entry was never acknowledged.
 *
 * HOT: `append` is on the path of every order. Native code writes the texts, because V8 does not optimize JavaScript
 * that runs only a few times a second (docs/performance.md, bench/bot-store.ts).
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
import { decodeStep, encodeStep, placedOrders, type SignedRecord, type Step } from '../../runtime/index.ts';
import { createInPlaceCheck, withDiskFaults } from '../disk-fault.ts';
import { OWNER_ONLY } from '../private-files.ts';
import type { CommitMark, CommitMarkFile } from '../sqlite/mark-file.ts';
import {
  encodeSegmentHeader,
  FRAME_HEADER,
  putFrameHeader,
  readSegmentHeader,
  SEGMENT_HEADER,
  scanFrames,
} from './segment.ts';

/** Steps and signed orders that become durable together. */
export interface LogEntry {
  readonly steps: readonly Step[];
  readonly signed: readonly SignedRecord[];
  /** Position of the stored steps in the venue's stream. */
  readonly streamPosition: number;
  /** State of the risk gate as JSON; undefined if the steps do not change it. */
  readonly risk: string | undefined;
}

export interface IntentLogOptions {
  readonly path: string;
  /** Salt of the bot's database, 32 bits. */
  readonly salt: number;
  /** Number of the last entry in the tables. */
  readonly lastStoredEntry: number;
  /** The last acknowledged entry and its time; undefined if unknown. */
  readonly acknowledged: Pick<CommitMark, 'lastEntry' | 'at'> | undefined;
  /** Whether entries may be missing, because of a power cut or because the user accepts the loss. */
  readonly mayLackEntries: boolean;
  /** Whether to leave the file unchanged, even if its end is incomplete. Default false. */
  readonly isReadOnly?: boolean;
}

const REMEDY =
  'Put back a good copy of it together with the bot’s file. To continue with the existing data, start with --accept-loss: orders of that time are cancelled, and the rest is read from the venue';

export class IntentLog {
  readonly #path: string;
  readonly #salt: number;
  readonly #writer = new ByteWriter(65_536);
  #fd: number | undefined;
  #nextEntry: number;
  /** Entries that were not in the tables at the start, the oldest first. */
  readonly waitingEntries: readonly LogEntry[];
  /** Number of missing acknowledged entries. */
  readonly missing: number;
  #mark: CommitMarkFile | undefined;
  /** Checks the open log. @throws FileFault if it was removed or replaced */
  assertInPlace: () => void = () => {};

  /**
   * Reads an existing log. A missing file is created with the first entry.
   * @throws FileFault if the log is damaged, belongs to another database, or lacks acknowledged entries
   */
  constructor(options: IntentLogOptions) {
    const { path, salt, lastStoredEntry, acknowledged, mayLackEntries, isReadOnly = false } = options;
    this.#path = path;
    this.#salt = salt;
    const found = existsSync(path) ? readLog(options) : undefined;
    this.waitingEntries = found?.waitingEntries ?? [];
    this.#nextEntry = lastStoredEntry + this.waitingEntries.length + 1;
    this.missing = Math.max(0, (acknowledged?.lastEntry ?? 0) - this.last);
    if (this.missing > 0 && !mayLackEntries) {
      const at = acknowledged === undefined ? '' : ` at ${formatTime(epochMs(acknowledged.at))}`;
      const ending = found === undefined ? 'it is missing, and the bot’s file ends' : 'it ends';
      const problem = `${ending} with entry ${this.last}, but entry ${acknowledged?.lastEntry ?? 0} was acknowledged${at}`;
      throw new FileFault(path, undefined, problem, REMEDY);
    }
    if (found === undefined || isReadOnly) return;
    if (found.neededBytes === 0) withDiskFaults(this.#path, 'removed', () => rmSync(path));
    else if (found.neededBytes < found.length)
      withDiskFaults(this.#path, 'cut', () => truncateSync(path, found.neededBytes));
  }

  /** Makes later appends record the acknowledged entry in this mark file. */
  recordIn(mark: CommitMarkFile): void {
    this.#mark = mark;
  }

  get last(): number {
    return this.#nextEntry - 1;
  }

  /** Appends an entry, durably across process crashes. @throws FileFault. Do not append again after a fault */
  append(entry: LogEntry): void {
    const frame = encodeEntry(entry, this.#nextEntry, this.#salt, this.#writer);
    withDiskFaults(this.#path, 'written', () => writeWhole(this.#openFile(), frame));
    this.#nextEntry += 1;
    this.#mark?.acknowledgeEntry(this.last);
  }

  /** Empties the log. All entries must be in the tables. @throws FileFault */
  empty(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    withDiskFaults(this.#path, 'emptied', () => {
      ftruncateSync(fd, 0);
      writeWhole(fd, encodeSegmentHeader(this.#nextEntry, this.#salt));
    });
  }

  /** Closes the log. @param isNeeded whether entries are not in the tables yet. Otherwise, the file is removed */
  close(isNeeded: boolean): void {
    const fd = this.#fd;
    this.#fd = undefined;
    withDiskFaults(this.#path, 'closed', () => {
      if (fd !== undefined) closeSync(fd);
      if (!isNeeded) rmSync(this.#path, { force: true });
    });
  }

  #openFile(): number {
    if (this.#fd !== undefined) return this.#fd;
    const isNew = !existsSync(this.#path);
    this.#fd = openSync(this.#path, 'a', OWNER_ONLY);
    this.assertInPlace = createInPlaceCheck(this.#path);
    if (isNew) writeWhole(this.#fd, encodeSegmentHeader(this.#nextEntry, this.#salt));
    return this.#fd;
  }
}

/** Returns an entry as a frame. The next use of `writer` overwrites its bytes. */
export function encodeEntry(
  { steps, signed, streamPosition, risk }: LogEntry,
  number: number,
  salt: number,
  writer: ByteWriter,
): Uint8Array<ArrayBuffer> {
  writer.skip(FRAME_HEADER);
  writer.float(streamPosition);
  writer.count(steps.length);
  for (const step of steps) {
    const from = beginPart(writer);
    encodeStep(step, writer);
    writer.setCount(from);
  }
  const riskFrom = beginPart(writer);
  writer.utf8(risk ?? '');
  writer.setCount(riskFrom);
  writer.count(signed.length);
  for (const record of signed) writeSigned(record, steps, writer);
  const frame = writer.finish();
  putFrameHeader(frame, number, salt);
  return frame;
}

/** Writes all bytes, usually with one system call. @throws Error of the system; some bytes may be written */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written, bytes.length - written);
}

/** Returns the entries that are not in the tables, and the number of bytes to keep. @throws FileFault */
function readLog({ path, salt, lastStoredEntry, mayLackEntries }: IntentLogOptions) {
  const bytes = withDiskFaults(path, 'read', () => readFileSync(path));
  const { length } = bytes;
  const waitingEntries: LogEntry[] = [];
  const noEntries = { waitingEntries, length, neededBytes: 0 };
  const fault = (where: string | undefined, problem: string, cause?: unknown): FileFault =>
    new FileFault(path, where, problem, REMEDY, { cause });
  // The previous process was killed between emptying the log and writing the header.
  if (length < SEGMENT_HEADER) return noEntries;
  const header = readSegmentHeader(bytes);
  if (!header.isValid) {
    if (mayLackEntries) return noEntries;
    throw fault(undefined, header.problem);
  }
  if (header.salt !== salt) throw fault(undefined, 'it is the log of another database');
  if (header.first > lastStoredEntry + 1) {
    if (mayLackEntries) return noEntries;
    throw fault(undefined, `it begins with entry ${header.first}, the bot’s file ends with ${lastStoredEntry}`);
  }
  const end = scanFrames(bytes, header, (number, entry) => {
    if (number <= lastStoredEntry) return;
    try {
      waitingEntries.push(readEntry(entry));
    } catch (cause) {
      throw fault(`entry ${number}`, `it cannot be read (${String(cause)})`, cause);
    }
  });
  // A power cut can lose blocks in any order. The log then ends before the first missing block.
  if (end.problem !== undefined && !end.isTorn && !mayLackEntries) throw fault(`byte ${end.offset}`, end.problem);
  // After a power cut, the tables can have later entries than the log. The log is then not needed.
  return { waitingEntries, length, neededBytes: end.next <= lastStoredEntry ? 0 : end.offset };
}

/** Decodes an entry without its frame's header. @throws RangeError or SyntaxError for invalid bytes */
function readEntry(bytes: Uint8Array): LogEntry {
  const reader = new ByteReader(bytes);
  const streamPosition = reader.float();
  const steps = reader.list(() => decodeStep(reader.part()));
  const risk = reader.utf8();
  const signed = reader.list((): SignedRecord => {
    const [order, market] = [unchecked.order(reader.float()), unchecked.market(reader.float())];
    const [timestampMs, epoch] = [reader.float(), reader.float()];
    const lengths = [reader.float(), reader.float(), reader.float()];
    const text = reader.utf8();
    let at = 0;
    const [marketId = '', hash = '', wire = ''] = lengths.map((length) => {
      at += length;
      return text.slice(at - length, at);
    });
    const command: PlaceOrder | undefined =
      at === text.length ? placesIn(steps).find((place) => place.order === order) : JSON.parse(text.slice(at));
    if (command === undefined) throw new RangeError(`no step contains order ${order}`);
    return { order, market, marketId, hash, timestampMs, epoch, wire, command };
  });
  reader.expectEnd();
  return { steps, signed, streamPosition, risk: risk === '' ? undefined : risk };
}

function writeSigned(record: SignedRecord, steps: readonly Step[], writer: ByteWriter): void {
  const { order, market, marketId, hash, timestampMs, epoch, wire, wireBytes, command } = record;
  for (const number of [order, market, timestampMs, epoch, marketId.length, hash.length, wire.length])
    writer.float(number);
  const from = beginPart(writer);
  writer.utf8(marketId);
  writer.utf8(hash);
  if (wireBytes === undefined) writer.utf8(wire);
  else writer.bytes(wireBytes);
  if (!placesIn(steps).includes(command)) writer.utf8(JSON.stringify(command));
  writer.setCount(from);
}

/** Reserves space for the length of a part, and returns its offset for `setCount`. */
function beginPart(writer: ByteWriter): number {
  const from = writer.length;
  writer.skip(4);
  return from;
}

function placesIn(steps: readonly Step[]): readonly PlaceOrder[] {
  const [command] = steps.length === 1 ? (steps[0]?.commands ?? []) : [];
  // Fast path for a requote, which is the most frequent case.
  if (command?.type === 'replace' && steps[0]?.commands.length === 1) return command.places;
  return steps.flatMap(({ commands }) => commands.flatMap(placedOrders));
}
