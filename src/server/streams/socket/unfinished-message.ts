/**
 * Parses the frames of a client (RFC 6455, 5.2) to count the bytes of an incomplete message, which ws buffers without
 * reporting the size.
 */

/** Memory overhead of a chunk or a fragment, bytes. */
const PIECE_OVERHEAD = 128;
const LONGEST_HEADER = 14;
const CONTROL = 8;

export class UnfinishedMessage {
  /** Approximate memory of the unfinished message; 0 for none. */
  bytes = 0;
  /** Number of messages that have begun. */
  begun = 0;
  readonly #header = Buffer.alloc(LONGEST_HEADER);
  #headerLength = 0;
  #payloadLeft = 0;
  #isControl = false;
  #isLast = false;

  /** Processes received bytes in order. */
  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, chunk.length - at);
        at += taken;
        this.#payloadLeft -= taken;
        if (!this.#isControl) this.bytes += taken;
      } else {
        this.#header[this.#headerLength] = chunk[at] ?? 0;
        this.#headerLength += 1;
        at += 1;
        if (!this.#readHeader()) continue;
      }
      if (this.#payloadLeft === 0 && this.#isLast && !this.#isControl) this.bytes = 0;
    }
    if (this.bytes > 0) this.bytes += PIECE_OVERHEAD;
  }

  /** @returns whether the header is complete */
  #readHeader(): boolean {
    const header = this.#header;
    const [first = 0, second = 0] = header;
    const short = second & 0x7f;
    const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#headerLength < 2 + lengthBytes + maskBytes) return false;
    this.#headerLength = 0;
    this.#isLast = (first & 0x80) !== 0;
    this.#isControl = (first & 0x0f) >= CONTROL;
    this.#payloadLeft =
      lengthBytes === 0 ? short : lengthBytes === 2 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2));
    if (this.#isControl) return true;
    if (this.bytes === 0) this.begun += 1;
    this.bytes += PIECE_OVERHEAD;
    return true;
  }
}
