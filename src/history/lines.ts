import { createHash } from 'node:crypto';
import { createReadStream, type Stats, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorMessage, FileFault, pathProblem } from '../domain/index.ts';
import { NestingError, parseJson } from '../network/index.ts';

/** Maximum length of a line, in characters. A file with longer lines is not a recording and would fill the memory. */
export const MAX_LINE_LENGTH: number = 16 * 1024 * 1024;
/** Maximum ratio of unpacked to packed bytes. Recordings reach 10 to 20; a gzip bomb reaches 1000. */
const MAX_RATIO = 100;
const BZIP2_START = Buffer.from('BZh');
const GZIP_START = Buffer.from([0x1f, 0x8b]);
/** Unpacked bytes that are allowed at any ratio. */
const FREE_BYTES = 64 * 1024 * 1024;

/** One line of a text file, without its line feed; `number` counts from 1. */
export interface Line {
  readonly text: string;
  readonly number: number;
}

/** How much of a file is read. `readLines` updates it. */
export interface ReadProgress {
  /** Bytes read so far, before unpacking. */
  bytes: number;
  /** sha256 of the file, lower-case hex; empty until the last line is read. */
  sha256: string;
}

export function newReadProgress(): ReadProgress {
  return { bytes: 0, sha256: '' };
}

/** Returns the fraction of the bytes that is read, 0 to 1. */
export function computeReadFraction(
  files: readonly { readonly progress: ReadProgress; readonly bytes: number }[],
): number {
  const read = files.reduce((sum, { progress }) => sum + progress.bytes, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return read / Math.max(1, bytes);
}

/** Consecutive lines without their line feeds; `firstNumber` is the first line's number. */
export interface LineBatch {
  readonly texts: readonly string[];
  readonly firstNumber: number;
  /** Whether the batch is a last line without a line feed, which may be incomplete. */
  readonly isCut: boolean;
}

/** Yields the lines of a text file, plain or gzip, in constant memory. @throws FileFault with the last readable line */
export async function* readLines(path: string, progress = newReadProgress()): AsyncGenerator<Line> {
  for await (const { texts, firstNumber } of readLineBatches(path, progress)) {
    for (const [at, text] of texts.entries()) yield { text, number: firstNumber + at };
  }
}

/** Yields lines as `readLines` does, but in batches, for files of millions of lines. */
export async function* readLineBatches(path: string, progress = newReadProgress()): AsyncGenerator<LineBatch> {
  let number = 0;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    for await (const chunk of unpack(path, progress)) {
      // The rest is joined after the split, so that a long line is not searched again with each chunk.
      const [head = '', ...parts] = decoder.decode(chunk, { stream: true }).split('\n');
      parts.unshift(rest + head);
      rest = parts.pop() ?? '';
      if (rest.length > MAX_LINE_LENGTH) throw new Error(`a line of more than ${MAX_LINE_LENGTH} characters`);
      if (parts.length > 0) yield { texts: parts, firstNumber: number + 1, isCut: false };
      number += parts.length;
    }
    rest += decoder.decode();
    if (rest !== '') yield { texts: [rest], firstNumber: number + 1, isCut: true };
  } catch (cause) {
    throw fileFault(path, number, cause);
  }
}

/** Parses a line of JSON; undefined if it is not JSON. @throws FileFault for JSON that is nested too deeply */
export function tryParseLine(text: string, path: string, line: number): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof NestingError) throw nestingFault(path, line, cause);
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

export function nestingFault(path: string, line: number, { message }: NestingError): FileFault {
  return new FileFault(path, `line ${line}`, message, 'Remove the line: no recording nests values so deeply');
}

async function* unpack(path: string, progress: ReadProgress): AsyncGenerator<Uint8Array> {
  const source = readChunks(path, progress);
  const first = await source.next();
  if (first.done === true) return;
  const start = Buffer.from(first.value.subarray(0, 3));
  if (start.equals(BZIP2_START)) throw new Error('it is packed by bzip2: unpack it with `bunzip2` first');
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* source;
  };
  const input = Readable.from(chunks());
  if (!start.subarray(0, 2).equals(GZIP_START)) {
    yield* input;
    return;
  }
  const gunzip = createGunzip();
  input.on('error', (error) => gunzip.destroy(error));
  try {
    let unpacked = 0;
    for await (const chunk of input.pipe(gunzip)) {
      unpacked += chunk.length;
      if (unpacked > FREE_BYTES + MAX_RATIO * progress.bytes)
        throw new Error(`it unpacks to more than ${MAX_RATIO} times its size: this is not a recording`);
      yield chunk;
    }
  } finally {
    input.destroy();
  }
}

/** @throws FileFault for a missing file, and for a pipe, because only its first reader gets the bytes */
export function checkRereadable(path: string): Stats {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new FileFault(path, undefined, 'there is no such file', 'Check the path');
  if (!stat.isFIFO()) return stat;
  throw new FileFault(path, undefined, 'this is a pipe, which can be read only once', 'Write it to a file first');
}

async function* readChunks(path: string, progress: ReadProgress): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    hash.update(chunk);
    progress.bytes += chunk.length;
    yield chunk;
  }
  progress.sha256 = hash.digest('hex');
}

function fileFault(path: string, lines: number, cause: unknown): FileFault {
  const wrongPath = pathProblem(cause);
  if (wrongPath !== undefined) return new FileFault(path, undefined, wrongPath, 'Check the path', { cause });
  const isNotText = cause instanceof Error && 'code' in cause && cause.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  const problem = isNotText ? 'the file is not UTF-8 text' : `the file cannot be read (${errorMessage(cause)})`;
  const remedy = 'If it is damaged or cut short, fetch it again';
  return new FileFault(path, `after line ${lines}`, problem, remedy, { cause });
}
