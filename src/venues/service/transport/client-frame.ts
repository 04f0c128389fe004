/**
 * Builds masked text frames of a client from pieces, in the buffer that is sent (RFC 6455, 5.2 and 5.3).
 *
 * HOT: every order passes here (bench/tick-to-order.ts). Encoded bytes are copied once and masked four at a time. `ws`
 * would copy the whole message and mask it byte by byte.
 *
 * Layout: the header ends before byte 16. The payload begins at byte 16, aligned for masking in words of four bytes.
 */
import { secureBytes } from '../../../clock/index.ts';

/** A part of a text, as a string or as UTF-8. */
export type Piece = string | Uint8Array;

export type Json = Piece | readonly Piece[];

export interface RequestText {
  /** `requestHead` of the document. */
  readonly head: Uint8Array;
  readonly variables: Json;
}

const ID_PIECE = Buffer.from('{"id":"');
const SUBSCRIBE_PIECE = Buffer.from('","type":"subscribe","payload":');

const PAYLOAD_AT = 16;
const WORD_BYTES = 4;
const MASK_WORD = PAYLOAD_AT / WORD_BYTES - 1;
const FIRST_CAPACITY = 65_536;
/** Header bits of a final text frame and of a masked frame. */
const [TEXT, MASKED] = [0x81, 0x80];
/** Maximum length that fits in the second byte. Longer payloads have two or eight more length bytes. */
const MAX_SHORT = 125;
const [TWO_BYTES, EIGHT_BYTES] = [126, 127];
const MAX_TWO_BYTES = 65_535;
const TWO_TO_32 = 4_294_967_296;
/** Maximum number of UTF-8 bytes per UTF-16 unit. */
const MAX_UTF8_BYTES = 3;
const ASCII = 128;
/** Maximum length of a text for which a loop in JavaScript is faster than a native call. */
const MAX_LOOP_LENGTH = 256;
const MASK_COUNT = 1_024;

export class ClientFrame {
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #words = new Int32Array(0);
  #end = PAYLOAD_AT;
  #masks = new Int32Array(0);
  #nextMask = 0;

  constructor() {
    this.#allocate(FIRST_CAPACITY);
  }

  add(piece: Piece): void {
    if (typeof piece === 'string') {
      this.#reserve(MAX_UTF8_BYTES * piece.length);
      if (piece.length > MAX_LOOP_LENGTH || !this.#addAscii(piece)) this.#end += this.#bytes.write(piece, this.#end);
      return;
    }
    this.#reserve(piece.length);
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** Returns the frame of all added parts. The next `add` overwrites the frame, unless `release` is called first. */
  finish(): Buffer {
    const length = this.#end - PAYLOAD_AT;
    const end = this.#end;
    this.#end = PAYLOAD_AT;
    this.#mask(length);
    const bytes = this.#bytes;
    const headerBytes = length <= MAX_SHORT ? 6 : length <= MAX_TWO_BYTES ? 8 : 14;
    const from = PAYLOAD_AT - headerBytes;
    bytes[from] = TEXT;
    if (length <= MAX_SHORT) bytes[from + 1] = MASKED | length;
    else if (length <= MAX_TWO_BYTES) {
      bytes[from + 1] = MASKED | TWO_BYTES;
      bytes.writeUInt16BE(length, from + 2);
    } else {
      bytes[from + 1] = MASKED | EIGHT_BYTES;
      bytes.writeUInt32BE(Math.floor(length / TWO_TO_32), from + 2);
      bytes.writeUInt32BE(length % TWO_TO_32, from + 6);
    }
    return bytes.subarray(from, end);
  }

  /** Uses new memory for the next frame, because the last frame is still being written. */
  release(): void {
    this.#allocate(FIRST_CAPACITY);
  }

  /** Applies a random mask. The last word may extend past the end. */
  #mask(length: number): void {
    const mask = this.#nextRandomMask();
    const words = this.#words;
    words[MASK_WORD] = mask;
    const end = MASK_WORD + 1 + Math.ceil(length / WORD_BYTES);
    for (let word = MASK_WORD + 1; word < end; word += 1) words[word]! ^= mask;
  }

  #nextRandomMask(): number {
    if (this.#nextMask === this.#masks.length) {
      this.#masks = new Int32Array(MASK_COUNT);
      new Uint8Array(this.#masks.buffer).set(secureBytes(WORD_BYTES * MASK_COUNT));
      this.#nextMask = 0;
    }
    this.#nextMask += 1;
    return this.#masks[this.#nextMask - 1]!;
  }

  /** Appends ASCII text. Appends nothing and returns false if the text has other characters. */
  #addAscii(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.#end;
    for (let unit = 0; unit < text.length; unit += 1) {
      const code = text.charCodeAt(unit);
      if (code >= ASCII) return false;
      bytes[start + unit] = code;
    }
    this.#end = start + text.length;
    return true;
  }

  /** Makes room for `count` more bytes and the rest of the last word. */
  #reserve(count: number): void {
    const needed = this.#end + count + WORD_BYTES;
    if (needed <= this.#bytes.length) return;
    const before = this.#bytes.subarray(0, this.#end);
    this.#allocate(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.set(before);
  }

  #allocate(capacity: number): void {
    const memory = new ArrayBuffer(WORD_BYTES * Math.ceil(capacity / WORD_BYTES));
    this.#bytes = Buffer.from(memory);
    this.#words = new Int32Array(memory);
  }
}

/** Returns `{"query":"…","variables":` as UTF-8. The transport caches the result for each operation. */
export function requestHead(document: string): Uint8Array {
  return Buffer.from(`{"query":${JSON.stringify(document)},"variables":`);
}

/** Returns `{"query":"…","variables":…}`. */
export function requestJson({ head, variables }: RequestText): string {
  return `${jsonText(head)}${jsonText(variables)}}`;
}

export function jsonText(json: Json): string {
  if (isList(json)) return json.map(jsonText).join('');
  return typeof json === 'string' ? json : Buffer.from(json).toString();
}

/** Appends the `subscribe` message of graphql-transport-ws. */
export function addRequest(frame: ClientFrame, id: string, { head, variables }: RequestText): void {
  frame.add(ID_PIECE);
  frame.add(id);
  frame.add(SUBSCRIBE_PIECE);
  frame.add(head);
  if (isList(variables)) for (let at = 0; at < variables.length; at += 1) frame.add(variables[at]!);
  else frame.add(variables);
  frame.add('}}');
}

function isList(json: Json): json is readonly Piece[] {
  return Array.isArray(json);
}
