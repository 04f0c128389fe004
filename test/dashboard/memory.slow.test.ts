/** The short form of `npm run soak:dashboard`: the memory of a page that shows moving books stays bounded. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newFolder } from '../cli/halfspread.ts';
import { NO_CHROMIUM } from '../e2e/chromium.ts';
import { openMovingBot } from './moving-bot.ts';

const WINDOW_MS = 4_000;
const WINDOWS = 5;
/** Allowed growth in a window with 40 states of 0.15 MB each. */
const MAX_MB = 0.5;

it.skipIf(NO_CHROMIUM !== undefined)('a page that shows moving books frees the states that it has shown', async () => {
  const folder = newFolder();
  const bot = await openMovingBot(folder, join(folder, 'memory.txt'));
  await pause(WINDOW_MS);
  const grown: number[] = [];
  let before = await bot.pageMemory();
  const { nodes } = before;
  for (let window = 0; window < WINDOWS; window += 1) {
    await pause(WINDOW_MS);
    const after = await bot.pageMemory();
    grown.push(after.mb - before.mb);
    before = after;
  }
  expect(grown.toSorted((a, b) => a - b)[Math.floor(WINDOWS / 2)]).toBeLessThan(MAX_MB);
  expect(before.nodes).toBeLessThan(1.5 * nodes);
});
