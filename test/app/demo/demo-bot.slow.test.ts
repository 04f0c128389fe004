/** A demo bot whose venue stops answering after the bot is opened. */
import { expect, it, vi } from 'vitest';
import { openDemoBot } from '../../../src/app/demo/demo-bot.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { freePort } from '../../free-port.ts';

const close = vi.hoisted(() => vi.fn(async () => {}));
vi.mock('../../../src/app/live/open-live.ts', () => ({ openLive: async () => ({ close }) }));

it('closes the bot of a demo when the login for the comparison fails', async () => {
  await expect(openDemoBot(newFolder(), `http://127.0.0.1:${await freePort()}`)).rejects.toThrow(/cannot be reached/);
  expect(close).toHaveBeenCalledOnce();
});
