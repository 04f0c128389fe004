/** Checks that docs/json.md documents the `--json` output about a bot, its database and its venue. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { halfspread } from './halfspread.ts';
import { expectAllDocumented } from './json-page.ts';
import { endAll, openVenue, TestBot, until, type VenueProcess } from './trading.ts';

vi.setConfig({ hookTimeout: 60_000 });

let venue: VenueProcess;
beforeAll(async () => {
  venue = await openVenue();
});
afterAll(async () => {
  await venue.close();
  endAll();
});

describe('docs/json.md', () => {
  it('names every key that is printed about a running bot, its venue, an ended bot and its database', async () => {
    const bot = new TestBot(venue.url);
    const runJson = async (args: readonly string[]): Promise<object> => {
      const { code, stdout, stderr } = await halfspread([...args, '--json'], bot.folder);
      expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: expect.not.stringContaining('error') });
      return JSON.parse(stdout);
    };
    expectAllDocumented('doctor', await runJson(['doctor', 'bot.yaml']));
    const { child, end } = await bot.run();
    await until(async () => (await bot.status()).openOrders > 0, 'the bot quotes');
    expectAllDocumented('status', await runJson(['status', 'bot.yaml']), ['run', 'demo', 'journal check']);
    for (const list of ['orders', 'positions', 'fills']) {
      expectAllDocumented('orders, positions, fills', { [list]: await runJson([list, 'bot.yaml']) });
    }
    for (const command of ['status', 'orders', 'positions', 'fills', 'cancel-all']) {
      expectAllDocumented('--venue', await runJson([command, '--venue', 'bot.yaml']));
    }
    for (const command of ['pause', 'resume']) {
      expectAllDocumented('commands to a bot', await runJson([command, 'bot.yaml']));
    }
    child.kill('SIGTERM');
    expectAllDocumented('run', JSON.parse((await end).stdout), ['demo']);
    const stored = await halfspread(['status', 'bot.yaml', '--json'], bot.folder);
    expectAllDocumented('status', JSON.parse(stored.stdout), ['run', 'demo']);
    expectAllDocumented('journal check', await runJson(['journal', 'check', 'bot.db']));
  });
});
