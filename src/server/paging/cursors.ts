/**
 * Cursors: places of rows, sealed.
 *
 * Invariants: under one key, the same place of the same list always gives the same cursor. A cursor opens only when it
 * was sealed under this key, unchanged, for this list and this sort. The seal is AES-256-GCM with a nonce that is
 * itself a keyed hash of the content (SIV, RFC 5297: two different texts get two nonces, one text always the same). So
 * a client can neither read nor change the content.
 */

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import { invalidCursor, type Raw, textOf } from '../../protocol/index.ts';
import { syncRegistry } from '../registry-rows.ts';

/** Bytes of a key. */
const CURSOR_KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Characters of a cursor; ours stay below a quarter of it. */
const MAX_TEXT = 1_024;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Seals and opens. */
export class Cursors {
  readonly #nonceKey: KeyObject;
  readonly #cipherKey: KeyObject;

  /** @throws RangeError unless the key has 32 bytes */
  constructor(key: Uint8Array) {
    if (key.length !== CURSOR_KEY_BYTES) throw new RangeError(`Invariant: a cursor key of ${key.length} bytes`);
    this.#nonceKey = derived(key, 'cursor nonce');
    this.#cipherKey = derived(key, 'cursor text');
  }

  /** The cursor of a row at this place. */
  seal({ list, sort }: Listing, { value, id }: Place): string {
    const text = JSON.stringify([list, sort, value, id]);
    const nonce = this.#nonceOf(text);
    const cipher = createCipheriv(CIPHER, this.#cipherKey, nonce);
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The place that a cursor stands for. @throws WireFault `invalid cursor: …` unless it is one of this list and sort */
  open({ list, sort }: Listing, cursor: Raw<'Cursor'>): Place {
    const [ownList, ownSort, value, id] = this.#unsealed(textOf(cursor));
    if (ownList !== list) throw invalidCursor('it belongs to another list');
    if (ownSort !== sort) throw invalidCursor(`it belongs to the sort ${ownSort}, not to ${sort}`);
    return { value, id };
  }

  #unsealed(cursor: string): readonly [list: string, sort: string, value: number, id: string | number] {
    if (cursor.length > MAX_TEXT || !BASE64URL.test(cursor)) throw notOurs();
    const bytes = Buffer.from(cursor, 'base64url');
    // Spare bits of the last character are no part of the bytes: other characters may not stand for the same cursor.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) throw notOurs();
    const decipher = createDecipheriv(CIPHER, this.#cipherKey, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw notOurs();
    }
    return JSON.parse(text.toString('utf8'));
  }

  #nonceOf(text: string): Buffer {
    return createHmac('sha256', this.#nonceKey).update(text, 'utf8').digest().subarray(0, NONCE_BYTES);
  }
}

/** As an object of the library: from bytes each cursor would take four times as long. */
function derived(key: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), purpose, CURSOR_KEY_BYTES)));
}

function notOurs() {
  return invalidCursor('it was not made by this venue, or was changed');
}

/** Sort key of a row. Values are compared as numbers; ids as numbers, or as texts by code units. */
export interface Place {
  readonly value: number;
  /** Of one kind within a list, and unique there. */
  readonly id: string | number;
}

/** A list under one sort: what a cursor is good for. */
export interface Listing {
  /**
   * A permanent name of the list, unique over all lists. The name of an account's or a market's list contains its id.
   */
  readonly list: string;
  readonly sort: string;
}

export type Direction = 'ascending' | 'descending';

/** Negative when `one` stands before `other` in the list, 0 when it is the same place. */
export function comparePlaces(one: Place, other: Place, direction: Direction): number {
  const order = one.value - other.value || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
  return direction === 'ascending' ? order : -order;
}

const KEY = 'cursor';
const HEX_KEY = /^[0-9a-f]{64}$/;

/**
 * The key of cursors from the registry, or a new one once it is durable there: cursors stay valid across restarts.
 * @throws Fault when what stands there is no key, or it cannot be written
 */
export async function cursorKey(registry: Registry): Promise<Uint8Array> {
  const known = registry.find('secret', KEY);
  if (known !== undefined) {
    if (typeof known === 'string' && HEX_KEY.test(known)) return new Uint8Array(Buffer.from(known, 'hex'));
    throw new Fault('REGISTRY', 'the key of cursors is not 64 hex digits. Put back a good copy of the database');
  }
  const key = secureBytes(CURSOR_KEY_BYTES);
  registry.put({ table: 'secret', key: KEY, value: Buffer.from(key).toString('hex') });
  await syncRegistry(registry);
  return key;
}
