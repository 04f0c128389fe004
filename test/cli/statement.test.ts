import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS, epochMs, microUsd, unchecked, ZERO_USD } from '../../src/domain/index.ts';
import { polymarketMarketId } from '../../src/runtime/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { openLiveVenue } from '../server/live-venue.ts';
import { openPolymarket } from '../server/polymarket/harness.ts';
import { filled, setup } from '../state/world.ts';
import { BotHarness, rewriteRows } from '../store/bot/bot-harness.ts';
import { newFolder } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { runInProcess, setSecret } from './trading.ts';

const NOW = Date.now();

const [EARNED, PAID] = [NOW - (NOW % DAY_MS) - 2 * DAY_MS, NOW - (NOW % DAY_MS) - DAY_MS];
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Writes the database of a bot with $10,000 at the start and a paid rebate of $1.234567. @param marketId its market */
async function writePaidBot(folder: string, marketId = 'here'): Promise<void> {
  const market = setup(0);
  const setups = [{ ...market, info: { ...market.info, id: marketId as never, slug: 'will-it-pay' } }];
  const fresh = () => new AccountState({ cash: ZERO_USD, markets: setups });
  const harness = BotHarness.open({ file: join(folder, 'bot.db') }, 1, fresh);
  const timesAt = (time: number) => ({ time: epochMs(time), venueTime: epochMs(time) });
  harness.applyEvent({ type: 'cashAdjusted', ...timesAt(EARNED + 1), amount: microUsd(10_000_000_000) });
  const payment = { cause: 'rebate', day: epochMs(EARNED), amount: microUsd(1_234_567) } as const;
  harness.applyEvent({ type: 'makerPaid', ...timesAt(PAID + 1), market: unchecked.market(0), ...payment });
  await harness.store.close(NOW);
}

