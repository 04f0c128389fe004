/** Actions of the dashboard that a running bot executes, and a bot that is frozen, in Chromium. */
import { describe, expect, it } from 'vitest';
import { command, findings, openPage, PHONE, signalDemo, startDemoForTests, status, WIDE } from './demo-page.ts';

startDemoForTests();

describe('an action', () => {
  it('opens by its key, describes its effect and pauses the bot, and the next one resumes it', async () => {
    const { page, context } = await openPage(WIDE, 'market');
    await page.locator('.book').waitFor();
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sends nothing more until you resume').waitFor();
    expect((await status()).mode).toBe('ACTIVE');
    expect(await dialog.getByRole('textbox').inputValue()).toBe('');
    await page.keyboard.press('Enter');
    await dialog.locator('.result').getByText('Open orders confirmed by the venue: 0').waitFor();
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Shift+Tab');
    // The focus may leave to the browser's own controls, but not to the page behind the dialog.
    const behind = page.locator('.app :focus');
    expect(await behind.count()).toBe(0);
    expect(await status()).toMatchObject({ mode: 'PAUSED', openOrders: 0 });
    await page.keyboard.press('Escape');
    await page.locator('.action-list').getByText('Trades again').waitFor();
    await page.keyboard.press('p');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await dialog.locator('.result').waitFor();
    await expect.poll(async () => (await status()).mode).toBe('ACTIVE');
    await context.close();
  });

  it('does nothing when its dialog is closed, and focus returns', async () => {
    const { page, context } = await openPage(WIDE, 'market');
    await page.locator('.action-list').waitFor();
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

  it('cancels an order of the list, and the dialog reports the confirmation and that another order may follow', async () => {
    // The demo moves orders every 200 ms, faster than a busy machine confirms a dialog.
    const set = (name: string, value: number) => command('set', { name, value });
    await set('order_refresh_time', 10);
    await set('order_refresh_tolerance_pct', 20);
    const { page, context } = await openPage(WIDE, 'orders');
    const dialog = page.getByRole('dialog');
    let order = 0;
    let result = '';
    // An order that traded while the dialog was open is refused, and the test tries the next one.
    for (let attempt = 0; attempt < 20 && !result.includes('the venue confirmed it'); attempt += 1) {
      if (result !== '') await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /^Cancel order \d+ of / })
        .first()
        .click();
      const effects = (await dialog.textContent()) ?? '';
      expect(effects).toContain('may place another order at once');
      order = Number(/Cancel order (\d+) of/.exec(effects)?.[1]);
      await dialog.getByRole('button', { name: 'Cancel order' }).click();
      await dialog.getByRole('button', { name: 'Close' }).waitFor();
      result = (await dialog.locator('.result').textContent()) ?? '';
    }
    expect(result).toContain('the venue confirmed it');
    const orders = (await command('orders')) as readonly { readonly order: number }[];
    expect(orders.map((open) => open.order)).not.toContain(order);
    expect(await findings(page)).toEqual([]);
    await set('order_refresh_time', 0.2);
    await set('order_refresh_tolerance_pct', 0.2);
    await context.close();
  });

  it('sets a parameter, which the strategy uses for its next quotes', async () => {
    const { page, context } = await openPage(WIDE, 'market');
    await page.getByLabel('order_levels').fill('1');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('order_levels is 1').waitFor();
    await expect.poll(() => page.locator('.quotes-table tbody tr').count(), { timeout: 20_000 }).toBeLessThanOrEqual(2);
    await context.close();
  });

  it('is refused by the bot, for example for a value that the strategy does not accept', async () => {
    const { page, context } = await openPage(WIDE, 'market');
    await page.getByLabel('order_levels').fill('99');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('order_levels was not set').waitFor();
    await context.close();
  });

  it('is in the audit log', async () => {
    const { page, context } = await openPage(WIDE, 'risk');
    await page.locator('.audit-table').getByText('pause').first().waitFor();
    expect(await page.locator('.audit-table').innerText()).toContain('order_levels');
    await context.close();
  });
});

it('reports within three seconds that a frozen bot does not answer, and continues when it does', async () => {
  const { page, context } = await openPage(WIDE);
  await page.locator('.bots tbody tr').first().waitFor();
  // The page measures the time itself, without delays of its timers, as a busy machine informs the test late.
  const reporting = page.evaluate<{ readonly at: number; readonly lateMs: number }>(`new Promise((resolve) => {
    let last = performance.now();
    let lateMs = 0;
    const check = () => {
      lateMs = Math.max(lateMs, performance.now() - last - 50);
      last = performance.now();
      if (document.body.innerText.includes('demo does not answer')) resolve({ at: Date.now(), lateMs });
      else setTimeout(check, 50);
    };
    check();
  })`);
  signalDemo('SIGSTOP');
  const frozenAt = Date.now();
  const { at, lateMs } = await reporting;
  signalDemo('SIGCONT');
  expect(at - frozenAt - lateMs).toBeLessThan(3_000);
  await expect.poll(() => page.getByText('demo does not answer').count(), { timeout: 20_000 }).toBe(0);
  await context.close();
});

it('kills the bot from a phone, and the venue confirms that no order is left', async () => {
  const { page, context } = await openPage(PHONE, 'market');
  await page.locator('.phone-actions').getByRole('button', { name: 'Kill' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Kill' }).click();
  await dialog.locator('.result').getByText('no order is open at the venue').waitFor({ timeout: 30_000 });
  await expect.poll(async () => (await status()).killVerified, { timeout: 20_000 }).toBe(true);
  expect((await status()).openOrders).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByText('demo is killed').waitFor();
  expect(await page.locator('.own-shares:visible').count()).toBe(0);
  await page.setViewportSize(WIDE);
  // Other bots may still trade.
  await page.getByRole('button', { name: 'Kill all' }).click();
  await dialog
    .getByText(/^Kill all/)
    .first()
    .waitFor();
  await context.close();
});
