import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockWriter, FLAG, KIND, makeBlock, SIDE } from '../../src/tape/index.ts';
import { arbitraryMessages, blocksOf, lines } from './rows.ts';

describe('block writer', () => {
  it('never splits a message and marks the last row of each, whatever the block size', () => {
    fc.assert(
      fc.property(arbitraryMessages(), fc.integer({ min: 6, max: 20 }), (messages, capacity) => {
        const blocks = blocksOf(messages, capacity);
        for (const block of blocks) {
          expect(block.count).toBeLessThanOrEqual(capacity);
          expect(block.flags[block.count - 1]).toBe(FLAG.last);
        }
        expect(blocks.flatMap(lines)).toEqual(
          messages.flatMap(({ tx, rx, rows }) =>
            rows.map((row, i) =>
              [tx, rx, row.market, row.kind, row.side, row.price, row.shares, i === rows.length - 1 ? 1 : 0].join(' '),
            ),
          ),
        );
      }),
    );
  });

  it('appends whole messages of another block unchanged', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        const out: string[] = [];
        const writer = new BlockWriter((block) => out.push(...lines(block)), 10);
        const blocks = blocksOf(messages);
        for (const block of blocks) writer.append(block);
        writer.finish();
        expect(out).toEqual(blocks.flatMap(lines));
      }),
    );
  });

  it('writes nothing for a message without rows', () => {
    const flushed: number[] = [];
    const writer = new BlockWriter((block) => flushed.push(block.count));
    writer.begin(1, 1);
    expect(writer.end()).toBe(0);
    writer.finish();
    expect(flushed).toEqual([]);
  });

  it('keeps other flags beside the last one', () => {
    const flags: number[] = [];
    const writer = new BlockWriter((block) => flags.push(...block.flags.subarray(0, block.count)));
    writer.begin(1, 1);
    writer.row(0, KIND.trade, SIDE.bid, 5000, 10_000, FLAG.inferred);
    writer.row(0, KIND.trade, SIDE.bid, 5000, 10_000, FLAG.inferred);
    writer.end();
    writer.finish();
    expect(flags).toEqual([FLAG.inferred, FLAG.inferred | FLAG.last]);
  });

  it('throws on invalid rows', () => {
    const invalid: [row: [number, number, number, number, number, number?], message: RegExp][] = [
      [[-1, 0, 0, 5000, 0], /market number -1/],
      [[65_536, 0, 0, 5000, 0], /market number/],
      [[0, 0, 2, 5000, 0], /level at 5000 on side 2/],
      [[0, 0, 0, 0, 0], /level at 0/],
      [[0, 0, 0, 10_000, 0], /level at 10000/],
      [[0, 0, 0, 50.5, 0], /level at 50.5/],
      [[0, 0, 0, 5000, -1], /size -1/],
      [[0, 0, 0, 5000, 0.5], /size 0.5/],
      [[0, 1, 0, 5000, 0], /trade of 0/],
      [[0, 1, 3, 5000, 1], /side 3/],
      [[0, 2, 0, 9, 0], /status 9/],
      [[0, 3, 0, 10_001, 0], /payout 10001/],
      [[0, 9, 0, 0, 0], /kind 9/],
      [[0, 0, 0, 5000, 0, FLAG.last], /flags 1/],
      [[0, KIND.ahead, 2, 5000, 0], /size ahead at 5000 on side 2/],
      [[0, KIND.ahead, 0, 5000, 1], /not a whole number of lots/],
      [[0, KIND.ahead, 0, 5000, 0, FLAG.inferred], /flags 2/],
    ];
    for (const [row, message] of invalid) {
      const writer = new BlockWriter(() => {});
      writer.begin(1, 1);
      expect(() => writer.row(...row)).toThrow(message);
    }
  });

  it.each<[row: string, next: [number, number, number, number, number] | undefined]>([
    ['a level of another market', [1, KIND.level, SIDE.bid, 5000, 0]],
    ['a level of the other side', [0, KIND.level, SIDE.ask, 5000, 0]],
    ['a level at another price', [0, KIND.level, SIDE.bid, 4990, 0]],
    ['a second size ahead', [0, KIND.ahead, SIDE.bid, 5000, 0]],
    ['the end of its message', undefined],
  ])('throws when %s follows a size ahead', (_, next) => {
    const writer = new BlockWriter(() => {});
    writer.begin(1, 1);
    writer.row(0, KIND.ahead, SIDE.bid, 5000, 10_000);
    expect(() => (next === undefined ? writer.end() : writer.row(...next))).toThrow(
      /without its level in the next row/,
    );
  });

  it('throws on time running backwards, rows outside of messages, messages left open or too long', () => {
    const writer = new BlockWriter(() => {}, 2);
    expect(() => writer.row(0, 0, 0, 5000, 0)).toThrow(/outside/);
    expect(() => writer.end()).toThrow(/no message/);
    writer.begin(10, 10);
    expect(() => writer.begin(10, 10)).toThrow(/still open/);
    expect(() => writer.finish()).toThrow(/still open/);
    writer.row(0, 0, 0, 5000, 0);
    writer.row(0, 0, 0, 5000, 0);
    expect(() => writer.row(0, 0, 0, 5000, 0)).toThrow(/more than 2 rows/);
    writer.end();
    expect(() => writer.begin(9, 9)).toThrow(/cannot follow one at 10/);
    expect(() => writer.begin(10.5, 11)).toThrow(/exchange time 10.5/);
    const torn = makeBlock(1);
    torn.count = 1;
    torn.tx[0] = 20;
    torn.price[0] = 5000;
    expect(() => writer.append(torn)).toThrow(/without its last row/);
  });
});
