/**
 * Cursors: the sort key of a row, encrypted and authenticated.
 *
 * Invariants: under one key, the same place of the same list always gives the same cursor. A cursor opens only if it is
 * unchanged and was sealed under this key, for this list and this sort. The cipher is AES-256-GCM. Its nonce is a keyed
 * hash of the content (as in SIV, RFC 5297), so only equal contents share a nonce. A client can neither read nor change
 * the content.
 */

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import { invalidCursor, type Raw, textOf } from '../../protocol/index.ts';
import { syncRegistry } from '../registry-rows.ts';

const CURSOR_KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Limit of characters. Issued cursors have less than a quarter of it. */
const MAX_TEXT = 1_024;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

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

  /** The place that a cursor contains. @throws WireFault `invalid cursor: …` unless it belongs to this list and sort */
  open({ list, sort }: Listing, cursor: Raw<'Cursor'>): Place {
    const [ownList, ownSort, value, id] = this.#unsealed(textOf(cursor));
    if (ownList !== list) throw invalidCursor('it belongs to another list');
    if (ownSort !== sort) throw invalidCursor(`it belongs to the sort ${ownSort}, not to ${sort}`);
    return { value, id };
  }

  #unsealed(cursor: string): readonly [list: string, sort: string, value: number, id: string | number] {
    if (cursor.length > MAX_TEXT || !BASE64URL.test(cursor)) throw forgedCursor();
    const bytes = Buffer.from(cursor, 'base64url');
    // The last character has unused bits: reject other spellings of the same bytes.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) throw forgedCursor();
    const decipher = createDecipheriv(CIPHER, this.#cipherKey, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
    try {
      decipher.final();
    } catch {
      throw forgedCursor();
    }
    return JSON.parse(text.toString('utf8'));
  }

  #nonceOf(text: string): Buffer {
    return createHmac('sha256', this.#nonceKey).update(text, 'utf8').digest().subarray(0, NONCE_BYTES);
  }
}

/** Returns a `KeyObject`, because raw bytes would make each cursor four times slower. */
function derived(key: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), purpose, CURSOR_KEY_BYTES)));
}

function forgedCursor() {
  return invalidCursor('it was not made by this venue, or was changed');
}

/** Sort key of a row. Values are compared as numbers; ids as numbers, or as texts by code units. */
export interface Place {
  readonly value: number;
  /** Unique in the list; all ids of a list have one type. */
  readonly id: string | number;
}

/** The list and sort that a cursor belongs to. */
export interface Listing {
  /** Permanent name, unique over all lists. It contains the id of the account or market that the list belongs to. */
  readonly list: string;
  readonly sort: string;
}

export type Direction = 'ascending' | 'descending';

/** Negative when `a` comes before `b` in the list, 0 for the same place. */
export function comparePlaces(a: Place, b: Place, direction: Direction): number {
  const order = a.value - b.value || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return direction === 'ascending' ? order : -order;
}

const KEY = 'cursor';
const HEX_KEY = /^[0-9a-f]{64}$/;

/**
 * Reads the key of cursors from the registry, or stores a new one, so that cursors stay valid across restarts.
 * @throws Fault when the stored key is invalid or a new one cannot be written
 */
export async function cursorKey(registry: Registry): Promise<Uint8Array> {
  const stored = registry.find('secret', KEY);
  if (stored !== undefined) {
    if (typeof stored === 'string' && HEX_KEY.test(stored)) return new Uint8Array(Buffer.from(stored, 'hex'));
    throw new Fault('REGISTRY', 'the key of cursors is not 64 hex digits. Put back a good copy of the database');
  }
  const key = secureBytes(CURSOR_KEY_BYTES);
  registry.put({ table: 'secret', key: KEY, value: Buffer.from(key).toString('hex') });
  await syncRegistry(registry);
  return key;
}
