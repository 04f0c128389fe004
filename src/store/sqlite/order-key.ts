/** How ids of orders stand in the database. */
import { textOf, textValue } from './text-value.ts';

const DIGEST = /^0x[0-9a-f]{64}$/;

/** 32 bytes for a digest; what is none stays a text. */
export function idValue(id: string): Buffer | string {
  return DIGEST.test(id) ? Buffer.from(id.slice(2), 'hex') : textValue(id);
}

/** What `idValue` made. */
export function idText(value: Uint8Array | string): string {
  return typeof value === 'string' ? textOf(value) : `0x${Buffer.from(value).toString('hex')}`;
}

/**
 * A short key for the index by id: 48 bits. Digests are random, so a full index of them is written at random places, a page
 * an order: the smaller it is, the more orders of one batch share a page. Two ids with the same key are told apart by id.
 */
export function idKey(id: string): number {
  if (DIGEST.test(id)) return Number.parseInt(id.slice(-12), 16);
  let key = 0;
  for (let at = 0; at < id.length; at += 1) key = (key * 31 + id.charCodeAt(at)) % 281_474_976_710_656;
  return key;
}
