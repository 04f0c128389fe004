import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TapeFile } from '../../src/history/index.ts';
import { newFolder, ROOT } from './halfspread.ts';
import { runInProcess } from './trading.ts';

const SHIPPED = 'config/tapes/betfair-1.200806927.tape';
const { manifest } = TapeFile.open(join(ROOT, SHIPPED));
const MAPPINGS = readdirSync(join(ROOT, 'config/mappings')).map((file) => basename(file, '.yaml'));

describe('halfspread import betfair', () => {
  it('reproduces the shipped tape and prints counts of what it read', async () => {
    const folder = newFolder();
    const recording = join(ROOT, 'test/fixtures/betfair/1.200806927.gz');
    const { code, stdout, stderr } = await runInProcess(['import', 'betfair', recording, '--out', 'tapes'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(manifest.contentHash);
    expect(stdout).toMatch(/^trades +8,758 from 11,205 increments \(2,273 buys, 6,485 sells, 0 unknown\)$/m);
    expect(stdout).toMatch(/^dropped +16 messages with falling totals \(211 entries\)/m);
    expect(stdout).toMatch(/^crossed +0 of 18,519 open states$/m);
    expect(TapeFile.open(join(folder, 'tapes/betfair-1.200806927.tape')).manifest.contentHash).toBe(
      manifest.contentHash,
    );
  });

  it('prints one object with --json', async () => {
    const recording = join(ROOT, 'test/fixtures/betfair/1.197931751.gz');
    const args = ['import', 'betfair', recording, '--json', '--licence', 'MIT', '--description', 'a test'];
    const { stdout } = await runInProcess(args, newFolder());
    const source = { licence: 'MIT', description: 'a test' };
    expect(JSON.parse(stdout).tapes[0]).toMatchObject({
      resolved: true,
      manifest: { name: 'betfair-1.197931751-44331354', source },
      quality: { markets: [{ lost: { count: 0 }, gaps: { longest: expect.any(Array) } }] },
    });
  });
});

describe('halfspread import polymarket and import kalshi', () => {
  const captures = join(ROOT, 'test/fixtures/captures');

  it('make a tape from a capture and print what they read, changed and dropped, with positions', async () => {
    const folder = newFolder();
    const args = ['import', 'polymarket', join(captures, 'polymarket.jsonl')];
    const { code, stdout } = await runInProcess(
      [...args, '--markets', join(captures, 'polymarket-markets.json')],
      folder,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^messages +book 4, price_change 6, last_trade_price 2, invalid 1, market_resolved 1$/m);
    expect(stdout).toMatch(
      /^shares +7\.005000 in trades = 7\.000000 printed \+ 0\.000000 dropped \+ 0\.005000 rounded off$/m,
    );
    expect(stdout).toMatch(/^changed +1 x best prices other than stated: .* \(polymarket\.jsonl:7\)$/m);
    expect(stdout).toMatch(/^dropped +1 x incomplete last line \(polymarket\.jsonl:16\)$/m);
    expect(stdout).toMatch(/^ {2}lost +2 gaps in the recording/m);
    expect(stdout).toMatch(/^ {2}pays +10000 bps/m);
    const { markets } = TapeFile.open(join(folder, 'tapes/polymarket-polymarket.tape')).manifest;
    expect(markets).toMatchObject([{ slug: 'rain-lisbon-2026-01-01', outcomes: ['Yes', 'No'] }]);
  });

  it('report that a finished import is up to date until an option changes', async () => {
    const folder = newFolder();
    const args = ['import', 'polymarket', join(captures, 'polymarket.jsonl')];
    const first = await runInProcess(args, folder);
    const again = await runInProcess(args, folder);
    expect(again.stdout).toBe(
      `up to date: the same files and options were imported before. \`--force\` imports them again\n${first.stdout}`,
    );
    expect((await runInProcess([...args, '--force'], folder)).stdout).toBe(first.stdout);
    expect((await runInProcess([...args, '--pair-window', '0'], folder)).stdout).not.toMatch(/^up to date/);
    const read = await runInProcess([...args, '--pair-window', '0', '--json'], folder);
    expect(JSON.parse(read.stdout)).toMatchObject({ isUpToDate: true, resumedAt: 0 });
  });

  it('print one object with --json', async () => {
    const args = ['import', 'kalshi', join(captures, 'kalshi.jsonl'), '--json', '--name', 'rain', '--licence', 'MIT'];
    const { code, stdout } = await runInProcess(args, newFolder());
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kinds: expect.arrayContaining([
        { kind: 'orderbook_delta', count: 5 },
        { kind: 'trade', count: 4 },
      ]),
      counts: { trades: { read: 3, prints: 2, paired: 2 } },
      resumedAt: 0,
      tapes: [{ resolved: true, manifest: { name: 'rain', source: { licence: 'MIT' } } }],
    });
  });
});

