/**
 * A file of records: a header of 36 bytes, followed by frames. All numbers are little-endian.
 *
 * | Part | Bytes |
 * |---|---|
 * | file header | 16 bytes magic, u32 version, u32 salt, u64 first record, u32 CRC-32 of these 32 bytes |
 * | frame | header of 28 bytes; then the record |
 * | header | u32 length, u32 records (1), u64 number, u32 CRC-32 of the record, u32 kind (0), u32 CRC-32 of the 24 |
 *
 * Both checksums of a frame start with the salt instead of 0, so that no data in a record looks like a frame.
 *
 * Invariant: only the last frame can be incomplete, because each frame is written before the next one. Any other error
 * is damage, after which acknowledged records may be unreadable.
 */
import { crc32 } from 'node:zlib';

export const SEGMENT_HEADER = 36;
/** Bytes of a frame in front of its record. */
export const FRAME_HEADER = 28;
const MAGIC = new TextEncoder().encode('halfspread jrnl\n');
const VERSION = 1;
/** Bytes of a frame's header that its checksum covers. */
const CHECKED_BYTES = FRAME_HEADER - 4;
const [ONE_RECORD, RECORD_KIND] = [1, 0];
const TWO_TO_32 = 4_294_967_296;

/** The content of a segment's header, or why it is invalid. */
export type SegmentHead =
  | { readonly isValid: true; readonly salt: number; readonly first: number }
  | { readonly isValid: false; readonly problem: string };

/** Where a segment's valid frames end, and why. */
export interface SegmentEnd {
  readonly offset: number;
  /** Number of the record after the last valid frame. */
  readonly next: number;
  /** Why the next frame is invalid; undefined at the end of the file. */
  readonly problem: string | undefined;
  /** Whether a frame was incomplete when the machine stopped. */
  readonly isTorn: boolean;
}

/** Encodes the header of a new segment. @param salt 32 random bits */
export function encodeSegmentHeader(first: number, salt: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEGMENT_HEADER);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(16, VERSION, true);
  view.setUint32(20, salt, true);
  putU64(view, 24, first);
  view.setUint32(32, crc32(bytes.subarray(0, 32)), true);
  return bytes;
}

export function readSegmentHeader(bytes: Uint8Array<ArrayBuffer>): SegmentHead {
  const invalid = (problem: string): SegmentHead => ({ isValid: false, problem });
  if (bytes.length < SEGMENT_HEADER) return invalid('the header is incomplete');
  const view = new DataView(bytes.buffer, bytes.byteOffset, SEGMENT_HEADER);
  if (crc32(bytes.subarray(0, 32)) !== view.getUint32(32, true)) return invalid('the header is damaged');
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) return invalid('this is not a journal of halfspread');
  const version = view.getUint32(16, true);
  if (version !== VERSION) return invalid(`it is of version ${version}, but this program reads version ${VERSION}`);
  return { isValid: true, salt: view.getUint32(20, true), first: getU64(view, 24) };
}

/**
 * Writes a frame's header in front of its record. HOT: on the path of every order (bench/bot-store.ts).
 * @param frame `FRAME_HEADER` bytes, followed by the record
 */
export function putFrameHeader(frame: Uint8Array<ArrayBuffer>, record: number, salt: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, FRAME_HEADER);
  view.setUint32(0, frame.length - FRAME_HEADER, true);
  view.setUint32(4, ONE_RECORD, true);
  putU64(view, 8, record);
  view.setUint32(16, crc32(frame.subarray(FRAME_HEADER), salt), true);
  view.setUint32(20, RECORD_KIND, true);
  view.setUint32(CHECKED_BYTES, crc32(frame.subarray(0, CHECKED_BYTES), salt), true);
}

/** Visits the records in order, up to the end of the file or the first invalid frame. */
export function scanFrames(
  bytes: Uint8Array<ArrayBuffer>,
  { salt, first }: { readonly salt: number; readonly first: number },
  visit: (record: number, bytes: Uint8Array<ArrayBuffer>) => void,
): SegmentEnd {
  let at = SEGMENT_HEADER;
  let next = first;
  while (at < bytes.length) {
    const header = readFrameHeader(bytes, at, salt);
    const torn = (problem: string): SegmentEnd => ({ offset: at, next, problem, isTorn: true });
    const damaged = (problem: string): SegmentEnd => ({ offset: at, next, problem, isTorn: false });
    if (header === undefined) {
      if (hasLaterFrame(bytes, at + 1, next, salt)) return damaged('a frame is damaged, and other frames follow it');
      return torn('a frame is incomplete');
    }
    const from = at + FRAME_HEADER;
    const to = from + header.getUint32(0, true);
    if (to > bytes.length) return torn('a frame is incomplete');
    const content = bytes.subarray(from, to);
    if (crc32(content, salt) !== header.getUint32(16, true)) {
      if (to === bytes.length) return torn('the last frame is damaged or incomplete');
      return damaged('a frame is damaged, and other frames follow it');
    }
    const record = getU64(header, 8);
    if (record !== next) return damaged(`found record ${record} where record ${next} was expected`);
    if (header.getUint32(20, true) !== RECORD_KIND || header.getUint32(4, true) !== ONE_RECORD) {
      return damaged('a frame has an unknown kind');
    }
    visit(record, content);
    next += 1;
    at = to;
  }
  return { offset: at, next, problem: undefined, isTorn: false };
}

/** Returns whether the header of a later frame follows at or after `at`. */
function hasLaterFrame(bytes: Uint8Array<ArrayBuffer>, at: number, next: number, salt: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = at; offset + FRAME_HEADER <= bytes.length; offset++) {
    // Compute the checksum only where the record number is plausible.
    const record = getU64(view, offset + 8);
    if (record >= next && record <= Number.MAX_SAFE_INTEGER && readFrameHeader(bytes, offset, salt) !== undefined) {
      return true;
    }
  }
  return false;
}

/** Returns the header of the frame at `at`; undefined if the header is missing, incomplete or damaged. */
function readFrameHeader(bytes: Uint8Array<ArrayBuffer>, at: number, salt: number): DataView | undefined {
  if (at + FRAME_HEADER > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, FRAME_HEADER);
  const isValid = crc32(bytes.subarray(at, at + CHECKED_BYTES), salt) === view.getUint32(CHECKED_BYTES, true);
  return isValid ? view : undefined;
}

/** @param value below 2^53 */
function putU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % TWO_TO_32, true);
  view.setUint32(at + 4, Math.floor(value / TWO_TO_32), true);
}

/** Reads a u64; inexact from 2^53 on. */
function getU64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * TWO_TO_32;
}
