/**
 * Writes frames of a public stream with their receive times, for `halfspread import`: one line per frame, in files that
 * rotate by time and size. A finished file is compressed to the same name with `.gz`.
 *
 * Invariants: all lines are complete, except the last line after a crash or on a full disk. A `.gz` file is complete.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, FileFault, formatTime, unchecked } from '../../domain/index.ts';
import { checkFolder, makeFolder } from '../../runtime/index.ts';
import { PartialFile } from '../catalogue/partial-file.ts';
import { readBytes } from '../files.ts';

/** Maximum length of the buffered text, in characters. A longer text is flushed. */
const MAX_BUFFERED = 1_048_576;
/** Twice the largest frame, so that these bytes contain the last complete line. */
const TAIL_BYTES = 33_554_432;
const REMEDY = 'Free disk space, and start the recorder again: it continues in a new file';

export interface CaptureWriterOptions {
  readonly folder: string;
  /** Prefix of the file names. */
  readonly name: string;
  readonly clock: Clock;
  /** A file ends after this time in ms, or this size. */
  readonly rotateMs: number;
  readonly rotateBytes: number;
  /** Called when a finished file could not be compressed; the file stays uncompressed. */
  readonly onProblem: (problem: string) => void;
}

interface OpenFile {
  readonly fd: number;
  readonly path: string;
  readonly startedAt: EpochMs;
  bytes: number;
}

export class CaptureWriter {
  /** Receive time of the last line that a killed recorder wrote; undefined if there is none. */
  readonly killedAt: EpochMs | undefined;
  readonly #options: CaptureWriterOptions;
  readonly #compressions = new Set<Promise<void>>();
  #file: OpenFile | undefined;
  #lines: string[] = [];
  #bufferedLength = 0;

  /** Compresses the files of a killed recorder. @throws FileFault when the folder cannot be written */
  constructor(options: CaptureWriterOptions) {
    this.#options = options;
    checkFolder(options.folder, 'Name another folder with --out');
    makeFolder(options.folder);
    const uncompressed = readdirSync(options.folder)
      .filter((file) => file.startsWith(`${options.name}-`) && file.endsWith('.jsonl'))
      .sort()
      .map((file) => join(options.folder, file));
    const newest = uncompressed.at(-1);
    this.killedAt = newest === undefined ? undefined : readLastReceiveTime(newest);
    for (const path of uncompressed) this.#compress(path);
  }

  /** Adds a frame. @param json one message or a list of messages, unchanged @throws FileFault when the disk is full */
  write(receivedAt: EpochMs, json: string): void {
    // JSON with line feeds becomes a JSON string, to stay on one line.
    const message = json.includes('\n') ? JSON.stringify(json) : json;
    const line = `{"received_at":${receivedAt},"message":${message}}\n`;
    this.#lines.push(line);
    this.#bufferedLength += line.length;
    if (this.#bufferedLength > MAX_BUFFERED) this.flush();
  }

  /** Writes the buffered lines, and rotates a file that reached a limit. @throws FileFault when the disk is full */
  flush(): void {
    const { clock, rotateMs, rotateBytes } = this.#options;
    const now = clock.now();
    if (this.#lines.length > 0) {
      this.#file ??= this.#openFile(now);
      const text = this.#lines.join('');
      [this.#lines, this.#bufferedLength] = [[], 0];
      try {
        const bytes = Buffer.from(text);
        writeFileSync(this.#file.fd, bytes);
        this.#file.bytes += bytes.length;
      } catch (cause) {
        const { fd, path } = this.#file;
        // The last line can be incomplete. As after a crash, the file stays uncompressed and gets no further line.
        this.#file = undefined;
        closeSync(fd);
        throw new FileFault(path, undefined, `the file cannot be written (${String(cause)})`, REMEDY, { cause });
      }
    }
    const file = this.#file;
    if (file !== undefined && (now - file.startedAt >= rotateMs || file.bytes >= rotateBytes)) this.#endFile();
  }

  /** Writes the buffered lines. Resolves when every file is compressed. */
  async close(): Promise<void> {
    this.flush();
    this.#endFile();
    await Promise.all(this.#compressions);
  }

  #openFile(now: EpochMs): OpenFile {
    const { folder, name } = this.#options;
    const path = join(folder, `${name}-${formatTime(now).replaceAll(':', '-')}.jsonl`);
    try {
      return { fd: openSync(path, 'ax'), path, startedAt: now, bytes: 0 };
    } catch (cause) {
      throw new FileFault(path, undefined, `the file cannot be created (${String(cause)})`, REMEDY, { cause });
    }
  }

  #endFile(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.fd);
    this.#compress(this.#file.path);
    this.#file = undefined;
  }

  #compress(path: string): void {
    const work = compress(path).catch((cause: unknown) =>
      this.#options.onProblem(`${basename(path)} stays uncompressed: it cannot be compressed (${String(cause)})`),
    );
    this.#compressions.add(work);
    void work.finally(() => this.#compressions.delete(work));
  }
}

/** Reads the receive time of the last complete line of a file. */
function readLastReceiveTime(path: string): EpochMs | undefined {
  const fd = openSync(path, 'r');
  try {
    const from = Math.max(0, fstatSync(fd).size - TAIL_BYTES);
    const text = readBytes(fd, from, TAIL_BYTES).toString('utf8');
    const last = [...text.matchAll(/^\{"received_at":(\d{1,15}),.*\}$/gm)].at(-1);
    return last === undefined ? undefined : unchecked.time(Number(last[1]));
  } finally {
    closeSync(fd);
  }
}

async function compress(path: string): Promise<void> {
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
