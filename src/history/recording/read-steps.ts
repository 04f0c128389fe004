/** Reads the steps of a `StepLog`. Only one step is in memory at a time. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { Fault, FileFault, withReadFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { decodeStep, type Step } from '../../runtime/index.ts';
import { readBytes } from '../files.ts';
import { END_MARK, END_MARK_BYTES, HEAD_CHECK, HEAD_CHECK_BYTES, STEP_HEAD_BYTES, WRITE_BYTES } from './step-log.ts';

export interface LoggedSession {
  readonly head: unknown;
  readonly count: number;
  /** Number of bytes of an incomplete step at the end of an interrupted log. */
  readonly cutBytes: number;
  /** Whether the log has its end mark. Without it, steps may be missing at the end. */
  readonly isEnded: boolean;
  /** Reads the last complete step; undefined for a log without steps. @throws FileFault for a damaged step */
  lastStep(): Step | undefined;
  /** Yields all complete steps, in order. @throws FileFault for a damaged step */
  steps(): Generator<Step>;
}

/** Maximum size of the first line, which has the session's configuration and the bot's initial state. */
const MAX_HEAD_BYTES = 67_108_864;
/** Maximum size of a step. The largest steps, about 100 KB, add a market with a list of prices. */
const MAX_STEP_BYTES = 16_777_216;
const WINDOW_BYTES = 262_144;

const NOT_A_LOG = 'this is not a log of a session, or its first line is damaged';
const NAME_STEPS_FILE = 'Name the .steps file of a recording';
const RESTORE_FILE = 'Put back a good copy of the file';

/** Reads a log and checks every checksum. @throws FileFault when the file is missing, not a step log, or damaged */
export function readStepLog(path: string): LoggedSession {
  const file = new WindowedFile(path);
  try {
    const start = file.lineEnd(MAX_HEAD_BYTES);
    const head = start === undefined ? undefined : tryParseJson(withoutChecksum(file.bytes(0, start), path));
    if (start === undefined || head === undefined) throw new FileFault(path, 'line 1', NOT_A_LOG, NAME_STEPS_FILE);
    let [count, chain, at, lastAt] = [0, 0, start, start];
    for (let step = file.stepAt(at); step !== undefined; step = file.stepAt(at)) {
      count += 1;
      chain = crc32(file.bytes(at, STEP_HEAD_BYTES), chain);
      lastAt = at;
      at += STEP_HEAD_BYTES + step.length;
    }
    const mark = file.endMarkAt(at);
    if (mark !== undefined && (mark.steps !== count || mark.chain !== chain)) {
      const problem = `the log has ${count} steps, its end mark states ${mark.steps}: steps are missing or were changed`;
      throw new FileFault(path, `byte ${at}`, problem, RESTORE_FILE);
    }
    if (mark !== undefined) at += END_MARK_BYTES;
    const cutBytes = file.size - at;
    if (cutBytes > 0 && (mark !== undefined || !isInterruptedWrite(file, at))) {
      const problem = `step ${count + 1} is damaged, so the last ${cutBytes} bytes of the file cannot be read`;
      throw new FileFault(path, `byte ${at}`, problem, RESTORE_FILE);
    }
    const steps = () => readSteps(path, start, count);
    const lastStep = () => (count === 0 ? undefined : (readSteps(path, lastAt, 1).next().value ?? undefined));
    return { head, count, cutBytes, isEnded: mark !== undefined, steps, lastStep };
  } finally {
    file.close();
  }
}

function* readSteps(path: string, start: number, count: number): Generator<Step> {
  const file = new WindowedFile(path);
  try {
    for (let step = 1, at = start; step <= count; step += 1) {
      const bytes = file.stepAt(at);
      if (bytes === undefined)
        throw new FileFault(path, `byte ${at}`, 'the file was changed while it was read', RESTORE_FILE);
      yield decode(bytes, path, at);
      at += STEP_HEAD_BYTES + bytes.length;
    }
  } finally {
    file.close();
  }
}

function decode(bytes: Buffer, path: string, at: number): Step {
  try {
    return decodeStep(bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof Fault)) throw cause;
    throw new FileFault(path, `byte ${at}`, `the bytes are not a step (${cause.message})`, NAME_STEPS_FILE, { cause });
  }
}

