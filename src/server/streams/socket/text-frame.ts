/** WebSocket text frames of a server (RFC 6455, 5.2): whole, not masked, not compressed. */

const FIN_TEXT = 0x81;
const SHORT = 125;
const MEDIUM = 65_535;

/** Bytes of a frame's header. @param length bytes of the payload */
export function headerBytes(length: number): number {
  if (length <= SHORT) return 2;
  return length <= MEDIUM ? 4 : 10;
}

/** Writes a frame's header. @returns the offset of the payload */
export function writeHeader(target: Buffer, at: number, length: number): number {
  target[at] = FIN_TEXT;
  if (length <= SHORT) {
    target[at + 1] = length;
    return at + 2;
  }
  if (length <= MEDIUM) {
    target[at + 1] = 126;
    target[at + 2] = length >> 8;
    target[at + 3] = length & 255;
    return at + 4;
  }
  target[at + 1] = 127;
  target.writeUInt16BE(0, at + 2);
  target.writeUIntBE(length, at + 4, 6);
  return at + 10;
}
