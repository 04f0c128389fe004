/** Compares a run's summary and fills with the venue's account to the micro-dollar. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findDifferences } from '../../src/app/demo/find-differences.ts';
import { wallClock } from '../../src/clock/index.ts';
import { AccountClient, logIn, runSummary, summaryText, VenueHttp } from '../../src/ops/index.ts';
import { pinsOf } from '../server/trader.ts';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { LiveFixture, placeDistantOrders, stopAndClose } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const START_CASH = 10_000 * SHARE;

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  await harness.operate('configure', { fee_rate_bps: 300 });
});
afterAll(() => harness.close());

it('fills, volume, fees, P&L, positions and open orders of a summary add up over a restart', async () => {
  const id = await harness.market(1, { fee_rate_bps: 300 });
  await placeDistantOrders(harness, id);
  const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nparams: { ${PARAMS} }\nstrategy: ladder`);
  const other = await harness.trader();
  const line = new VenueHttp({ url: harness.url, clock: wallClock() });
  await logIn(line, { key: live.key }, pinsOf(harness.tools, harness.url));
  const client = new AccountClient(line);
  let before = { fills: 0, fees: 0, volume: 0, equity: START_CASH };
  for (const round of [1, 2]) {
    const opened = await live.run();
    const has = (count: number): boolean => opened.bot.orders().filter(({ phase }) => phase === 'live').length >= count;
    await until(() => has(4), 'the bot quotes');
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_300, shares: 13 });
    await until(() => opened.counters.fillCount >= 2, 'two levels are taken');
    await until(() => has(4), 'the bot quotes again');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_300, shares: 7 });
    await until(() => opened.state.markets[0]?.position.net === -6 * SHARE * round, 'the position changes');
    const open = await stopAndClose(opened);
    const summary = runSummary(opened.bot.status(), opened.counters, { openAtVenue: open });
    const venue = await accountAt(harness, live.key);
    const fills = await client.fills(1_000);
    const sum = (of: (fill: (typeof fills)[number]) => number): number =>
      fills.reduce((total, fill) => total + of(fill), 0);
    const [fees, volume] = [
      sum(({ feeMicros }) => Number(feeMicros)),
      sum((fill) => fill.priceBps * fill.shares * 100),
    ];

    expect(summary.openOrdersAtVenue).toBe(0);
    expect(venue.open.size).toBe(0);
    expect(opened.state.cash).toBe(venue.cash);
    expect(summary.fills.count).toBe(fills.length - before.fills);
    expect(summary.fills).toMatchObject({ maker: summary.fills.count, external: 0 });
    expect(summary.feesMicros).toBe(fees - before.fees);
    expect(summary.fills.volumeMicros).toBe(volume - before.volume);
    expect(opened.bot.fills(1_000)).toHaveLength(fills.length);
    // A set is worth a dollar. The other NO are worth 4000 bps, as the best ask of YES is 6000.
    const [yes, no] = ['YES', 'NO'].map((outcome) => venue.held.get(`${id} ${outcome}`) ?? 0);
    expect(summary.positions).toEqual([{ market: 'question-1', shares: ((yes ?? 0) - (no ?? 0)) / SHARE }]);
    const pairs = Math.min(yes ?? 0, no ?? 0);
    const equity = venue.cash + pairs + ((no ?? 0) - pairs) * 0.4;
    expect(summary.equityMicros).toBe(equity);
    expect(summary.pnlMicros).toBe(equity - before.equity);
    expect(await findDifferences(live.paths.db, client)).toEqual([]);
    before = { fills: fills.length, fees, volume, equity };
  }
});

it('fees and counts of maker and taker fills add up in a summary', async () => {
  const id = await harness.market(2, { fee_rate_bps: 300 });
  await placeDistantOrders(harness, id);
  const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nparams: { ${PARAMS} }\nstrategy: ladder`);
  const other = await harness.trader();
  const line = new VenueHttp({ url: harness.url, clock: wallClock() });
  await logIn(line, { key: live.key }, pinsOf(harness.tools, harness.url));
  const client = new AccountClient(line);
  const opened = await live.run();
  await until(() => opened.bot.orders().filter(({ phase }) => phase === 'live').length >= 4, 'the bot quotes');
  await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_300, shares: 13 });
  await until(() => opened.state.markets[0]?.position.net === -13 * SHARE, 'two levels are taken');
  await opened.bot.operate('flatten', undefined);
  await until(() => opened.state.markets[0]?.position.net === 0, 'the position is closed');
  const open = await stopAndClose(opened);
  const summary = runSummary(opened.bot.status(), opened.counters, { openAtVenue: open });
  const fills = await client.fills(1_000);
  const takers = fills.filter(({ role }) => role === 'TAKER');
  const feesOf = (some: typeof fills): number => some.reduce((sum, { feeMicros }) => sum + Number(feeMicros), 0);
  expect(takers.length).toBeGreaterThan(0);
  expect(feesOf(takers)).toBeGreaterThan(0);
  expect(summary.feesMicros).toBe(feesOf(fills));
  expect(summary.fills).toMatchObject({ count: fills.length, maker: fills.length - takers.length, external: 0 });
  expect(opened.state.cash).toBe((await accountAt(harness, live.key)).cash);
  // With no position, the profit is the increase of cash after fees.
  expect(summary.pnlMicros).toBe(opened.state.cash - START_CASH);
  expect(await findDifferences(live.paths.db, client)).toEqual([]);
  expect(summaryText({ ...summary, rejected: { CONFLICT: 312, BELOW_MIN: 2 } })).toMatch(
    /^rejected +314 by the venue: 2 BELOW_MIN; because the market had moved: 312 CONFLICT$/m,
  );
});

const PARAMS =
  'bid_spread: 130, ask_spread: 130, order_amount: 10, order_levels: 2, order_level_spread: 130, order_refresh_time: 0.2, max_position: 100';
