/** The dashboard of a running demo in Chromium: every view, live figures, actions that the bot carries out, a bot that is frozen. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { askBot, type BotStatus } from '../../src/ops/index.ts';
import { newFolder, start } from '../cli/halfspread.ts';
import { NO_CHROMIUM, openChromium } from '../e2e/chromium.ts';

/** Folder for the pictures of the docs: `npm run docs:screenshots`. */
const { SCREENSHOTS } = process.env;
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser | undefined;
let demo: ChildProcess | undefined;
let url = '';
let socket = '';

beforeAll(async () => {
  if (NO_CHROMIUM !== undefined) return;
  browser = await openChromium();
  const folder = newFolder();
  const keep = join(folder, 'demo');
  socket = join(keep, 'bot.sock');
  demo = start(
    [
      'demo',
      '--keep',
      keep,
      '--from',
      '2022-07-11T10:00:00Z',
      '--duration',
      '30m',
      '--report',
      join(folder, 'demo.html'),
    ],
    folder,
  );
  url = await new Promise((resolve, reject) => {
    let text = '';
    demo?.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
      const found = /watch it in a browser: (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    demo?.once('exit', () => reject(new Error(`the demo ended: ${text}`)));
  });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  demo?.kill('SIGCONT');
  demo?.kill('SIGKILL');
});

beforeEach((context) => {
  if (NO_CHROMIUM !== undefined) context.skip(NO_CHROMIUM);
});

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the browser's console. */
  readonly complaints: string[];
}

async function open(viewport: typeof WIDE, view = 'fleet'): Promise<Opened> {
  if (browser === undefined) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', colorScheme: 'dark' });
  // Only what hangs is to end by this.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of 401'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page
    .locator('.bots')
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = await page.locator('body').innerText();
      throw new Error(`the page shows "${shown}", the console says ${JSON.stringify(complaints)}`, { cause });
    });
  await page.evaluate((name) => {
    location.hash = `#/${name}`;
  }, view);
  return { page, context, complaints };
}

async function status(): Promise<BotStatus> {
  return (await askBot(socket, { command: 'status' }, wallClock())) as BotStatus;
}

async function isInWindow(page: Page, button: string): Promise<boolean> {
  const box = await page.getByRole('button', { name: button }).boundingBox();
  const { width = 0 } = page.viewportSize() ?? {};
  return box !== null && box.x >= 0 && box.x + box.width <= width;
}

/** Returns serious and critical findings of axe. */
async function findings(page: Page): Promise<readonly string[]> {
  return await page.evaluate(
    `(async () => { ${AXE}; const { violations } = await axe.run(document);
       return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
         .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')); })()`,
  );
}

/** Views with a picture in the docs. */
const PICTURED: ReadonlySet<string> = new Set(['fleet', 'market', 'risk']);
const VIEWS = ['fleet', 'market', 'risk', 'orders', 'log', 'history'] as const;

describe.each([WIDE, PHONE])('the dashboard at $width px', (viewport) => {
  it.each(VIEWS)('opens the view %s without complaints, and axe finds nothing serious', async (view) => {
    const { page, context, complaints } = await open(viewport, view);
    await page
      .locator(view === 'market' ? '.book, .empty' : 'main .panel, main .list-page')
      .first()
      .waitFor();
    await expect.poll(() => page.locator('.app').getAttribute('class')).toBe('app ');
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (SCREENSHOTS !== undefined && viewport === WIDE && PICTURED.has(view))
      await page.screenshot({ path: join(SCREENSHOTS, `dashboard-${view}.png`) });
    await context.close();
  });

  it('shows new figures as the bot trades', async () => {
    const { page, context } = await open(viewport, 'market');
    await page.locator('.book').waitFor();
    const book = (): Promise<string> => page.locator('.book').innerText();
    const before = await book();
    await expect.poll(book, { timeout: 60_000 }).not.toBe(before);
    await context.close();
  });
});

