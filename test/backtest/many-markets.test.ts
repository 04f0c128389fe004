import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest, runForResult } from '../../src/backtest/index.ts';
import type { TapeHead } from '../../src/history/index.ts';
import { fileServer } from '../history/remote/file-server.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row } from './scenario.ts';

const SPEC = {
  strategy: 'quoter',
  params: { bid: 5_000, shares: 10 },
  report_dir: null,
  latency: { model: 'constant', feed_ms: 0, entry_ms: 1, response_ms: 0 },
};

function headWith(name: string, first: number, category: string | undefined, markets = 1): TapeHead {
  const head = headOf(name, markets, first);
  return {
    ...head,
    markets: head.markets.map((market) => ({
      ...market,
      category,
      tags: category === undefined ? undefined : ['live'],
    })),
  };
}

/** Each market opens at 5000 / 6000, has a sale at 5000, and resolves at a different time. */
const scenario = (start: number, payout: number, market = 0) => [
  message(start, row.open(market), row.bid(5_000, 1, market), row.ask(6_000, 100, market)),
  message(start + 1_000, row.print('SELL', 5_000, 100, market)),
  message(start + 5_000, row.resolved(payout, market)),
];

/** Tennis 1 from 1 s, football 2 from 3 s, and a tape of tennis 3 and tennis 4 from 2 s. */
function folderOfTapes(): string {
  const folder = scratchFolder();
  const tapes = join(folder, 'tapes');
  mkdirSync(tapes);
  writeTape(join(tapes, 'a.tape'), scenario(1_000, 10_000), headWith('a', 1, 'tennis'));
  writeTape(join(tapes, 'b.tape'), scenario(3_000, 0), headWith('b', 2, 'football'));
  const messages = [...scenario(2_000, 0), ...scenario(2_000, 10_000, 1)].toSorted((a, b) => a.tx - b.tx);
  writeTape(join(tapes, 'c.tape'), messages, headWith('c', 3, 'tennis', 2));
  return folder;
}

const run = (folder: string, tapes: readonly unknown[], change: object = {}) =>
  runBacktest(parseRunSpec({ ...SPEC, tapes, ...change }), options(folder));

const slugs = (markets: readonly { slug: string }[]): string[] => markets.map(({ slug }) => slug);