/**
 * Returns whether an interrupted write explains the bytes from `at` on. Such a write leaves the beginning of one step,
 * or zeros in place of unwritten data. After damage to a length or a checksum, a complete step or end mark follows.
 */
function isInterruptedWrite(file: WindowedFile, at: number): boolean {
  const length = file.size - at;
  if (length > 2 * WRITE_BYTES) return false;
  const rest = file.bytes(at, length);
  if (rest.every((byte) => byte === 0)) return true;
  if (file.endMarkAt(file.size - END_MARK_BYTES) !== undefined) return false;
  if (rest.length >= STEP_HEAD_BYTES) {
    const stepBytes = rest.readUInt32LE(0);
    if (STEP_HEAD_BYTES + stepBytes <= rest.length || (stepBytes === END_MARK && rest.length >= END_MARK_BYTES))
      return false;
    if (crc32(rest.subarray(STEP_HEAD_BYTES)) === rest.readUInt32LE(4)) return false;
  }
  for (let from = 1; from < rest.length; from += 1) if (file.stepAt(at + from) !== undefined) return false;
  return true;
}

/** Returns the first line without its checksum. @throws FileFault when the checksum is wrong */
function withoutChecksum(line: Buffer, path: string): Buffer {
  const [end, crc = ''] = HEAD_CHECK.exec(line.subarray(-HEAD_CHECK_BYTES).toString('latin1')) ?? [];
  if (end === undefined) return line;
  const text = line.subarray(0, line.length - end.length);
  if (crc32(text) !== Number.parseInt(crc, 16))
    throw new FileFault(path, 'line 1', 'the checksum is wrong', RESTORE_FILE);
  return Buffer.concat([text, Buffer.from('}')]);
}

class WindowedFile {
  readonly size: number;
  readonly #path: string;
  readonly #fd: number;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = withReadFault(path, 'Check the path', () => openSync(path, 'r'));
    this.size = withReadFault(path, 'Check the path', () => fstatSync(this.#fd).size);
  }

  /** Returns bytes that are valid until the next call; fewer at the end of the file. */
  bytes(at: number, length: number): Buffer {
    const end = Math.min(at + length, this.size);
    if (at < this.#windowStart || end > this.#windowStart + this.#window.length) {
      const bytes = Math.min(Math.max(end - at, WINDOW_BYTES), Math.max(0, this.size - at));
      this.#window = withReadFault(this.#path, 'Check the path', () => readBytes(this.#fd, at, bytes));
      this.#windowStart = at;
    }
    return this.#window.subarray(at - this.#windowStart, Math.max(at, end) - this.#windowStart);
  }

  /** Returns the offset after the first line feed; undefined when the first `max` bytes have none. */
  lineEnd(max: number): number | undefined {
    for (let at = 0; at < Math.min(this.size, max); at += WINDOW_BYTES) {
      const found = this.bytes(at, WINDOW_BYTES).indexOf(0x0a);
      if (found !== -1) return at + found + 1;
    }
    return undefined;
  }

  endMarkAt(at: number): { readonly steps: number; readonly chain: number } | undefined {
    const mark = this.bytes(at, END_MARK_BYTES);
    if (mark.length < END_MARK_BYTES || mark.readUInt32LE(0) !== END_MARK) return undefined;
    if (crc32(mark.subarray(STEP_HEAD_BYTES)) !== mark.readUInt32LE(4)) return undefined;
    return { steps: mark.readUInt32LE(STEP_HEAD_BYTES), chain: mark.readUInt32LE(STEP_HEAD_BYTES + 4) };
  }

  /** Reads the bytes of the step at an offset; undefined when there is no complete step. */
  stepAt(at: number): Buffer | undefined {
    const head = this.bytes(at, STEP_HEAD_BYTES);
    if (head.length < STEP_HEAD_BYTES) return undefined;
    const [length, crc] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    if (length === 0 || length > MAX_STEP_BYTES || at + STEP_HEAD_BYTES + length > this.size) return undefined;
    const bytes = this.bytes(at + STEP_HEAD_BYTES, length);
    return bytes.length === length && crc32(bytes) === crc ? bytes : undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
