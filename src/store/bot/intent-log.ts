/**
 * A bot's log: entries go in here first, each by one call of the system, and into the tables of the bot's file after that,
 * when nobody waits. A log of SQLite's takes several pages for the same.
 *
 * The file is one segment of a journal (`segment.ts`) beside the bot's file: frames with checksums, which begin with a
 * number that only that database knows, so that a log never gets into another bot's tables.
 *
 * Invariants: entries are numbered without gaps, and the tables say up to which number they have them; so entries may be
 * found twice, never skipped. The log is emptied only when all of it is in the tables and on the disk. Only its last entry can
 * be unfinished; it was acknowledged to nobody.
 *
 * HOT: `append` is on the way of every order (bench/bot-store.ts).
 */
import { closeSync, existsSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { epochMs, FileFault, formatTime } from '../../domain/index.ts';
import { diskFault, readFile } from '../disk-fault.ts';
import { FRAME_HEADER, putFrameHeader } from '../frame.ts';
import { OWNER_ONLY } from '../private-files.ts';
import { readSegmentHeader, SEGMENT_HEADER, scanFrames, segmentHeader } from '../segment.ts';
import type { Mark, MarkFile } from '../sqlite/mark-file.ts';
import { EntryWriter, type LogEntry, readEntry } from './log-entry.ts';
import { writeWhole } from './write-whole.ts';

/** Which log it is. */
export interface LogPlace {
  readonly path: string;
  /** Of the database it belongs to: 32 bits. */
  readonly salt: number;
  /** Number of the last entry that the tables have. */
  readonly folded: number;
  /** What was acknowledged of it and when; undefined where nobody knows. */
  readonly acknowledged: Pick<Mark, 'last' | 'at'> | undefined;
  /** Whether it may lack entries: after a power cut, or because somebody accepts that. */
  readonly mayBeShort: boolean;
  /** Leaves an unfinished end as it is. Default false. */
  readonly isOnlyRead?: boolean;
}

const REMEDY =
  'Put back a good copy of it together with the bot’s file. To go on with what is there, start with --accept-loss: orders of that time are cancelled, and the venue is asked for the rest';

export class IntentLog {
  readonly #place: LogPlace;
  readonly #writer = new EntryWriter(FRAME_HEADER);
  #fd: number | undefined;
  #next: number;
  /** Those that the tables do not have yet, oldest first; read once. */
  readonly tail: readonly LogEntry[];
  /** Entries that were acknowledged and are not there. */
  readonly missing: number;
  #mark: MarkFile | undefined;

  /**
   * Reads what is there. The file is made with the first entry.
   * @throws FileFault when it is damaged, of another database, or shorter than what was acknowledged
   */
  constructor(place: LogPlace) {
    this.#place = place;
    const { path, folded, acknowledged, mayBeShort } = place;
    const found = existsSync(path) ? this.#read() : undefined;
    this.tail = found?.tail ?? [];
    this.#next = folded + this.tail.length + 1;
    this.missing = Math.max(0, (acknowledged?.last ?? 0) - this.last);
    if (this.missing > 0 && !mayBeShort) throw this.#tooShort(found !== undefined);
    if (place.isOnlyRead !== true) found?.mend();
  }

  /** From now on what is acknowledged is told to it. */
  follow(mark: MarkFile): void {
    this.#mark = mark;
  }

  /** Number of the last entry. */
  get last(): number {
    return this.#next - 1;
  }

  /** Outlives the process on return. @throws FileFault: some of it may be there then, and nothing may follow */
  append(entry: LogEntry): void {
    const frame = this.#writer.write(entry);
    putFrameHeader(frame, { first: this.#next, count: 1 }, this.#place.salt);
    this.#on('written', () => writeWhole(this.#opened(), frame));
    this.#next += 1;
    this.#mark?.acknowledgeLast(this.last);
  }

  /** Begins anew. All entries are in the tables, durably. @throws FileFault */
  empty(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#on('emptied', () => {
      ftruncateSync(fd, 0);
      writeWhole(fd, segmentHeader(this.#next, this.#place.salt));
    });
  }

  /** @param isNeeded whether some of it is not in the tables; otherwise the file goes */
  close(isNeeded: boolean): void {
    const fd = this.#fd;
    this.#fd = undefined;
    const { path } = this.#place;
    this.#on('closed', () => {
      if (fd !== undefined) closeSync(fd);
      if (!isNeeded) rmSync(path, { force: true });
    });
  }

  #opened(): number {
    if (this.#fd !== undefined) return this.#fd;
    const { path, salt } = this.#place;
    const isNew = !existsSync(path);
    const fd = openSync(path, 'a', OWNER_ONLY);
    this.#fd = fd;
    if (isNew) writeWhole(fd, segmentHeader(this.#next, salt));
    return fd;
  }

  /** Entries that are good, and what brings the file to their end. */
  #read(): { readonly tail: readonly LogEntry[]; readonly mend: () => void } {
    const { path, salt, folded, mayBeShort } = this.#place;
    const bytes = readFile(path);
    const wrong = (where: string | undefined, problem: string, cause?: unknown): FileFault =>
      new FileFault(path, where, problem, REMEDY, { cause });
    const nothing = { tail: [], mend: () => this.#remove() };
    // The process ended between emptying it and its first bytes.
    if (bytes.length < SEGMENT_HEADER) return nothing;
    const head = readSegmentHeader(bytes);
    if (!head.isGood) {
      if (mayBeShort) return nothing;
      throw wrong(undefined, head.problem);
    }
    if (head.salt !== salt) throw wrong(undefined, 'it is the log of another database');
    if (head.first > folded + 1) {
      if (mayBeShort) return nothing;
      throw wrong(undefined, `it begins with entry ${head.first}, the bot’s file ends with ${folded}`);
    }
    const tail: LogEntry[] = [];
    const end = scanFrames(bytes, head, ({ first, bytes: entry }) => {
      if (first <= folded) return;
      try {
        tail.push(readEntry(entry));
      } catch (cause) {
        throw wrong(`entry ${first}`, `it cannot be read (${String(cause)})`, cause);
      }
    });
    // A power cut takes blocks of it in any order: then it ends before the first that is missing.
    if (end.problem !== undefined && !end.isTorn && !mayBeShort) throw wrong(`byte ${end.offset}`, end.problem);
    return {
      tail,
      mend: () => {
        // After a power cut the tables may have more than the log: nothing of it is needed then.
        if (end.next <= folded) this.#remove();
        else if (end.offset < bytes.length) this.#cut(end.offset);
      },
    };
  }

  #tooShort(isThere: boolean): FileFault {
    const { path, acknowledged } = this.#place;
    const at = acknowledged === undefined ? '' : ` at ${formatTime(epochMs(acknowledged.at))}`;
    const has = isThere
      ? `it ends with entry ${this.last}`
      : `it is missing, and the bot’s file ends with entry ${this.last}`;
    const problem = `${has}, but entry ${acknowledged?.last ?? 0} was acknowledged${at}`;
    return new FileFault(path, undefined, problem, REMEDY);
  }

  #remove(): void {
    this.#on('removed', () => rmSync(this.#place.path));
  }

  /** What was begun and not finished goes. */
  #cut(length: number): void {
    this.#on('cut', () => {
      const fd = openSync(this.#place.path, 'r+');
      try {
        ftruncateSync(fd, length);
      } finally {
        closeSync(fd);
      }
    });
  }

  #on(what: string, work: () => void): void {
    try {
      work();
    } catch (cause) {
      throw diskFault(this.#place.path, what, cause);
    }
  }
}
