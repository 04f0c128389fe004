/** The markets of a run, and of one that continues an earlier run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readLiveMarkets } from '../../../src/app/live/markets.ts';
import { readLiveFile } from '../../../src/config/live-file.ts';
import { polymarketMarketId, StrategyAssignments } from '../../../src/runtime/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import type { MarketDirectory } from '../../../src/venues/base/index.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { setup, usd } from '../../state/world.ts';

it('finds a market of the earlier run by its condition id, without a selection that refuses ended markets', async () => {
  const condition = `0x${'AB'.repeat(32)}`;
  const folder = newFolder();
  const venue = 'venue: { url: "http://x", ws_url: "ws://x", chain_id: 137, polymarket: {} }';
  const lines = [venue, 'strategy: ladder', `markets: { ids: ["${condition}"] }`];
  writeFileSync(join(folder, 'bot.yaml'), `${lines.join('\n')}\n`);
  const { info, limits } = setup();
  const market = { info: { ...info, id: polymarketMarketId(condition.toLowerCase()) }, limits };
  const directory: MarketDirectory = {
    isId: () => true,
    select: () => Promise.reject(new Error('a market was selected')),
    readKnown: () => Promise.resolve({ found: [market], bad: [] }),
    candidates: () => Promise.resolve([]),
  };
  const recovered = {
    state: new AccountState({ cash: usd(1_000), markets: [market] }),
    assignments: new StrategyAssignments([]),
  };
  const live = readLiveFile('bot.yaml', folder);
  const { chosen, added, present } = await readLiveMarkets(
    { live, directory, log: pino({ level: 'silent' }) },
    recovered,
  );
  expect([[...chosen], added, present]).toEqual([[0], [], [market]]);
});

it('refuses the database of another venue with the venue, a market of the database and the remedy', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'bot.yaml'), 'venue: { url: "http://x" }\nstrategy: ladder\nmarkets: { slugs: [a] }\n');
  const directory: MarketDirectory = {
    isId: () => false,
    select: () => Promise.resolve([]),
    readKnown: () => Promise.resolve({ found: [], bad: [] }),
    candidates: () => Promise.resolve([]),
  };
  const recovered = {
    state: new AccountState({ cash: usd(1_000), markets: [setup()] }),
    assignments: new StrategyAssignments([]),
  };
  const source = {
    live: readLiveFile('bot.yaml', folder),
    directory,
    log: pino({ level: 'silent' }),
    db: '/bots/a.db',
  };
  await expect(readLiveMarkets(source, recovered)).rejects.toThrow(
    'db: expected a database of the venue http://x, which has no market market-0 (name another path with --db or the key `db`, or the venue of the database with `venue.url`), got "/bots/a.db"',
  );
});

it.each([
  ['{ slugs: [a], overrides: { a: {}, b: {}, c: {} } }', [['b', 'c']]],
  ['{ slugs: [a], overrides: { a: {} } }', []],
  ['{ select: { most: 3 }, overrides: { b: {} } }', []],
])('warns once of the keys of `markets.overrides` that name no market: %s', async (markets, expected) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'bot.yaml'), `venue: { url: "http://x" }\nstrategy: ladder\nmarkets: ${markets}\n`);
  const { info, limits } = setup();
  const found = { info: { ...info, slug: 'a' }, limits };
  const directory: MarketDirectory = {
    isId: () => false,
    select: () => Promise.resolve([found]),
    readKnown: () => Promise.resolve({ found: [], bad: [] }),
    candidates: () => Promise.resolve([]),
  };
  const lines: { readonly keys: unknown }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  await readLiveMarkets({ live: readLiveFile('bot.yaml', folder), directory, log }, undefined);
  expect(lines.map(({ keys }) => keys)).toEqual(expected);
});
