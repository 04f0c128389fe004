import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeAhead, ReadAheadDecoder, startDecodeAheadThread } from '../../src/history/decode-ahead.ts';
import { TapeFile } from '../../src/history/index.ts';
import { makeRingMemory, ReadAheadRing, SLOTS } from '../../src/history/read-ahead-ring.ts';
import { BLOCK_ROWS, type Feed, makeBlock, mergeFeeds } from '../../src/tape/index.ts';
import { lines, type Message, readLines } from '../tape/rows.ts';
import { footerOf, makeScratch, writeTape } from './scratch.ts';

const BLOCKS = SLOTS + 2;
const scratch = makeScratch();
let path = '';

beforeAll(() => {
  path = join(scratch.path, 'a.tape');
  const messages = Array.from({ length: (BLOCKS - 1) * BLOCK_ROWS + 100 }, (_, i): Message => {
    const row = { market: 0, kind: 0, side: i % 2, price: 1 + (i % 9999), shares: (i % 700) * 10_000 };
    return { tx: i * 1000, rx: i * 1000 + (i % 90), rows: [row] };
  });
  writeTape(path, messages);
});

/** The same tape with one bit of block `index` flipped. */
function damagedTape(index: number): string {
  const bytes = readFileSync(path);
  bytes[footerOf(bytes).blocks[index]!.offset + 50]! ^= 1;
  const copy = join(scratch.path, `damaged-${index}.tape`);
  writeFileSync(copy, bytes);
  return copy;
}

/** Reads slower than the thread. @returns number of rows, first time and last size of each block, and the fault */
async function read(feed: Feed): Promise<readonly string[]> {
  const block = makeBlock(BLOCK_ROWS);
  const received: string[] = [];
  try {
    while (feed.fill(block) > 0) {
      received.push(`${block.count} ${block.tx[0]} ${block.shares[block.count - 1]}`);
      await turn();
    }
  } catch (error) {
    received.push(String(error));
  }
  feed.close();
  return received;
}

function feedAhead(tape: TapeFile, range: { from?: number; to?: number } = {}): Feed {
  const decoder = new ReadAheadDecoder(1);
  const feed = tape.feed({ ...range, decoder });
  decoder.start();
  return feed;
}

describe('a feed that is decoded in advance', () => {
  it('has the same rows as a plain feed, in blocks of any size and over any range', () => {
    const tape = TapeFile.open(path);
    for (const range of [{}, { from: 40_000_123, to: (BLOCK_ROWS * 3 + 5) * 1000 }, { from: 1e12 }, { to: 0 }]) {
      for (const capacity of [BLOCK_ROWS, 10_000]) {
        // Texts compare in a fraction of the seconds that lists of 300,000 lines take.
        const rows = readLines(feedAhead(tape, range), capacity).join('\n');
        expect(rows === readLines(tape.feed(range), capacity).join('\n')).toBe(true);
      }
    }
  });

  it('reports a damaged block with the same message after the same rows as a plain feed', async () => {
    for (const index of [0, 1, SLOTS, BLOCKS - 1]) {
      const tape = TapeFile.open(damagedTape(index));
      const received = await read(feedAhead(tape));
      expect(received).toHaveLength(index + 1);
      expect(received.at(-1)).toContain(`block ${index} at byte`);
      expect(received.at(-1)).toContain('the checksum is wrong: the file is damaged');
      expect(received).toEqual(await read(tape.feed()));
    }
  });

  it('reports the same fault again when it is read again', () => {
    const feed = feedAhead(TapeFile.open(damagedTape(0)));
    const block = makeBlock(BLOCK_ROWS);
    expect(() => feed.fill(block)).toThrow('the checksum is wrong');
    expect(() => feed.fill(block)).toThrow('the checksum is wrong');
    feed.close();
  });

  it('reports a file that was cut short after it was opened', async () => {
    const copy = join(scratch.path, 'cut.tape');
    const bytes = readFileSync(path);
    writeFileSync(copy, bytes);
    const tape = TapeFile.open(copy);
    writeFileSync(copy, bytes.subarray(0, footerOf(bytes).blocks[2]!.offset + 10));
    const received = await read(feedAhead(tape));
    expect(received).toHaveLength(3);
    expect(received.at(-1)).toMatch(/block 2 at byte \d+: the file ends \d+ bytes early/);
  });

  it('can be closed at any time, and twice', () => {
    const tape = TapeFile.open(path);
    const block = makeBlock(BLOCK_ROWS);
    for (const reads of [0, 1, 3]) {
      const feed = feedAhead(tape);
      for (let fills = 0; fills < reads; fills += 1) expect(feed.fill(block)).toBe(BLOCK_ROWS);
      feed.close();
      feed.close();
    }
  });
});

