/**
 * A tape that is written while something is going on, row by row as it is taken in.
 *
 * Invariants: a process that dies leaves the blocks that were written, and a list of them beside the file
 * (`<path>.partial.list`), from which `mendRecording` makes a whole tape; rows of the last moments, since the last
 * `flush`, are lost then. A disk error ends only the recording: trading continues, and the error is reported once.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { BookSnapshots } from '../../replay/index.ts';
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import { type Block, FLAG, KIND, type TapeManifest } from '../../tape/index.ts';
import type { BlockEntry } from '../tape-format.ts';
import { checkHead, type TapeHead, TapeWriter } from '../tape-writer.ts';
import { writeFault } from '../write-fault.ts';
import { entryLine, headLine, listOf } from './block-list.ts';
import { partPath } from './parts.ts';

export interface RecordingOptions {
  /** Where the tape will be: `….tape`. Until it is whole it is `….tape.partial`. */
  readonly path: string;
  /** What the tape says about itself by now: its markets may become more while it is written. */
  readonly head: () => TapeHead;
  /** The disk refused: called once, nothing is recorded after it. */
  readonly onFault: (fault: FileFault) => void;
  /** When a part is full and the next one begins; absent for a single part. */
  readonly rotation?: Rotation | undefined;
}

/** A part ends after the first message at which one of them is reached. */
export interface Rotation {
  readonly bytes: number;
  /** Of exchange time. */
  readonly ms: number;
}

export class Recording {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #rotation: Rotation | undefined;
  /** What the rows have left, for the start of the next part. */
  readonly #books = new BookSnapshots();
  readonly #head: () => TapeHead;
  #part = 1;
  #writer: TapeWriter;
  #list: number;
  /** Markets of the head that was listed last. */
  #listed = 0;
  rows = 0;
  /** First exchange time of the present part. */
  #from: number | undefined;
  #ended = false;

  /**
   * @throws InputFault that names the field of the head that no reader takes
   * @throws FileFault when the file cannot be made
   */
  constructor({ path, head, onFault, rotation }: RecordingOptions) {
    const first = head();
    checkHead(first);
    this.path = path;
    this.#onFault = onFault;
    this.#head = head;
    this.#rotation = rotation;
    [this.#writer, this.#list] = this.#begin(first);
  }

  /** Takes in rows `from..to-1` of a block, whole messages, in order of `tx`. */
  take(block: Block, from: number, to: number): void {
    if (this.#ended) return;
    this.#orFault(() => {
      this.#writer.messages.append(block, from, to);
      this.rows += to - from;
      if (this.#rotation !== undefined) this.#rotateAfter(block, from, to, this.#rotation);
    });
  }

  #rotateAfter(block: Block, from: number, to: number, { bytes, ms }: Rotation): void {
    for (let row = from; row < to; row += 1) this.#books.apply(block, row);
    const time = block.tx[to - 1] ?? 0;
    this.#from ??= block.tx[from] ?? 0;
    if (this.#writer.bytes < bytes && time - this.#from < ms) return;
    this.#writer.finish(this.#head(), false);
    this.#closeList();
    this.#part += 1;
    [this.#writer, this.#list] = this.#begin(this.#head());
    this.#from = time;
    this.#writeBooks(time, block.rx[to - 1] ?? time);
  }

  /** One message a market. */
  #writeBooks(time: number, received: number): void {
    const { messages } = this.#writer;
    for (const [market, rows] of this.#books.all()) {
      messages.begin(time, received);
      if (rows.every(({ kind }) => kind !== KIND.gap)) messages.row(market, KIND.clear, 0, 0, 0, FLAG.opening);
      for (const { kind, side, price, shares } of rows) messages.row(market, kind, side, price, shares, FLAG.opening);
      messages.end();
    }
  }

  #begin(head: TapeHead): readonly [TapeWriter, number] {
    const path = partPath(this.path, this.#part);
    const writer = new TapeWriter(path, (entry) => this.#enter(entry), 0o600);
    try {
      const list = openSync(listOf(path), 'w', 0o600);
      writeSync(list, headLine(head));
      this.#listed = head.markets.length;
      return [writer, list];
    } catch (cause) {
      writer.abandon();
      throw writeFault(listOf(path), cause, 'recorded');
    }
  }

  #closeList(): void {
    closeSync(this.#list);
    rmSync(listOf(partPath(this.path, this.#part)), { force: true });
  }

  /** Writes what waits in memory: a block of its own, so not more often than each second or so. */
  flush(): void {
    if (!this.#ended) this.#orFault(() => this.#writer.messages.finish());
  }

  /**
   * Completes the tape, or its last part.
   * @returns undefined when there was no row or the disk had refused before.
   * @throws FileFault now
   */
  finish(): TapeManifest | undefined {
    if (this.#ended) return undefined;
    this.#ended = true;
    try {
      const manifest = this.rows > 0 ? this.#writer.finish(this.#head()) : undefined;
      rmSync(listOf(partPath(this.path, this.#part)), { force: true });
      if (manifest === undefined) this.#writer.abandon();
      return manifest;
    } finally {
      // After a refusal of the disk what there is stays, for `mendRecording`.
      this.#writer.leave();
      closeSync(this.#list);
    }
  }

  /** Lists a block that was written, after the head that names all of its markets. */
  #enter(entry: BlockEntry): void {
    const head = this.#head();
    if (head.markets.length !== this.#listed) {
      writeSync(this.#list, headLine(head));
      this.#listed = head.markets.length;
    }
    writeSync(this.#list, entryLine(entry));
  }

  #orFault(act: () => void): void {
    try {
      act();
    } catch (cause) {
      this.#ended = true;
      this.#writer.leave();
      closeSync(this.#list);
      this.#onFault(cause instanceof FileFault ? cause : writeFault(this.path, cause, 'recorded'));
    }
  }
}

/** The same venue: its rows go to the core, then to the recording. Events are in the run's own store. */
export function recordedVenue(venue: Venue, recording: Recording): Venue {
  return {
    connect: (sink: VenueSink): Promise<VenueSession> =>
      venue.connect({
        rows(block, from, to) {
          try {
            sink.rows(block, from, to);
          } finally {
            recording.take(block, from, to);
          }
        },
        event: (event, position) => sink.event(event, position),
      }),
    leave: async () => venue.leave?.(),
  };
}