describe('the chart', () => {
  it('is moved by dragging and by keys, zoomed by buttons, and goes on with now when it is told to', async () => {
    const { page, context } = await open(WIDE, 'market');
    const chart = page.getByRole('group', { name: /^Chart/ });
    const now = page.getByRole('button', { name: 'Now', exact: true });
    /** With their places: labels are of round times. */
    const times = (): Promise<string> => page.locator('.cg .tx').innerHTML();
    await expect.poll(times, { timeout: 20_000 }).toMatch(/\d\d:\d\d/);
    const { x = 0, y = 0, width = 0 } = (await chart.boundingBox()) ?? {};
    await page.mouse.move(x + width / 4, y + 50);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 50, { steps: 5 });
    await page.mouse.up();
    await now.waitFor();
    const dragged = await times();
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(times, { timeout: 20_000 }).not.toBe(dragged);
    const moved = await times();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(times, { timeout: 20_000 }).not.toBe(moved);
    expect(await findings(page)).toEqual([]);
    await now.click();
    await now.waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('shortcuts of a single key', () => {
  it('can be switched off in the list of shortcuts: then only ⌘K works, also after a new start of the page', async () => {
    const { page, context } = await open(WIDE);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel(/^Shortcuts of a single key/).uncheck();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.locator('.bots').waitFor();
    for (const key of ['p', '?', 'Shift+K', '/']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
    await context.close();
  });

  it('are not needed on a phone, where theme and signing out are buttons at the bottom', async () => {
    const { page, context } = await open(PHONE);
    for (const name of ['Theme', 'Sign out', 'Shortcuts']) await expect.poll(() => isInWindow(page, name)).toBe(true);
    await context.close();
  });
});

describe('the search', () => {
  it('is used by keys alone: arrows choose, Tab stays, Enter takes what is chosen, and focus goes back', async () => {
    const { page, context } = await open(WIDE);
    const theme = page.getByRole('button', { name: 'Theme' });
    await theme.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('demo');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    const search = page.getByRole('dialog', { name: 'Find' });
    const chosen = search.getByRole('option', { selected: true });
    const text = search.getByRole('combobox');
    expect(await text.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    expect(await text.evaluate((element) => element === document.activeElement)).toBe(true);
    const action = await chosen.innerText();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').getByRole('heading').innerText()).toBe(`${action}?`);
    await page.keyboard.press('Escape');
    expect(await theme.evaluate((element) => element === document.activeElement)).toBe(true);
    await context.close();
  });
});

describe('the token of the address', () => {
  it('leaves the address, and is needed', async () => {
    const { page, context } = await open(WIDE);
    expect(page.url()).not.toContain('token');
    await context.close();
    if (browser === undefined) return;
    const stranger = await browser.newPage();
    await stranger.goto(url.split('#')[0] ?? '');
    await stranger.getByLabel('Password, or the token').fill('0123456789abcdef0123456789abcdef');
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByText('Wrong password or token').waitFor();
    await stranger.close();
  });
});

describe('an action', () => {
  it('opens by its key, says what it will do, and pauses the bot; the next one resumes it', async () => {
    const { page, context } = await open(WIDE, 'market');
    await page.locator('.book').waitFor();
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sends nothing more until you resume').waitFor();
    expect((await status()).mode).toBe('ACTIVE');
    expect(await dialog.getByRole('textbox').inputValue()).toBe('');
    await page.keyboard.press('Enter');
    await dialog.locator('.result').getByText('Open as the venue confirmed it: 0').waitFor();
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await status()).toMatchObject({ mode: 'PAUSED', openOrders: 0 });
    await page.keyboard.press('Escape');
    await page.locator('.acts').getByText('Trades again').waitFor();
    await page.keyboard.press('p');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await dialog.locator('.result').waitFor();
    await expect.poll(async () => (await status()).mode).toBe('ACTIVE');
    await context.close();
  });

  it('does nothing when its dialog is closed, and focus goes back', async () => {
    const { page, context } = await open(WIDE, 'market');
    await page.locator('.acts').waitFor();
    const button = page.getByRole('button', { name: /^Flatten/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await status()).mode).toBe('ACTIVE');
    await context.close();
  });

  it('cancels one order of the list: the venue confirms it, and the dialog says that another may come', async () => {
    // Orders that rest for a while: the demo moves them every 200 ms, sooner than a busy machine confirms a dialog.
    const set = (name: string, value: number) => askBot(socket, { command: 'set', args: { name, value } }, wallClock());
    await set('order_refresh_time', 10);
    await set('order_refresh_tolerance_pct', 20);
    const { page, context } = await open(WIDE, 'orders');
    const dialog = page.getByRole('dialog');
    let order = 0;
    let said = '';
    // An order that traded while the dialog was open is refused in words, and the next one is tried.
    for (let attempt = 0; attempt < 20 && !said.includes('the venue confirmed it'); attempt += 1) {
      if (said !== '') await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /^Cancel order \d+ of / })
        .first()
        .click();
      const effects = (await dialog.textContent()) ?? '';
      expect(effects).toContain('may place another at once');
      order = Number(/Cancel order (\d+) of/.exec(effects)?.[1]);
      await dialog.getByRole('button', { name: 'Cancel order' }).click();
      await dialog.getByRole('button', { name: 'Close' }).waitFor();
      said = (await dialog.locator('.result').textContent()) ?? '';
    }
    expect(said).toContain('the venue confirmed it');
    const orders = (await askBot(socket, { command: 'orders' }, wallClock())) as readonly { readonly order: number }[];
    expect(orders.map((each) => each.order)).not.toContain(order);
    expect(await findings(page)).toEqual([]);
    await set('order_refresh_time', 0.2);
    await set('order_refresh_tolerance_pct', 0.2);
    await context.close();
  });

  it('sets a parameter, and the strategy quotes by it', async () => {
    const { page, context } = await open(WIDE, 'market');
    await page.getByLabel('order_levels').fill('1');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('order_levels is 1').waitFor();
    await expect.poll(() => page.locator('.ws tbody tr').count(), { timeout: 20_000 }).toBeLessThanOrEqual(2);
    await context.close();
  });

  it('is refused by the bot in its own words, such as for a value that the strategy does not take', async () => {
    const { page, context } = await open(WIDE, 'market');
    await page.getByLabel('order_levels').fill('99');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('order_levels was not set').waitFor();
    await context.close();
  });

  it('stands in the audit log', async () => {
    const { page, context } = await open(WIDE, 'risk');
    await page.locator('.au').getByText('pause').first().waitFor();
    expect(await page.locator('.au').innerText()).toContain('order_levels');
    await context.close();
  });
});

it('says within three seconds that a frozen bot does not answer, and goes on when it does', async () => {
  const { page, context } = await open(WIDE);
  await page.locator('.bots tbody tr').first().waitFor();
  // The page notes the time itself: on a busy machine the test may hear of it late. What its own timers are late by is not counted.
  const saying = page.evaluate<{ readonly at: number; readonly lateMs: number }>(`new Promise((resolve) => {
    let last = performance.now();
    let lateMs = 0;
    const look = () => {
      lateMs = Math.max(lateMs, performance.now() - last - 50);
      last = performance.now();
      if (document.body.innerText.includes('demo does not answer')) resolve({ at: Date.now(), lateMs });
      else setTimeout(look, 50);
    };
    look();
  })`);
  demo?.kill('SIGSTOP');
  const frozenAt = Date.now();
  const { at, lateMs } = await saying;
  demo?.kill('SIGCONT');
  expect(at - frozenAt - lateMs).toBeLessThan(3_000);
  await expect.poll(() => page.getByText('demo does not answer').count(), { timeout: 20_000 }).toBe(0);
  await context.close();
});

it('kills the bot from a phone: the venue confirms that no order is left', async () => {
  const { page, context } = await open(PHONE, 'market');
  await page.locator('.acts-b').getByRole('button', { name: 'Kill' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Kill' }).click();
  await dialog.locator('.result').getByText('no order is open at the venue').waitFor({ timeout: 30_000 });
  await expect.poll(async () => (await status()).killVerified, { timeout: 20_000 }).toBe(true);
  expect((await status()).openOrders).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByText('demo is killed').waitFor();
  expect(await page.locator('.mine:visible').count()).toBe(0);
  await page.setViewportSize(WIDE);
  // Other bots may still trade.
  await page.getByRole('button', { name: 'Kill all' }).click();
  await dialog
    .getByText(/^Kill all/)
    .first()
    .waitFor();
  await context.close();
});
