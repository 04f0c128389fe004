/**
 * Text messages as masked frames of a client (RFC 6455, 5.2 and 5.3), put together of pieces where they are sent from.
 *
 * HOT: every order goes out through here (bench/tick-to-order.ts). `ws` takes a message in one piece, copies it and
 * masks it byte by byte; here bytes that are there already are copied once, and masked four at a time.
 *
 * Layout: the payload always begins at byte 16, so that it can be masked in words of four bytes; the header ends there.
 */
import { secureBytes } from '../../../clock/index.ts';

/** A part of a text: as it is, or its UTF-8. */
export type Piece = string | Uint8Array;

/** JSON in one piece or several. */
export type Json = Piece | readonly Piece[];

/** A document and its variables. */
export interface RequestText {
  /** `requestHead` of the document. */
  readonly head: Uint8Array;
  readonly variables: Json;
}

const ID = Buffer.from('{"id":"');
const SUBSCRIBE = Buffer.from('","type":"subscribe","payload":');
const BODY_END = '}';
const END = '}}';

const START = 16;
const WORD = 4;
const MASK_WORD = START / WORD - 1;
const FIRST_CAPACITY = 65_536;
/** Final frame of text; masked. */
const [TEXT, MASKED] = [0x81, 0x80];
/** Up to here the length has a place in the second byte; then it says that two or eight follow. */
const SHORT = 125;
const [TWO, EIGHT] = [126, 127];
const MAX_TWO = 65_535;
const TWO_TO_32 = 4_294_967_296;
/** Most bytes of a UTF-16 unit in UTF-8. */
const UTF8 = 3;
const ASCII = 128;
/** Up to here our own loop is shorter than the way to the system's. */
const SHORT_TEXT = 256;
const MASKS = 1_024;

export class ClientFrame {
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #words = new Int32Array(0);
  #at = START;
  #masks = new Int32Array(0);
  #nextMask = 0;

  constructor() {
    this.#make(FIRST_CAPACITY);
  }

  /** The next part of the message. */
  add(piece: Piece): void {
    if (typeof piece === 'string') {
      this.#room(UTF8 * piece.length);
      if (piece.length > SHORT_TEXT || !this.#ascii(piece)) this.#at += this.#bytes.write(piece, this.#at);
      return;
    }
    this.#room(piece.length);
    this.#bytes.set(piece, this.#at);
    this.#at += piece.length;
  }

  /**
   * The frame of all that was added, to be handed on before the next is; from then on its bytes are others, unless
   * `leave` is called.
   */
  take(): Buffer {
    const length = this.#at - START;
    const end = this.#at;
    this.#at = START;
    this.#mask(length);
    const bytes = this.#bytes;
    const from = length <= SHORT ? START - 6 : length <= MAX_TWO ? START - 8 : START - 14;
    bytes[from] = TEXT;
    if (length <= SHORT) bytes[from + 1] = MASKED | length;
    else if (length <= MAX_TWO) {
      bytes[from + 1] = MASKED | TWO;
      bytes.writeUInt16BE(length, from + 2);
    } else {
      bytes[from + 1] = MASKED | EIGHT;
      bytes.writeUInt32BE(Math.floor(length / TWO_TO_32), from + 2);
      bytes.writeUInt32BE(length % TWO_TO_32, from + 6);
    }
    return bytes.subarray(from, end);
  }

  /** The last frame is still being written: the next one gets other memory. */
  leave(): void {
    this.#make(FIRST_CAPACITY);
  }

  /** With a random mask; the last word goes over the end. */
  #mask(length: number): void {
    const mask = this.#draw();
    const words = this.#words;
    words[MASK_WORD] = mask;
    const end = MASK_WORD + 1 + Math.ceil(length / WORD);
    for (let word = MASK_WORD + 1; word < end; word += 1) words[word]! ^= mask;
  }

  #draw(): number {
    if (this.#nextMask === this.#masks.length) {
      this.#masks = new Int32Array(MASKS);
      new Uint8Array(this.#masks.buffer).set(secureBytes(WORD * MASKS));
      this.#nextMask = 0;
    }
    this.#nextMask += 1;
    return this.#masks[this.#nextMask - 1]!;
  }

  /** @returns false where the text has other characters; nothing was added then */
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    for (let unit = 0; unit < text.length; unit += 1) {
      const code = text.charCodeAt(unit);
      if (code >= ASCII) return false;
      bytes[start + unit] = code;
    }
    this.#at = start + text.length;
    return true;
  }

  /** For so many bytes more, and the rest of the last word. */
  #room(count: number): void {
    const needed = this.#at + count + WORD;
    if (needed <= this.#bytes.length) return;
    const before = this.#bytes.subarray(0, this.#at);
    this.#make(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.set(before);
  }

  #make(capacity: number): void {
    const whole = new ArrayBuffer(WORD * Math.ceil(capacity / WORD));
    this.#bytes = Buffer.from(whole);
    this.#words = new Int32Array(whole);
  }
}

/** `{"query":"…","variables":`, to be made once for each document. */
export function requestHead(document: string): Uint8Array {
  return Buffer.from(`{"query":${JSON.stringify(document)},"variables":`);
}

/** As one text: `{"query":"…","variables":…}`. */
export function textOf({ head, variables }: RequestText): string {
  return `${jsonText(head)}${jsonText(variables)}${BODY_END}`;
}

export function jsonText(json: Json): string {
  if (isList(json)) return json.map(jsonText).join('');
  return typeof json === 'string' ? json : Buffer.from(json).toString();
}

/** The message of graphql-transport-ws that begins it. */
export function addRequest(frame: ClientFrame, id: string, { head, variables }: RequestText): void {
  frame.add(ID);
  frame.add(id);
  frame.add(SUBSCRIBE);
  frame.add(head);
  if (isList(variables)) for (let at = 0; at < variables.length; at += 1) frame.add(variables[at]!);
  else frame.add(variables);
  frame.add(END);
}

function isList(json: Json): json is readonly Piece[] {
  return Array.isArray(json);
}
