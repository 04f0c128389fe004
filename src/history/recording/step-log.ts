/**
 * All steps of a session in a file, also those that change nothing and that a store may leave out: with the tape of its rows
 * the session can be done again.
 *
 * The file: a line of JSON about the session; then of each step its length (u32), CRC-32 (u32) and bytes (runtime's step
 * codec), little-endian. It grows in memory until `flush`; one that was cut off is whole up to its last whole step.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { FileFault } from '../../domain/index.ts';
import { ByteWriter, decodeStep, type EventStore, encodeStep, type Step } from '../../runtime/index.ts';

const HEAD_BYTES = 8;
/** So much waits in memory at most. */
const CHUNK = 65_536;

const NAME = 'Name the .steps file of a recording';
const AGAIN = 'Put back a good copy of the file';

/** Writes steps. Always end with `close`. */
export class StepLog {
  readonly path: string;
  readonly #onFault: (fault: FileFault) => void;
  readonly #fd: number;
  readonly #writer = new ByteWriter(4_096);
  #buffer = Buffer.alloc(2 * CHUNK);
  #length = 0;
  #ended = false;

  /**
   * @param head what the session is: anything that JSON can say
   * @param onFault the disk refused: called once, nothing is written after it
   * @throws FileFault when the file cannot be made
   */
  constructor(path: string, head: unknown, onFault: (fault: FileFault) => void) {
    this.path = path;
    this.#onFault = onFault;
    try {
      this.#fd = openSync(path, 'w');
      writeSync(this.#fd, `${JSON.stringify(head)}\n`);
    } catch (cause) {
      throw refused(path, cause);
    }
  }

  add(step: Step): void {
    if (this.#ended) return;
    encodeStep(step, this.#writer);
    const bytes = this.#writer.take();
    const end = this.#length + HEAD_BYTES + bytes.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.writeUInt32LE(bytes.length, this.#length);
    this.#buffer.writeUInt32LE(crc32(bytes), this.#length + 4);
    this.#buffer.set(bytes, this.#length + HEAD_BYTES);
    this.#length = end;
    if (end >= CHUNK) this.flush();
  }

  /** Writes what waits in memory. */
  flush(): void {
    if (this.#ended || this.#length === 0) return;
    try {
      for (let done = 0; done < this.#length; ) done += writeSync(this.#fd, this.#buffer, done, this.#length - done);
      this.#length = 0;
    } catch (cause) {
      this.#ended = true;
      closeSync(this.#fd);
      this.#onFault(refused(this.path, cause));
    }
  }

  /** The last steps are written. A second time it does nothing. */
  close(): void {
    this.flush();
    if (this.#ended) return;
    this.#ended = true;
    closeSync(this.#fd);
  }

  #grow(least: number): void {
    const larger = Buffer.alloc(2 * least);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** The same store; each step goes into the log, too, once it is stored. */
export function recordedStore(store: EventStore, log: StepLog): EventStore {
  const add = (steps: readonly Step[]): void => {
    for (const step of steps) log.add(step);
  };
  return {
    append(steps) {
      store.append(steps);
      add(steps);
    },
    appendUntilSigned(steps) {
      if (store.appendUntilSigned === undefined) store.append(steps);
      else store.appendUntilSigned(steps);
      add(steps);
    },
    settle: () => store.settle?.(),
  };
}

/** What a log says. */
export interface LoggedSession {
  /** As it was given to `StepLog`. */
  readonly head: unknown;
  readonly steps: readonly Step[];
  /** Bytes at the end that are no whole step: the log was cut off. */
  readonly cut: number;
}

/** Reads a log. @throws FileFault when it is missing, no log, or damaged before its end */
export function readStepLog(path: string): LoggedSession {
  const bytes = readWhole(path);
  const start = bytes.indexOf(0x0a) + 1;
  const head = start === 0 ? undefined : parsed(bytes.subarray(0, start));
  if (head === undefined) {
    throw new FileFault(path, 'line 1', 'this is no log of a session', NAME);
  }
  const steps: Step[] = [];
  let at = start;
  for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
    steps.push(decoded(frame, path, at));
    at += HEAD_BYTES + frame.length;
  }
  const cut = bytes.length - at;
  if (cut > 0 && !isTorn(bytes.subarray(at))) {
    const problem = `step ${steps.length + 1} is damaged, and ${cut} bytes follow from there on`;
    throw new FileFault(path, `byte ${at}`, problem, AGAIN);
  }
  return { head: head.value, steps, cut };
}

/** The bytes of the step whose length and checksum stand there; undefined where no whole one does. */
function frameAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + HEAD_BYTES >= bytes.length) return undefined;
  const end = at + HEAD_BYTES + bytes.readUInt32LE(at);
  if (end > bytes.length || end === at + HEAD_BYTES) return undefined;
  const frame = bytes.subarray(at + HEAD_BYTES, end);
  return crc32(frame) === bytes.readUInt32LE(at + 4) ? frame : undefined;
}

/**
 * Whether a write that was cut off can have left these bytes, which begin with no whole step: the beginning of one step, or
 * zeros that the disk put in place of what it never got. Any whole step behind them, or a step that has all of its bytes,
 * was written after what is damaged.
 */
function isTorn(rest: Buffer): boolean {
  if (rest.length > 2 * CHUNK) return false;
  if (rest.every((byte) => byte === 0)) return true;
  if (rest.length >= HEAD_BYTES && HEAD_BYTES + rest.readUInt32LE(0) <= rest.length) return false;
  for (let at = 1; at < rest.length; at += 1) if (frameAt(rest, at) !== undefined) return false;
  return true;
}

function decoded(frame: Buffer, path: string, at: number): Step {
  try {
    return decodeStep(frame);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new FileFault(path, `byte ${at}`, `that is no step (${cause.message})`, NAME, { cause });
  }
}

function readWhole(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new FileFault(path, undefined, `cannot be read (${String(cause)})`, 'Check the path', { cause });
  }
}

function parsed(line: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line.toString('utf8')) };
  } catch {
    return undefined;
  }
}

function refused(path: string, cause: unknown): FileFault {
  const why = cause instanceof Error ? cause.message : String(cause);
  const remedy = 'Check that the folder can be written to and the disk has room';
  return new FileFault(path, undefined, `could not be written (${why})`, remedy, { cause });
}
