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

/** Opens a page of these bots, by name, and collects the errors of its console. */
async function open(bots: Readonly<Record<string, FakeBot>>): Promise<{ page: Page; complaints: string[] }> {
  if (browser === undefined) throw new Error('there is no browser');
  const folder = newFolder();
  const dashboard = await openDashboard({
    bots: Object.entries(bots).map(([id, { socket }]) => ({ id, address: socket })),
    host: '127.0.0.1',
    port: 0,
    isBehindProxy: false,
    names: [],
    reports: folder,
    studies: folder,
    audit: join(folder, 'audit.jsonl'),
  });
  afterThisTest.add(() => dashboard.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  afterThisTest.add(() => context.close());
  // Ends only what hangs: a busy machine takes its time for ten thousand markets.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.goto(dashboard.url);
  await page.locator('.bots').waitFor();
  return { page, complaints };
}

async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = name;
  }, hash);
}

/** Says `says` ten times a second, as a bot does. */
function keepsSaying(bot: FakeBot, says: () => unknown): void {
  const timer = setInterval(() => {
    bot.says = says();
    bot.push();
  }, 100);
  afterThisTest.add(() => clearInterval(timer));
}

describe('a bot', () => {
  it('whose clock is in the future is shown with its clock, and one whose clock is right is not', async () => {
    const [ahead, right] = [await fakeBot(), await fakeBot()];
    keepsSaying(ahead, () => report({ now: Date.now() + HOUR, startedAt: Date.now() + HOUR }));
    keepsSaying(right, () => report({ now: Date.now(), startedAt: Date.now() }));
    const { page, complaints } = await open({ ahead, right });
    await page.getByText('The clock of ahead is 1 h 0 m ahead').waitFor();
    expect(await page.getByText('The clock of right').count()).toBe(0);
    await expect.poll(() => page.locator('.bots').innerText()).toMatch(/ahead[\s\S]*Quoting[\s\S]*right[\s\S]*Quoting/);
    expect(complaints).toEqual([]);
  });

  it('that hangs with its socket open is said to, and the orders of the others are shown', async () => {
    const [hangs, well] = [await fakeBot(''), await fakeBot()];
    hangs.answers.set('orders', '');
    keepsSaying(well, () => report());
    const order = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 6_100, remaining: 1_000_000 };
    well.answers.set('orders', [{ ...order, phase: 'live', since: 1, tag: null }]);
    const { page } = await open({ hangs, well });
    await page.getByText('hangs does not answer').waitFor();
    await page.getByText('it takes connections, but says nothing').first().waitFor();
    await show(page, '#/orders');
    await page.getByRole('button', { name: 'Cancel order 7 of well' }).waitFor();
  });

  it('whose lists hang while it still says something does not hold back those of the others', async () => {
    const [hangs, well] = [await fakeBot(), await fakeBot()];
    hangs.answers.set('orders', '');
    for (const bot of [hangs, well]) keepsSaying(bot, () => report());
    const order = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 6_100, remaining: 1_000_000 };
    well.answers.set('orders', [{ ...order, phase: 'live', since: 1, tag: null }]);
    const { page } = await open({ hangs, well });
    await show(page, '#/orders');
    await page.getByRole('button', { name: 'Cancel order 7 of well' }).waitFor({ timeout: 30_000 });
  });

  it('with ten thousand markets is shown in every view, and its markets are found', async () => {
    const bot = await fakeBot();
    const markets = Array.from({ length: 10_000 }, (_, index) =>
      marketLine({ slug: `market-${index}`, question: `Question ${index}?`, event: 'one-event' }),
    );
    const says = report({ markets });
    const say = (): void => {
      bot.says = says;
      bot.push();
    };
    say();
    // Seldom: where a page takes longer to draw a report than the next one is away, reports pile up.
    const timer = setInterval(say, 4_000);
    afterThisTest.add(() => clearInterval(timer));
    const { page, complaints } = await open({ many: bot });
    for (const view of VIEWS) {
      await show(page, `#/${view}`);
      await page
        .locator(view === 'market' ? '.empty' : 'main .panel')
        .first()
        .waitFor();
    }
    await show(page, '#/risk');
    await page.getByText('less at stake in 9950 more').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('9876');
    await page.getByRole('option', { name: 'Question 9876?' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('with HTML in its names runs nothing, and shows the text', async () => {
    const html = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const bot = await fakeBot();
    const line = { slug: html, question: html, event: html, stopped: html };
    keepsSaying(bot, () => report({ strategies: [html], killReason: html, mode: 'KILLED' }, line));
    bot.answers.set('log', [{ seq: 1, time: 1, level: 'ERROR', message: html, fields: '{}' }]);
    const { page, complaints } = await open({ html: bot });
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
    expect(complaints).toEqual([]);
  });
});

it.each(['#/market/%', '#/nowhere', '#/market/none/none', '#'])('the address %s shows a view', async (hash) => {
  const bot = await fakeBot();
  keepsSaying(bot, () => report());
  const { page, complaints } = await open({ one: bot });
  await show(page, hash);
  await page.locator('.bots, .empty').first().waitFor();
  await show(page, '#/fleet');
  await page.locator('.bots').waitFor();
  expect(complaints).toEqual([]);
});
