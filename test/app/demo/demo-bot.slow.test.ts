/** A demo bot whose venue stops answering after the bot is opened. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDemoBot } from '../../../src/app/demo/demo-bot.ts';
import { afterThisTest } from '../../cleanup.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { freePort } from '../../free-port.ts';
import { openLiveVenue } from '../../server/live-venue.ts';

const close = vi.hoisted(() => vi.fn(async () => {}));
vi.mock('../../../src/app/live/open-live.ts', () => ({ openLive: async () => ({ close }) }));

it('closes the bot of a demo when the login for the comparison fails', async () => {
  await expect(openDemoBot(newFolder(), `http://127.0.0.1:${await freePort()}`)).rejects.toThrow(/cannot be reached/);
  expect(close).toHaveBeenCalledOnce();
});

it('logs a session that cannot be ended after the bot was closed', async () => {
  const venue = await openLiveVenue();
  afterThisTest.add(() => venue.close());
  const folder = newFolder();
  const bot = await openDemoBot(folder, venue.url);
  afterThisTest.add(() => bot.close());
  await bot.closeBot();
  await venue.close();
  await bot.logOutClient();
  await bot.close();
  const log = readFileSync(join(folder, 'bot.log'), 'utf8');
  expect(log).toMatch(/"problem":"[^"]*cannot be reached[^"]*".*"msg":"a session could not be ended and will expire"/);
});
