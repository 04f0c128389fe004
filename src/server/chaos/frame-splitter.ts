/** Splits the bytes that a server writes to a WebSocket into frames (RFC 6455, 5.2). A server's frames are not masked. */
const SHORT = 126;
const LONG = 127;
const LENGTH_BITS = 0x7f;
const OPCODE_BITS = 0x0f;
/** Ping, pong and close are control frames. */
const FIRST_CONTROL = 0x8;

export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Adds bytes and returns the complete frames. Buffers an incomplete one. */
  push(chunk: Uint8Array): readonly Buffer[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    for (;;) {
      const length = frameLength(this.#rest);
      if (length === undefined || length > this.#rest.length) return frames;
      frames.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
  }
}

/** Returns whether a frame is part of a message, not a control frame. */
export function isDataFrame(frame: Buffer): boolean {
  return ((frame[0] ?? 0) & OPCODE_BITS) < FIRST_CONTROL;
}

/** Undefined while the header is incomplete. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const length = (bytes[1] ?? 0) & LENGTH_BITS;
  if (length < SHORT) return 2 + length;
  if (length === SHORT) return bytes.length < 4 ? undefined : 4 + bytes.readUInt16BE(2);
  if (length === LONG) return bytes.length < 10 ? undefined : 10 + Number(bytes.readBigUInt64BE(2));
  return undefined;
}
