/** Paper bots whose markets change during a run, on an embedded venue that the test operates. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { halfspread } from './halfspread.ts';
import {
  inHours,
  LiveFixture,
  openInCategory,
  placeDistantOrders,
  stopAndClose,
  waitForQuotes,
} from './live-fixture.ts';
import { endAll, runInProcess, startAndWait, until } from './trading.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const harness = await Harness.open({ config: {} });
afterAll(async () => {
  await harness.close();
  endAll();
});

const inCategory = (category: string, number: number, resolution: string) =>
  openInCategory(harness, category, number, resolution);
const marketOf = ({ state }: OpenedLive, id: string) => state.markets.find(({ info }) => String(info.id) === id);
const slugOf = (opened: OpenedLive, id: string): string => marketOf(opened, id)?.info.slug ?? '';
const netPosition = (opened: OpenedLive, id: string): number => marketOf(opened, id)?.position.net ?? 0;
const quotesIn = (opened: OpenedLive, id: string) =>
  opened.bot.orders().filter(({ market, phase }) => market === slugOf(opened, id) && phase === 'live');
const tradedMarkets = ({ bot }: OpenedLive): readonly string[] =>
  bot.status().markets.flatMap(({ id, strategy }) => (strategy === null ? [] : [id]));
/** Trades between two other accounts at a price. A paper bot's quotes are not at the venue. */
const trade = async (id: string, priceBps: number): Promise<void> => {
  const [maker, taker] = [await harness.trader(), await harness.trader()];
  await maker.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 10_000 - priceBps, shares: 5 });
  await taker.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps, shares: 5 });
};

it('starts without a market, enters one by its rules, leaves it before it resolves, and keeps its position', async () => {
  const rules = 'category: chosen, most: 1, rank: resolution, every_s: 5, leave_hours_before_resolution: 2';
  const fixture = new LiveFixture(harness, `mode: paper\nmarkets: { select: { ${rules} } }\nrecord: { folder: kept }`);
  await inCategory('other', 1, inHours(3));
  const opened = await fixture.run();
  expect([opened.marketCount, tradedMarkets(opened)]).toEqual([0, []]);
  const ending = await inCategory('chosen', 2, inHours(2, 16_000));
  const later = await inCategory('chosen', 3, inHours(5));
  await until(() => tradedMarkets(opened).length > 0, 'a market is entered');
  expect(tradedMarkets(opened)).toEqual([ending]);
  await waitForQuotes(opened);
  await trade(ending, 5_500);
  await until(() => netPosition(opened, ending) < 0, 'a fill');
  await until(() => tradedMarkets(opened)[0] === later, 'the next market takes its place');
  const heldBefore = netPosition(opened, ending);
  expect(tradedMarkets(opened)).toEqual([later]);
  await until(() => quotesIn(opened, later).length === 4, 'the next market is quoted');
  await until(() => opened.bot.orders().length === 4, 'the orders in the earlier market are cancelled');
  // The position stays and is valued by the book.
  const worth = () => opened.bot.positions().find(({ market }) => market === slugOf(opened, ending))?.worth ?? 0;
  const before = worth();
  const other = await harness.trader();
  await other.place({ marketId: ending, outcome: 'NO', side: 'BUY', priceBps: 4_400, shares: 50 });
  await until(() => worth() !== before, 'its book is followed');
  expect(netPosition(opened, ending)).toBe(heldBefore);
  await trade(later, 5_500);
  await until(() => netPosition(opened, later) < 0, 'a fill in the next market');
  const lines = fixture.logged.map(({ msg }) => String(msg)).filter((msg) => /^(entered|left) /.test(msg));
  expect(lines).toEqual([
    `entered ${slugOf(opened, ending)}: ladder is on ${slugOf(opened, ending)}`,
    `left ${slugOf(opened, ending)}: its orders are being cancelled, its holdings stay and are still valued`,
    `entered ${slugOf(opened, later)}: ladder is on ${slugOf(opened, later)}`,
  ]);
  expect(await stopAndClose(opened)).toBe(0);

  const [steps] = readdirSync(join(fixture.folder, 'kept')).filter((name) => name.endsWith('.steps'));
  const { code, stdout } = await halfspread(['replay', join('kept', steps ?? ''), '--json'], fixture.folder);
  expect({ code, difference: JSON.parse(stdout).difference }).toEqual({ code: 0, difference: null });
});

