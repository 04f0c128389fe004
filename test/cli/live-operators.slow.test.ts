/** Commands of operators to a bot whose strategy requotes by timer, on an embedded venue and over restarts. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { halfspread } from './halfspread.ts';
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

async function fixture(sections = '') {
  markets += 1;
  const id = await harness.market(markets);
  await placeDistantOrders(harness, id);
  return { id, live: new LiveFixture(harness, `markets: { ids: ["${id}"] }${sections}`) };
}

/** Buys YES from the bot, which then holds NO. */
async function buyFromBot(opened: OpenedLive, id: string): Promise<void> {
  const other = await harness.trader();
  await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_500, shares: 5 });
  await until(async () => opened.state.markets[0]?.position.no === 5 * SHARE, 'a fill');
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

describe('a removed market', () => {
  it('gets no quotes, keeps its book and its valuation, and stays removed over a restart until it is added', async () => {
    const { id, live } = await fixture();
    const first = await live.run();
    await waitForQuotes(first);
    await buyFromBot(first, id);
    const { text } = first.bot.removeMarket(id);
    expect(text).toContain('is no longer traded until `npx halfspread market add ');
    expect(text).toContain('its holdings stay and are still valued');
    await until(async () => (await accountAt(harness, live.key)).open.size === 0, 'its orders are cancelled');
    const steps = first.counters.commands;
    await pause(700);
    expect([first.bot.orders(), (await accountAt(harness, live.key)).open.size]).toEqual([[], 0]);
    expect(first.counters.commands).toEqual(steps);
    expect(first.bot.status().markets[0]).toMatchObject({ strategy: null, acceptingOrders: true });
    // The book is still updated, so the value of the position changes.
    const { worth } = first.bot.status().markets[0] ?? { worth: 0 };
    const other = await harness.trader();
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 4_500, shares: 50 });
    await until(async () => (first.bot.status().markets[0]?.worth ?? 0) > worth, 'its book is followed');
    expect(await stopAndClose(first)).toBe(0);

    const second = await live.run();
    expect(second.marketCount).toBe(0);
    expect(
      live.logged.filter(({ msg }) => String(msg).includes('a market that an operator removed is not traded')),
    ).toHaveLength(1);
    await pause(500);
    expect(second.bot.status().markets[0]).toMatchObject({ strategy: null, openOrders: 0 });
    await second.bot.addMarket(id, {});
    await until(async () => second.bot.orders().length > 0, 'the bot quotes again');
    expect(await stopAndClose(second)).toBe(0);

    const third = await live.run();
    expect(third.marketCount).toBe(1);
    await until(async () => third.bot.orders().length > 0, 'the bot quotes after a restart');
    expect(await stopAndClose(third)).toBe(0);
  });
});

describe('a cancelled order', () => {
  it('is confirmed by the venue, and the strategy places another', async () => {
    const { live } = await fixture();
    const opened = await live.run();
    await waitForQuotes(opened);
    const [first] = opened.bot.orders();
    const { text } = await opened.bot.cancelOrder(first?.order ?? 0);
    expect(text).toMatch(new RegExp(`^order ${first?.order} in .* is no longer open; the venue confirmed it$`));
    expect(opened.bot.orders().map(({ order }) => order)).not.toContain(first?.order);
    await until(
      async () => opened.bot.orders().some(({ order }) => order > (first?.order ?? 0)),
      'the bot places a new order',
    );
    await expect(opened.bot.cancelOrder(first?.order ?? 0)).rejects.toThrow(
      /order: expected the number of an open order/,
    );
    expect(await stopAndClose(opened)).toBe(0);
  });
});

