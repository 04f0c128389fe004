/** Views, live figures and navigation of the dashboard in Chromium. */
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { findings, isInWindow, openPage, openSignedOut, PHONE, startDemoForTests, WIDE } from './demo-page.ts';

/** Folder for the pictures of the docs: `npm run docs:screenshots`. */
const { SCREENSHOTS } = process.env;
startDemoForTests();

/** Views with a picture in the docs. */
const PICTURED: ReadonlySet<string> = new Set(['fleet', 'market', 'risk']);
const VIEWS = ['fleet', 'market', 'risk', 'orders', 'log', 'history'] as const;

describe.each([WIDE, PHONE])('the dashboard at $width px', (viewport) => {
  it.each(VIEWS)('opens the view %s without errors in the console or serious findings of axe', async (view) => {
    const { page, context, errors } = await openPage(viewport, view);
    await page
      .locator(view === 'market' ? '.book, .empty' : 'main .panel, main .list-page')
      .first()
      .waitFor();
    await expect.poll(() => page.locator('.app').getAttribute('class')).toBe('app ');
    expect(await findings(page)).toEqual([]);
    expect(errors).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (SCREENSHOTS !== undefined && viewport === WIDE && PICTURED.has(view))
      await page.screenshot({ path: join(SCREENSHOTS, `dashboard-${view}.png`) });
    await context.close();
  });

  it('shows new figures as the bot trades', async () => {
    const { page, context } = await openPage(viewport, 'market');
    await page.locator('.book').waitFor();
    const book = (): Promise<string> => page.locator('.book').innerText();
    const before = await book();
    await expect.poll(book, { timeout: 60_000 }).not.toBe(before);
    await context.close();
  });
});

describe('the chart', () => {
  it('is moved by dragging and by keys, zoomed by buttons, and returns to the present by a button and by the key of the chosen range', async () => {
    const { page, context } = await openPage(WIDE, 'market');
    const chart = page.getByRole('group', { name: /^Chart/ });
    const now = page.getByRole('button', { name: 'Now', exact: true });
    /** Includes positions, as labels are of round times. */
    const times = (): Promise<string> => page.locator('.chart-grid .time-axis').innerHTML();
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
    await page.getByRole('button', { name: '1h' }).click();
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await now.waitFor();
    // The range is already the chosen one.
    await page.keyboard.press('1');
    await now.waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('shortcuts of a single key', () => {
  it('can be switched off in the list of shortcuts, and then only ⌘K works, also after a reload', async () => {
    const { page, context } = await openPage(WIDE);
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
    const { page, context } = await openPage(PHONE);
    for (const name of ['Theme', 'Sign out', 'Shortcuts']) await expect.poll(() => isInWindow(page, name)).toBe(true);
    await context.close();
  });
});

describe('the search', () => {
  it('works by keys: arrows select, Tab stays, Enter runs the selected action, and focus returns', async () => {
    const { page, context } = await openPage(WIDE);
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
  it('is removed from the address, and is required', async () => {
    const { page, context } = await openPage(WIDE);
    expect(page.url()).not.toContain('token');
    await context.close();
    const signedOut = await openSignedOut();
    await signedOut.getByLabel('Password, or the token').fill('0123456789abcdef0123456789abcdef');
    await signedOut.getByRole('button', { name: 'Sign in' }).click();
    await signedOut.getByText('Wrong password or token').waitFor();
    await signedOut.close();
  });
});
