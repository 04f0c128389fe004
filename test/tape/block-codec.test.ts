import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, decodeBlock, encodeBlock, makeBlock } from '../../src/tape/index.ts';
import { arbitraryMessages, blocksOf, lines, type Message } from './rows.ts';

function oneBlock(messages: readonly Message[]): Block {
  const [block] = blocksOf(messages);
  if (block === undefined) throw new Error('no rows');
  return block;
}

const level = (price: number, shares: number) => ({ market: 0, kind: 0, side: 0, price, shares });

describe('block codec', () => {
  it('decodes every row of an encoded block', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        fc.pre(messages.length > 0);
        const block = oneBlock(messages);
        const decoded = makeBlock(1000);
        decodeBlock(encodeBlock(block), decoded);
        expect(lines(decoded)).toEqual(lines(block));
      }),
    );
  });

  it('overwrites the previous contents of a reused block', () => {
    const decoded = makeBlock(1000);
    decodeBlock(
      encodeBlock(oneBlock([{ tx: 5, rx: 9, rows: [level(1, 10_000), level(9999, 70_000_000_000)] }])),
      decoded,
    );
    const small = oneBlock([{ tx: 7, rx: 7, rows: [level(300, 20_000)] }]);
    decodeBlock(encodeBlock(small), decoded);
    expect(lines(decoded)).toEqual(['7 7 0 0 0 300 20000 1']);
  });

  it('encodes sizes of any number of bytes exactly, next to a delay', () => {
    for (const lots of [0, 1, 255, 256, 65_535, 65_536, 16_777_216, 4_294_967_296, 100_000_000_000, 900_719_925_474]) {
      const message = {
        tx: 1,
        rx: 1,
        rows: [
          level(5000, lots * 10_000),
          { market: 0, kind: 5, side: 0, price: 0, shares: 4999 },
          level(5001, 10_000),
        ],
      };
      const decoded = makeBlock(10);
      decodeBlock(encodeBlock(oneBlock([message])), decoded);
      expect([...decoded.shares.subarray(0, 3)]).toEqual([lots * 10_000, 4999, 10_000]);
    }
  });

  it('encodes the highest market number', () => {
    const decoded = makeBlock(10);
    const rows = [0, 65_535, 256].map((market) => ({ ...level(5000, 10_000), market }));
    decodeBlock(encodeBlock(oneBlock([{ tx: 1, rx: 1, rows }])), decoded);
    expect([...decoded.market.subarray(0, 3)]).toEqual([0, 65_535, 256]);
  });

  it('uses no bytes for columns that never change', () => {
    const same = Array.from({ length: 500 }, () => ({ tx: 1000, rx: 1000, rows: [level(5000, 10_000)] }));
    // Sizes have no base, so they are the only written plane.
    expect(encodeBlock(oneBlock(same)).length).toBe(12 + 8 * 13 + 500);
  });

  it('refuses a block that is too small, and bytes that are not a block', () => {
    const bytes = encodeBlock(oneBlock([{ tx: 1, rx: 1, rows: [level(1, 0), level(2, 0)] }]));
    expect(() => decodeBlock(bytes, makeBlock(1))).toThrow(/2 rows do not fit/);
    expect(() => decodeBlock(bytes.subarray(0, bytes.length - 1), makeBlock(2))).toThrow(RangeError);
    expect(() => decodeBlock(new Uint8Array([...bytes, 0]), makeBlock(2))).toThrow(/left over/);
    expect(() => decodeBlock(bytes.subarray(0, 5), makeBlock(2))).toThrow(RangeError);
  });
});
