/** Reads the frames of a `FrameLog`, one chunk in memory at a time. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { FileFault, withReadFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { LAST_TIME } from '../../tape/index.ts';
import { readBytes } from '../files.ts';
import { CHUNK_HEAD_BYTES, FRAME_HEAD_BYTES, MAX_CHUNK_BYTES } from './frame-log.ts';

export interface RecordedFrame {
  /** Receive time, epoch ms. */
  readonly at: number;
  /** Numbered from 1 in the order of opening; 0 for a note of lost frames (`{"lost":3}`). */
  readonly socket: number;
  readonly text: string;
}

export interface FrameFile {
  /** The value that was passed to `FrameLog`. */
  readonly head: unknown;
  /** Yields the frames of all complete chunks, in order of arrival. @throws FileFault for a damaged file */
  frames(): Generator<RecordedFrame, FramesEnd>;
}

interface FramesEnd {
  /** Number of bytes of an incomplete chunk at the end of an interrupted recording. */
  readonly cutBytes: number;
}

const MAX_HEAD_BYTES = 1_048_576;
/** Deflate adds at most a 256th to bytes that it cannot compress. */
const MAX_DEFLATED_BYTES = MAX_CHUNK_BYTES + MAX_CHUNK_BYTES / 256;
const NAME_FRAMES_FILE = 'Name the .frames file of a recording';
const RESTORE_FILE = 'Put back a good copy of the file';

/** @throws FileFault when the file is missing or not a frame log */
export function readFrames(path: string): FrameFile {
  const fd = withReadFault(path, 'Check the path', () => openSync(path, 'r'));
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) throw new FileFault(path, undefined, 'this is a folder, not a file', NAME_FRAMES_FILE);
    const bytes = readBytes(fd, 0, Math.min(stat.size, MAX_HEAD_BYTES));
    const start = bytes.indexOf(0x0a) + 1;
    const head = start === 0 ? undefined : tryParseJson(bytes.subarray(0, start));
    if (head === undefined) throw new FileFault(path, 'line 1', 'this is not a log of frames', NAME_FRAMES_FILE);
    return { head, frames: () => readChunks(path, start) };
  } finally {
    closeSync(fd);
  }
}

function* readChunks(path: string, start: number): Generator<RecordedFrame, FramesEnd> {
  const fd = withReadFault(path, 'Check the path', () => openSync(path, 'r'));
  try {
    const { size } = fstatSync(fd);
    let at = start;
    while (at + CHUNK_HEAD_BYTES <= size) {
      const head = readBytes(fd, at, CHUNK_HEAD_BYTES);
      const length = head.readUInt32LE(0);
      const end = at + CHUNK_HEAD_BYTES + length;
      if (length > MAX_DEFLATED_BYTES) throw damageFault(path, at, `a chunk of ${length} bytes`);
      if (end > size) {
        const rest = readBytes(fd, at + CHUNK_HEAD_BYTES, Math.min(size - at, MAX_DEFLATED_BYTES));
        if (crc32(rest) === head.readUInt32LE(4) || endsWithChunk(rest))
          throw damageFault(path, at, 'the length of the chunk that begins there is damaged');
        break;
      }
      const body = readBytes(fd, at + CHUNK_HEAD_BYTES, length);
      if (body.length < length) break;
      if (crc32(body) !== head.readUInt32LE(4)) throw damageFault(path, at, 'the chunk that begins there is damaged');
      yield* parseFrames(inflate(body, path, at), path, at);
      at = end;
    }
    return { cutBytes: size - at };
  } finally {
    closeSync(fd);
  }
}

/** Whether the bytes end with a complete chunk. If so, a length is damaged and the file is not truncated. */
function endsWithChunk(bytes: Buffer): boolean {
  for (let at = bytes.length - CHUNK_HEAD_BYTES - 1; at >= 0; at -= 1) {
    const body = at + CHUNK_HEAD_BYTES;
    const isLast = body + bytes.readUInt32LE(at) === bytes.length;
    if (isLast && crc32(bytes.subarray(body)) === bytes.readUInt32LE(at + 4)) return true;
  }
  return false;
}

function inflate(body: Buffer, path: string, at: number): Buffer {
  try {
    return inflateRawSync(body, { maxOutputLength: MAX_CHUNK_BYTES });
  } catch (cause) {
    throw new FileFault(path, `byte ${at}`, 'the chunk that begins there holds no frames', NAME_FRAMES_FILE, { cause });
  }
}

function* parseFrames(chunk: Buffer, path: string, start: number): Generator<RecordedFrame> {
  for (let at = 0; at < chunk.length; ) {
    const from = at + FRAME_HEAD_BYTES;
    const end = from <= chunk.length ? from + chunk.readUInt32LE(at + 12) : Number.POSITIVE_INFINITY;
    if (end > chunk.length) throw damageFault(path, start, 'a frame of the chunk that begins there is incomplete');
    const time = chunk.readDoubleLE(at);
    if (!(time >= 0 && time <= LAST_TIME))
      throw damageFault(path, start, `a frame of the chunk that begins there has the invalid time ${time}`);
    yield { at: time, socket: chunk.readUInt32LE(at + 8), text: chunk.toString('utf8', from, end) };
    at = end;
  }
}

function damageFault(path: string, at: number, problem: string): FileFault {
  return new FileFault(path, `byte ${at}`, problem, RESTORE_FILE);
}
