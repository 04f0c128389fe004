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
    throw new FileFault(path, 'line 1', 'this is no log of a session', 'Name the .steps file of a recording');
  }
  const steps: Step[] = [];
  let at = start;
  while (at + HEAD_BYTES <= bytes.length) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at);
    const step = end <= bytes.length ? bytes.subarray(at + HEAD_BYTES, end) : undefined;
    if (step === undefined || crc32(step) !== bytes.readUInt32LE(at + 4)) break;
    steps.push(decodeStep(step));
    at = end;
  }
  const cut = bytes.length - at;
  // A write that was cut off is at most what waited in memory; more than that is damage.
  if (cut > 2 * CHUNK) {
    const problem = `step ${steps.length + 1} is damaged, and ${cut} bytes follow`;
    throw new FileFault(path, `byte ${at}`, problem, 'Put back a good copy of the file');
  }
  return { head: head.value, steps, cut };
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
