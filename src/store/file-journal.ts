/**
 * A journal in a folder: segments of frames and snapshots (docs/journal.md).
 *
 * Invariants: a batch is told durable only after its bytes and, in a new segment, its file's name were made so; after a
 * fault of a write or a sync nothing more is written, as nobody knows then what the disk holds; each opening begins a new
 * segment, so that what was written before is never touched again but for the one cut of a torn end.
 */
import { secureBytes } from '../clock/index.ts';
import { Fault, FileFault } from '../domain/index.ts';
import type { Durable, Journal, JournalBatch, Snapshot } from '../exchange/index.ts';
import type { Disk, DiskFile } from './disk.ts';
import { closedFrame, FRAME_HEADER, frameHeader } from './frame.ts';
import { type Cut, type Folder, openFolder, readSegment } from './journal-folder.ts';
import { SEGMENT_HEADER, segmentHeader, segmentName } from './segment.ts';
import { readSnapshot, snapshotName, writeSnapshot } from './snapshot-file.ts';

/** How a journal is kept. */
export interface FileJournalOptions {
  /** A segment that has reached it is followed by a new one; bytes, default 64 MiB. */
  readonly segmentBytes?: number;
  /** Whether records stay that no snapshot needs any more: for audits, and programs that read no older snapshots; default false. */
  readonly keepRecords?: boolean;
}

/** The segment that grows. */
interface OpenSegment {
  readonly name: string;
  readonly file: DiskFile;
  readonly salt: number;
  size: number;
}

const SEGMENT_BYTES = 67_108_864;

/** The file body of `Journal`. To be closed. */
export class FileJournal implements Journal {
  readonly name: string;
  /** What was cut off when it was opened: a frame that was being written when the machine died. */
  readonly cut: Cut | undefined;
  readonly #disk: Disk;
  readonly #segmentBytes: number;
  readonly #keepRecords: boolean;
  /** First records of the segments, ascending. */
  #segments: number[];
  /** Last records of the snapshots, newest first. */
  #kept: readonly number[];
  #last: number;
  #open: OpenSegment | undefined;
  #writing: Promise<void> | undefined;
  #saving: Promise<void> | undefined;
  #fault: Fault | undefined;
  #closing: Promise<void> | undefined;

  private constructor(disk: Disk, { segments, snapshots, last, cut }: Folder, options: FileJournalOptions) {
    this.name = disk.folder;
    this.cut = cut;
    this.#disk = disk;
    this.#segments = [...segments];
    this.#kept = snapshots;
    this.#last = last;
    this.#segmentBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#keepRecords = options.keepRecords ?? false;
  }

  /**
   * Opens the journal in a disk's folder, an empty one too; cuts a torn end off. Closes the disk when it cannot.
   * @throws FileFault when the last segment is damaged where nothing can be torn; `read` finds damage in the others
   */
  static async open(disk: Disk, options: FileJournalOptions = {}): Promise<FileJournal> {
    try {
      return new FileJournal(disk, await openFolder(disk), options);
    } catch (cause) {
      disk.close();
      throw cause;
    }
  }

  get first(): number {
    return this.#segments[0] ?? this.#last + 1;
  }

  get last(): number {
    return this.#last;
  }

  get snapshots(): readonly number[] {
    return this.#kept;
  }

  append(batch: JournalBatch, durable: Durable): void {
    const fault = this.#end();
    if (fault !== undefined) {
      durable(fault);
      return;
    }
    const { first, count } = batch;
    if (this.#writing !== undefined) throw new RangeError('Invariant: a batch is under way');
    if (first !== this.#last + 1 || count < 1) {
      throw new RangeError(`Invariant: ${count} records from ${first} do not follow record ${this.#last}`);
    }
    this.#writing = this.#write(batch).then(
      () => {
        this.#writing = undefined;
        this.#last = first + count - 1;
        durable(undefined);
      },
      (cause: unknown) => {
        this.#writing = undefined;
        durable(this.#broken(cause));
      },
    );
  }

  *read(from: number): Iterable<JournalBatch> {
    if (from < this.first) {
      throw new Fault('JOURNAL_GONE', `${this.name}: record ${from} is gone, the oldest is ${this.first}`);
    }
    const begin = this.#segments.findLastIndex((first) => first <= from);
    let next: number | undefined;
    for (const first of this.#segments.slice(Math.max(begin, 0))) {
      const name = segmentName(first);
      if (next !== undefined && first !== next) {
        const problem = `the records ${next} to ${first - 1} before it are missing`;
        throw new FileFault(`${this.name}/${name}`, undefined, problem, 'Put back the files that were between');
      }
      const size = this.#open?.name === name ? this.#open.size : undefined;
      const batches: JournalBatch[] = [];
      next = readSegment(this.#disk, first, size, (batch) => {
        if (batch.first + batch.count > from) batches.push(batch);
      });
      yield* batches;
    }
  }

