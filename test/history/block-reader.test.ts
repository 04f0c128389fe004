import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TapeFile } from '../../src/history/index.ts';
import { BLOCK_ROWS, makeBlock } from '../../src/tape/index.ts';
import type { Message } from '../tape/rows.ts';
import { scratchFolder, writeTape } from './scratch.ts';

/** One row a message, a second apart; every price belongs to one of the two tapes. */
const messages = (count: number, least: number): Message[] =>
  Array.from({ length: count }, (_, i) => ({
    tx: i * 1000,
    rx: i * 1000,
    rows: [{ market: 0, kind: 0, side: 0, price: least + (i % 1000), shares: 10_000 }],
  }));

describe('readers of stored blocks', () => {
  it('return the rows of their own tape when two are read in turns', () => {
    const folder = scratchFolder();
    const tapes = [messages(BLOCK_ROWS + 5, 1), messages(2 * BLOCK_ROWS, 5000)].map((written, index) => {
      const path = join(folder, `${index}.tape`);
      writeTape(path, written);
      return { written, feed: TapeFile.open(path).feed(), prices: [] as number[] };
    });
    const block = makeBlock(BLOCK_ROWS);
    for (let turn = 0; turn < 3; turn += 1) {
      for (const { feed, prices } of tapes) prices.push(...block.price.subarray(0, feed.fill(block)));
    }
    for (const { feed, written, prices } of tapes) {
      feed.close();
      expect(prices).toEqual(written.map(({ rows }) => rows[0]!.price));
    }
  });
});
