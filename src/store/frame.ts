/**
 * A batch in a file: a header of 28 bytes, then the batch's bytes. Little-endian: u32 length of the bytes, u32 number of
 * records, u64 first record, u32 CRC-32 of the bytes, u32 kind, u32 CRC-32 of the 24 bytes before. Both checksums begin
 * with the segment's salt instead of 0: what a client got into a batch can never pass for a frame.
 */
import { crc32 } from 'node:zlib';

/** Bytes of a header. */
export const FRAME_HEADER = 28;
/** What a frame holds: records. */
export const FRAME_KIND = { records: 0 } as const;

/** What a header says. */
export interface FrameHeader {
  readonly length: number;
  readonly count: number;
  readonly first: number;
  readonly crc: number;
  readonly kind: number;
}

/** Bytes of a header that its own checksum is of. */
const CHECKED = FRAME_HEADER - 4;
const TWO_TO_32 = 4_294_967_296;

/**
 * Writes the header of a batch in front of its bytes.
 *
 * HOT: on the way of every order (bench/bot-store.ts).
 * @param frame the bytes of the header, and behind them the batch's
 */
export function putFrameHeader(
  frame: Buffer,
  { first, count }: Pick<FrameHeader, 'first' | 'count'>,
  salt: number,
): void {
  frame.writeUInt32LE(frame.length - FRAME_HEADER, 0);
  frame.writeUInt32LE(count, 4);
  frame.writeUInt32LE(first % TWO_TO_32, 8);
  frame.writeUInt32LE(Math.floor(first / TWO_TO_32), 12);
  frame.writeUInt32LE(crc32(frame.subarray(FRAME_HEADER), salt), 16);
  frame.writeUInt32LE(FRAME_KIND.records, 20);
  frame.writeUInt32LE(crc32(frame.subarray(0, CHECKED), salt), CHECKED);
}

/** The header at `at`; undefined when there is none, whole and good. */
export function readHeader(bytes: Uint8Array<ArrayBuffer>, at: number, salt: number): FrameHeader | undefined {
  if (at + FRAME_HEADER > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, FRAME_HEADER);
  if (crc32(bytes.subarray(at, at + FRAME_HEADER - 4), salt) !== view.getUint32(24, true)) return undefined;
  return {
    length: view.getUint32(0, true),
    count: view.getUint32(4, true),
    first: getU64(view, 8),
    crc: view.getUint32(16, true),
    kind: view.getUint32(20, true),
  };
}

/** A number within 2^53 as u64. */
export function putU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % TWO_TO_32, true);
  view.setUint32(at + 4, Math.floor(value / TWO_TO_32), true);
}

/** What `putU64` wrote; 2^53 and more comes out inexact. */
export function getU64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * TWO_TO_32;
}