  readSnapshot(sequence: number): Snapshot {
    return readSnapshot(this.#disk, sequence);
  }

  setAside(unusable: number): void {
    const name = snapshotName(unusable);
    this.#disk.rename(name, `${name}.damaged`);
    this.#kept = this.#kept.filter((sequence) => sequence !== unusable);
  }

  saveSnapshot(snapshot: Snapshot, durable: Durable): void {
    if (this.#saving !== undefined) throw new RangeError('Invariant: a snapshot is under way');
    if (snapshot.sequence > this.#last) {
      throw new RangeError(`Invariant: a snapshot of record ${snapshot.sequence}, which is not durable`);
    }
    if (this.#closing !== undefined) {
      durable(this.#end());
      return;
    }
    this.#saving = this.#save(snapshot).then(
      () => {
        this.#saving = undefined;
        durable(undefined);
      },
      (cause: unknown) => {
        this.#saving = undefined;
        durable(faultOf(cause, this.name));
      },
    );
  }

  /** Takes nothing more, ends in order what is under way, and lets others have the folder. @throws FileFault */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Why nothing can be appended any more. */
  #end(): Fault | undefined {
    if (this.#fault !== undefined || this.#closing === undefined) return this.#fault;
    return new Fault('JOURNAL_CLOSED', `${this.name}: the journal was closed`);
  }

  async #close(): Promise<void> {
    await this.#writing;
    await this.#saving;
    try {
      await this.#seal();
    } finally {
      this.#disk.close();
    }
  }

  async #write(batch: JournalBatch): Promise<void> {
    const segment = await this.#segmentFor(batch);
    await segment.file.write([frameHeader(batch, segment.salt), batch.bytes]);
    await segment.file.sync();
    segment.size += FRAME_HEADER + batch.bytes.length;
  }

  /** The segment that grows, or a new one when it is full. */
  async #segmentFor({ first }: JournalBatch): Promise<OpenSegment> {
    if (this.#open !== undefined && this.#open.size < this.#segmentBytes) return this.#open;
    await this.#open?.file.close();
    const name = segmentName(first);
    const salt = new DataView(secureBytes(4).buffer).getUint32(0);
    const file = await this.#disk.create(name);
    await file.write([segmentHeader(first, salt)]);
    await file.sync();
    await this.#disk.syncFolder();
    this.#open = { name, file, salt, size: SEGMENT_HEADER };
    this.#segments.push(first);
    return this.#open;
  }

  /** Marks an orderly end: from now on even the last frame cannot pass for torn. */
  async #seal(): Promise<void> {
    if (this.#open === undefined) return;
    if (this.#fault === undefined) {
      await this.#open.file.write([closedFrame(this.#last + 1, this.#open.salt)]);
      await this.#open.file.sync();
    }
    await this.#open.file.close();
    this.#open = undefined;
  }

  async #save(snapshot: Snapshot): Promise<void> {
    await writeSnapshot(this.#disk, snapshot);
    const all = [snapshot.sequence, ...this.#kept.filter((sequence) => sequence !== snapshot.sequence)];
    this.#kept = all.slice(0, 2);
    for (const old of all.slice(2)) this.#disk.remove(snapshotName(old));
    if (this.#keepRecords) return;
    // With one snapshot alone all records stay: it might turn out to be damaged.
    const needed = (this.#kept[1] ?? 0) + 1;
    while ((this.#segments[1] ?? Number.POSITIVE_INFINITY) <= needed) {
      const [oldest = 0] = this.#segments;
      this.#disk.remove(segmentName(oldest));
      this.#segments.shift();
    }
  }

  #broken(cause: unknown): Fault {
    this.#fault = faultOf(cause, this.name);
    return this.#fault;
  }
}

function faultOf(cause: unknown, name: string): Fault {
  if (cause instanceof Fault) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Fault('JOURNAL', `${name}: the journal failed (${why})`, { cause });
}
