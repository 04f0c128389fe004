/** Changes of markets while a bot runs and while it is stopped. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
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

/** Opens a market with a book and writes a bot's configuration for it. */
async function fixture(sections = '', more: object = {}) {
  markets += 1;
  const id = await harness.market(markets, more);
  await placeDistantOrders(harness, id);
  return { id, live: new LiveFixture(harness, `markets: { ids: ["${id}"]${sections} }`) };
}

function prices({ bot }: OpenedLive): readonly number[] {
  return bot.orders().map(({ priceBps }) => priceBps);
}

describe('a tick change', () => {
  it('during a run restarts the market on the new tick with the parameters that operators set', async () => {
    const { id, live } = await fixture();
    const opened = await live.run();
    await waitForQuotes(opened);
    expect(prices(opened).some((price) => price % 100 !== 0)).toBe(true);
    opened.bot.setParameter('order_amount', 7, {});
    await harness.operate('change-tick', { market: id, tick_bps: 100 });
    await placeDistantOrders(harness, id);
    await until(
      async () =>
        opened.state.markets[0]?.info.grid.type === 'tick' && opened.state.markets[0].info.grid.tickBps === 100,
      'the bot has the new tick',
    );
    await waitForQuotes(opened);
    expect(prices(opened).every((price) => price % 100 === 0)).toBe(true);
    expect(opened.bot.orders().map(({ remaining }) => remaining / SHARE)).toContain(7);
    expect(await stopAndClose(opened)).toBe(0);
  });

  it('between runs is applied at the start', async () => {
    const { id, live } = await fixture();
    const first = await live.run();
    await waitForQuotes(first);
    expect(await stopAndClose(first)).toBe(0);
    await harness.operate('change-tick', { market: id, tick_bps: 50 });
    await placeDistantOrders(harness, id);
    const second = await live.run();
    await waitForQuotes(second);
    expect(prices(second).every((price) => price % 50 === 0)).toBe(true);
    expect(await stopAndClose(second)).toBe(0);
  });
});

describe('configured price bounds', () => {
  it('limit the quotes, and a restart with different bounds applies those', async () => {
    const { live, id } = await fixture(', grid: { steps: [{ to: 3000, step: 10 }, { to: 10000, step: 200 }] }');
    const first = await live.run();
    await waitForQuotes(first);
    expect(prices(first).every((price) => price % 200 === 0)).toBe(true);
    expect(await stopAndClose(first)).toBe(0);
    live.configure(
      `markets: { ids: ["${id}"], overrides: { "${id}": { grid: { steps: [{ to: 10000, step: 250 }] } } } }`,
    );
    const second = await live.run();
    await waitForQuotes(second);
    expect(prices(second).every((price) => price % 250 === 0)).toBe(true);
    expect(await stopAndClose(second)).toBe(0);
  });

  it('make the start fail with the key to change when the venue would refuse them', async () => {
    const { live } = await fixture(', grid: { steps: [{ to: 10000, step: 4 }] }');
    await expect(live.run()).rejects.toThrow(/markets\.grid: expected prices on the tick of \S+, which is 10 bps/);
  });
});

describe('a change while the bot is stopped', () => {
  it('that resolves a market leads to its payout at the next start', async () => {
    const { id, live } = await fixture();
    const first = await live.run();
    await waitForQuotes(first);
    const other = await harness.trader();
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_500, shares: 5 });
    await until(async () => first.bot.fills(10).length > 0, 'a fill');
    const { no } = first.state.markets[0]?.position ?? { no: 0 };
    expect(no).toBe(5 * SHARE);
    expect(await stopAndClose(first)).toBe(0);
    await harness.operate('close-early', { market: id });
    await harness.operate('vote', { market: id, model: 'judge', vote: 'NO' });
    await until(
      async () =>
        harness.operate('report-payout', { market: id }).then(
          () => true,
          () => false,
        ),
      'the payout is reported',
    );
    const second = await live.run();
    await until(async () => second.state.markets[0]?.position.no === 0, 'the claim is paid');
    expect(second.bot.status().markets[0]).toMatchObject({ status: 'RESOLVED_NO', openOrders: 0 });
    expect(second.state.cash).toBe((await accountAt(harness, live.key)).cash);
    expect(await stopAndClose(second)).toBe(0);

    // A second start, with a market that ended earlier.
    const third = await live.run();
    expect(third.bot.status().markets[0]).toMatchObject({ status: 'RESOLVED_NO' });
    expect(await stopAndClose(third)).toBe(0);
  });

  it('of the configured markets cancels adopted orders in the others', async () => {
    const { id, live } = await fixture();
    const { id: other } = await fixture();
    live.configure(`markets: { ids: ["${id}", "${other}"] }\nleftovers: adopt`);
    const first = await live.run();
    await waitForQuotes(first, 8);
    // Like a crash: no order is cancelled.
    await first.close();
    expect((await accountAt(harness, live.key)).open.size).toBe(8);
    live.configure(`markets: { ids: ["${id}"] }\nleftovers: adopt`);
    const second = await live.run();
    await until(async () => (await accountAt(harness, live.key)).open.size === 4, 'the orders of no bot are cancelled');
    expect(live.logged.some(({ msg }) => msg === 'cancelling orders in a market that is no longer configured')).toBe(
      true,
    );
    expect(second.bot.orders().every(({ market }) => market === second.state.markets[0]?.info.slug)).toBe(true);
    expect(() => second.bot.removeMarket('nowhere')).toThrow(
      `a market of this bot: ${second.state.markets[0]?.info.slug}, got "nowhere"`,
    );
    expect(() => second.bot.setParameter('order_amount', 7, { market: 'nowhere' })).toThrow('a market of this bot: ');
    expect(await stopAndClose(second)).toBe(0);
  });

  it('of limits is enforced', async () => {
    const { live } = await fixture();
    const first = await live.run();
    await waitForQuotes(first);
    expect(first.state.markets[0]?.limits.minBet).toBe(100_000);
    expect(await stopAndClose(first)).toBe(0);
    await harness.operate('configure', { min_bet: 370_000 });
    const second = await live.run();
    expect(second.state.markets[0]?.limits.minBet).toBe(370_000);
    expect(await stopAndClose(second)).toBe(0);
  });
});
