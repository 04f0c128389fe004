/**
 * Logs all steps of a session, including steps without effect, which a store may leave out. The log and the tape of the
 * session's rows are enough to run the session again.
 *
 * The first line is JSON about the session; its last member is the CRC-32 of the bytes before it. The steps follow:
 * length (u32), CRC-32 (u32) and bytes (`encodeStep`), little-endian. Steps stay in memory until `flush`. A truncated
 * log is valid up to its last complete step.
 *
 * `close` appends an end mark: u32 0xffffffff, CRC-32 (u32) of the rest of the mark, and number of steps (u32). Last
 * comes a CRC-32 (u32) over the lengths and checksums of all steps. Without the mark, steps may be missing at the end.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteWriter, type FileFault } from '../../domain/index.ts';
import { type EventStore, encodeStep, type Step } from '../../runtime/index.ts';
import { writeFault } from '../files.ts';

export const STEP_HEAD_BYTES = 8;
/** First word of the end mark, in place of a step's length. */
export const END_MARK = 0xffff_ffff;
export const END_MARK_BYTES = 16;
/** The end of the first line: the CRC-32 of all bytes before it. Logs of earlier versions have no checksum. */
export const HEAD_CHECK = /,"crc32":"([0-9a-f]{8})"}\n$/;
export const HEAD_CHECK_BYTES = 21;
/** Number of bytes in memory that triggers a write to the file. */
export const WRITE_BYTES = 65_536;

export class StepLog {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #fd: number;
  readonly #writer = new ByteWriter(4_096);
  #buffer = Buffer.alloc(2 * WRITE_BYTES);
  #length = 0;
  #steps = 0;
  /** CRC-32 over the lengths and checksums of all steps. */
  #chain = 0;
  #isEnded = false;

  /**
   * @param head describes the session; a JSON object with at least one member
   * @param onFault called once on a write error; nothing is written afterwards
   * @throws FileFault when the file cannot be created
   */
  constructor(path: string, head: object, onFault: (fault: FileFault) => void) {
    this.path = path;
    this.#onFault = onFault;
    try {
      this.#fd = openSync(path, 'w', 0o600);
      writeFileSync(this.#fd, formatHead(head));
    } catch (cause) {
      throw writeFault(path, cause);
    }
  }

  add(step: Step): void {
    if (this.#isEnded) return;
    encodeStep(step, this.#writer);
    const bytes = this.#writer.finish();
    const end = this.#length + STEP_HEAD_BYTES + bytes.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.writeUInt32LE(bytes.length, this.#length);
    this.#buffer.writeUInt32LE(crc32(bytes), this.#length + 4);
    this.#buffer.set(bytes, this.#length + STEP_HEAD_BYTES);
    this.#chain = crc32(this.#buffer.subarray(this.#length, this.#length + STEP_HEAD_BYTES), this.#chain);
    this.#steps += 1;
    this.#length = end;
    if (end >= WRITE_BYTES) this.flush();
  }

  flush(): void {
    if (this.#isEnded || this.#length === 0) return;
    try {
      writeFileSync(this.#fd, this.#buffer.subarray(0, this.#length));
      this.#length = 0;
    } catch (cause) {
      this.#isEnded = true;
      closeSync(this.#fd);
      this.#onFault(writeFault(this.path, cause));
    }
  }

  /** Writes the last steps and the end mark. A second call does nothing. */
  close(): void {
    if (!this.#isEnded) this.#markEnd();
    this.flush();
    if (this.#isEnded) return;
    this.#isEnded = true;
    closeSync(this.#fd);
  }

  #markEnd(): void {
    const end = this.#length + END_MARK_BYTES;
    if (end > this.#buffer.length) this.#grow(end);
    const mark = this.#buffer.subarray(this.#length, end);
    mark.writeUInt32LE(END_MARK, 0);
    mark.writeUInt32LE(this.#steps, STEP_HEAD_BYTES);
    mark.writeUInt32LE(this.#chain, STEP_HEAD_BYTES + 4);
    mark.writeUInt32LE(crc32(mark.subarray(STEP_HEAD_BYTES)), 4);
    this.#length = end;
  }

  #grow(minBytes: number): void {
    this.#buffer = Buffer.concat([this.#buffer.subarray(0, this.#length)], 2 * minBytes);
  }
}

function formatHead(head: object): string {
  const text = JSON.stringify(head).slice(0, -1);
  return `${text},"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`;
}

/** Wraps a store, and logs each step after the step was stored. */
export function recordedStore(store: EventStore, log: StepLog): EventStore {
  const add = (steps: readonly Step[]): void => {
    for (const step of steps) log.add(step);
  };
  return {
    append(steps, position) {
      store.append(steps, position);
      add(steps);
    },
    appendDeferred(steps, position) {
      if (store.appendDeferred === undefined) store.append(steps, position);
      else store.appendDeferred(steps, position);
      add(steps);
    },
    flushDeferred: () => store.flushDeferred?.(),
    onRunFailed: () => store.onRunFailed?.(),
  };
}
