import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, FileFault, priceBps } from '../../src/domain/index.ts';
import { TapeFile, TapeWriter } from '../../src/history/index.ts';
import { type BlockEntry, type Footer, formatFooter, formatTrailer } from '../../src/history/tape-format.ts';
import { BLOCK_ROWS, makeBlock } from '../../src/tape/index.ts';
import { arbitraryMessages, blocksOf, feedOf, type Message, readLines, write } from '../tape/rows.ts';
import { faultOf, footerOf, HEAD, headOf, scratchFolder, writeTape } from './scratch.ts';

/** Messages of one row, a second apart. */
const seconds = (count: number): Message[] =>
  Array.from({ length: count }, (_, i) => ({
    tx: i * 1000,
    rx: i * 1000 + 50,
    rows: [{ market: 0, kind: 0, side: i % 2, price: 1 + (i % 9999), shares: (i % 700) * 10_000 }],
  }));

describe('a tape file', () => {
  it('returns manifest and rows as they were written', () => {
    const path = join(scratchFolder(), 'a.tape');
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        fc.pre(messages.length > 0);
        const manifest = writeTape(path, messages, headOf(4));
        const tape = TapeFile.open(path);
        expect(tape.manifest).toEqual(manifest);
        expect(readLines(tape.feed())).toEqual(readLines(feedOf(blocksOf(messages))));
      }),
      { numRuns: 30 },
    );
  });

  it('has the number of rows, first and last time, scheduled resolution and grids', () => {
    const path = join(scratchFolder(), 'folder', 'that', 'is', 'made', 'a.tape');
    const [first, second] = headOf(2).markets;
    const grid = { type: 'list', bids: [priceBps(10), priceBps(9900)], asks: [priceBps(100)] } as const;
    const markets = [{ ...first!, grid, scheduledResolution: epochMs(77) }, second!];
    writeTape(path, seconds(5), { ...HEAD, markets });
    const { manifest } = TapeFile.open(path);
    expect(manifest).toMatchObject({ format: 1, name: 'made by hand', rows: 5, from: 0, to: 4000, markets });
  });

  it('has a content hash that depends on its rows and not on flushes', () => {
    const folder = scratchFolder();
    const a = writeTape(join(folder, 'a.tape'), seconds(10));
    const b = writeTape(join(folder, 'b.tape'), seconds(10), { ...HEAD, name: 'other' });
    const c = writeTape(join(folder, 'c.tape'), seconds(11));
    expect(b.contentHash).toBe(a.contentHash);
    expect(c.contentHash).not.toBe(a.contentHash);
  });

  it('is read in blocks of any size that holds a message', () => {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, seconds(BLOCK_ROWS + 100));
    const tape = TapeFile.open(path);
    expect(footerOf(readFileSync(path)).blocks).toHaveLength(2);
    const whole = readLines(tape.feed(), BLOCK_ROWS);
    expect(whole).toHaveLength(BLOCK_ROWS + 100);
    expect(readLines(tape.feed(), 777)).toEqual(whole);
    expect(readLines(tape.feed(), 3 * BLOCK_ROWS)).toEqual(whole);
  });

  it('returns the rows of a time range and reads only its blocks', () => {
    const path = join(scratchFolder(), 'a.tape');
    const messages = seconds(2 * BLOCK_ROWS + 100);
    writeTape(path, messages);
    // Damages the first block, which a feed that starts later never reads.
    const bytes = readFileSync(path);
    bytes[40]! ^= 1;
    writeFileSync(path, bytes);
    const tape = TapeFile.open(path);
    const from = (BLOCK_ROWS + 10) * 1000;
    const to = (2 * BLOCK_ROWS + 50) * 1000;
    const expected = readLines(
      feedOf(blocksOf(messages.slice(BLOCK_ROWS + 10, 2 * BLOCK_ROWS + 50), 2 * BLOCK_ROWS)),
      2 * BLOCK_ROWS,
    );
    expect(readLines(tape.feed({ from, to }), BLOCK_ROWS)).toEqual(expected);
    expect(readLines(tape.feed({ from, to }), 500)).toEqual(expected);
    expect(readLines(tape.feed({ from: from - 500, to: to - 500 }), BLOCK_ROWS)).toEqual(expected);
    expect(readLines(tape.feed({ from: 1e12 }), BLOCK_ROWS)).toEqual([]);
    expect(readLines(tape.feed({ from, to: from }), BLOCK_ROWS)).toEqual([]);
    expect(() => readLines(tape.feed({ from: 0, to: 1000 }), BLOCK_ROWS)).toThrow(FileFault);
  });

  it('returns the last row of a block when the range starts there, and does not read a block that starts at its end', () => {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, seconds(BLOCK_ROWS + 100));
    const bytes = readFileSync(path);
    const second = bytes.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 20);
    bytes[second + 50]! ^= 1;
    writeFileSync(path, bytes);
    const tape = TapeFile.open(path);
    const range = { from: (BLOCK_ROWS - 1) * 1000, to: BLOCK_ROWS * 1000 };
    expect(readLines(tape.feed(range), BLOCK_ROWS)).toHaveLength(1);
    expect(() => readLines(tape.feed({ ...range, to: range.to + 1 }), BLOCK_ROWS)).toThrow(FileFault);
  });

  it('throws when the given block cannot hold a message', () => {
    const path = join(scratchFolder(), 'a.tape');
    const row = { market: 0, kind: 0, side: 0, price: 5, shares: 0 };
    writeTape(path, [{ tx: 1, rx: 1, rows: [row, row, row] }]);
    expect(() => readLines(TapeFile.open(path).feed(), 2)).toThrow(/cannot hold the next message/);
  });
});

