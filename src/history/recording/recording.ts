/**
 * Records the rows of a running session to a tape.
 *
 * Invariants: a killed process leaves the written blocks and their block list (`<path>.partial.list`). A block is
 * listed before it is written, so at most the last listed block is incomplete. `repairRecording` makes a complete tape
 * from both; only rows since the last `flush` are lost. A disk error stops only the recording. Trading continues, and
 * the error is reported once.
 */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { BookSnapshots } from '../../replay/index.ts';
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import { type Block, FLAG, type TapeManifest } from '../../tape/index.ts';
import { writeBooks } from '../catalogue/cut-tape.ts';
import { writeFault } from '../files.ts';
import type { BlockEntry } from '../tape-format.ts';
import { checkHead, type TapeHead, TapeWriter } from '../tape-writer.ts';
import { formatEntry, formatHead, listPath } from './block-list.ts';
import { partPath } from './open-recording.ts';

export interface RecordingOptions {
  /** Path of the tape, `….tape`. An incomplete tape is named `….tape.partial`. */
  readonly path: string;
  /** Returns the current head of the tape; markets may be added while the tape is written. */
  readonly head: () => TapeHead;
  /** Called once on a write error; nothing is recorded afterwards. */
  readonly onFault: (fault: FileFault) => void;
  /** Limits of a part. Default: a single part. */
  readonly rotation?: Rotation | undefined;
}

/** A part ends after the first `append` that reaches either limit. */
export interface Rotation {
  readonly bytes: number;
  /** Exchange time that a part covers. */
  readonly ms: number;
}

export class Recording {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #rotation: Rotation | undefined;
  /** Current books, which open the next part. */
  readonly #books = new BookSnapshots();
  readonly #head: () => TapeHead;
  #part = 1;
  #writer: TapeWriter;
  /** Descriptor of the block list; undefined when closed. */
  #listFd: number | undefined;
  /** Number of markets in the last head of the list. */
  #listedMarkets = 0;
  rows = 0;
  /** First exchange time of the current part, epoch ms. */
  #partFrom: number | undefined;
  #isEnded = false;

  /** @throws InputFault that names the invalid field of the head @throws FileFault when the file cannot be created */
  constructor({ path, head, onFault, rotation }: RecordingOptions) {
    const first = head();
    checkHead(first);
    this.path = path;
    this.#onFault = onFault;
    this.#head = head;
    this.#rotation = rotation;
    [this.#writer, this.#listFd] = this.#beginPart(first);
  }

  /** Appends rows `from..to-1` of a block: whole messages, in order of `tx`. */
  append(block: Block, from: number, to: number): void {
    if (this.#isEnded) return;
    this.#endOnFault(() => {
      this.#writer.messages.append(block, from, to);
      this.rows += to - from;
      if (this.#rotation !== undefined) this.#rotateAfter(block, from, to, this.#rotation);
    });
  }

  #rotateAfter(block: Block, from: number, to: number, { bytes, ms }: Rotation): void {
    for (let row = from; row < to; row += 1) this.#books.apply(block, row);
    const time = block.tx[to - 1] ?? 0;
    this.#partFrom ??= block.tx[from] ?? 0;
    if (this.#writer.bytes < bytes && time - this.#partFrom < ms) return;
    this.#writer.finish(this.#head(), { shouldSync: false });
    this.#closeList();
    this.#deleteList();
    this.#part += 1;
    [this.#writer, this.#listFd] = this.#beginPart(this.#head());
    this.#partFrom = time;
    writeBooks(this.#books, time, block.rx[to - 1] ?? time, this.#writer.messages, FLAG.opening);
  }

  #beginPart(head: TapeHead): readonly [TapeWriter, number] {
    const path = partPath(this.path, this.#part);
    const writer = new TapeWriter(path, { onBlock: (entry) => this.#listBlock(entry), mode: 0o600 });
    let list: number | undefined;
    try {
      list = openSync(listPath(path), 'w', 0o600);
      writeFileSync(list, formatHead(head));
      this.#listedMarkets = head.markets.length;
      return [writer, list];
    } catch (cause) {
      if (list !== undefined) {
        closeSync(list);
        rmSync(listPath(path), { force: true });
      }
      writer.abandon();
      throw writeFault(listPath(path), cause, 'recorded');
    }
  }

  #closeList(): void {
    if (this.#listFd !== undefined) closeSync(this.#listFd);
    this.#listFd = undefined;
  }

  #deleteList(): void {
    rmSync(listPath(partPath(this.path, this.#part)), { force: true });
  }

  /** Writes the rows in memory as a block. Call it about once per second at most, as small blocks compress badly. */
  flush(): void {
    if (!this.#isEnded) this.#endOnFault(() => this.#writer.messages.finish());
  }

  /** Completes the last part. @returns undefined without rows or after a fault @throws FileFault if this write fails */
  finish(): TapeManifest | undefined {
    if (this.#isEnded) return undefined;
    this.#isEnded = true;
    try {
      const manifest = this.rows > 0 ? this.#writer.finish(this.#head()) : undefined;
      this.#deleteList();
      if (manifest === undefined) this.#writer.abandon();
      return manifest;
    } finally {
      // After a write error the files stay for `repairRecording`.
      this.#writer.closePartial();
      this.#closeList();
    }
  }

  /** Lists a block that is about to be written, after a head that names all of its markets. */
  #listBlock(entry: BlockEntry): void {
    if (this.#listFd === undefined) throw new RangeError('Invariant: a block was written after its list was closed');
    const head = this.#head();
    if (head.markets.length !== this.#listedMarkets) {
      writeFileSync(this.#listFd, formatHead(head));
      this.#listedMarkets = head.markets.length;
    }
    writeFileSync(this.#listFd, formatEntry(entry));
  }

  #endOnFault(write: () => void): void {
    try {
      write();
    } catch (cause) {
      this.#isEnded = true;
      this.#writer.closePartial();
      this.#closeList();
      this.#onFault(cause instanceof FileFault ? cause : writeFault(this.path, cause, 'recorded'));
    }
  }
}

/** Wraps a venue so that its rows reach the core, then the recording. Events are only in the run's store. */
export function recordedVenue(venue: Venue, recording: Recording): Venue {
  return {
    connect: (sink: VenueSink): Promise<VenueSession> =>
      venue.connect({
        rows(block, from, to) {
          try {
            sink.rows(block, from, to);
          } finally {
            recording.append(block, from, to);
          }
        },
        event: (event, position) => sink.event(event, position),
      }),
    abortConnect: async () => venue.abortConnect?.(),
  };
}
