/**
 * A log file that is written without waiting for the disk. Lines that cannot be written go to `fallback`. Each later
 * write tries the file again, so the log resumes when a full disk has space.
 */
import {
  accessSync,
  close as closeFile,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  write as writeFile,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, FileFault } from '../../domain/index.ts';

/** Block size of common file systems. On a full disk, a file can grow by less than a block. */
const BLOCK_BYTES = 4_096;

const writeBytes = promisify(writeFile);

export class LogFile {
  readonly path: string;
  readonly #fd: number;
  readonly #fallback: (text: string) => void;
  #waiting = '';
  #writing: Promise<void> | undefined;
  #problem: string | undefined;
  /** Bytes to write before `problem` is cleared. */
  #bytesToRecover = 0;
  #isClosed = false;

  /** Only the owner can read a new file. @param fallback receives text that cannot be written. @throws FileFault */
  constructor(path: string, fallback: (text: string) => void) {
    this.path = path;
    this.#fallback = fallback;
    checkLogFile(path);
    try {
      this.#fd = openSync(path, 'a', 0o600);
    } catch (cause) {
      throw unusableFault(path, `it cannot be opened (${errorMessage(cause)})`, cause);
    }
  }

  /** Why lines cannot be written; undefined if they can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** @param text whole lines */
  write(text: string): void {
    if (this.#isClosed) {
      this.#fallback(text);
      return;
    }
    this.#waiting += text;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when each line is in the file or passed to `fallback`. A second call does nothing. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writing;
    await new Promise<void>((resolve) => closeFile(this.#fd, () => resolve()));
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting !== '') {
      const bytes = Buffer.from(this.#waiting, 'utf8');
      this.#waiting = '';
      await this.#append(bytes);
    }
    this.#writing = undefined;
  }

  async #append(bytes: Buffer): Promise<void> {
    let written = 0;
    try {
      while (written < bytes.length) written += (await writeBytes(this.#fd, bytes, written)).bytesWritten;
      this.#bytesToRecover = Math.max(0, this.#bytesToRecover - bytes.length);
      if (this.#bytesToRecover === 0) this.#problem = undefined;
    } catch (error) {
      const wholeLineBytes = bytes.subarray(0, written).lastIndexOf('\n') + 1;
      // The last block of a full disk can take a short line after a long line failed. The disk is still full.
      this.#bytesToRecover = Math.min(bytes.length - wholeLineBytes, BLOCK_BYTES);
      const isNew = this.#problem === undefined;
      this.#problem = `log.file ${this.path} cannot be written (${errorMessage(error)}): the log goes to standard error`;
      if (isNew) this.#fallback(`${this.#problem}\n`);
      this.#fallback(bytes.subarray(wholeLineBytes).toString('utf8'));
      if (wholeLineBytes < written) this.#removePartialLine(written - wholeLineBytes);
    }
  }

  /** Removes the part of a line that was written before the disk was full. */
  #removePartialLine(bytes: number): void {
    try {
      ftruncateSync(this.#fd, fstatSync(this.#fd).size - bytes);
    } catch (error) {
      this.#fallback(`log.file ${this.path} has a line that is cut off (${errorMessage(error)})\n`);
    }
  }
}

/** Checks without opening or creating a file. @throws FileFault if the log cannot be appended to this file */
export function checkLogFile(path: string): void {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw unusableFault(path, 'its folder is not there');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) throw unusableFault(path, 'it is a folder');
  try {
    accessSync(stat === undefined ? folder : path, constants.W_OK);
  } catch (cause) {
    throw unusableFault(path, `it cannot be written (${errorMessage(cause)})`, cause);
  }
}

function unusableFault(path: string, problem: string, cause?: unknown): FileFault {
  const remedy = 'Make the folder, or set `log.file` to a file that this user may write';
  return new FileFault(path, undefined, problem, remedy, { cause });
}
