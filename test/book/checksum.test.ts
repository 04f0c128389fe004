import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_SIDE, bookChecksum, crc32, formatChecksum, inNoTerms, Ladder } from '../../src/book/index.ts';
import { vectors } from '../spec-vectors.ts';
import { checksumText } from './checksum-text.ts';

function bookOf(levels: { bids: readonly Wire[]; asks: readonly Wire[] }): Ladder {
  const ladder = new Ladder(10);
  for (const { priceBps, shares } of levels.bids) ladder.set(BOOK_SIDE.bid, priceBps, Math.round(shares * 1_000_000));
  for (const { priceBps, shares } of levels.asks) ladder.set(BOOK_SIDE.ask, priceBps, Math.round(shares * 1_000_000));
  return ladder;
}

type Wire = { readonly priceBps: number; readonly shares: number };

describe('bookChecksum', () => {
  it.each(vectors.bookChecksum)('equals the worked value of the specification: $name', (vector) => {
    const book = bookOf(vector);
    expect(checksumText(book)).toBe(vector.text);
    expect(formatChecksum(bookChecksum(book))).toBe(vector.checksum);
  });

  it('is the CRC of the text for any book and any sizes', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
    const level = fc.tuple(fc.integer({ min: 1, max: 999 }), size);
    const side = fc.array(level, { maxLength: 14 });
    fc.assert(
      fc.property(side, side, (bids, asks) => {
        const ladder = new Ladder(10);
        for (const [place, shares] of bids) ladder.set(BOOK_SIDE.bid, 10 * place, shares);
        for (const [place, shares] of asks) ladder.set(BOOK_SIDE.ask, 10 * place, shares);
        expect(bookChecksum(ladder)).toBe(zlibCrc32(checksumText(ladder)));
      }),
    );
  });

  it('uses ten levels per side, best first', () => {
    const places = Array.from({ length: 12 }, (_, at) => at);
    const bids = places.map((at) => ({ priceBps: 5000 - 10 * at, shares: at + 1 }));
    const asks = places.map((at) => ({ priceBps: 5010 + 10 * at, shares: at + 1 }));
    const text = (levels: readonly Wire[]) =>
      levels
        .slice(0, 10)
        .map(({ priceBps, shares }) => `${priceBps}:${shares}000000`)
        .join(',');
    expect(checksumText(bookOf({ bids, asks }))).toBe(`${text(bids)}|${text(asks)}`);
    expect(bookChecksum(bookOf({ bids, asks }))).toBe(zlibCrc32(`${text(bids)}|${text(asks)}`));
    expect(checksumText(bookOf({ bids: [], asks }))).toBe(`|${text(asks)}`);
  });

  it('gives the NO value of the same book through the NO view', () => {
    const yes = vectors.bookChecksum.find((vector) => vector.name === 'two levels a side');
    const no = vectors.bookChecksum.find((vector) => vector.name === 'the same book seen as NO');
    if (yes === undefined || no === undefined) throw new Error('the worked values have changed their names');
    expect(formatChecksum(bookChecksum(inNoTerms(bookOf(yes))))).toBe(no.checksum);
  });

  it('has the values that docs/spec/venue.md#book-checksum states', () => {
    expect(bookChecksum(new Ladder(1))).toBe(0x8bb1d29a);
    expect(crc32('5230:1500000,5200:40000000|5240:10000,5300:5000000')).toBe(0x7cf4fc30);
  });

  it('keeps leading zeros on the wire', () => {
    expect(formatChecksum(0x00ab12cd)).toBe('0x00ab12cd');
  });
});

describe('crc32', () => {
  it('agrees with zlib on any ASCII text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 300 }), (text) => crc32(text) === zlibCrc32(text)),
    );
  });
});
