import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BacktestRun, parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { formatMicros, unchecked } from '../../src/domain/index.ts';
import { openChromium } from './chromium.ts';
import { contrastRatio, millisecondsOf } from './page-facts.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A backtest of a shipped strategy on the in-play part of a recorded match. */
const SPEC = {
  strategy: 'ladder',
  params: {
    bid_spread: 60,
    ask_spread: 60,
    order_amount: 50,
    max_position: 500,
    order_levels: 2,
    order_level_spread: 60,
  },
  tapes: ['config/tapes/betfair-1.200806927.tape'],
  from: '2022-07-11T11:00:20.540Z',
};

interface OpenPage {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly messages: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
let browser: Browser | undefined;
let run: BacktestRun | undefined;

beforeAll(async () => {
  browser = await openChromium();
  run = await runBacktest(parseRunSpec({ ...SPEC, report_dir: folder }), {
    baseDir: ROOT,
    strategyFolders: [join(ROOT, 'strategies')],
    version: '0.0.0',
    machine: { peakRssMb: () => 0 },
  });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

function backtestRunOf(): BacktestRun {
  if (run === undefined) throw new Error('there was no run');
  return run;
}

async function open(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<OpenPage> {
  if (browser === undefined) throw new Error('there is no browser');
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const requests: string[] = [];
  const messages: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(error.message));
  await page.goto(pathToFileURL(backtestRunOf().result.report ?? '').href);
  return { page, requests, messages };
}

describe.each([1280, 390])('the report in Chromium, %i pixels wide', (width) => {
  it('requests only the page and logs nothing', async () => {
    const { page, requests, messages } = await open(width);
    expect(requests).toHaveLength(1);
    expect(messages).toEqual([]);
    await page.close();
  });

  it('fits the width of the page', async () => {
    const { page } = await open(width);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    const tooWide = await page.evaluate<string[]>(`[...document.querySelectorAll('main *, header *, footer *')]
        .filter((element) => !element.closest('.scroll, svg') && element.getBoundingClientRect().right > ${width})
        .map((element) => element.outerHTML.slice(0, 80))`);
    expect(tooWide).toEqual([]);
    await page.close();
  });

  it('shows each chart once, with no label cut off or overlapping', async () => {
    const { page } = await open(width);
    const charts = await page.evaluate<
      { title: string; cut: string[]; overlaps: string[] }[]
    >(`[...document.querySelectorAll('svg.plot')].filter((svg) => svg.getBoundingClientRect().width > 0).map((svg) => {
        const frame = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent !== '');
        const boxes = texts.map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
        const outside = ({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
        const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return {
          title: svg.getAttribute('aria-label'),
          cut: boxes.filter(outside).map(({ text }) => text),
          overlaps: boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => touch(a.box, b.box)).map((b) => a.text + ' / ' + b.text)),
        };
      })`);
    expect(charts).toHaveLength(3);
    for (const { title, cut, overlaps } of charts)
      expect({ title, cut, overlaps }).toEqual({ title, cut: [], overlaps: [] });
    await page.close();
  });

  it('shows the numbers of the run', async () => {
    const { page } = await open(width);
    const text = await page.innerText('body');
    const { result } = backtestRunOf();
    const exact = (micros: number): string => formatMicros(unchecked.usd(micros)).replace('-', '−');
    for (const micros of [...Object.values(result.pnl), ...Object.values(result.split)]) {
      expect(text.replaceAll(',', '')).toContain(exact(micros));
    }
    expect(text).toContain(`${result.fills.maker} maker`.replace(/\B(?=(\d{3})+ )/g, ','));
    for (const hash of [result.eventLogHash, result.stateHash, result.tape.sha256]) expect(text).toContain(hash);
    for (const tag of Object.keys(result.fillsByTag)) expect(text).toContain(tag);
    await page.close();
  });
});

describe.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('the charts over time, %i pixels wide, %s', (width, colorScheme) => {
  it('are drawn when they come into view, in the colours of the theme', async () => {
    const { page, messages } = await open(width, colorScheme);
    for (const chart of await page.locator('.chart').all()) {
      await chart.scrollIntoViewIfNeeded();
      await chart.locator('canvas').waitFor();
    }
    const drawn = await page.evaluate<
      { width: number; colours: number }[]
    >(`[...document.querySelectorAll('.chart canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Set();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) colours.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
        return { width: canvas.getBoundingClientRect().width, colours: colours.size };
      })`);
    expect(drawn).toHaveLength(4);
    for (const chart of drawn) {
      expect(chart.width).toBeGreaterThan(width * 0.75);
      expect(chart.colours).toBeGreaterThan(3);
    }
    expect(messages).toEqual([]);
    await page.close();
  });

  it('has no serious accessibility violations according to axe', async () => {
    const { page } = await open(width, colorScheme);
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const found = await page.evaluate<string[]>(`(async () => { ${axe}; const { violations } = await axe.run(document);
        return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html); })()`);
    expect(found).toEqual([]);
    await page.close();
  });
});

describe('the interactive report', () => {
  it('shows time, value and own fills at the mouse position in all charts', async () => {
    const { page } = await open(1280);
    const { lines } = backtestRunOf().detail.markets[0] ?? {};
    const fill = lines?.fills[10];
    if (fill === undefined) throw new Error('the market has fills');
    await page.evaluate(`document.querySelector('.bar').scrollIntoView()`);
    const price = page.locator('figure.time', { has: page.locator('[aria-label^="Price with own fills"]') });
    await price.scrollIntoViewIfNeeded();
    const over = price.locator('.u-over');
    await over.waitFor();
    const box = await over.boundingBox();
    if (box === null) throw new Error('the chart is visible');
    const [from, to] = await page.evaluate<[number, number]>(
      `[Number(document.body.dataset.zoomFrom), Number(document.body.dataset.zoomTo)]`,
    );
    const x = box.x + ((fill.time - from) / (to - from)) * box.width;
    await page.mouse.move(x, box.y + box.height / 2);
    const text = await price.locator('output').innerText();
    expect(text).toMatch(
      /^2022-07-11 \d\d:\d\d:\d\d UTC · mid [\d.]+ cents · (bought|sold) YES, maker: [\d.]+ shares at [\d.]+ cents/,
    );
    const inventory = page.locator('figure.time', { has: page.locator('[aria-label^="Inventory over time"]') });
    expect(await inventory.locator('output').innerText()).toMatch(/ · YES − NO −?[\d.]+ shares$/);
    await page.close();
  });

  it('zooms all charts by mouse, buttons and keys, and returns to the whole run', async () => {
    const { page } = await open(1280);
    const range = page.locator('#range');
    const first = await range.innerText();
    const chart = page.locator('.chart').first();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator('.u-over').boundingBox();
    if (box === null) throw new Error('the chart is visible');
    await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
    await page.mouse.up();
    const dragged = await range.innerText();
    expect(millisecondsOf(dragged) / millisecondsOf(first)).toBeCloseTo(0.25, 1);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const closer = await range.innerText();
    expect(millisecondsOf(closer) / millisecondsOf(dragged)).toBeCloseTo(0.5, 1);
    await page.getByRole('button', { name: 'Later' }).click();
    expect(await range.innerText()).not.toBe(closer);
    await chart.focus();
    await page.keyboard.press('-');
    expect(millisecondsOf(await range.innerText())).toBeGreaterThan(1.9 * millisecondsOf(closer));
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('output').first().innerText()).toMatch(/ · P&L −?\$\d/);
    await page.keyboard.press('0');
    expect(await range.innerText()).toBe(first);
    await page.close();
  });

  it('links a market from the table, and switches between the light and the dark theme', async () => {
    const { page } = await open(390);
    await page.locator('a[href^="#market-"]').first().click();
    expect(
      await page.evaluate<number>(`document.querySelector('[id^="market-"]').getBoundingClientRect().top`),
    ).toBeLessThan(200);
    const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await paper();
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    expect(await paper()).not.toBe(light);
    await page.close();
  });

  it('prints every chart with a light background', async () => {
    const { page } = await open(1280, 'dark');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('.chart canvas').count()).toBe(4);
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect((await page.pdf()).length).toBeGreaterThan(50_000);
    await page.close();
  });
});

describe('the report in Chromium', () => {
  it('has a readable light and dark theme', async () => {
    const contrast = async (colorScheme: 'light' | 'dark'): Promise<{ paper: string; ratio: number }> => {
      const { page } = await open(1280, colorScheme);
      const colours = await page.evaluate<{ paper: string; ink: string[] }>(`({
          paper: getComputedStyle(document.body).backgroundColor,
          ink: ['p.lead', 'figcaption', 'thead th', 'footer', '.plot text']
            .map((selector) => document.querySelector(selector))
            .map((element) => element instanceof SVGElement ? getComputedStyle(element).fill : getComputedStyle(element).color),
        })`);
      await page.close();
      const ratios = colours.ink.map((ink) => contrastRatio(ink, colours.paper));
      return { paper: colours.paper, ratio: Math.min(...ratios) };
    };
    const [light, dark] = [await contrast('light'), await contrast('dark')];
    expect(light.paper).not.toBe(dark.paper);
    // WCAG 2.2, 1.4.3: text of normal size.
    expect(light.ratio).toBeGreaterThan(4.5);
    expect(dark.ratio).toBeGreaterThan(4.5);
  });

  it('has one top-level heading, a name for each chart and headers in each table', async () => {
    const { page } = await open(1280);
    const facts = await page.evaluate<{
      h1: number;
      lang: string;
      unnamed: number;
      bare: number;
      unfocusable: number;
    }>(`({
        h1: document.querySelectorAll('h1').length,
        lang: document.documentElement.lang,
        unnamed: [...document.querySelectorAll('svg[role=img]')].filter((svg) => !svg.getAttribute('aria-label')).length,
        bare: [...document.querySelectorAll('table')].filter((table) => !table.caption || !table.querySelector('th[scope=col]') || !table.querySelector('th[scope=row]')).length,
        unfocusable: [...document.querySelectorAll('.scroll')].filter((box) => box.tabIndex !== 0).length,
      })`);
    expect(facts).toEqual({ h1: 1, lang: 'en', unnamed: 0, bare: 0, unfocusable: 0 });
    await page.close();
  });

  it('contains the payout of the market that resolved YES', () => {
    const { result, detail } = backtestRunOf();
    expect(detail.markets.map(({ payout }) => payout)).toEqual([10_000]);
    expect(result.pnl.unrealizedMicros).toBe(0);
  });
});
