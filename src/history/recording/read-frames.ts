/** Reads the frames of a recording, one chunk in memory at a time. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { FileFault } from '../../domain/index.ts';
import { CHUNK_HEAD, FRAME_HEAD } from './frame-log.ts';

/** A frame as it came. */
export interface RecordedFrame {
  /** When it came in, epoch ms. */
  readonly at: number;
  /** From 1 in the order in which sockets were opened; 0 for a note of frames that were left out (`{"lost":3}`). */
  readonly socket: number;
  readonly text: string;
}

/** What a file of frames is. */
export interface FrameFile {
  /** As it was given to `FrameLog`. */
  readonly head: unknown;
  /** In the order in which they came. A file that was cut off ends with its last whole chunk. @throws FileFault when it is damaged */
  frames(): Generator<RecordedFrame, FramesEnd>;
}

export interface FramesEnd {
  /** Bytes at the end that are no whole chunk: the recording was cut off. */
  readonly cut: number;
}

const LONGEST_HEAD = 1_048_576;
const NAME = 'Name the .frames file of a recording';
const AGAIN = 'Put back a good copy of the file';

/** @throws FileFault when it is missing, or no file of frames */
export function readFrames(path: string): FrameFile {
  const fd = opened(path);
  try {
    const bytes = part(fd, 0, Math.min(fstatSync(fd).size, LONGEST_HEAD));
    const start = bytes.indexOf(0x0a) + 1;
    const head = start === 0 ? undefined : parsed(bytes.subarray(0, start));
    if (head === undefined) {
      throw new FileFault(path, 'line 1', 'these are no frames of a session', NAME);
    }
    return { head: head.value, frames: () => chunks(path, start) };
  } finally {
    closeSync(fd);
  }
}

function* chunks(path: string, start: number): Generator<RecordedFrame, FramesEnd> {
  const fd = opened(path);
  try {
    const { size } = fstatSync(fd);
    let at = start;
    while (at + CHUNK_HEAD <= size) {
      const head = part(fd, at, CHUNK_HEAD);
      const end = at + CHUNK_HEAD + head.readUInt32LE(0);
      if (end > size) break;
      const body = part(fd, at + CHUNK_HEAD, end - at - CHUNK_HEAD);
      if (crc32(body) !== head.readUInt32LE(4)) {
        throw new FileFault(path, `byte ${at}`, 'the chunk that begins there is damaged', AGAIN);
      }
      yield* framesOf(inflated(body, path, at));
      at = end;
    }
    return { cut: size - at };
  } finally {
    closeSync(fd);
  }
}

function inflated(body: Buffer, path: string, at: number): Buffer {
  try {
    return inflateRawSync(body);
  } catch (cause) {
    throw new FileFault(path, `byte ${at}`, 'what begins there holds no frames', NAME, { cause });
  }
}

function* framesOf(chunk: Buffer): Generator<RecordedFrame> {
  for (let at = 0; at < chunk.length; ) {
    const from = at + FRAME_HEAD;
    const end = from + chunk.readUInt32LE(at + 12);
    yield { at: chunk.readDoubleLE(at), socket: chunk.readUInt32LE(at + 8), text: chunk.toString('utf8', from, end) };
    at = end;
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new FileFault(path, undefined, `cannot be read (${String(cause)})`, 'Check the path', { cause });
  }
}

function part(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

function parsed(line: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line.toString('utf8')) };
  } catch {
    return undefined;
  }
}
