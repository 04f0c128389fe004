/**
 * Makes and reads cursors. A cursor is the encrypted and authenticated sort key of a row.
 *
 * Invariants: with one secret key, the same row of the same list always gives the same cursor. A cursor opens only with
 * the key that sealed the cursor, and only for its own list and sort. A client can neither read nor change the content.
 * The cipher is AES-256-GCM. The nonce is a keyed hash of the content (as in SIV, RFC 5297), so only equal contents
 * share a nonce.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Registry } from '../../exchange/index.ts';
import { invalidCursor, type Raw, unwrapRaw } from '../../protocol/index.ts';
import { loadSecret, syncRegistry } from '../registry-rows.ts';

const CURSOR_KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Cursors of this venue have less than a quarter of this length. */
const MAX_CHARACTERS = 1_024;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

export class Cursors {
  readonly #nonceKey: KeyObject;
  readonly #cipherKey: KeyObject;

  /** @throws RangeError unless the key has 32 bytes */
  constructor(key: Uint8Array) {
    if (key.length !== CURSOR_KEY_BYTES) throw new RangeError(`Invariant: a cursor key of ${key.length} bytes`);
    this.#nonceKey = deriveKey(key, 'cursor nonce');
    this.#cipherKey = deriveKey(key, 'cursor text');
  }

  seal({ list, sort }: Listing, { value, id }: SortKey): string {
    const text = JSON.stringify([list, sort, value, id]);
    const nonce = this.#computeNonce(text);
    const cipher = createCipheriv(CIPHER, this.#cipherKey, nonce);
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Returns the sort key in a cursor. @throws WireFault `invalid cursor: …` for a cursor of another list or sort */
  open({ list, sort }: Listing, cursor: Raw<'Cursor'>): SortKey {
    const [cursorList, cursorSort, value, id] = this.#decrypt(unwrapRaw(cursor));
    if (cursorList !== list) throw invalidCursor('it belongs to another list');
    if (cursorSort !== sort) throw invalidCursor(`it belongs to the sort ${cursorSort}, not to ${sort}`);
    return { value, id };
  }

  #decrypt(cursor: string): readonly [list: string, sort: string, value: number, id: string | number] {
    if (cursor.length > MAX_CHARACTERS || !BASE64URL.test(cursor)) throw forgedCursor();
    const bytes = Buffer.from(cursor, 'base64url');
    // Reject other encodings of the same bytes, which exist because the final character has unused bits.
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

  #computeNonce(text: string): Buffer {
    return createHmac('sha256', this.#nonceKey).update(text, 'utf8').digest().subarray(0, NONCE_BYTES);
  }
}

/** Returns a `KeyObject`, because with raw key bytes each cursor would take four times as long. */
function deriveKey(key: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), purpose, CURSOR_KEY_BYTES)));
}

function forgedCursor() {
  return invalidCursor('it was not made by this venue, or was changed');
}

/** Sort key of a row. Equal values are ordered by id: numeric, or by UTF-16 code units. */
export interface SortKey {
  readonly value: number;
  /** Unique in the list; all ids of a list have one type. */
  readonly id: string | number;
}

export interface Listing {
  /** A permanent, unique name, which contains the id of the list's account or market. */
  readonly list: string;
  readonly sort: string;
}

export type Direction = 'ascending' | 'descending';

/** Returns a negative number if `a` comes before `b` in the list, 0 for equal keys. */
export function compareSortKeys(a: SortKey, b: SortKey, direction: Direction): number {
  const difference = a.value - b.value || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return direction === 'ascending' ? difference : -difference;
}

/**
 * Reads the cursors' key from the registry, or stores a new key. So cursors stay valid across restarts.
 * @throws Fault when the stored key is invalid or a new key cannot be written
 */
export async function loadCursorKey(registry: Registry): Promise<Uint8Array> {
  const key = loadSecret(registry, 'cursor', 'the key of cursors');
  await syncRegistry(registry);
  return key;
}