describe('a damaged tape file', () => {
  const messages = seconds(60);

  it('is detected for any flipped byte and never returns different rows', () => {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, messages);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1 << (at % 8);
      writeFileSync(path, bytes);
      const fault = faultOf(() => readLines(TapeFile.open(path).feed()));
      expect(fault.message).toContain(path);
      expect(fault.where).toMatch(/byte \d+/);
    }
  });

  it('is detected after any cut and when bytes were added', () => {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, messages);
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      expect(faultOf(() => TapeFile.open(path)).message).toMatch(/cut short|not a tape file/);
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]));
    expect(faultOf(() => TapeFile.open(path)).message).toContain('cut short or its end is damaged');
    writeFileSync(path, Buffer.concat([whole.subarray(0, 16), whole]));
    expect(faultOf(() => TapeFile.open(path)).message).toContain('footer');
  });

  it('is detected when it shrinks while it is read', () => {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, messages);
    const feed = TapeFile.open(path).feed();
    writeFileSync(path, readFileSync(path).subarray(0, 50));
    expect(faultOf(() => feed.fill(makeBlock(100))).message).toMatch(
      /block 0 at byte 16: the file ends \d+ bytes early/,
    );
    feed.close();
    feed.close();
  });

  it('is reported with its path when it is a folder', () => {
    const folder = scratchFolder();
    expect(faultOf(() => TapeFile.open(folder)).message).toContain(`${folder}: this is a folder, not a file`);
  });

  it('is reported with a remedy when it is missing', () => {
    const fault = faultOf(() => TapeFile.open('/nowhere/x.tape'));
    expect(fault.message).toBe(
      '/nowhere/x.tape: there is no such file or folder. Check the path, or make the tape with `npx halfspread import` or `npx halfspread tape generate`',
    );
  });
});

