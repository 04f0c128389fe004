/** The kinds of a signed message's fields, each in three forms. */
import type { Keccak256 } from './primitives.ts';

/** Internal value of a field: words, UUIDs and hex as strings; integers as numbers or, above 2^53, as bigints. */
export type FieldValue = string | number | bigint | boolean;

export type Message = Readonly<Record<string, FieldValue>>;

/** Buffer of 32-byte words for hashing. */
export interface WordSink {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly keccak256: Keccak256;
}

/** A kind of field. Values are untrusted in each form: methods return `false` or `undefined` for a value of another kind. */
export interface FieldKind {
  /** Its EIP-712 type, such as `uint64`. */
  readonly type: string;
  readonly expected: string;
  /** Writes all variable bytes of the value's word at `at`. Returns `false` for a wrong value. */
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
