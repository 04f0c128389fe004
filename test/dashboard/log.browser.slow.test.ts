/** The page of a bot's log in Chromium. */
import type { WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import { RecentLog } from '../../src/ops/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { newFolder, start } from '../cli/halfspread.ts';
import { NO_CHROMIUM, openChromium } from '../e2e/chromium.ts';
import { fakeBot } from './fake-bot.ts';

const BURST = 300;

/** Starts a dashboard of one bot. Returns its URL. */
async function startDashboard(socket: string) {
  const child = start(['dashboard', `one=${socket}`, '--port', '0'], newFolder());
  afterThisTest.add(() => void child.kill('SIGKILL'));
  return new Promise<string>((resolve) => {
    child.stdout?.on('data', (piece: Buffer) => {
      const found = /http:\/\/\S+/.exec(piece.toString('utf8'))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
}

it.skipIf(NO_CHROMIUM !== undefined)(
  'shows each line once: before the page opened, while it connected, many at once, and after refused reads',
  async () => {
    const log = new RecentLog();
    const bot = await fakeBot();
    log.add('line before');
    let reads = 0;
    const refusal = `${JSON.stringify({ v: 1, id: 1, ok: false, error: { code: 'FAILED', message: 'busy' } })}\n`;
    let isBusy = false;
    bot.responses.set('log', ({ level, limit, after }: { level: 'INFO'; limit: number; after?: number }) => {
      if (isBusy) return refusal;
      const lines = log.read(level, limit, after);
      reads += 1;
      if (reads === 1) log.add('line meanwhile');
      if (reads === 2) for (let count = 0; count < BURST; count += 1) log.add(`line ${count}`);
      return lines;
    });
    const url = await startDashboard(bot.socket);
    const browser = await openChromium();
    afterThisTest.add(() => browser.close());
    const page = await browser.newPage();
    await page.goto(url);
    await page.locator('.bots').waitFor();
    await page.evaluate("location.hash = '#/log'");
    const rows = page.locator('.log tbody tr');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(BURST);
    const shown = async (): Promise<readonly string[]> => {
      const texts = await rows.allInnerTexts();
      return texts.map((text) => /line \w+/.exec(text)?.[0] ?? text).toReversed();
    };
    const burst = Array.from({ length: BURST }, (_, count) => `line ${count}`);
    await expect.poll(shown, { timeout: 5_000 }).toEqual(['line before', 'line meanwhile', ...burst]);

    const late = 'New lines are late, because the dashboard cannot read the log. busy';
    isBusy = true;
    await expect.poll(() => rows.first().innerText(), { timeout: 5_000 }).toContain(late);
    log.add('line late');
    isBusy = false;
    await expect.poll(() => rows.first().innerText(), { timeout: 5_000 }).toContain('line late');
    const texts = await rows.allInnerTexts();
    expect(texts[1]).toContain('The dashboard can read the log again');
    expect(texts[2]).toContain(late);
    expect(texts).toHaveLength(BURST + 5);
  },
);

it.skipIf(NO_CHROMIUM !== undefined)(
  'reads the log again when the connection comes back, because the stream sends at most 2,000 of the lines meanwhile',
  async () => {
    const log = new RecentLog();
    const bot = await fakeBot();
    bot.responses.set('log', ({ level, limit, after }: { level: 'INFO'; limit: number; after?: number }) =>
      log.read(level, limit, after),
    );
    log.add('line before');
    const url = await startDashboard(bot.socket);
    const browser = await openChromium();
    afterThisTest.add(() => browser.close());
    const page = await browser.newPage();
    const connections: WebSocketRoute[] = [];
    await page.routeWebSocket(/graphql/, (connection) => {
      connections.push(connection);
      connection.connectToServer();
    });
    await page.goto(url);
    await page.locator('.bots').waitFor();
    await page.evaluate("location.hash = '#/log'");
    const shown = async (): Promise<readonly string[]> => {
      const texts = await page.locator('.log tbody tr').allInnerTexts();
      return texts.map((text) => /line \w+/.exec(text)?.[0] ?? text).toReversed();
    };
    await expect.poll(shown, { timeout: 10_000 }).toEqual(['line before']);

    await connections.at(-1)?.close();
    log.add('line meanwhile');
    for (let count = 0; count < 2_100; count += 1) log.add(JSON.stringify({ level: 20, msg: 'debug' }));
    log.add('line after');
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['line before', 'line meanwhile', 'line after']);
  },
);
