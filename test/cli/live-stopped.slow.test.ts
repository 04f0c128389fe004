/** Commands that read a stopped bot, and the earlier fills of a restarted one. */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { halfspread } from './halfspread.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

describe('a stopped bot', () => {
  it('shows its last state and time from its database, and still has its fills after a restart', async () => {
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`);
    const run = (command: string, ...more: readonly string[]) =>
      halfspread([command, 'bot.yaml', ...more], live.folder);
    expect(await run('status')).toMatchObject({ code: 2, stderr: expect.stringContaining('no bot runs there') });

    const first = await live.run();
    await waitForQuotes(first);
    const other = await harness.trader();
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_200, shares: 3 });
    await until(() => first.bot.fills(10).length > 0, 'a fill');
    const fills = first.bot.fills(10);
    // A stopped bot has no book, so the values of its positions are unknown.
    const positions = first.bot.positions().map((position) => ({ ...position, worth: null }));
    expect(await stopAndClose(first)).toBe(0);

    const status = await run('status', '--json');
    expect(status.stderr).toMatch(
      /^No bot runs\. The figures are from the journal, as of \d{4}-\d\d-\d\dT\S+Z\. `--venue` reads from the venue\.\n$/,
    );
    expect(JSON.parse(status.stdout)).toMatchObject({
      running: false,
      mode: 'ACTIVE',
      openOrders: 0,
      cash: first.state.cash,
      recovery: { cause: 'start', outcome: 'agrees', text: expect.stringMatching(/^started: 0 orders found/) },
      markets: [{ slug: 'question-1', position: -3 * SHARE, openOrders: 0 }],
    });
    expect((await run('status')).stdout).toMatch(/^recovery +started: 0 orders found/m);
    expect(fills[0]?.trade).toMatch(/^\S+$/);
    expect(JSON.parse((await run('fills', '--json')).stdout)).toEqual(fills);
    expect(JSON.parse((await run('positions', '--json')).stdout)).toEqual(positions);
    expect(await run('orders')).toMatchObject({
      stdout: expect.stringMatching(/^No bot runs\. The figures are from the journal, as of \S+Z\. .*\nno orders\n$/),
      stderr: '',
    });
    writeFileSync(live.paths.killFilePath, JSON.stringify({ reason: 'WATCHDOG: it spun' }));
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
      mode: 'KILLED',
      killReason: 'WATCHDOG: it spun',
      nextStep: `start the bot, then npx halfspread resume --db ${live.paths.db}`,
    });
    expect((await run('status')).stdout).toMatch(/^next step +start the bot, then npx halfspread resume --db /m);
    expect(await run('pause')).toMatchObject({ code: 2, stderr: expect.stringContaining('no bot runs there') });

    const again = await live.run();
    expect(again.bot.fills(10)).toEqual(fills);
    await again.bot.operate('resume', undefined);
    await until(() => again.bot.orders().filter(({ phase }) => phase === 'live').length >= 4, 'the bot quotes again');
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_200, shares: 2 });
    await until(() => again.bot.fills(10).length > fills.length, 'the bot has a new fill');
    expect(again.bot.fills(10).slice(-fills.length)).toEqual(fills);
    expect(again.bot.fills(1)).toHaveLength(1);
    expect(again.bot.status().fills).toBe(again.bot.fills(10).length);
    expect(await stopAndClose(again)).toBe(0);
  });
});
