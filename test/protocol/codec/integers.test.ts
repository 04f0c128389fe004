import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intText, uintText } from '../../../src/protocol/codec/integers.ts';
import { parseInteger, parseSafeUint, readSafeUint, readUint, wrapRaw } from '../../../src/protocol/index.ts';

const LARGEST = (1n << 256n) - 1n;

describe('readUint', () => {
  it('reads every integer of 256 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: LARGEST }), (value) => {
        expect(readUint('salt', wrapRaw(uintText(value)))).toBe(value);
      }),
    );
    expect(readUint('salt', wrapRaw(String(LARGEST)))).toBe(LARGEST);
  });

  it.each([
    '',
    '-1',
    '+1',
    '00',
    '007',
    '1.0',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '1_000',
    '٣',
    String(LARGEST + 1n),
    '9'.repeat(78),
    '9'.repeat(100),
  ])('refuses %j and names the argument', (text) => {
    expect(() => readUint('salt', wrapRaw(text))).toThrow(
      /^invalid argument: salt: expected an unsigned decimal integer/,
    );
  });

  it('accepts exactly the integers below 2^256', () => {
    const nearLimit = fc.bigInt({ min: LARGEST - 10n ** 40n, max: LARGEST + 10n ** 40n });
    const digits = fc.integer({ min: 0, max: 78 }).map((count) => 10n ** BigInt(count) - 1n);
    fc.assert(
      fc.property(fc.oneof(nearLimit, digits), (value) => {
        const readValue = (): bigint => readUint('salt', wrapRaw(String(value)));
        if (value <= LARGEST) expect(readValue).not.toThrow();
        else expect(readValue).toThrow('of at most 256 bits');
      }),
    );
    expect(() => readUint('salt', wrapRaw(String(LARGEST)))).not.toThrow();
    expect(() => readUint('salt', wrapRaw('9'.repeat(77)))).not.toThrow();
  });
});

describe('readSafeUint', () => {
  it('returns a number when it is a safe integer', () => {
    expect(readSafeUint('seq', wrapRaw('9007199254740991'))).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => readSafeUint('seq', wrapRaw('9007199254740992'))).toThrow(
      'invalid argument: seq: expected an integer within 2^53 - 1, got "9007199254740992"',
    );
  });
});

describe('integers in answers', () => {
  it('are read back as the same number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -LARGEST, max: LARGEST }), (value) => {
        expect(parseInteger('x', intText(value))).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(parseSafeUint('x', uintText(value))).toBe(value);
      }),
    );
  });

  it.each(['-0', '-', '--1', '-01', String(-LARGEST - 1n)])('are refused as %j when read', (text) => {
    expect(() => parseInteger('x', text)).toThrow(/expected a decimal integer/);
  });

  it('are written without a sign for zero', () => {
    expect([intText(0), intText(-0), uintText(-0)]).toEqual(['0', '0', '0']);
  });

  it('throw for an inexact integer and for a negative unsigned integer', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 * Number.MAX_SAFE_INTEGER]) {
      expect(() => intText(value)).toThrow(/^Invariant: /);
      expect(() => uintText(value)).toThrow(/^Invariant: /);
    }
    expect(() => uintText(-1)).toThrow(/^Invariant: /);
    expect(() => uintText(-1n)).toThrow(/^Invariant: /);
  });
});
