/**
 * Downloads one tape from a URL into the cache.
 *
 * The footer is read first; its sha256 identifies the tape. The file follows in pieces, so that an interrupted download
 * can continue. A tape is used only after a check of the whole file and of the rows' content hash.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { FileFault, thrownText } from '../../domain/index.ts';
import { checkTape } from '../quality/tape-quality.ts';
import { TapeFile } from '../tape-file.ts';
import { HEADER, maxFooterBytes, parseTrailer, TRAILER_BYTES } from '../tape-format.ts';
import { type RemoteReader, redactUrl } from './remote-reader.ts';
import type { TapeCache } from './tape-cache.ts';

const PIECE_BYTES = 4 * 1_048_576;

export interface DownloadOptions {
  readonly reader: RemoteReader;
  readonly cache: TapeCache;
  /** Called with the downloaded bytes and the size of the tape. */
  readonly onBytes: (done: number, total: number) => void;
}

/** @returns the path of the copy @throws FileFault when the file is not a tape or differs from its footer */
export async function downloadTape(url: URL, { reader, cache, onBytes }: DownloadOptions): Promise<string> {
  const { key, total } = await readFooter(url, reader);
  const known = cache.find(key);
  if (known !== undefined) return known;
  const part = cache.partPath(key);
  let done = Math.min(statSync(part, { throwIfNoEntry: false })?.size ?? 0, total);
  cache.makeRoom(total - done);
  // The file is not truncated, because another process may be writing the same bytes.
  const fd = openSync(part, constants.O_WRONLY | constants.O_CREAT);
  try {
    while (done < total) {
      onBytes(done, total);
      const { bytes, total: currentTotal } = await reader.read(url, done, Math.min(PIECE_BYTES, total - done));
      if (currentTotal !== total) throw changedFault(url);
      writeAll(part, fd, bytes, done);
      done += bytes.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  onBytes(done, total);
  try {
    checkTape(TapeFile.open(part));
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    rmSync(part, { force: true });
    const problem = `the downloaded tape differs from its footer (${cause.problem})`;
    const remedy = 'Upload the tape again, or use another server; the download was deleted';
    throw new FileFault(redactUrl(url), cause.where, problem, remedy, { cause });
  }
  return cache.add(key);
}

/** Returns the sha256 of footer and trailer, and the size of the file in bytes. */
async function readFooter(url: URL, reader: RemoteReader): Promise<{ readonly key: string; readonly total: number }> {
  const fault = (problem: string): FileFault =>
    new FileFault(redactUrl(url), undefined, problem, 'Check the URL, and that the upload of the tape was complete');
  const { bytes: header, total } = await reader.read(url, 0, HEADER.length);
  if (!header.equals(HEADER)) throw fault('this is not a tape');
  const end = total - TRAILER_BYTES;
  if (end < HEADER.length) throw fault('the tape is cut short');
  const last = await reader.read(url, end, TRAILER_BYTES);
  if (last.total !== total) throw changedFault(url);
  const trailer = parseTrailer(last.bytes);
  const isFooterInPlace =
    trailer !== undefined && trailer.offset >= HEADER.length && trailer.offset + trailer.bytes === end;
  if (!isFooterInPlace || trailer.bytes > maxFooterBytes(trailer.offset))
    throw fault('the tape is cut short, or its end is damaged');
  const hash = createHash('sha256').update(last.bytes);
  let crc = 0;
  for (let at = trailer.offset; at < end; ) {
    const { bytes } = await reader.read(url, at, Math.min(PIECE_BYTES, end - at));
    hash.update(bytes);
    crc = crc32(bytes, crc);
    at += bytes.length;
  }
  if (crc !== trailer.crc) throw fault('the end of the tape is damaged');
  return { key: hash.digest('hex'), total };
}

function writeAll(path: string, fd: number, bytes: Buffer, offset: number): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, offset + at);
  } catch (cause) {
    const remedy = 'Free some space, and run it again: the download continues';
    throw new FileFault(path, undefined, `it cannot be written (${thrownText(cause)})`, remedy, { cause });
  }
}

function changedFault(url: URL): FileFault {
  return new FileFault(redactUrl(url), undefined, 'the file changed while it was read', 'Run it again');
}
