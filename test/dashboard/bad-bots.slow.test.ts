/** Faulty bots in Chromium: the page reports them, shows the other bots, and does not break. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDashboard } from '../../src/app/dashboard.ts';
import { afterThisTest } from '../cleanup.ts';
import { newFolder } from '../cli/halfspread.ts';
import { NO_CHROMIUM, openChromium } from '../e2e/chromium.ts';
import { type FakeBot, fakeBot } from './fake-bot.ts';
import { marketLine, report } from './reports.ts';

const HOUR = 3_600_000;
const VIEWS = ['fleet', 'market', 'risk', 'orders', 'log', 'history'] as const;

let browser: Browser | undefined;

beforeAll(async () => {
  if (NO_CHROMIUM === undefined) browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
});

beforeEach((context) => {
  if (NO_CHROMIUM !== undefined) context.skip(NO_CHROMIUM);
});

/** Opens a page of these bots, by name, and collects its errors. */
async function open(bots: Readonly<Record<string, FakeBot>>): Promise<{ page: Page; errors: string[] }> {
  if (browser === undefined) throw new Error('there is no browser');
  const folder = newFolder();
  const dashboard = await openDashboard({
    bots: Object.entries(bots).map(([id, { socket }]) => ({ id, address: socket })),
    host: '127.0.0.1',
    port: 0,
    isBehindProxy: false,
    hostNames: [],
    reports: folder,
    studies: folder,
    audit: join(folder, 'audit.jsonl'),
  });
  afterThisTest.add(() => dashboard.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  afterThisTest.add(() => context.close());
  // A busy machine needs this for ten thousand markets.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('dialog', (dialog) => errors.push(dialog.message()));
  await page.goto(dashboard.url);
  await page.locator('.bots').waitFor();
  return { page, errors };
}

async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = name;
  }, hash);
}

/** Sends a report ten times a second, as a bot does. */
function sendRepeatedly(bot: FakeBot, makeReport: () => unknown): void {
  const timer = setInterval(() => {
    bot.watchResponse = makeReport();
    bot.push();
  }, 100);
  afterThisTest.add(() => clearInterval(timer));
}

describe('a bot', () => {
  it('whose clock is ahead is reported, and a bot whose clock is right is not', async () => {
    const [ahead, right] = [await fakeBot(), await fakeBot()];
    sendRepeatedly(ahead, () => report({ now: Date.now() + HOUR, startedAt: Date.now() + HOUR }));
    sendRepeatedly(right, () => report({ now: Date.now(), startedAt: Date.now() }));
    const { page, errors } = await open({ ahead, right });
    await page.getByText('The clock of ahead is 1 h 0 m ahead').waitFor();
    expect(await page.getByText('The clock of right').count()).toBe(0);
    await expect.poll(() => page.locator('.bots').innerText()).toMatch(/ahead[\s\S]*Quoting[\s\S]*right[\s\S]*Quoting/);
    expect(errors).toEqual([]);
  });

  it('that hangs with an open socket is reported, and the orders of other bots are shown', async () => {
    const [hanging, healthy] = [await fakeBot(''), await fakeBot()];
    hanging.responses.set('orders', '');
    sendRepeatedly(healthy, () => report());
    const order = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 6_100, remaining: 1_000_000 };
    healthy.responses.set('orders', [{ ...order, phase: 'live', since: 1, tag: null }]);
    const { page } = await open({ hanging, healthy });
    await page.getByText('hanging does not answer').waitFor();
    await page.getByText('it accepts connections, but sends no report').first().waitFor();
    await show(page, '#/orders');
    await page.getByRole('button', { name: 'Cancel order 7 of healthy' }).waitFor();
  });

  it('whose lists hang while it still sends reports does not delay the lists of other bots', async () => {
    const [hanging, healthy] = [await fakeBot(), await fakeBot()];
    hanging.responses.set('orders', '');
    for (const bot of [hanging, healthy]) sendRepeatedly(bot, () => report());
    const order = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 6_100, remaining: 1_000_000 };
    healthy.responses.set('orders', [{ ...order, phase: 'live', since: 1, tag: null }]);
    const { page } = await open({ hanging, healthy });
    await show(page, '#/orders');
    await page.getByRole('button', { name: 'Cancel order 7 of healthy' }).waitFor({ timeout: 30_000 });
  });

  it('that is killed while its connection to the venue is down shows the connection as down', async () => {
    const bot = await fakeBot();
    sendRepeatedly(bot, () => report({ mode: 'KILLED', link: 'DOWN' }));
    const { page } = await open({ killed: bot });
    await show(page, '#/risk');
    expect(await page.locator('.link-table tbody tr').innerText()).toContain('Down');
  });

  it('with ten thousand markets is shown in every view, and its markets are found', async () => {
    const bot = await fakeBot();
    const markets = Array.from({ length: 10_000 }, (_, index) =>
      marketLine({ slug: `market-${index}`, question: `Question ${index}?`, event: 'one-event' }),
    );
    const large = report({ markets });
    const send = (): void => {
      bot.watchResponse = large;
      bot.push();
    };
    send();
    // Reports pile up when they arrive faster than the page draws them.
    const timer = setInterval(send, 4_000);
    afterThisTest.add(() => clearInterval(timer));
    const { page, errors } = await open({ many: bot });
    for (const view of VIEWS) {
      await show(page, `#/${view}`);
      await page
        .locator(view === 'market' ? '.empty' : 'main .panel')
        .first()
        .waitFor();
    }
    await show(page, '#/risk');
    await page.getByText('9950 more markets with less at stake').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('9876');
    await page.getByRole('option', { name: 'Question 9876?' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('with HTML in its names is shown as text, and no script runs', async () => {
    const html = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const bot = await fakeBot();
    const line = { slug: html, question: html, event: html, stopped: html };
    sendRepeatedly(bot, () => report({ strategies: [html], killReason: html, mode: 'KILLED' }, line));
    bot.responses.set('log', [{ seq: 1, time: 1, level: 'ERROR', message: html, fields: '{}' }]);
    const { page, errors } = await open({ html: bot });
    for (const view of VIEWS) {
      await show(page, `#/${view}`);
      await page
        .locator(view === 'market' ? '.empty' : 'main .panel')
        .first()
        .waitFor();
    }
    await show(page, '#/log');
    await page.getByText('<script>alert(2)</script>').first().waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

it.each(['#/market/%', '#/nowhere', '#/market/none/none', '#'])('the address %s shows a view', async (hash) => {
  const bot = await fakeBot();
  sendRepeatedly(bot, () => report());
  const { page, errors } = await open({ one: bot });
  await show(page, hash);
  await page.locator('.bots, .empty').first().waitFor();
  await show(page, '#/fleet');
  await page.locator('.bots').waitFor();
  expect(errors).toEqual([]);
});
