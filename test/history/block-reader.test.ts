import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TapeFile } from '../../src/history/index.ts';
import { BLOCK_ROWS, makeBlock } from '../../src/tape/index.ts';
import type { Message } from '../tape/rows.ts';
import { scratchFolder, writeTape } from './scratch.ts';

/** Messages of one row, a second apart, with prices from `firstPrice`. */
const messages = (count: number, firstPrice: number): Message[] =>
  Array.from({ length: count }, (_, i) => ({
    tx: i * 1000,
    rx: i * 1000,
    rows: [{ market: 0, kind: 0, side: 0, price: firstPrice + (i % 1000), shares: 10_000 }],
  }));

describe('readers of stored blocks', () => {
  it('return the rows of their own tape when two tapes are read alternately', () => {
    const folder = scratchFolder();
    const tapes = [messages(BLOCK_ROWS + 5, 1), messages(2 * BLOCK_ROWS, 5000)].map((written, index) => {
      const path = join(folder, `${index}.tape`);
      writeTape(path, written);
      return { written, feed: TapeFile.open(path).feed(), prices: [] as number[] };
    });
    const block = makeBlock(BLOCK_ROWS);
    for (let round = 0; round < 3; round += 1) {
      for (const { feed, prices } of tapes) prices.push(...block.price.subarray(0, feed.fill(block)));
    }
    for (const { feed, written, prices } of tapes) {
      feed.close();
      expect(prices).toEqual(written.map(({ rows }) => rows[0]!.price));
    }
  });
});
