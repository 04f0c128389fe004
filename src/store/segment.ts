/**
 * A file of records: a header of 36 bytes (16 bytes magic, u32 version, u32 salt, u64 first record, u32 CRC-32 of these
 * 32 bytes), then frames, one behind the other.
 *
 * Invariant: only the last frame can be unfinished, as each frame is written before the next one is begun. So what is wrong anywhere else is damage, and may hide what was acknowledged.
 */
import { crc32 } from 'node:zlib';
import { FRAME_HEADER, FRAME_KIND, type FrameHeader, getU64, putU64, readHeader } from './frame.ts';

/** Bytes of a segment's header. */
export const SEGMENT_HEADER = 36;
const MAGIC = new TextEncoder().encode('halfspread jrnl\n');
const VERSION = 1;

/** What a segment's header says, or what is wrong with it. */
export type SegmentHead =
  | { readonly isGood: true; readonly salt: number; readonly first: number }
  | { readonly isGood: false; readonly problem: string };

/** The header of a new segment. @param salt 32 random bits */
export function segmentHeader(first: number, salt: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEGMENT_HEADER);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(16, VERSION, true);
  view.setUint32(20, salt, true);
  putU64(view, 24, first);
  view.setUint32(32, crc32(bytes.subarray(0, 32)), true);
  return bytes;
}

/** Reads what `segmentHeader` wrote. */
export function readSegmentHeader(bytes: Uint8Array<ArrayBuffer>): SegmentHead {
  const bad = (problem: string): SegmentHead => ({ isGood: false, problem });
  if (bytes.length < SEGMENT_HEADER) return bad('the header is incomplete');
  const view = new DataView(bytes.buffer, bytes.byteOffset, SEGMENT_HEADER);
  if (crc32(bytes.subarray(0, 32)) !== view.getUint32(32, true)) return bad('the header is damaged');
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) return bad('this is no journal of halfspread');
  const version = view.getUint32(16, true);
  if (version !== VERSION) return bad(`it is of version ${version}, this program reads version ${VERSION}`);
  return { isGood: true, salt: view.getUint32(20, true), first: getU64(view, 24) };
}

/** A frame that was found. */
export interface Frame extends FrameHeader {
  /** Where its header begins. */
  readonly offset: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Where the good frames of a segment end, and why. */
export interface SegmentEnd {
  readonly offset: number;
  /** The record that would come next. */
  readonly next: number;
  /** Undefined at the end of the file. */
  readonly problem: string | undefined;
  /** Whether the problem is what a frame looks like that was being written when the machine died. */
  readonly isTorn: boolean;
}

/** Shows the frames behind a good header in their order, up to the end or to the first that is not good. */
export function scanFrames(
  bytes: Uint8Array<ArrayBuffer>,
  { salt, first }: { readonly salt: number; readonly first: number },
  visit: (frame: Frame) => void,
): SegmentEnd {
  let at = SEGMENT_HEADER;
  let next = first;
  while (at < bytes.length) {
    const header = readHeader(bytes, at, salt);
    const end = (problem: string, isTorn: boolean): SegmentEnd => ({ offset: at, next, problem, isTorn });
    if (header === undefined) {
      const isTorn = !hasHeader(bytes, at + 1, next, salt);
      return end(isTorn ? 'a frame begins and is not finished' : 'a frame is damaged and others follow', isTorn);
    }
    const from = at + FRAME_HEADER;
    const to = from + header.length;
    if (to > bytes.length) return end('a frame begins and is not finished', true);
    const content = bytes.subarray(from, to);
    if (crc32(content, salt) !== header.crc) {
      const isLast = to === bytes.length;
      return end(isLast ? 'the last frame is damaged or not finished' : 'a frame is damaged and others follow', isLast);
    }
    if (header.first !== next) return end(`record ${header.first} comes where ${next} should`, false);
    if (header.kind !== FRAME_KIND.records || header.count === 0) {
      return end('a frame is of a kind that is not known', false);
    }
    visit({ ...header, offset: at, bytes: content });
    next += header.count;
    at = to;
  }
  return { offset: at, next, problem: undefined, isTorn: false };
}

/** Whether the header of a later frame stands somewhere from `at` on. */
function hasHeader(bytes: Uint8Array<ArrayBuffer>, at: number, next: number, salt: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = at; offset + FRAME_HEADER <= bytes.length; offset++) {
    // Few places can be the number of a later record: the checksum is taken of these only.
    const first = getU64(view, offset + 8);
    if (first >= next && first <= Number.MAX_SAFE_INTEGER && readHeader(bytes, offset, salt) !== undefined) return true;
  }
  return false;
}
