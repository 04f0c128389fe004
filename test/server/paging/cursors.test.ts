import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Registry, RegistryChange } from '../../../src/exchange/index.ts';
import { rawText } from '../../../src/protocol/index.ts';
import { Cursors, cursorKey } from '../../../src/server/paging/cursors.ts';
import { anyCharacter } from '../../any-character.ts';

const KEY = new Uint8Array(32).fill(7);
const OTHER_KEY = new Uint8Array(32).fill(8);
const LISTING = { list: 'markets', sort: 'VOLUME_DESC' };
const PLACE = { value: 1_234, id: '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b' };
const cursors = new Cursors(KEY);

function open(cursor: string, listing = LISTING): unknown {
  return cursors.open(listing, rawText(cursor));
}

describe('a cursor', () => {
  it('encodes list, sort, value and id, which are decoded unchanged', () => {
    const anyId = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer());
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.maxSafeInteger(), anyId, (list, sort, value, id) => {
        fc.pre(list.length + sort.length + String(id).length < 100);
        const place = { value: value + 0, id };
        expect(open(cursors.seal({ list, sort }, place), { list, sort })).toEqual(place);
      }),
    );
  });

  it('is the same for the same row and key', () => {
    expect(new Cursors(KEY).seal(LISTING, PLACE)).toBe(cursors.seal(LISTING, PLACE));
    expect(new Cursors(KEY).open(LISTING, rawText(cursors.seal(LISTING, PLACE)))).toEqual(PLACE);
  });

  it('differs for every other row, list or sort and reveals none of them', () => {
    const sealed = [
      cursors.seal(LISTING, PLACE),
      cursors.seal(LISTING, { ...PLACE, value: 1_235 }),
      cursors.seal(LISTING, { ...PLACE, id: 7 }),
      cursors.seal(LISTING, { ...PLACE, id: '7' }),
      cursors.seal({ ...LISTING, sort: 'VOLUME_ASC' }, PLACE),
      cursors.seal({ ...LISTING, list: 'createdMarkets' }, PLACE),
    ];
    expect(new Set(sealed).size).toBe(sealed.length);
    for (const cursor of sealed) expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('3f2b');
  });

  it('is refused for another sort or list with the reason', () => {
    const cursor = cursors.seal(LISTING, PLACE);
    expect(() => open(cursor, { ...LISTING, sort: 'CREATED_AT_ASC' })).toThrow(
      /^invalid cursor: it belongs to the sort VOLUME_DESC, not to CREATED_AT_ASC$/,
    );
    expect(() => open(cursor, { ...LISTING, list: 'orders/0xab' })).toThrow(
      /^invalid cursor: it belongs to another list$/,
    );
  });

  it('is refused when a character is changed, removed or added', () => {
    const cursor = cursors.seal(LISTING, PLACE);
    const strange = /^invalid cursor: it was not made by this venue, or was changed$/;
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(() => open(`${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`)).toThrow(strange);
      expect(() => open(cursor.slice(0, at) + cursor.slice(at + 1))).toThrow(strange);
      expect(() => open(`${cursor.slice(0, at)}A${cursor.slice(at)}`)).toThrow(strange);
    }
    const padded = Buffer.from(cursor, 'base64url').toString('base64');
    const bad = ['', ' ', '0', padded, `${cursor}=`, `${cursor}\n`, 'A'.repeat(38), 'é', 'A'.repeat(2_000)];
    for (const text of bad) if (text !== cursor) expect(() => open(text)).toThrow(strange);
  });

  it('has one valid encoding: other spare bits of the last character are refused', () => {
    // Lengths that leave spare bits are among these.
    for (const id of ['1', '12', '123']) {
      const cursor = cursors.seal(LISTING, { value: 0, id });
      const bytes = Buffer.from(cursor, 'base64url').toString('hex');
      for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
        const spelling = cursor.slice(0, -1) + last;
        const isSame = Buffer.from(spelling, 'base64url').toString('hex') === bytes;
        if (isSame && spelling !== cursor) expect(() => open(spelling)).toThrow(/was changed/);
      }
    }
  });

  it('is refused when another key made it', () => {
    expect(() => open(new Cursors(OTHER_KEY).seal(LISTING, PLACE))).toThrow(/was not made by this venue/);
  });

  it('throws for a key of another length', () => {
    expect(() => new Cursors(new Uint8Array(31))).toThrow(RangeError);
  });
});

/** Keeps rows; `fault` is what the disk says. */
function registry(rows: Map<string, Json>, fault?: Error): Registry {
  const waiting: RegistryChange[] = [];
  return {
    put: (change) => void waiting.push(change),
    sync(done) {
      for (const { key, value } of waiting.splice(0)) if (value !== undefined) rows.set(key, value);
      done(fault === undefined ? undefined : Object.assign(fault, { code: 'DISK', retryable: false, received: '' }));
    },
    load: () => [],
    find: (table, key) => (table === 'secret' ? rows.get(key) : undefined),
  };
}

describe('the key of cursors', () => {
  it('is created once and kept over a restart', async () => {
    const rows = new Map<string, Json>();
    const key = await cursorKey(registry(rows));
    expect(key).toHaveLength(32);
    expect(rows.size).toBe(1);
    expect(await cursorKey(registry(rows))).toEqual(key);
    expect(await cursorKey(registry(new Map()))).not.toEqual(key);
  });

  it('is not used before it is durable', async () => {
    await expect(cursorKey(registry(new Map(), new Error('the disk is full')))).rejects.toThrow(/the disk is full/);
  });

  it('throws when the stored key is invalid', async () => {
    await expect(cursorKey(registry(new Map([['cursor', 'abc']])))).rejects.toThrow(/not 64 hex digits/);
  });
});
