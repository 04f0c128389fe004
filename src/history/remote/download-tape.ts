/**
 * Brings one tape from a URL into the cache.
 *
 * Its two ends are read first: they say how long it is and, by their sha256, which tape. The rest follows in pieces, each
 * written where it belongs, so that a download that broke off or was killed goes on where it was. A tape is used when all of
 * it was read and its rows have the content hash that it states.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { FileFault, thrownText } from '../../domain/index.ts';
import { checkTape } from '../quality/tape-quality.ts';
import { TapeFile } from '../tape-file.ts';
import { HEADER, maxFooterBytes, parseTrailer, TRAILER_BYTES } from '../tape-format.ts';
import { type RemoteReader, shownUrl } from './remote-reader.ts';
import type { TapeCache } from './tape-cache.ts';

const PIECE_BYTES = 4 * 1_048_576;

/** @param onBytes called with what has come and the size of the tape */
export interface DownloadOptions {
  readonly reader: RemoteReader;
  readonly cache: TapeCache;
  readonly onBytes: (done: number, total: number) => void;
}

interface TapeEnds {
  /** sha256 of what the tape says of itself. */
  readonly key: string;
  /** Bytes of the file. */
  readonly total: number;
}

/** @returns the path of the copy @throws FileFault for what is no tape, or not the one that its ends announce */
export async function downloadTape(url: URL, { reader, cache, onBytes }: DownloadOptions): Promise<string> {
  const { key, total } = await readEnds(url, reader);
  const known = cache.find(key);
  if (known !== undefined) return known;
  const part = cache.partPath(key);
  let done = Math.min(statSync(part, { throwIfNoEntry: false })?.size ?? 0, total);
  cache.makeRoom(total - done);
  // Not cut: another process may be writing the same bytes.
  const file = openSync(part, constants.O_WRONLY | constants.O_CREAT);
  try {
    while (done < total) {
      onBytes(done, total);
      const { bytes, total: now } = await reader.read(url, done, Math.min(PIECE_BYTES, total - done));
      if (now !== total) throw changed(url);
      writeAll(part, file, bytes, done);
      done += bytes.length;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  onBytes(done, total);
  try {
    checkTape(TapeFile.open(part));
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    rmSync(part, { force: true });
    const problem = `what came is not the tape that its end announces (${cause.problem})`;
    const remedy = 'Upload the tape again, or use another server; what was downloaded was removed';
    throw new FileFault(shownUrl(url), cause.where, problem, remedy, { cause });
  }
  return cache.add(key);
}

async function readEnds(url: URL, reader: RemoteReader): Promise<TapeEnds> {
  const noTape = (problem: string): FileFault =>
    new FileFault(shownUrl(url), undefined, problem, 'Check the URL, and that the tape was uploaded whole');
  const { bytes: header, total } = await reader.read(url, 0, HEADER.length);
  if (!header.equals(HEADER)) throw noTape('this is no tape');
  const end = total - TRAILER_BYTES;
  if (end < HEADER.length) throw noTape('the tape is cut short');
  const last = await reader.read(url, end, TRAILER_BYTES);
  if (last.total !== total) throw changed(url);
  const trailer = parseTrailer(last.bytes);
  const isPlaced = trailer !== undefined && trailer.offset >= HEADER.length && trailer.offset + trailer.bytes === end;
  if (!isPlaced || trailer.bytes > maxFooterBytes(trailer.offset)) {
    throw noTape('the tape is cut short, or its end is damaged');
  }
  const hash = createHash('sha256').update(last.bytes);
  let crc = 0;
  for (let at = trailer.offset; at < end; ) {
    const { bytes } = await reader.read(url, at, Math.min(PIECE_BYTES, end - at));
    hash.update(bytes);
    crc = crc32(bytes, crc);
    at += bytes.length;
  }
  if (crc !== trailer.crc) throw noTape('the end of the tape is damaged');
  return { key: hash.digest('hex'), total };
}

function writeAll(path: string, file: number, bytes: Buffer, place: number): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, place + at);
  } catch (cause) {
    const remedy = 'Free some space, and run it again: what was downloaded is kept';
    throw new FileFault(path, undefined, `it cannot be written (${thrownText(cause)})`, remedy, { cause });
  }
}

function changed(url: URL): FileFault {
  return new FileFault(shownUrl(url), undefined, 'it changed while it was read', 'Run it again');
}