describe('several tapes that one thread decodes in advance', () => {
  const mergedFeed = (tapes: readonly TapeFile[], decoder: ReadAheadDecoder | undefined) => {
    const feeds = tapes.map((tape) => ({ feed: tape.feed({ decoder }), markets: 1 }));
    decoder?.start();
    return mergeFeeds(feeds);
  };

  it('have the same rows as plain feeds, also when one ends early', async () => {
    const short = join(scratch.path, 'short.tape');
    writeTape(short, [{ tx: 7_500, rx: 7_500, rows: [{ market: 0, kind: 0, side: 0, price: 77, shares: 10_000 }] }]);
    const tapes = [path, short, path].map((file) => TapeFile.open(file));
    const ahead = await read(mergedFeed(tapes, new ReadAheadDecoder(tapes.length)));
    expect(ahead.length).toBeGreaterThan(2 * BLOCKS - 2);
    expect(ahead).toEqual(await read(mergedFeed(tapes, undefined)));
  });

  it('end at the same fault as plain feeds', async () => {
    const tapes = [path, damagedTape(2)].map((file) => TapeFile.open(file));
    const ahead = await read(mergedFeed(tapes, new ReadAheadDecoder(2)));
    expect(ahead.at(-1)).toContain('block 2 at byte');
    expect(ahead).toEqual(await read(mergedFeed(tapes, undefined)));
  });

  it('share bounded memory, so the thread decodes none of more than 32 tapes', () => {
    const slots = (tapes: number) => {
      const decoder = new ReadAheadDecoder(tapes);
      const { blocks } = footerOf(readFileSync(path));
      const tape = { path, blocks, markets: 1 };
      return Array.from({ length: tapes }, () => decoder.add(tape, 0, blocks.length)).filter(
        (ring) => ring !== undefined,
      ).length;
    };
    expect([1, 8, 9, 32, 33, 80].map(slots)).toEqual([1, 8, 9, 32, 0, 0]);
  });
});

describe('the decoding thread', () => {
  const startThread = (file: string, end: number) => {
    const memory = makeRingMemory(0, end, BLOCK_ROWS);
    const thread = startDecodeAheadThread([
      { path: file, blocks: footerOf(readFileSync(path)).blocks, markets: 1, memory },
    ]);
    return { ring: new ReadAheadRing(memory), ended: once(thread, 'exit') };
  };

  it('ends when all blocks are decoded', async () => {
    const { ring, ended } = startThread(path, SLOTS);
    expect(await ended).toEqual([0]);
    const block = makeBlock(BLOCK_ROWS);
    for (let index = 0; index < SLOTS; index += 1) expect(ring.read(index, BLOCK_ROWS, block)).toBe(true);
  });

  it('ends when the ring is closed before it has finished', async () => {
    const { ring, ended } = startThread(path, BLOCKS);
    ring.close();
    expect(await ended).toEqual([0]);
  });

  it('fails silently when it cannot open the file, as the reader reports the error', async () => {
    const { ring, ended } = startThread(join(scratch.path, 'nowhere.tape'), BLOCKS);
    await expect(ended).rejects.toThrow('ENOENT');
    expect(ring.read(0, BLOCK_ROWS, makeBlock(BLOCK_ROWS))).toBe(false);
  });
});

describe('the work of the decoding thread', () => {
  const decodeRange = (file: string, first: number, end: number): ReadAheadRing => {
    const memory = makeRingMemory(first, end, BLOCK_ROWS);
    decodeAhead([{ path: file, blocks: footerOf(readFileSync(file)).blocks, markets: 1, memory }]);
    return new ReadAheadRing(memory);
  };

  it('decodes the rows of the range', () => {
    const ring = decodeRange(path, 1, 1 + SLOTS);
    const [block, plain] = [makeBlock(BLOCK_ROWS), makeBlock(BLOCK_ROWS)];
    const feed = TapeFile.open(path).feed({ from: BLOCK_ROWS * 1000 });
    for (let index = 1; index < 1 + SLOTS; index += 1) {
      expect(ring.read(index, BLOCK_ROWS, block)).toBe(true);
      feed.fill(plain);
      expect(lines(block).join('\n') === lines(plain).join('\n')).toBe(true);
    }
    feed.close();
  });

  it('continues after a damaged block, which the reader detects', () => {
    const ring = decodeRange(damagedTape(1), 0, 3);
    const block = makeBlock(BLOCK_ROWS);
    expect([0, 1, 2].map((index) => ring.read(index, BLOCK_ROWS, block))).toEqual([true, false, true]);
  });

  it('decodes nothing after the ring is closed', () => {
    const memory = makeRingMemory(0, 3, BLOCK_ROWS);
    new ReadAheadRing(memory).close();
    decodeAhead([{ path, blocks: footerOf(readFileSync(path)).blocks, markets: 1, memory }]);
    expect([...memory.control.slice(2)]).toEqual(Array(SLOTS).fill(0));
  });
});