describe('a tape file with valid checksums and a changed footer', () => {
  /** Rewrites the footer of a tape of two blocks. */
  function forge(change: (footer: Footer) => Footer, footerOffset = 0): () => unknown {
    const path = join(scratchFolder(), 'a.tape');
    writeTape(path, seconds(BLOCK_ROWS + 100));
    const bytes = readFileSync(path);
    const { offset, ...original } = footerOf(bytes);
    const footer = formatFooter(change(original));
    const trailer = formatTrailer(offset + footerOffset, footer);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, offset), footer, trailer]));
    return () => readLines(TapeFile.open(path).feed(), BLOCK_ROWS);
  }
  const forgeBlocks = (change: (all: [BlockEntry, BlockEntry]) => readonly BlockEntry[]) =>
    forge(({ manifest, blocks: [a, b] }) => ({ manifest, blocks: change([a!, b!]) }));

  it('is read when the footer was rewritten without changes', () => {
    expect(forge((footer) => footer)()).toHaveLength(BLOCK_ROWS + 100);
  });

  it('is refused when the footer contradicts the file or itself', () => {
    expect(forge((footer) => footer, 1)).toThrow(/the footer is not where the trailer states/);
    expect(forgeBlocks(([a, b]) => [{ ...a, offset: 17 }, b])).toThrow(
      /the footer states byte 17 for the block at byte 16/,
    );
    expect(forgeBlocks(([a, b]) => [{ ...a, lastTx: 1e12 }, b])).toThrow(/the block at byte \d+ is out of order/);
    expect(forgeBlocks(([a, b]) => [a, { ...b, lastTx: 0 }])).toThrow(/blocks\[1\]: expected the place, sizes, times/);
    expect(forgeBlocks(([a, b]) => [a, { ...b, firstTx: 0 }])).toThrow(/out of order/);
    expect(
      forge(({ manifest, blocks: all }) => ({ manifest: { ...manifest, to: epochMs(1e12) }, blocks: all })),
    ).toThrow(/the blocks are from 0 to 32867000, the manifest states 0 to 1000000000000/);
    expect(forgeBlocks(([a]) => [a])).toThrow(/the blocks end at byte \d+, not at the footer/);
    expect(forgeBlocks(([a, b]) => [a, { ...b, rows: 99 }])).toThrow(/32867 rows in blocks, 32868 in the manifest/);
    expect(
      forgeBlocks(([a, b]) => [
        { ...a, rows: a.rows - 1 },
        { ...b, rows: b.rows + 1 },
      ]),
    ).toThrow(/block 0 .*rows differ from the footer/);
    expect(forgeBlocks(([a, b]) => [a, { ...b, firstTx: b.firstTx - 1 }])).toThrow(/rows differ from the footer/);
    expect(forgeBlocks(([a, b]) => [{ ...a, rawBytes: a.rawBytes - 1 }, b])).toThrow(
      /block 0 at byte 16: cannot be read/,
    );
    expect(
      forge(({ manifest, blocks: all }) => ({ manifest: { ...manifest, contentHash: 'x' }, blocks: all })),
    ).toThrow(
      /the footer is invalid or of another version \(contentHash: expected 64 lower-case hex digits, got "x"\)/,
    );
  });
});

describe('the writer of a tape', () => {
  it('gives the file its name only when it is complete', () => {
    const folder = scratchFolder();
    const path = join(folder, 'a.tape');
    const writer = new TapeWriter(path);
    write(writer.messages, seconds(2 * BLOCK_ROWS));
    expect(existsSync(path)).toBe(false);
    writer.finish(HEAD);
    expect(readdirSync(folder)).toEqual(['a.tape']);
  });

  it('leaves no file when it is aborted or when nothing was written', () => {
    const folder = scratchFolder();
    const writer = new TapeWriter(join(folder, 'a.tape'));
    write(writer.messages, seconds(10));
    writer.abandon();
    const empty = new TapeWriter(join(folder, 'b.tape'));
    expect(faultOf(() => empty.finish(HEAD)).message).toContain('would have no rows');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('replaces the tape of an earlier writer without mixing rows', () => {
    const path = join(scratchFolder(), 'a.tape');
    const first = new TapeWriter(path);
    write(first.messages, seconds(10));
    const second = new TapeWriter(path);
    write(second.messages, seconds(3));
    expect(faultOf(() => first.finish(HEAD)).message).toContain('another run has begun to write the same tape');
    first.abandon();
    expect(existsSync(path)).toBe(false);
    const { contentHash, rows } = second.finish(HEAD);
    expect(TapeFile.open(path).manifest).toMatchObject({ contentHash, rows });
    expect(existsSync(`${path}.partial`)).toBe(false);
  });

  it('keeps the previous tape until the new one is complete, also after a process that died', () => {
    const folder = scratchFolder();
    const path = join(folder, 'a.tape');
    const { contentHash } = writeTape(path, seconds(3));
    writeFileSync(`${path}.partial`, 'left by a run that was killed');
    writeFileSync(`${path}.partial.123`, 'left by one that was killed at its very end');
    const writer = new TapeWriter(path);
    write(writer.messages, seconds(4));
    expect(TapeFile.open(path).manifest.contentHash).toBe(contentHash);
    writer.finish(HEAD);
    expect(TapeFile.open(path).manifest.rows).toBe(4);
    expect(readdirSync(folder)).toEqual(['a.tape']);
  });

  it('throws on rows of a market that the manifest does not name', () => {
    const path = join(scratchFolder(), 'a.tape');
    const rows = [{ market: 1, kind: 0, side: 0, price: 5000, shares: 10_000 }];
    expect(() => writeTape(path, [{ tx: 1, rx: 1, rows }])).toThrow(/rows of 2 markets on a tape of 1/);
    expect(existsSync(path)).toBe(false);
  });

  it('names a file that cannot be created', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    const fault = faultOf(() => new TapeWriter(join(folder, 'file', 'a.tape')));
    expect(fault.message).toMatch(/a\.tape: could not be made .*A part of the path is a file/);
  });
});
