/** Retail prices and market states that a bot receives from a venue. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { queryVenue } from '../server/trader.ts';
import { Harness } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let harness: Harness;
let markets = 0;
beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  await harness.operate('configure', { dispute_window: 0, quorum: 1, panel_size: 1 });
});
afterAll(() => harness.close());

async function startBot(sections: string): Promise<{ readonly id: string; readonly opened: OpenedLive }> {
  markets += 1;
  const id = await harness.market(markets);
  await placeDistantOrders(harness, id);
  const opened = await new LiveFixture(harness, `markets: { ids: ["${id}"] }\n${sections}`).run();
  return { id, opened };
}

/** Queries the venue's retail prices of a market. */
async function readPrices(id: string): Promise<{ readonly yes: number; readonly no: number }> {
  const text = 'query ($id: ID) { market(id: $id) { yesPriceBps noPriceBps } }';
  const { market } = await queryVenue(harness.url, undefined, text, { id });
  return { yes: market.yesPriceBps, no: market.noPriceBps };
}

describe('retail prices', () => {
  it('equal the venue’s for both outcomes, change with its book and spread, and sum to more than a dollar', async () => {
    const { id, opened } = await startBot('risk: { max_position: 0 }');
    const prices = () => opened.state.markets[0]?.prices;
    const first = await readPrices(id);
    expect(prices()).toEqual(first);
    expect(first.yes + first.no).toBe(12_000);

    const other = await harness.trader();
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_800, shares: 5 });
    await until(() => prices()?.yes !== first.yes, 'the price changes');
    expect(prices()).toEqual(await readPrices(id));

    await harness.operate('configure', { spread_bps: 400 });
    await until(() => opened.state.markets[0]?.limits.spreadBps === 400, 'the new spread is read');
    await until(() => (prices()?.yes ?? 0) + (prices()?.no ?? 0) === 10_400, 'prices with the new spread');
    expect(prices()).toEqual(await readPrices(id));
    expect(await stopAndClose(opened)).toBe(0);
  });
});

type Command = readonly [name: string, args?: object];
const VOTED: readonly Command[] = [['close-early'], ['vote', { model: 'judge', vote: 'YES' }]];

/** Payouts are tested in endings.test.ts and live-restart.slow.test.ts. */
describe('a market', () => {
  it.each<readonly [status: string, window: number, commands: readonly Command[]]>([
    ['PENDING_RESOLUTION', 0, [['close-early']]],
    ['RESOLVED', 3_600_000, VOTED],
    ['PENDING_BLOCKCHAIN', 0, VOTED],
    ['CANCELLED', 0, [['void']]],
    ['RESOLVED_YES', 0, [...VOTED, ['report-payout']]],
    ['RESOLUTION_FAILED', 0, [...VOTED, ['fail-chain', { permanent: true }]]],
  ])('accepts no orders of the bot and closes its orders when it is %s', async (status, window, commands) => {
    await harness.operate('configure', { dispute_window: window });
    const { id, opened } = await startBot('risk: { max_position: 1000 }');
    await waitForQuotes(opened);
    for (const [command, args = {}] of commands) {
      const isExecuted = (): Promise<boolean> =>
        harness.operate(command, { market: id, ...args }).then(
          () => true,
          () => false,
        );
      // Retried, because a dispute window of 0 ms ends only at the venue's next check of the clock.
      await until(isExecuted, command);
    }
    const view = opened.state.markets[0];
    await until(() => view?.state.status === status, status);
    expect(view?.state.acceptingOrders).toBe(false);
    await until(() => opened.bot.orders().length === 0, 'no order is open');
    const quotes = await readPrices(id);
    await until(() => view?.prices?.yes === quotes.yes && view.prices.no === quotes.no, 'the last prices');
    expect(await stopAndClose(opened)).toBe(0);
  });

  it('is quoted as soon as it opens', async () => {
    markets += 1;
    const id = `00000000-0000-4000-8000-${String(markets).padStart(12, '0')}`;
    const resolution_date = new Date(Date.now() + 86_400_000).toISOString();
    const output = { question: `Question ${markets}?`, rules: 'r', category: 'tests', resolution_date };
    await harness.operate('create-market', { id, ...output });
    const opened = await new LiveFixture(harness, `markets: { ids: ["${id}"] }`).run();
    expect(opened.bot.status().markets[0]).toMatchObject({ status: 'PENDING_BLOCKCHAIN', acceptingOrders: false });
    await harness.operate('open-market', { market: id });
    await placeDistantOrders(harness, id);
    await waitForQuotes(opened);
    expect(await stopAndClose(opened)).toBe(0);
  });
});