it.each([
  ['kalshi', ['test/fixtures/captures/kalshi.jsonl', '--name', 'x']],
  ['csv', ['test/fixtures/import/polymarket-trades.csv', '--mapping', 'polymarket-trades', '--set', 'name=x']],
])('halfspread import %s warns when the state of a killed import is damaged', async (source, [file = '', ...args]) => {
  const folder = newFolder();
  const state = join(folder, 'tapes/.import-x/state.json');
  mkdirSync(join(state, '..'), { recursive: true });
  writeFileSync(state, '{');
  const { code, stderr } = await runInProcess(['import', source, join(ROOT, file), ...args], folder);
  const text = 'the file is damaged or of another version. The import starts from the beginning';
  expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${state}: ${text}\n` });
});

describe('halfspread import csv', () => {
  it('accepts the name of a shipped mapping in any folder', async () => {
    const folder = newFolder();
    const file = join(ROOT, 'test/fixtures/import/polymarket-trades.csv');
    const { code, stdout } = await runInProcess(['import', 'csv', '--mapping', 'polymarket-trades', file], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^trades +120 of 120 /m);
    expect(stdout).toMatch(/^ {2}pays +unknown: the tape has no resolution$/m);
  });

  it.each([
    ['polymarket-trade', `(did you mean "polymarket-trades"? known: ${MAPPINGS.join(', ')})`],
    ['betfair', `(known: ${MAPPINGS.join(', ')})`],
  ])('suggests the closest shipped mapping when no file and no mapping is named %s', async (mapping, hint) => {
    const { code, stderr } = await runInProcess(['import', 'csv', '--mapping', mapping, 'a.csv'], newFolder());
    expect(code).toBe(2);
    expect(stderr).toBe(
      `error: --mapping: expected the path of a mapping, or the name of one ${hint}, got "${mapping}"\n`,
    );
  });
});

describe('halfspread tape', () => {
  it('info prints the manifest', async () => {
    const { code, stdout, stderr } = await runInProcess(['tape', 'info', SHIPPED]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of [
      manifest.contentHash,
      'slug          betfair-match-odds-1-200806927-runner-228749',
      'YES runner 228749, NO runner 2857977',
      '30,531',
      manifest.source.licence,
      '5 % of net winnings',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(JSON.parse((await runInProcess(['tape', 'info', SHIPPED, '--json'])).stdout)).toMatchObject({
      bytes: readFileSync(join(ROOT, SHIPPED)).length,
      manifest: { contentHash: manifest.contentHash },
    });
  });

  it('check measures the in-play period as docs/spec/models.md#plausibility defines', async () => {
    const args = ['tape', 'check', SHIPPED, '--from', '2022-07-11T11:00:20.540Z'];
    const { code, stdout } = await runInProcess(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}spread +20 \/ 71 \/ 203 bps/m);
    expect(stdout).toMatch(/^ {2}makers earned +61\.5 bps effective, 7\.8 bps after 1 s/m);
    expect(stdout).toMatch(/^ {2}pays +10000 bps a YES share$/m);
  });

  it('check refuses an invalid time', async () => {
    const { code, stderr } = await runInProcess(['tape', 'check', SHIPPED, '--from', 'noon']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from: expected a time such as'),
    });
  });
});
