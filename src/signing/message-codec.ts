/** Reads external messages field by field. A value of a wrong kind is an error, and is never converted. */
import { isRecord } from '../domain/index.ts';
import type { Field, FieldKind, FieldValue, Message } from './field-kinds.ts';

export interface FieldRefused {
  readonly ok: false;
  readonly code: 'FIELD';
  /** Name of the field; empty if the message is not an object. */
  readonly field: string;
  readonly message: string;
}

/** A message, or its first invalid field. */
export type ReadResult<M> = { readonly ok: true; readonly message: M } | FieldRefused;

export type Form = 'fromWire' | 'fromTyped';

/** Ignores unknown members. `M` must be the message type of these fields. */
export function readMessage<M extends Message>(fields: readonly Field[], values: unknown, form: Form): ReadResult<M> {
  if (!isRecord(values)) return refuseField('', 'expected an object');
  const message: Record<string, FieldValue> = {};
  for (const { name, kind } of fields) {
    const value = kind[form](values[name]);
    if (value === undefined) return refuseField(name, describeMismatch(kind, values[name]));
    message[name] = value;
  }
  // The cast is safe, because each field is present and of its kind, and `M` is the message type of these fields.
  return { ok: true, message: message as M };
}

/** Reads the venue's input form. Reuses the value of a field that equals the previous message's field. */
export class WireReader<M extends Message> {
  readonly #fields: readonly Field[];
  readonly #wireValues: unknown[] = [];
  readonly #values: FieldValue[] = [];
  /** The previous message, which also preserves V8's type feedback (domain/retained.ts). */
  #previous: Readonly<Record<string, FieldValue>> | undefined;

  /** @param fields of `M` */
  constructor(fields: readonly Field[]) {
    this.#fields = fields;
  }

  read(wire: unknown): ReadResult<M> {
    if (!isRecord(wire)) return refuseField('', 'expected an object');
    // Copy the previous message and replace differing fields, which is faster than setting every member.
    const message: Record<string, FieldValue> = { ...this.#previous };
    let at = -1;
    for (const { name, kind } of this.#fields) {
      at += 1;
      const value = wire[name];
      const known = this.#values[at];
      if (known !== undefined && value === this.#wireValues[at]) {
        if (message[name] !== known) message[name] = known;
        continue;
      }
      const found = kind.fromWire(value);
      if (found === undefined) return refuseField(name, describeMismatch(kind, value));
      this.#wireValues[at] = value;
      this.#values[at] = found;
      message[name] = found;
    }
    this.#previous = message;
    // The cast is safe for the same reason as in `readMessage`.
    return { ok: true, message: message as M };
  }
}

function refuseField(field: string, problem: string): FieldRefused {
  return { ok: false, code: 'FIELD', field, message: field === '' ? problem : `${field}: ${problem}` };
}

function describeMismatch(kind: FieldKind, value: unknown): string {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
  return `expected ${kind.expected}, ${value === undefined ? 'but it is missing' : `got ${shown}`}`;
}
