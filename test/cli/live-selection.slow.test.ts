/** Bots with `markets.select` on an embedded venue that the test operates. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { halfspread } from './halfspread.ts';
import { inHours, LiveFixture, openInCategory, stopAndClose } from './live-fixture.ts';
import { endAll, startAndWait, until } from './trading.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const harness = await Harness.open({ config: {} });
afterAll(async () => {
  await harness.close();
  endAll();
});

const inCategory = (category: string, number: number, resolution: string) =>
  openInCategory(harness, category, number, resolution);
const tradedMarkets = ({ bot }: OpenedLive): readonly string[] =>
  bot
    .status()
    .markets.flatMap(({ id, strategy }) => (strategy === null ? [] : [id]))
    .toSorted();

it('starts without a market, enters matching ones, leaves one before it resolves, and continues after a restart', async () => {
  const fixture = new LiveFixture(
    harness,
    'markets: { select: { category: chosen, most: 1, rank: resolution, every_s: 5, leave_hours_before_resolution: 2 } }\nrecord: { folder: kept }',
  );
  await inCategory('other', 1, inHours(3));
  const first = await fixture.run();
  expect([first.marketCount, tradedMarkets(first)]).toEqual([0, []]);
  const ending = await inCategory('chosen', 2, inHours(2, 14_000));
  const later = await inCategory('chosen', 3, inHours(5));
  await until(() => tradedMarkets(first).length > 0, 'a market is entered');
  expect(tradedMarkets(first)).toEqual([ending]);
  await until(() => first.bot.orders().length === 4, 'the market is quoted');
  const other = await harness.trader();
  await other.place({ marketId: ending, outcome: 'YES', side: 'BUY', priceBps: 5_500, shares: 5 });
  const noShares = () => first.state.markets.find(({ info }) => String(info.id) === ending)?.position.no;
  await until(() => noShares() === 5 * SHARE, 'a fill');

  await until(() => tradedMarkets(first)[0] === later, 'the next market takes its place');
  expect(tradedMarkets(first)).toEqual([later]);
  await until(() => first.bot.orders().length === 4, 'the next market is quoted');
  expect(new Set(first.bot.orders().map(({ market }) => market))).toEqual(new Set([slugOf(first, later)]));
  // The position in the market that was left stays.
  expect(noShares()).toBe(5 * SHARE);
  const lines = () => fixture.logged.map(({ msg }) => String(msg)).filter((msg) => /^(entered|left) /.test(msg));
  await until(() => lines().length === 3, 'its entry is logged');
  expect(lines()).toEqual([
    `entered ${slugOf(first, ending)}: ladder is on ${slugOf(first, ending)}`,
    `left ${slugOf(first, ending)}: its orders are being cancelled, its holdings stay and are still valued`,
    `entered ${slugOf(first, later)}: ladder is on ${slugOf(first, later)}`,
  ]);
  expect(fixture.logged.find(({ msg }) => String(msg).startsWith('left'))).toMatchObject({
    reason: 'before resolution',
  });
  expect(await stopAndClose(first)).toBe(0);
  expect((await accountAt(harness, fixture.key)).open.size).toBe(0);

  const [steps] = readdirSync(join(fixture.folder, 'kept')).filter((name) => name.endsWith('.steps'));
  const { code, stdout } = await halfspread(['replay', join('kept', steps ?? ''), '--json'], fixture.folder);
  expect({ code, difference: JSON.parse(stdout).difference }).toEqual({ code: 0, difference: null });

  const second = await fixture.run();
  expect([second.marketCount, tradedMarkets(second)]).toEqual([1, [later]]);
  // The rules select another market, but not the one that an operator removed.
  second.bot.removeMarket(later);
  const last = await inCategory('chosen', 4, inHours(9));
  await until(() => tradedMarkets(second).length > 0, 'a market is selected');
  expect(tradedMarkets(second)).toEqual([last]);
  expect(await stopAndClose(second)).toBe(0);
});

it('continues after SIGKILL with the selected market, and books the fills of the downtime', async () => {
  const fixture = new LiveFixture(
    harness,
    'markets: { select: { category: killed, most: 1, rank: resolution, every_s: 5 } }\nheartbeat_ms: none',
  );
  const chosen = await inCategory('killed', 11, inHours(5));
  const killed = await startAndWait(['run', 'bot.yaml', '--json'], fixture.folder, /trading \d+ market/);
  await until(async () => (await accountAt(harness, fixture.key)).open.size === 4, 'the bot quotes');
  killed.child.kill('SIGKILL');
  await killed.end;
  const other = await harness.trader();
  await other.place({ marketId: chosen, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares: 3 });
  // It ranks first, but the maximum number of markets is reached.
  await inCategory('killed', 12, inHours(3));

  const again = await fixture.run();
  expect(again.bot.status().recovery).toMatchObject({ cause: 'start', fillsFound: 1, outcome: 'agrees' });
  expect(again.state.markets.find(({ info }) => String(info.id) === chosen)?.position.yes).toBe(3 * SHARE);
  await until(() => again.bot.orders().length >= 3, 'the bot quotes again');
  expect(tradedMarkets(again)).toEqual([chosen]);
  expect(await stopAndClose(again)).toBe(0);
  expect((await accountAt(harness, fixture.key)).open.size).toBe(0);
});

function slugOf({ state }: OpenedLive, id: string): string {
  return state.markets.find(({ info }) => String(info.id) === id)?.info.slug ?? '';
}
