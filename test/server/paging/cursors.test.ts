import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Registry, RegistryChange } from '../../../src/exchange/index.ts';
import { wrapRaw } from '../../../src/protocol/index.ts';
import { Cursors, loadCursorKey } from '../../../src/server/paging/cursors.ts';
import { anyCharacter } from '../../any-character.ts';

const KEY = new Uint8Array(32).fill(7);
const OTHER_KEY = new Uint8Array(32).fill(8);
const LISTING = { list: 'markets', sort: 'VOLUME_DESC' };
const POSITION = { value: 1_234, id: '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b' };
const cursors = new Cursors(KEY);

function open(cursor: string, listing = LISTING): unknown {
  return cursors.open(listing, wrapRaw(cursor));
}

describe('a cursor', () => {
  it('is decoded to the list, sort, value and id that it was made from', () => {
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
    expect(new Cursors(KEY).seal(LISTING, POSITION)).toBe(cursors.seal(LISTING, POSITION));
    expect(new Cursors(KEY).open(LISTING, wrapRaw(cursors.seal(LISTING, POSITION)))).toEqual(POSITION);
  });

  it('differs for every other row, list or sort, and does not show the id of its row', () => {
    const sealed = [
      cursors.seal(LISTING, POSITION),
      cursors.seal(LISTING, { ...POSITION, value: 1_235 }),
      cursors.seal(LISTING, { ...POSITION, id: 7 }),
      cursors.seal(LISTING, { ...POSITION, id: '7' }),
      cursors.seal({ ...LISTING, sort: 'VOLUME_ASC' }, POSITION),
      cursors.seal({ ...LISTING, list: 'createdMarkets' }, POSITION),
    ];
    expect(new Set(sealed).size).toBe(sealed.length);
    for (const cursor of sealed) expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('3f2b');
  });

  it('is refused for another sort or list, with the reason', () => {
    const cursor = cursors.seal(LISTING, POSITION);
    expect(() => open(cursor, { ...LISTING, sort: 'CREATED_AT_ASC' })).toThrow(
      /^invalid cursor: it belongs to the sort VOLUME_DESC, not to CREATED_AT_ASC$/,
    );
    expect(() => open(cursor, { ...LISTING, list: 'orders/0xab' })).toThrow(
      /^invalid cursor: it belongs to another list$/,
    );
  });

  it('is refused when a character is changed, removed or added', () => {
    const cursor = cursors.seal(LISTING, POSITION);
    const changed = /^invalid cursor: it was not made by this venue, or was changed$/;
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(() => open(`${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`)).toThrow(changed);
      expect(() => open(cursor.slice(0, at) + cursor.slice(at + 1))).toThrow(changed);
      expect(() => open(`${cursor.slice(0, at)}A${cursor.slice(at)}`)).toThrow(changed);
    }
    const padded = Buffer.from(cursor, 'base64url').toString('base64');
    const bad = ['', ' ', '0', padded, `${cursor}=`, `${cursor}\n`, 'A'.repeat(38), 'é', 'A'.repeat(2_000)];
    for (const text of bad) if (text !== cursor) expect(() => open(text)).toThrow(changed);
  });

  it('is refused when unused bits of its last character are changed', () => {
    // Some of these ids give cursors whose last character has unused bits.
    for (const id of ['1', '12', '123']) {
      const cursor = cursors.seal(LISTING, { value: 0, id });
      const bytes = Buffer.from(cursor, 'base64url').toString('hex');
      for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
        const encoding = cursor.slice(0, -1) + last;
        const isSame = Buffer.from(encoding, 'base64url').toString('hex') === bytes;
        if (isSame && encoding !== cursor) expect(() => open(encoding)).toThrow(/was changed/);
      }
    }
  });

  it('is refused when it was made with another key', () => {
    expect(() => open(new Cursors(OTHER_KEY).seal(LISTING, POSITION))).toThrow(/was not made by this venue/);
  });

  it('needs a key of 32 bytes', () => {
    expect(() => new Cursors(new Uint8Array(31))).toThrow(RangeError);
  });
});

/** A registry in memory. @param fault error of each `sync` */
function registryWith(rows: Map<string, Json>, fault?: Error): Registry {
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
  it('is created once and is the same after a restart', async () => {
    const rows = new Map<string, Json>();
    const key = await loadCursorKey(registryWith(rows));
    expect(key).toHaveLength(32);
    expect(rows.size).toBe(1);
    expect(await loadCursorKey(registryWith(rows))).toEqual(key);
    expect(await loadCursorKey(registryWith(new Map()))).not.toEqual(key);
  });

  it('is not used before it is durable', async () => {
    await expect(loadCursorKey(registryWith(new Map(), new Error('the disk is full')))).rejects.toThrow(
      /the disk is full/,
    );
  });

  it('throws when the stored key is invalid', async () => {
    await expect(loadCursorKey(registryWith(new Map([['cursor', 'abc']])))).rejects.toThrow(/not 64 hex digits/);
  });
});
