/** Reads the steps of a session, one in memory at a time. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { Fault, FileFault, readProblem } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { decodeStep, type Step } from '../../runtime/index.ts';
import { CHUNK, END_MARK, END_MARK_BYTES, HEAD_CHECK, HEAD_CHECK_BYTES, STEP_HEAD } from './step-log.ts';

export interface LoggedSession {
  /** As it was given to `StepLog`. */
  readonly head: unknown;
  readonly count: number;
  /** Bytes at the end that are no whole step: the log was cut off. */
  readonly cut: number;
  /** Whether its end mark is there. Without it steps may be missing at the end. */
  readonly isEnded: boolean;
  /** The last whole step; undefined for a log without steps. @throws FileFault for a damaged step */
  lastStep(): Step | undefined;
  /** All whole steps, in order. @throws FileFault for a damaged step */
  steps(): Generator<Step>;
}

/** The first line has the configuration of a session and the state of the bot when it began. */
const LONGEST_HEAD = 67_108_864;
/** A step that adds a market with a list of prices has about 100 KB. */
const LONGEST_STEP = 16_777_216;
/** Read at once. */
const WINDOW = 262_144;

const NAME = 'Name the .steps file of a recording';
const AGAIN = 'Put back a good copy of the file';

/** Checks every checksum. @throws FileFault when the log is missing, none, or damaged before its end */
export function readStepLog(path: string): LoggedSession {
  const file = new WindowedFile(path);
  try {
    const start = file.lineEnd(LONGEST_HEAD);
    const head = start === undefined ? undefined : tryParseJson(checked(file.bytes(0, start), path));
    if (start === undefined || head === undefined)
      throw new FileFault(path, 'line 1', 'this is no log of a session, or its first line is damaged', NAME);
    let [count, chain, at, lastAt] = [0, 0, start, start];
    for (let step = file.stepAt(at); step !== undefined; step = file.stepAt(at)) {
      count += 1;
      const next = at + STEP_HEAD + step.length;
      chain = crc32(file.bytes(at, STEP_HEAD), chain);
      lastAt = at;
      at = next;
    }
    const mark = file.endMarkAt(at);
    if (mark !== undefined && (mark.steps !== count || mark.chain !== chain)) {
      const problem = `${count} steps are there, and its end mark is of ${mark.steps}: some are missing or others than were written`;
      throw new FileFault(path, `byte ${at}`, problem, AGAIN);
    }
    if (mark !== undefined) at += END_MARK_BYTES;
    const cut = file.size - at;
    if (cut > 0 && (mark !== undefined || !isTorn(file, at))) {
      const problem = `step ${count + 1} is damaged, and ${cut} bytes follow from there on`;
      throw new FileFault(path, `byte ${at}`, problem, AGAIN);
    }
    const steps = () => stepsOf(path, start, count);
    const lastStep = () => (count === 0 ? undefined : (stepsOf(path, lastAt, 1).next().value ?? undefined));
    return { head, count, cut, isEnded: mark !== undefined, steps, lastStep };
  } finally {
    file.close();
  }
}

function* stepsOf(path: string, start: number, count: number): Generator<Step> {
  const file = new WindowedFile(path);
  try {
    for (let no = 1, at = start; no <= count; no += 1) {
      const bytes = file.stepAt(at);
      if (bytes === undefined) throw new FileFault(path, `byte ${at}`, 'the file was changed while it was read', AGAIN);
      yield decoded(bytes, path, at);
      at += STEP_HEAD + bytes.length;
    }
  } finally {
    file.close();
  }
}

function decoded(bytes: Buffer, path: string, at: number): Step {
  try {
    return decodeStep(bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof Fault)) throw cause;
    throw new FileFault(path, `byte ${at}`, `that is no step (${cause.message})`, NAME, { cause });
  }
}

/**
 * Whether a write that was cut off can have left the bytes from `at` on, which begin with no whole step: the beginning
 * of one step, or zeros that the disk put in place of what it never got. Any whole step behind them, or a step or an
 * end mark that has all of its bytes, was written: what is damaged is a length or a checksum.
 */