describe('flatten', () => {
  it('closes the position while the strategy keeps quoting, then pauses the bot', async () => {
    const { id, live } = await fixture();
    const opened = await live.run();
    await waitForQuotes(opened);
    await buyFromBot(opened, id);
    expect(await opened.bot.operate('flatten', undefined)).toMatchObject({
      mode: 'REDUCING',
      text: expect.stringContaining('flattening: quotes are withdrawn'),
    });
    await until(async () => opened.bot.status().mode === 'PAUSED', 'the bot is paused');
    expect(opened.state.markets[0]?.position.net).toBe(0);
    expect((await accountAt(harness, live.key)).open.size).toBe(0);
    expect(opened.bot.status().refused).not.toHaveProperty('REDUCE_ONLY');
    expect(opened.bot.fills(1)[0]).toMatchObject({ outcome: 'NO', side: 'SELL', liquidity: 'taker' });
    expect(await stopAndClose(opened)).toBe(0);
  });

  it('also sells the position of a removed market', async () => {
    const { id, live } = await fixture();
    const opened = await live.run();
    await waitForQuotes(opened);
    await buyFromBot(opened, id);
    opened.bot.removeMarket(id);
    await opened.bot.operate('flatten', undefined);
    await until(async () => opened.bot.status().mode === 'PAUSED', 'the bot is paused');
    expect(opened.state.markets[0]?.position.net).toBe(0);
    expect(await stopAndClose(opened)).toBe(0);
  });
});

describe('a recording', () => {
  it('replays to the same decisions when a market was removed and added and the bot flattened', async () => {
    const { id, live } = await fixture('\nrecord: { folder: kept }');
    const opened = await live.run();
    await waitForQuotes(opened);
    await buyFromBot(opened, id);
    opened.bot.removeMarket(id);
    await pause(500);
    await opened.bot.addMarket(id, {});
    await until(async () => opened.bot.orders().length > 0, 'the bot quotes again');
    await opened.bot.operate('flatten', undefined);
    await until(async () => opened.bot.status().mode === 'PAUSED', 'the bot is paused');
    await opened.bot.operate('resume', undefined);
    await until(async () => opened.bot.orders().length > 0, 'the bot quotes again');
    expect(await stopAndClose(opened)).toBe(0);
    const [steps] = readdirSync(join(live.folder, 'kept')).filter((name) => name.endsWith('.steps'));
    const { code, stdout } = await halfspread(['replay', join('kept', steps ?? ''), '--json'], live.folder);
    const received = JSON.parse(stdout);
    expect({ code, same: received.same, difference: received.difference }).toEqual({
      code: 0,
      same: received.steps,
      difference: null,
    });
  });
});

describe('an operator’s command without effect', () => {
  it('is refused with the mode and the command that ends it', async () => {
    const { live } = await fixture();
    const opened = await live.run();
    await waitForQuotes(opened);
    await opened.bot.operate('pause', undefined);
    await expect(opened.bot.operate('reduce', undefined)).rejects.toThrow('the bot is still PAUSED (operator)');
    await opened.bot.operate('resume', undefined);
    await opened.bot.operate('kill', 'enough');
    const { length } = opened.counters.fills(100);
    for (const command of ['pause', 'reduce', 'flatten'] as const) {
      await expect(opened.bot.operate(command, undefined)).rejects.toMatchObject({
        code: 'INPUT',
        message: expect.stringMatching(
          /^`[^`]+` first: the bot is still KILLED \(COMMAND: enough\) and sends nothing$/,
        ),
      });
    }
    expect([opened.bot.status().mode, length]).toEqual(['KILLED', 0]);
    expect(await stopAndClose(opened)).toBe(0);
  });
});

describe('a market that ends', () => {
  it('is logged with the position and its payout', async () => {
    const { id, live } = await fixture();
    const opened = await live.run();
    await waitForQuotes(opened);
    await buyFromBot(opened, id);
    await harness.operate('close-early', { market: id });
    await harness.operate('vote', { market: id, model: 'judge', vote: 'YES' });
    await until(
      async () =>
        harness.operate('report-payout', { market: id }).then(
          () => true,
          () => false,
        ),
      'the payout is reported',
    );
    await until(
      async () => live.logged.some(({ msg }) => msg === 'every market has ended: nothing is left to trade'),
      'the end is reported',
    );
    const end = live.logged.find(({ msg }) => msg === 'a market has ended: YES won, NO pays nothing');
    expect(end).toMatchObject({ status: 'RESOLVED_YES', worth: 0 });
    expect(opened.bot.status().markets[0]).toMatchObject({ status: 'RESOLVED_YES', worth: 0 });
    expect(await stopAndClose(opened)).toBe(0);
  });
});
