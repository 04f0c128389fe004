/**
 * Writes frames of a public stream with the moment of their receipt, for `halfspread import`: one line each, in files that
 * end after a time or a size. A file that has ended is compressed beside the others, and keeps its name with `.gz`.
 *
 * Invariants: lines are whole but for the last one after a crash or a power cut, which importers drop; a `.gz` is complete.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../clock/index.ts';
import { column, type EpochMs, FileFault, formatTime } from '../../domain/index.ts';
import { checkFolder, makeFolder } from '../../runtime/index.ts';
import { PartialFile } from '../catalogue/partial-file.ts';

/** Text that waits for the next flush. */
const MAX_WAITING = 1_048_576;
/** Twice the largest frame: the last whole line is in it. */
const TAIL_BYTES = 33_554_432;
const REMEDY = 'Make room on the disk, and start the recorder again: it goes on in a new file';

export interface CaptureWriterOptions {
  readonly folder: string;
  /** Beginning of the names of files. */
  readonly name: string;
  readonly clock: Clock;
  /** ms and bytes after which a file ends. */
  readonly rotateMs: number;
  readonly rotateBytes: number;
  /** A file that has ended could not be compressed: it stays as it is. */
  readonly onProblem: (problem: string) => void;
}

interface OpenFile {
  readonly fd: number;
  readonly path: string;
  readonly begun: EpochMs;
  bytes: number;
}

export class CaptureWriter {
  /** When the last line was received that a recorder wrote which was killed; undefined where none was. */
  readonly killedAt: EpochMs | undefined;
  readonly #options: CaptureWriterOptions;
  readonly #compressing = new Set<Promise<void>>();
  #file: OpenFile | undefined;
  #waiting: string[] = [];
  #waitingLength = 0;

  /** Compresses what an earlier recorder left. @throws FileFault where nothing can be written to the folder */
  constructor(options: CaptureWriterOptions) {
    this.#options = options;
    checkFolder(options.folder, 'Name another folder with --out');
    makeFolder(options.folder);
    const left = this.#plainFiles();
    const newest = left.at(-1);
    this.killedAt = newest === undefined ? undefined : lastTime(newest);
    for (const path of left) this.#compress(path);
  }

  /** @param json one message, or a list of them, as the venue sent it @throws FileFault when the disk is full */
  write(receivedAt: EpochMs, json: string): void {
    // A text with a line end is one line as JSON in a text.
    const message = json.includes('\n') ? JSON.stringify(json) : json;
    const line = `{"received_at":${receivedAt},"message":${message}}\n`;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength > MAX_WAITING) this.flush();
  }

  /** Writes what waits, and ends the file when it is time. @throws FileFault when the disk is full */
  flush(): void {
    const { clock, rotateMs, rotateBytes } = this.#options;
    const now = clock.now();
    if (this.#waiting.length > 0) {
      this.#file ??= this.#open(now);
      const text = this.#waiting.join('');
      [this.#waiting, this.#waitingLength] = [[], 0];
      try {
        this.#file.bytes += writeWhole(this.#file.fd, Buffer.from(text));
      } catch (cause) {
        throw new FileFault(this.#file.path, undefined, `it cannot be written (${String(cause)})`, REMEDY, { cause });
      }
    }
    const file = this.#file;
    if (file !== undefined && (now - file.begun >= rotateMs || file.bytes >= rotateBytes)) this.#end();
  }

  /** Writes what waits; resolves when every file is compressed. */
  async close(): Promise<void> {
    this.flush();
    this.#end();
    await Promise.all(this.#compressing);
  }

  #open(now: EpochMs): OpenFile {
    const { folder, name } = this.#options;
    const path = join(folder, `${name}-${formatTime(now).replaceAll(':', '-')}.jsonl`);
    try {
      return { fd: openSync(path, 'ax'), path, begun: now, bytes: 0 };
    } catch (cause) {
      throw new FileFault(path, undefined, `it cannot be made (${String(cause)})`, REMEDY, { cause });
    }
  }

  #end(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.fd);
    this.#compress(this.#file.path);
    this.#file = undefined;
  }

  #compress(path: string): void {
    const work = compressed(path).catch((cause: unknown) =>
      this.#options.onProblem(`${basename(path)} stays as it is: it cannot be compressed (${String(cause)})`),
    );
    this.#compressing.add(work);
    void work.finally(() => this.#compressing.delete(work));
  }

  #plainFiles(): readonly string[] {
    const { folder, name } = this.#options;
    return readdirSync(folder)
      .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.jsonl'))
      .sort()
      .map((file) => join(folder, file));
  }
}

/** When its last whole line was received. */
function lastTime(path: string): EpochMs | undefined {
  const text = tailOf(path);
  const [last] = [...text.matchAll(/^\{"received_at":(\d{1,15}),.*\}$/gm)].slice(-1);
  return last === undefined ? undefined : column.time(Number(last[1]));
}

/** The last bytes of a file, which may be larger than memory. */
function tailOf(path: string): string {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(fd);
  }
}

async function compressed(path: string): Promise<void> {
  const file = new PartialFile(`${path}.gz`);
  try {
    await pipeline(createReadStream(path), createGzip(), createWriteStream(file.path));
    file.finish();
    rmSync(path);
  } catch (cause) {
    file.abandon();
    throw cause;
  }
}

function writeWhole(fd: number, bytes: Buffer): number {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  return bytes.length;
}