function isTorn(file: WindowedFile, at: number): boolean {
  const length = file.size - at;
  if (length > 2 * CHUNK) return false;
  const rest = file.bytes(at, length);
  if (rest.every((byte) => byte === 0)) return true;
  if (file.endMarkAt(file.size - END_MARK_BYTES) !== undefined) return false;
  if (rest.length >= STEP_HEAD) {
    const stated = rest.readUInt32LE(0);
    if (STEP_HEAD + stated <= rest.length || (stated === END_MARK && rest.length >= END_MARK_BYTES)) return false;
    if (crc32(rest.subarray(STEP_HEAD)) === rest.readUInt32LE(4)) return false;
  }
  for (let from = 1; from < rest.length; from += 1) if (file.stepAt(at + from) !== undefined) return false;
  return true;
}

/** @returns the line without its checksum. @throws FileFault where that is another one */
function checked(line: Buffer, path: string): Buffer {
  const [end, crc = ''] = HEAD_CHECK.exec(line.subarray(-HEAD_CHECK_BYTES).toString('latin1')) ?? [];
  if (end === undefined) return line;
  const text = line.subarray(0, line.length - end.length);
  if (crc32(text) !== Number.parseInt(crc, 16)) throw new FileFault(path, 'line 1', 'the checksum is wrong', AGAIN);
  return Buffer.concat([text, Buffer.from('}')]);
}

/** A file of which one window is in memory. */
class WindowedFile {
  readonly size: number;
  readonly #path: string;
  readonly #fd: number;
  #window: Buffer = Buffer.alloc(0);
  #from = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = this.#on(() => openSync(path, 'r'));
    this.size = this.#on(() => fstatSync(this.#fd).size);
  }

  /** Bytes that are valid until the next call; fewer at the end of the file. */
  bytes(at: number, length: number): Buffer {
    const end = Math.min(at + length, this.size);
    if (at < this.#from || end > this.#from + this.#window.length) this.#move(at, Math.max(end - at, WINDOW));
    return this.#window.subarray(at - this.#from, Math.max(at, end) - this.#from);
  }

  /** Where the first line ends, its line feed included; undefined when it is longer than that, or has no end. */
  lineEnd(longest: number): number | undefined {
    for (let at = 0; at < Math.min(this.size, longest); at += WINDOW) {
      const found = this.bytes(at, WINDOW).indexOf(0x0a);
      if (found !== -1) return at + found + 1;
    }
    return undefined;
  }

  /** What the end mark says that stands there; undefined for none. */
  endMarkAt(at: number): { readonly steps: number; readonly chain: number } | undefined {
    const mark = this.bytes(at, END_MARK_BYTES);
    if (mark.length < END_MARK_BYTES || mark.readUInt32LE(0) !== END_MARK) return undefined;
    if (crc32(mark.subarray(STEP_HEAD)) !== mark.readUInt32LE(4)) return undefined;
    return { steps: mark.readUInt32LE(STEP_HEAD), chain: mark.readUInt32LE(STEP_HEAD + 4) };
  }

  /** The bytes of the step whose length and checksum stand there; undefined where no whole one does. */
  stepAt(at: number): Buffer | undefined {
    const head = this.bytes(at, STEP_HEAD);
    if (head.length < STEP_HEAD) return undefined;
    const [length, crc] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    if (length === 0 || length > LONGEST_STEP || at + STEP_HEAD + length > this.size) return undefined;
    const bytes = this.bytes(at + STEP_HEAD, length);
    return bytes.length === length && crc32(bytes) === crc ? bytes : undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #move(at: number, length: number): void {
    const window = Buffer.alloc(Math.min(length, Math.max(0, this.size - at)));
    let done = 0;
    while (done < window.length) {
      const got = this.#on(() => readSync(this.#fd, window, done, window.length - done, at + done));
      if (got === 0) break;
      done += got;
    }
    this.#window = window.subarray(0, done);
    this.#from = at;
  }

  #on<T>(act: () => T): T {
    try {
      return act();
    } catch (cause) {
      throw new FileFault(this.#path, undefined, readProblem(cause), 'Check the path', { cause });
    }
  }
}
