/**
 * All steps of a session in a file, also those that change nothing and that a store may leave out: with the tape of its rows
 * the session can be done again.
 *
 * The file: a line of JSON about the session, whose last member is the CRC-32 of what precedes it; then of each step its length (u32), CRC-32 (u32) and bytes (runtime's step
 * codec), little-endian. It grows in memory until `flush`; one that was cut off is whole up to its last whole step.
 *
 * An orderly end appends an end mark: u32 0xffffffff, CRC-32 (u32) of the rest, number of steps (u32), and CRC-32 (u32) over the
 * lengths and checksums of all steps. Without it steps may be missing at the end.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteWriter, type FileFault } from '../../domain/index.ts';
import { type EventStore, encodeStep, type Step } from '../../runtime/index.ts';
import { writeFault } from '../write-fault.ts';

export const STEP_HEAD = 8;
/** What stands in place of a step's length in the end mark, and the bytes of the mark. */
export const END_MARK = 0xffff_ffff;
export const END_MARK_BYTES = 16;
/** The end of the first line: a checksum of all bytes before it. Recordings of earlier versions have none. */
export const HEAD_CHECK = /,"crc32":"([0-9a-f]{8})"}\n$/;
export const HEAD_CHECK_BYTES = 21;
/** So much waits in memory at most, but for a longer step. */
export const CHUNK = 65_536;

export class StepLog {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #fd: number;
  readonly #writer = new ByteWriter(4_096);
  #buffer = Buffer.alloc(2 * CHUNK);
  #length = 0;
  #steps = 0;
  /** Over the heads of all steps. */
  #chain = 0;
  #ended = false;

  /**
   * @param head what the session is: an object with a member, as JSON can say it
   * @param onFault the disk refused: called once, nothing is written after it
   * @throws FileFault when the file cannot be made
   */
  constructor(path: string, head: object, onFault: (fault: FileFault) => void) {
    this.path = path;
    this.#onFault = onFault;
    try {
      this.#fd = openSync(path, 'w', 0o600);
      writeSync(this.#fd, headLine(head));
    } catch (cause) {
      throw writeFault(path, cause);
    }
  }

  add(step: Step): void {
    if (this.#ended) return;
    encodeStep(step, this.#writer);
    const bytes = this.#writer.take();
    const end = this.#length + STEP_HEAD + bytes.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.writeUInt32LE(bytes.length, this.#length);
    this.#buffer.writeUInt32LE(crc32(bytes), this.#length + 4);
    this.#buffer.set(bytes, this.#length + STEP_HEAD);
    this.#chain = crc32(this.#buffer.subarray(this.#length, this.#length + STEP_HEAD), this.#chain);
    this.#steps += 1;
    this.#length = end;
    if (end >= CHUNK) this.flush();
  }

  flush(): void {
    if (this.#ended || this.#length === 0) return;
    try {
      for (let done = 0; done < this.#length; ) done += writeSync(this.#fd, this.#buffer, done, this.#length - done);
      this.#length = 0;
    } catch (cause) {
      this.#ended = true;
      closeSync(this.#fd);
      this.#onFault(writeFault(this.path, cause));
    }
  }

  /** The last steps and the end mark are written. A second time it does nothing. */
  close(): void {
    if (!this.#ended) this.#markEnd();
    this.flush();
    if (this.#ended) return;
    this.#ended = true;
    closeSync(this.#fd);
  }

  #markEnd(): void {
    const end = this.#length + END_MARK_BYTES;
    if (end > this.#buffer.length) this.#grow(end);
    const mark = this.#buffer.subarray(this.#length, end);
    mark.writeUInt32LE(END_MARK, 0);
    mark.writeUInt32LE(this.#steps, STEP_HEAD);
    mark.writeUInt32LE(this.#chain, STEP_HEAD + 4);
    mark.writeUInt32LE(crc32(mark.subarray(STEP_HEAD)), 4);
    this.#length = end;
  }

  #grow(least: number): void {
    const larger = Buffer.alloc(2 * least);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function headLine(head: object): string {
  const text = JSON.stringify(head).slice(0, -1);
  return `${text},"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`;
}

/** The same store; each step goes into the log, too, once it is stored. */
export function recordedStore(store: EventStore, log: StepLog): EventStore {
  const add = (steps: readonly Step[]): void => {
    for (const step of steps) log.add(step);
  };
  return {
    append(steps, position) {
      store.append(steps, position);
      add(steps);
    },
    holdForSignature(steps, position) {
      if (store.holdForSignature === undefined) store.append(steps, position);
      else store.holdForSignature(steps, position);
      add(steps);
    },
    storeHeld: () => store.storeHeld?.(),
    failed: () => store.failed?.(),
  };
}
