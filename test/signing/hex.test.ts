import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes16ToUuid, isHex, uuidToBytes16 } from '../../src/signing/hex.ts';
import { hexBytes, lowerAddress, toHex } from '../../src/signing/index.ts';

describe('hex', () => {
  it('converts to bytes and back, in either case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const hex = toHex(bytes);
        expect(hex).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
        expect(hexBytes(hex)).toEqual(bytes);
        expect(hexBytes(`0x${hex.slice(2).toUpperCase()}`)).toEqual(bytes);
      }),
    );
  });

  it.each(['', '0', '0x0', 'ab', '0xgg', '0X00', '0x 0', '0x00\n', '0x0:'])('is not %j', (text) => {
    expect(hexBytes(text)).toBeUndefined();
    expect(isHex(text)).toBe(false);
  });

  it('has the required number of bytes', () => {
    expect([isHex('0x', 0), isHex('0x00', 1), isHex('0x00', 2), isHex('0x0000', 1)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('an address', () => {
  it('is converted to lower case', () => {
    expect(lowerAddress('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe(
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    );
    expect(lowerAddress('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb922')).toBeUndefined();
    expect(lowerAddress('f39fd6e51aad88f6f4ce6ab8827279cfffb92266')).toBeUndefined();
  });
});

describe('a UUID', () => {
  it('is 16 bytes and is returned in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(uuidToBytes16(uuid.toUpperCase())).toBe(`0x${uuid.replaceAll('-', '')}`);
        expect(bytes16ToUuid(`0x${uuid.replaceAll('-', '').toUpperCase()}`)).toBe(uuid);
      }),
    );
  });

  it.each([
    '',
    '3f2b8c1e5a7d4e908b6f1c2d3e4f5a6b',
    '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6',
    '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6g',
  ])('is not %j', (text) => {
    expect(uuidToBytes16(text)).toBeUndefined();
    expect(bytes16ToUuid(text)).toBeUndefined();
  });
});
