/** The kinds of a signed message's fields, each in three forms. */
import type { Keccak256 } from './primitives.ts';

/** A field inside: words, UUIDs and hex as strings; integers as numbers or, past 2^53, as bigints. */
export type FieldValue = string | number | bigint | boolean;

export type Message = Readonly<Record<string, FieldValue>>;

/** Where words of 32 bytes are written to be hashed. */
export interface WordSink {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly keccak256: Keccak256;
}

/** One kind of field. Values are untrusted in each form: what is not of the kind is `false` or `undefined`. */
export interface FieldKind {
  /** Its EIP-712 type, such as `uint64`. */
  readonly type: string;
  readonly expected: string;
  /** Writes the value as the word at `at`, all of it that can differ between values; `false` for a wrong value. */
  write(value: FieldValue, sink: WordSink, at: number): boolean;
  /** From the venue's input objects: words, UUIDs, `UintString` or `Int`. */
  fromWire(value: unknown): FieldValue | undefined;
  /** To the venue's input objects. */
  toWire(value: FieldValue): string | number | boolean;
  /** From the `message` of typed data: bytes as hex, integers as decimal strings or JSON numbers. */
  fromTyped(value: unknown): FieldValue | undefined;
  /** To the `message` of typed data, always the same text for the same value. */
  toTyped(value: FieldValue): string | boolean;
}

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
}