it('removes a market, adds it again and adds another one for an operator', async () => {
  const id = await inCategory('operated', 21, inHours(5));
  const other = await inCategory('operated', 22, inHours(5));
  const fixture = new LiveFixture(harness, `mode: paper\nmarkets: { ids: ["${id}"] }`);
  const opened = await fixture.run();
  await waitForQuotes(opened);
  await trade(id, 5_500);
  await until(() => netPosition(opened, id) < 0, 'a fill');
  const { text } = opened.bot.removeMarket(id);
  expect(text).toContain('is no longer traded until `npx halfspread market add ');
  await until(() => opened.bot.orders().length === 0, 'its orders are cancelled');
  const heldBefore = netPosition(opened, id);
  await opened.bot.addMarket(other, { order_amount: 7 });
  await until(() => quotesIn(opened, other).length === 4, 'the added market is quoted');
  expect(new Set(opened.bot.orders().map(({ remaining }) => remaining))).toEqual(new Set([7 * SHARE]));
  await opened.bot.addMarket(id, {});
  await until(() => quotesIn(opened, id).length > 0, 'the market is quoted again');
  expect(netPosition(opened, id)).toBe(heldBefore);
  await trade(id, 5_600);
  await until(() => netPosition(opened, id) < heldBefore, 'a fill in the market that was added again');
  expect(await stopAndClose(opened)).toBe(0);
});

it('continues with a market after its tick changed, and with the others', async () => {
  const id = await inCategory('ticks', 31, inHours(5));
  const other = await inCategory('ticks', 32, inHours(5));
  const fixture = new LiveFixture(harness, `mode: paper\nmarkets: { ids: ["${id}", "${other}"] }`);
  const opened = await fixture.run();
  await waitForQuotes(opened, 8);
  await harness.operate('change-tick', { market: id, tick_bps: 50 });
  // The venue cannot refuse a paper bot's order, which would make a live bot read the tick again.
  await harness.operate('notice', { message: 'ticks' });
  await until(() => fixture.logged.some(({ msg }) => msg === 'a market was added again'), 'the market is added again');
  await placeDistantOrders(harness, id);
  const prices = () => quotesIn(opened, id).map(({ priceBps }) => priceBps % 50);
  await until(
    () => prices().length === 4 && prices().every((rest) => rest === 0),
    'the market is quoted on the new tick',
  );
  expect(marketOf(opened, id)?.info.grid).toEqual({ type: 'tick', tickBps: 50 });
  await trade(id, 5_500);
  await until(() => netPosition(opened, id) < 0, 'a fill at the new prices');
  expect(quotesIn(opened, other).length).toBe(4);
  expect(await stopAndClose(opened)).toBe(0);
});

it('executes `market add`, `market remove` and `set` from the command line', async () => {
  const id = await inCategory('typed', 41, inHours(5));
  const other = await inCategory('typed', 42, inHours(5));
  const fixture = new LiveFixture(harness, `mode: paper\nmarkets: { ids: ["${id}"] }`);
  const { child, end } = await startAndWait(['run', 'bot.yaml', '--json'], fixture.folder, /trading 1 market on paper/);
  const sent = async (...command: readonly string[]) => {
    const { code, stdout } = await runInProcess([...command, '--config', 'bot.yaml'], fixture.folder);
    expect([command, code]).toEqual([command, 0]);
    return stdout;
  };
  const orders = async () => {
    const { stdout } = await runInProcess(['orders', 'bot.yaml', '--json'], fixture.folder);
    return JSON.parse(stdout) as { readonly market: string; readonly remaining: number }[];
  };
  expect(await sent('market', 'add', other)).toContain('ladder is on ');
  await until(async () => new Set((await orders()).map(({ market }) => market)).size === 2, 'both are quoted');
  expect(await sent('market', 'remove', id)).toContain('is no longer traded');
  await until(async () => new Set((await orders()).map(({ market }) => market)).size === 1, 'one market is quoted');
  expect(await sent('set', 'order_amount=7')).toContain('order_amount is 7 on 1 market');
  await until(async () => (await orders()).some(({ remaining }) => remaining === 7 * SHARE), 'with the new amount');
  child.kill('SIGINT');
  expect((await end).code).toBe(0);
});
