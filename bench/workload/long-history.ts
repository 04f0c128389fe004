/** Measures the work of a page whose dashboard has watched a bot for a million seconds. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { type Clock, wallClock } from '../../src/clock/index.ts';
import { AuditLog, Fleet, serveDashboard } from '../../src/dashboard/index.ts';
import { timeAfter } from '../../src/domain/index.ts';
import { type PageWork, workDuring } from './page-work.ts';

export const HISTORY_SECONDS = 1_000_000;
const TOKEN = '0'.repeat(32);
const PAGE = fileURLToPath(new URL('../../src/dashboard/web/dist/', import.meta.url));
const DRAGS = 6;
/** Frames of a drag. */
const STEPS = 40;

export interface LongHistoryOptions {
  readonly browser: Browser;
  readonly socket: string;
  /** Slug of the market. */
  readonly market: string;
  /** Folder of the dashboard's files. */
  readonly folder: string;
}

/** Measures the work of the page while its chart of a week is dragged back and forth. */
export async function panFigures({ browser, socket, market, folder }: LongHistoryOptions): Promise<PageWork> {
  const wall = wallClock();
  let behindMs = HISTORY_SECONDS * 1_000;
  const clock: Clock = {
    now: () => timeAfter(wall.now(), -behindMs),
    schedule: (when, fire) => wall.schedule(timeAfter(when, behindMs), fire),
  };
  const fleet = new Fleet([{ id: 'bench', address: socket }], clock);
  const history = () => fleet.bot('bench').history(market);
  while (history() === undefined) await pause(50);
  const begun = clock.now();
  history()?.keepSeconds(HISTORY_SECONDS);
  for (let second = 1; second < HISTORY_SECONDS; second += 1) {
    const mid = 10_000 + Math.round(2_000 * Math.sin(second / 9_000) + 300 * Math.sin(second / 70));
    history()?.add(begun + second * 1_000, [mid, mid / 2 - 50, mid / 2 + 50, second * 1_000]);
  }
  behindMs = 0;
  const server = await serveDashboard({
    fleet,
    audit: new AuditLog(join(folder, 'audit.jsonl')),
    clock,
    version: '0',
    reports: folder,
    studies: folder,
    studyRun: () => null,
    renderStudy: () => Promise.reject(new Error('Invariant: the bench has no study')),
    host: '127.0.0.1',
    port: 0,
    page: PAGE,
    secrets: { token: TOKEN, operatorPassword: undefined, viewerPassword: undefined },
    isBehindProxy: false,
    hostNames: [],
  });
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(`http://127.0.0.1:${server.port}/#token=${TOKEN}`);
  await page.locator('.bots').waitFor();
  await page.evaluate(`location.hash = '#/market/bench/${market}'`);
  await page.getByRole('button', { name: '1w' }).click();
  const chart = await page.getByRole('group', { name: /^Chart/ }).boundingBox();
  if (chart === null) throw new Error('the page shows no chart');
  const [x, y] = [chart.x + chart.width / 2, chart.y + chart.height / 3];
  const work = await workDuring(browser, page, folder, async () => {
    for (let drag = 0; drag < DRAGS; drag += 1) {
      const by = ((drag % 4 < 2 ? 1 : -1) * chart.width) / 3;
      await page.mouse.move(x - by / 2, y);
      await page.mouse.down();
      await page.mouse.move(x + by / 2, y, { steps: STEPS });
      await page.mouse.up();
    }
  });
  await page.context().close();
  fleet.close();
  await server.close();
  return work;
}
