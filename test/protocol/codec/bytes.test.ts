/** Hex, UUIDs and hashes. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BYTE_LENGTHS,
  isHexText,
  readHex,
  readMarketId,
  readOrderId,
  readUuid,
  toHex,
  uuidText,
  wrapRaw,
} from '../../../src/protocol/index.ts';

const UUID = '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b';

describe('hex', () => {
  it('has two digits for each byte', () => {
    expect(toHex(Uint8Array.of(0, 1, 171, 255))).toBe('0x0001abff');
    expect(toHex(new Uint8Array())).toBe('0x');
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(toHex(bytes)).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
      }),
    );
  });

  it('is read in either case and written in lower case', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const upper = `0x${toHex(bytes).slice(2).toUpperCase()}`;
        expect(readHex('data', wrapRaw(upper))).toBe(toHex(bytes));
      }),
    );
    expect(isHexText('0xAB')).toBe(false);
    expect(isHexText('0xab')).toBe(true);
  });

  it.each(['', '0', 'ab', '0xa', '0xgg', '0XAB', '0xab ', '0x-1'])('is not %j', (text) => {
    expect(() => readHex('data', wrapRaw(text))).toThrow('invalid argument: data: expected 0x and pairs of hex digits');
  });

  it('is refused unless it has the required length', () => {
    const address = `0x${'Ab'.repeat(20)}`;
    expect(readHex('maker', wrapRaw(address), BYTE_LENGTHS.address)).toBe(address.toLowerCase());
    expect(() => readHex('maker', wrapRaw(`${address}00`), BYTE_LENGTHS.address)).toThrow(
      'invalid argument: maker: expected 0x and 40 hex digits',
    );
  });
});

describe('ids', () => {
  it('of markets and of other UUIDs are read in any case and written in lower case', () => {
    expect(readMarketId(wrapRaw(UUID.toUpperCase()))).toBe(UUID);
    expect(readUuid('wallet', wrapRaw(UUID.toUpperCase()))).toBe(UUID);
  });

  it.each(['', 'abc', `${UUID}0`, UUID.replaceAll('-', ''), `{${UUID}}`, UUID.replace('3', 'g'), ` ${UUID}`])(
    'are refused when they are %j',
    (text) => {
      const reason = `expected a UUID (8-4-4-4-12 hex digits), got ${JSON.stringify(text)}`;
      expect(() => readMarketId(wrapRaw(text))).toThrow(`invalid market ID: ${reason}`);
      expect(() => readUuid('group', wrapRaw(text))).toThrow(`invalid group ID: ${reason}`);
    },
  );

  it('of orders are 32-byte hashes', () => {
    const hash = `0x${'Ab'.repeat(32)}`;
    expect(readOrderId(wrapRaw(hash))).toBe(hash.toLowerCase());
    for (const text of [UUID, hash.slice(0, -2), hash.slice(2), `${hash}00`]) {
      expect(() => readOrderId(wrapRaw(text))).toThrow(
        `invalid order ID: expected 0x and 64 hex digits, got ${JSON.stringify(text)}`,
      );
    }
  });

  it('are shortened in messages when they are long', () => {
    expect(() => readMarketId(wrapRaw('x'.repeat(10_000)))).toThrow(/^.{0,160}$/);
  });
});

describe('UUIDs', () => {
  it('are formatted from sixteen bytes in order', () => {
    expect(uuidText(Buffer.from('3f2b8c1e5a7d4e908b6f1c2d3e4f5a6b', 'hex'))).toBe(UUID);
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(uuidText(Buffer.from(uuid.replaceAll('-', ''), 'hex'))).toBe(uuid);
      }),
    );
    expect(() => uuidText(new Uint8Array(15))).toThrow('Invariant: a UUID has 16 bytes, not 15');
  });
});