describe('a backtest over many markets', () => {
  it('trades the markets of a folder with shared capital, and settles each when it resolves', async () => {
    const folder = folderOfTapes();
    const { result, detail } = await run(folder, ['tapes']);
    expect(slugs(result.markets)).toEqual(['market-1', 'market-2', 'market-3', 'market-4']);
    expect(result.markets.map(({ payout, fills, pnlMicros }) => [payout, fills, pnlMicros])).toEqual([
      [10_000, 1, 5_000_000],
      [0, 1, -5_000_000],
      [0, 1, -5_000_000],
      [10_000, 1, 5_000_000],
    ]);
    expect([result.pnl.totalMicros, result.inSample, result.tapes.length]).toEqual([0, false, 3]);
    expect(slugs(detail.markets)).toEqual(slugs(result.markets));
    expect(result.capitalInUse.maxMicros).toBeGreaterThan(15_000_000);
  });

  it('has the same result for a folder, its files and a condition that all markets fulfil', async () => {
    const folder = folderOfTapes();
    const runs = await Promise.all(
      [
        ['tapes'],
        ['tapes/a.tape', 'tapes/b.tape', 'tapes/c.tape'],
        [{ folder: 'tapes', where: "category in ('tennis', 'football')" }],
      ].map(async (tapes) => (await run(folder, tapes)).result.eventLogHash),
    );
    expect(new Set(runs).size).toBe(1);
  });

  it('has the same result for a folder at a URL', async () => {
    const [folder, server] = [folderOfTapes(), await fileServer()];
    const local = await run(folder, ['tapes']);
    const remote = { cacheFolder: join(folder, 'cache') };
    const tapes = join(folder, 'tapes');
    for (const name of readdirSync(tapes)) server.files.set(`/tapes/${name}`, readFileSync(join(tapes, name)));
    for (const entry of [`${server.url}/tapes/`, { folder: `${server.url}/tapes`, where: 'volume >= 0' }]) {
      const spec = parseRunSpec({ ...SPEC, tapes: [entry] });
      const { eventLogHash } = await runForResult(spec, { ...options(folder), remote });
      expect(eventLogHash).toBe(local.result.eventLogHash);
    }
    await expect(run(folder, [`${server.url}/tapes/`])).rejects.toThrow(/no folder for copies of remote tapes is set/);
  });

  it('trades only markets that match the condition, also of a tape with others', async () => {
    const folder = folderOfTapes();
    const tennis = await run(folder, [{ folder: 'tapes', where: "category = 'tennis' and not slug = 'market-3'" }]);
    expect(slugs(tennis.result.markets)).toEqual(['market-1', 'market-4']);
    expect(tennis.result.pnl.totalMicros).toBe(10_000_000);
    const other = await run(folder, [{ folder: 'tapes', where: "category = 'tennis' and not slug = 'market-4'" }]);
    expect(other.result.eventLogHash).not.toBe(tennis.result.eventLogHash);
  });

  it('evaluates conditions with data from before its start', async () => {
    const folder = folderOfTapes();
    const where = 'volume_before >= 50 and trades_before = 1';
    const from = '1970-01-01T00:00:03.500Z';
    const { result } = await run(folder, [{ folder: 'tapes', where }], { from });
    expect(slugs(result.markets)).toEqual(['market-1', 'market-3', 'market-4']);
    expect(result.inSample).toBe(false);
    await expect(run(folder, [{ folder: 'tapes', where }])).rejects.toThrow(
      /from: expected a time, because volume_before/,
    );
  });

  it('is marked as in-sample when its condition uses later data', async () => {
    const folder = folderOfTapes();
    const { result, detail } = await run(folder, [{ folder: 'tapes', where: 'payout = 10000 and volume > 0' }]);
    expect(slugs(result.markets)).toEqual(['market-1', 'market-4']);
    expect(result.inSample).toBe(true);
    expect(detail.warnings.join(' ')).toContain('in-sample: the tapes were chosen by payout, volume');
    expect(detail.facts.map(({ value }) => value)).toContain('yes (in-sample): payout, volume');
    const spec = parseRunSpec({ ...SPEC, tapes: ['tapes'], in_sample: true });
    expect((await runForResult(spec, options(folder))).inSample).toBe(true);
  });

  it('selects markets by the category and tags of their tapes', async () => {
    const folder = scratchFolder();
    const scenario = [
      message(1_000, row.open(), row.bid(5_000, 1), row.ask(6_000, 100)),
      message(11_000, row.ask(6_000, 90)),
      message(12_000, row.print('SELL', 5_000, 100)),
      message(20_000, row.resolved(10_000)),
    ];
    writeTape(join(folder, 'a.tape'), scenario, headWith('a', 1, 'tennis'));
    writeTape(join(folder, 'b.tape'), scenario, headWith('b', 2, 'football'));
    const select = { category: 'tennis', tags: ['live'], every_s: 5 };
    const { result } = await run(folder, ['a.tape', 'b.tape'], { markets: { select } });
    expect(result.markets.map(({ fills }) => fills)).toEqual([1, 0]);
  });

  it.each<[string, readonly unknown[], RegExp]>([
    [
      'a condition that no market fulfils',
      [{ folder: 'tapes', where: "category = 'golf'" }],
      /tapes\[0\]\.where: expected a condition that a market on/,
    ],
    [
      'a condition that cannot be read',
      [{ folder: 'tapes', where: 'categry = 1' }],
      /tapes\[0\]\.where: .* at character 1/,
    ],
    ['a folder without tapes', ['.'], /tapes\[0\]: expected a folder with tapes/],
    ['a folder that does not exist', [{ folder: 'none' }], /there is no such file or folder/],
    ['a market twice', ['tapes', 'tapes/a.tape'], /a tape without the market market-1/],
  ])('refuses %s', async (_what, tapes, problem) => {
    await expect(run(folderOfTapes(), tapes)).rejects.toThrow(problem);
  });

  it('refuses a folder with an invalid tape file', async () => {
    const folder = folderOfTapes();
    writeFileSync(join(folder, 'tapes/d.tape'), 'x');
    await expect(run(folder, ['tapes'])).rejects.toThrow(/d\.tape: the tape cannot be used/);
  });
});
