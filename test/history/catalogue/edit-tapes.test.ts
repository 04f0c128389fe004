import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutTape,
  exportCsv,
  exportParquet,
  joinTapes,
  restoreFromCsv,
  restoreFromParquet,
  TapeFile,
} from '../../../src/history/index.ts';
import { type Block, KIND, SIDE } from '../../../src/tape/index.ts';
import { arbitraryMessages, readLines } from '../../tape/rows.ts';
import { headOf, scratchFolder, writeTape } from '../scratch.ts';
import { ask, bid, buy, CLEAR, message, messagesOf, outPath, row, tapeOf } from '../tape-messages.ts';

describe('a cut of a tape', () => {
  const makeTape = () =>
    tapeOf(
      [
        message(0, bid(4_900), ask(5_100), bid(100, 7, 1)),
        message(10, buy(5_100), buy(101, 1, 1), ask(5_100, 0), ask(5_200, 3)),
        message(20, row(KIND.status, 0, 1, 0), bid(4_800)),
        message(30, bid(4_700), bid(90, 1, 1)),
        message(40, bid(4_600)),
      ],
      2,
    );

  it('starts with the full book of each market and has the rows of its time range', () => {
    const path = outPath();
    const tape = makeTape();
    const manifest = cutTape(tape, path, { from: 20, to: 40 });
    expect(messagesOf(TapeFile.open(path).feed())).toEqual([
      '20: 0 clear 0 0, 0 level 4900 1, 0 level 5200 3',
      '20: 1 clear 0 0, 1 level 100 7',
      '20: 0 status 1 0, 0 level 4800 1',
      '30: 0 level 4700 1, 1 level 90 1',
    ]);
    expect(manifest.source.files).toEqual([{ name: 'a.tape', sha256: tape.manifest.contentHash }]);
  });

  it('has the rows of the named markets with new market numbers', () => {
    const path = outPath();
    const tape = makeTape();
    const [, second] = tape.manifest.markets;
    const shares: number[] = [];
    cutTape(tape, path, { markets: [second?.id ?? ''], onProgress: (share) => shares.push(share) });
    expect(shares).toEqual([0.75, 1]);
    const cut = TapeFile.open(path);
    expect(messagesOf(cut.feed())).toEqual(['0: 0 level 100 7', '10: 0 trade 101 1', '30: 0 level 90 1']);
    expect(cut.manifest.markets).toEqual([second]);
  });

  it('starts with a gap row when its time range starts in a gap', () => {
    const path = outPath();
    cutTape(
      tapeOf([message(0, bid(4_900)), message(10, row(KIND.gap, 0, 0, 0)), message(30, CLEAR, bid(4_800))]),
      path,
      { from: 20 },
    );
    expect(messagesOf(TapeFile.open(path).feed())).toEqual(['20: 0 gap 0 0', '30: 0 clear 0 0, 0 level 4800 1']);
  });

  it('is refused outside of the tape and for unknown or repeated markets, and leaves no file', () => {
    const path = outPath();
    const tape = makeTape();
    expect(() => cutTape(tape, path, { from: 41 })).toThrow(/--from/);
    expect(() => cutTape(tape, path, { from: 30, to: 30 })).toThrow(/--to/);
    expect(() => cutTape(tape, path, { markets: ['x'] })).toThrow(/--market/);
    const [{ id, slug } = { id: '', slug: '' }] = tape.manifest.markets;
    expect(() => cutTape(tape, path, { markets: [id, slug] })).toThrow(/--market.*each market once/);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('equals the tape when it contains all rows', () => {
    fc.assert(
      fc.property(arbitraryMessages(20), (messages) => {
        fc.pre(messages.length > 0);
        const whole = tapeOf(messages, 4);
        const path = outPath();
        expect(cutTape(whole, path, {}).contentHash).toBe(whole.manifest.contentHash);
      }),
      { numRuns: 20 },
    );
  });
});

describe('tapes of trades without a book', () => {
  const trades = (time: number): TapeFile => {
    const path = join(scratchFolder(), 'trades.tape');
    writeTape(path, [message(time, buy(5_100)), message(time + 10, buy(5_200))], { ...headOf(1), content: 'trades' });
    return TapeFile.open(path);
  };

  it('are marked as tapes of trades after a cut and a join', () => {
    const [cut, joined] = [outPath(), outPath()];
    cutTape(trades(0), cut, { to: 5 });
    joinTapes([trades(0), trades(100)], joined);
    expect([cut, joined].map((path) => TapeFile.open(path).manifest.content)).toEqual(['trades', 'trades']);
  });

  it('have no gap between them, because no full book could end it', () => {
    const joined = outPath();
    const { counts } = joinTapes([trades(0), trades(100_000)], joined);
    expect(messagesOf(TapeFile.open(joined).feed())).toEqual([
      '0: 0 trade 5100 1',
      '10: 0 trade 5200 1',
      '100000: 0 trade 5100 1',
      '100010: 0 trade 5200 1',
    ]);
    expect(counts).toMatchObject({ seams: 1, gaps: 0 });
  });

  it('cannot be joined with tapes with a book', () => {
    expect(() => joinTapes([trades(0), tapeOf([message(100, bid(4_900))])], outPath())).toThrow(
      'a.tape: expected a tape of trades, as the other tapes are, got "books"',
    );
  });

  it('are the same file after an export to Parquet and back, as tapes with a book are', async () => {
    for (const tape of [
      trades(0),
      tapeOf([message(0, bid(4_900), ask(5_100)), message(10, buy(5_100), ask(5_100, 0))]),
    ]) {
      const parquet = join(scratchFolder(), 'a.parquet');
      const path = outPath();
      await exportParquet(tape, parquet);
      await restoreFromParquet(parquet, path);
      expect(readFileSync(path).equals(readFileSync(tape.path))).toBe(true);
    }
  });
});

describe('an export', () => {
  it('to Parquet and back is the same tape', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMessages(40), async (messages) => {
        fc.pre(messages.length > 0);
        const tape = tapeOf(messages, 4);
        const folder = scratchFolder();
        const [parquet, path] = [join(folder, 'a.parquet'), join(folder, 'again.tape')];
        await exportParquet(tape, parquet);
        expect(await restoreFromParquet(parquet, path)).toEqual(tape.manifest);
        expect(readLines(TapeFile.open(path).feed())).toEqual(readLines(tape.feed()));
      }),
      { numRuns: 20 },
    );
  });

  it('in several groups of rows is the same tape', async () => {
    const messages = Array.from({ length: 150_000 }, (_, count) =>
      message(count, bid(1 + (count % 9_000), count % 50)),
    );
    const tape = tapeOf(messages);
    const parquet = join(scratchFolder(), 'a.parquet');
    const path = outPath();
    await exportParquet(tape, parquet);
    expect(await restoreFromParquet(parquet, path)).toEqual(tape.manifest);
  }, 60_000);

  it('is refused when it is damaged or another kind of file, and leaves no tape', async () => {
    const tape = tapeOf([message(0, bid(4_900), ask(5_100)), message(10, bid(4_800))]);
    const parquet = join(scratchFolder(), 'a.parquet');
    const path = outPath();
    await exportParquet(tape, parquet);
    const bytes = readFileSync(parquet);
    const damaged = `${parquet}: the file is damaged, cut short or not a Parquet file. Export the tape again with \`npx halfspread tape export\``;
    writeFileSync(parquet, bytes.subarray(0, bytes.length - 100));
    await expect(restoreFromParquet(parquet, path)).rejects.toMatchObject({ message: damaged });
    writeFileSync(
      parquet,
      bytes.map((byte, at) => (at >= 4 && at < 12 ? 255 : byte)),
    );
    await expect(restoreFromParquet(parquet, path)).rejects.toMatchObject({ message: damaged });
    writeFileSync(parquet, bytes.toString('latin1').replace('halfspread.manifest', 'halfspread.manifesx'), 'latin1');
    await expect(restoreFromParquet(parquet, path)).rejects.toThrow(/not an export of a tape/);
    writeFileSync(parquet, bytes.toString('latin1').replace('"name"', '"nane"'), 'latin1');
    await expect(restoreFromParquet(parquet, path)).rejects.toThrow(
      /a\.parquet: its manifest is invalid \(nane: .*Export the tape again/,
    );
    rmSync(parquet);
    mkdirSync(parquet);
    await expect(restoreFromParquet(parquet, path)).rejects.toThrow(`${parquet}: this is a folder, not a file`);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('to Parquet is refused with the reason when a row is not one of a tape', async () => {
    const tape = tapeOf([message(0, bid(4_900), ask(5_100)), message(10, bid(4_800))]);
    const parquet = join(scratchFolder(), 'a.parquet');
    const feed = tape.feed();
    const forgedFeed = {
      ...feed,
      fill: (block: Block) => {
        const count = feed.fill(block);
        block.price[0] = 10_001;
        return count;
      },
      close: () => feed.close(),
    };
    await exportParquet({ manifest: tape.manifest, feed: () => forgedFeed } as unknown as TapeFile, parquet);
    const path = outPath();
    await expect(restoreFromParquet(parquet, path)).rejects.toThrow(
      /a\.parquet: its rows are invalid \(.*10001.* in the message at 0\)\. Export the tape again/,
    );
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('to CSV has a line for each row, with names for codes', async () => {
    const tape = tapeOf([
      message(1_000, row(KIND.status, 0, 1, 0), bid(4_900, 150)),
      {
        tx: 1_010,
        rx: 1_020,
        rows: [row(KIND.trade, SIDE.unknown, 5_000, 1), { ...row(KIND.placeDelay, 0, 0, 0), shares: 5_000 }],
      },
      message(1_030, row(KIND.gap, 0, 0, 0)),
    ]);
    const path = join(scratchFolder(), 'a.csv');
    await exportCsv(tape, path);
    expect(readFileSync(path, 'utf8')).toBe(
      `tx,rx,market,kind,side,price,shares,last,inferred,own,late,opening
1000,1000,a-market,status,bid,HALTED,0,0,0,0,0,0
1000,1000,a-market,level,bid,4900,1.5,1,0,0,0,0
1010,1020,a-market,trade,unknown,5000,0.01,0,0,0,0,0
1010,1020,a-market,placeDelay,bid,0,5000,1,0,0,0,0
1030,1030,a-market,gap,bid,0,0,1,0,0,0,0
`,
    );
  });

  it('to CSV and back is the same file, with every flag', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMessages(40), async (messages) => {
        fc.pre(messages.length > 0);
        // Slugs name the markets of a CSV file.
        const head = headOf(4);
        const path = join(scratchFolder(), 'a.tape');
        writeTape(path, messages, {
          ...head,
          markets: head.markets.map((market, no) => ({ ...market, slug: `a, "${no}"` })),
        });
        const [csv, restored] = [join(scratchFolder(), 'a.csv'), outPath()];
        await exportCsv(TapeFile.open(path), csv);
        await restoreFromCsv(csv, restored);
        expect(readFileSync(restored).equals(readFileSync(path))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('to CSV is refused with its line when it was changed or lacks the manifest, and leaves no tape', async () => {
    const csv = join(scratchFolder(), 'a.csv');
    const path = outPath();
    await exportCsv(tapeOf([message(0, bid(4_900), ask(5_100)), message(10, bid(4_800))]), csv);
    const text = readFileSync(csv, 'utf8');
    const restore = (changed: string) => {
      writeFileSync(csv, changed);
      return restoreFromCsv(csv, path);
    };
    await expect(restore(text.replace('4800', '4700'))).rejects.toThrow(/a\.csv: the content hash of the rows differs/);
    const kept = writeTape(path, [message(0, bid(4_700))]);
    await expect(restore(text.replace('4800', '4700'))).rejects.toThrow(/the content hash of the rows differs/);
    expect(TapeFile.open(path).manifest).toEqual(kept);
    rmSync(path);
    await expect(restore(text.replace('4800', 'x'))).rejects.toThrow(
      /a\.csv, line 4: column "price": "x" is not a number/,
    );
    await expect(restore(text.replace('a-market', 'b'))).rejects.toThrow(
      /a\.csv, line 2: column "market": "b" is not a word/,
    );
    await expect(restore(text.replace('10,10,', '-1,-1,'))).rejects.toThrow(/a\.csv, line 4: a message at -1/);
    await expect(restore(text.slice(0, -4))).rejects.toThrow(/a\.csv, line 4: the row does not have 12 cells/);
    await expect(restore(text.slice(text.indexOf('\n') + 1))).rejects.toThrow(
      /a\.csv, line 1: the columns are not tx,rx/,
    );
    writeFileSync(csv, Buffer.from(text.replace('4800', '48\u00e9'), 'latin1'));
    await expect(restoreFromCsv(csv, path)).rejects.toThrow(
      /a\.csv, after line \d: the file is not UTF-8 text\. If it/,
    );
    writeFileSync(`${csv}.json`, '{}');
    await expect(restore(text)).rejects.toThrow(/a\.csv\.json: not a manifest of a tape/);
    rmSync(`${csv}.json`);
    await expect(restore(text)).rejects.toThrow(
      /a\.csv\.json: there is no such file.*Put the manifest back beside the CSV file, or export the tape again/,
    );
    await expect(
      (async () => {
        await exportCsv(tapeOf([message(0, bid(4_900), bid(4_900, 1, 1))], 2), csv);
        await restoreFromCsv(csv, path);
      })(),
    ).rejects.toThrow(/two of its markets have the same slug/);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.each([
    ['a.parquet', restoreFromParquet],
    ['a.csv', restoreFromCsv],
  ])('that is missing is named with its path and with the command that writes it: %s', async (name, restore) => {
    const path = outPath();
    const source = join(scratchFolder(), 'none', name);
    await expect(restore(source, path)).rejects.toThrow(
      `${source}: there is no such export of a tape. Check the path, or write the export with \`npx halfspread tape export\``,
    );
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('that is a tape is refused', async () => {
    await expect(restoreFromParquet('/a/b.tape', outPath())).rejects.toThrow(
      '/a/b.tape: this is a tape, not an export of a tape. Use it as it is',
    );
  });
});