describe('halfspread statement', () => {
  it('lists the results of yesterday or of a given day from the database of a bot', async () => {
    const folder = newFolder();
    await writePaidBot(folder);
    const { code, stdout } = await runInProcess(['statement', 'bot.db'], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/cash at the start +10000\.000000\n/);
    expect(stdout).toMatch(/rebates +1\.234567 {2}1\n/);
    expect(stdout).toMatch(/cash at the end +10001\.234567\n/);
    expect(stdout).toMatch(new RegExp(`rebate +will-it-pay +${dateOf(EARNED)} +1\\.234567`));
    const json = await runInProcess(['statement', 'bot.db', '--day', dateOf(EARNED), '--json'], folder);
    expectDocumented('statement', JSON.parse(json.stdout));
    expect(JSON.parse(json.stdout)).toMatchObject({ day: dateOf(EARNED), start: 0, end: 10_000_000_000, unlisted: 0 });
  });

  it('reads the database that --db names, with or without a configuration', async () => {
    const folder = newFolder();
    await writePaidBot(folder);
    writeFileSync(
      join(folder, 'other.yaml'),
      'venue: { url: "http://x" }\nstrategy: ladder\nmarkets: { slugs: [a] }\n',
    );
    for (const operands of [[], ['other.yaml']]) {
      const { code, stdout } = await runInProcess(['statement', ...operands, '--db', 'bot.db'], folder);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/cash at the end +10001\.234567\n/)]);
    }
    const { code, stderr } = await runInProcess(['statement'], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining("the bot's YAML file, or its database (--db)")]);
  });

  it.each([
    [['--day', '2026-02-30'], 'a day (UTC) such as'],
    [['--day', 'yesterday'], 'a day (UTC) such as'],
    [['--day', '2020-01-01'], "the bot's first, to today"],
    [['--day', '2999-01-01'], "the bot's first, to today"],
    [['--venue'], "the bot's YAML file as operand"],
    [['--db', 'other.db'], 'no --db together with a database as operand (bot.db), got "other.db"'],
  ])('refuses %j and names what is required', async (args, remedy) => {
    const folder = newFolder();
    await writePaidBot(folder);
    const { code, stderr } = await runInProcess(['statement', 'bot.db', ...args], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(remedy)]);
  });

  it('names the damaged row of a database, and a missing file', async () => {
    const folder = newFolder();
    await writePaidBot(folder);
    rewriteRows(join(folder, 'bot.db'), 'UPDATE payments SET cash = cash + 1');
    const changed = await runInProcess(['statement', 'bot.db'], folder);
    expect(changed.stdout).toContain('-0.000001 of the cash is explained by no row of the database');
    const { default: Database } = await import('better-sqlite3');
    const connection = new Database(join(folder, 'bot.db'));
    connection.exec('UPDATE payments SET cash = cash + 1');
    connection.close();
    const damaged = await runInProcess(['statement', 'bot.db'], folder);
    expect(damaged).toMatchObject({ code: 3, stderr: expect.stringContaining('payments') });
    const missing = await runInProcess(['statement', 'none.db'], folder);
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('there is no such file') });
  });

  it('compares fills, fees and cash with the records of the service', async () => {
    const venue = await openLiveVenue({ exchange: { feeRateBps: 100 } });
    afterThisTest.add(() => venue.close());
    const folder = newFolder();
    setSecret('TEST_STATEMENT_KEY', `0x${'7'.padStart(64, '7')}`);
    const [maker, taker] = [await venue.openTrader(8), await venue.openTrader(7)];
    await maker.place({ outcome: 'NO', priceBps: 5_000, size: 10 });
    await taker.place({ priceBps: 5_000, size: 10 });
    const fills = '{ fills(input: {}) { edges { node { tradeId feeMicros } } } }';
    const [{ node }] = (await taker.request(fills)).fills.edges;
    // The bot has the venue's trade with another fee.
    const fill = { ...filled({ order: 1, price: 5_000, size: 10 }), order: unchecked.order(0), fee: microUsd(1) };
    const market = setup(0);
    const fresh = () => new AccountState({ cash: ZERO_USD, markets: [market] });
    const harness = BotHarness.open({ file: join(folder, 'bot.db') }, 1, fresh);
    const time = epochMs(Date.now());
    harness.applyEvent({ type: 'cashAdjusted', time, venueTime: time, amount: microUsd(10_000_000_000) });
    harness.applyEvent({ ...fill, time, venueTime: time, liquidity: 'taker', trade: node.tradeId });
    await harness.store.close(time);
    const text = `version: 1\nmode: live\nvenue: { url: "${venue.url}" }\naccount: { key: { env: TEST_STATEMENT_KEY } }\nmarkets: { slugs: [rain] }\nstrategy: ladder\ndb: bot.db\n`;
    writeFileSync(join(folder, 'bot.yaml'), text);
    const { code, stdout } = await runInProcess(
      ['statement', 'bot.yaml', '--venue', '--json', '--day', dateOf(time)],
      folder,
    );
    expect([code, Number(node.feeMicros)]).toEqual([5, 25_000]);
    expect(JSON.parse(stdout).venue.differences).toEqual([
      { what: 'fill', id: node.tradeId, field: 'fee', bot: 1, venue: 25_000 },
      { what: 'cash', id: 'now', field: 'cash', bot: 9_994_999_999, venue: 9_994_975_000 },
    ]);
  });

  it('compares with Polymarket’s own records, and ends with 5 where a micro-dollar differs', async () => {
    const harness = await openPolymarket();
    afterThisTest.add(() => harness.venue.close());
    const folder = newFolder();
    const key = `0x${'7'.padStart(64, '5')}`;
    setSecret('TEST_STATEMENT_KEY', key);
    const { address } = await harness.join(7);
    await writePaidBot(folder, polymarketMarketId(harness.condition));
    const { operate } = harness.venue.server;
    const about = { address, market: harness.venue.marketId, cause: 'rebate', date: dateOf(EARNED) };
    await operate('polymarket-pay', { ...about, usd: '1.234567' });
    const base = `${harness.url}`;
    const venue = `{ url: "${base}", ws_url: "${base.replace('http', 'ws')}/ws", chain_id: 137, polymarket: { gamma_url: "${base}/gamma" } }`;
    const text = `version: 1\nmode: live\nvenue: ${venue}\naccount: { key: { env: TEST_STATEMENT_KEY } }\nmarkets: { slugs: [rain] }\nstrategy: ladder\ndb: bot.db\n`;
    writeFileSync(join(folder, 'bot.yaml'), text);
    const same = await runInProcess(['statement', 'bot.yaml', '--venue'], folder);
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('no difference') });
    await operate('polymarket-pay', { ...about, usd: '1.234568', only: 'record' });
    const { code, stdout } = await runInProcess(['statement', 'bot.yaml', '--venue', '--json'], folder);
    expect(code).toBe(5);
    const found = JSON.parse(stdout);
    expectDocumented('statement', found);
    expect(found.venue.differences).toEqual([
      { what: 'rebate', id: `${dateOf(EARNED)} ${harness.condition}`, field: 'cash', bot: 1_234_567, venue: 1_234_568 },
    ]);
  });
});
