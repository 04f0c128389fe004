/** The venue in a real browser: GraphiQL, and pages of other origins. */
import { createServer, type Server } from 'node:http';
import process from 'node:process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startVenue, type VenueServer } from '../../src/embed.ts';
import { NO_CHROMIUM, openChromium } from './chromium.ts';

let browser: Browser | undefined;
let venue: VenueServer;
let strict: VenueServer;
let elsewhere: Server;
let origin = '';

beforeAll(async () => {
  if (NO_CHROMIUM !== undefined) return;
  browser = await openChromium();
  venue = await startVenue({ seed: true });
  strict = await startVenue({ origins: ['https://b.example'] });
  elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
  const address = elsewhere.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}, 120_000);

afterAll(async () => {
  if (NO_CHROMIUM !== undefined) return;
  await browser?.close();
  await Promise.all([venue.close(0), strict.close(0)]);
  elsewhere.close();
});

beforeEach((context) => {
  if (NO_CHROMIUM !== undefined) context.skip(NO_CHROMIUM);
});

async function open(
  url: string,
): Promise<{ readonly page: Page; readonly asked: string[]; readonly complaints: string[] }> {
  if (browser === undefined) throw new Error('there is no browser');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, asked: requested, complaints };
}

/** What the answer's pane shows; its spaces do not break. */
function textOf(page: Page): () => Promise<string> {
  return async () => ((await page.locator('.graphiql-response').textContent()) ?? '').replace(/\s+/g, ' ');
}

describe('GraphiQL in Chromium', () => {
  it('answers a query, follows a subscription, knows the schema, and loads nothing from elsewhere', async () => {
    const {
      page,
      asked: requested,
      complaints,
    } = await open(`${venue.url}/graphql?query=${encodeURIComponent('{ health { status mode } }')}`);
    const editor = page.locator('.graphiql-query-editor');
    const result = textOf(page);
    await expect.poll(() => editor.textContent(), { timeout: 60_000 }).toContain('health');
    await page.getByRole('button', { name: /execute/i }).click();
    await expect.poll(result, { timeout: 60_000 }).toMatch(/"status": "OK"/);
    await page
      .getByRole('button', { name: /documentation/i })
      .first()
      .click();
    await expect
      .poll(() => page.locator('.graphiql-doc-explorer').textContent(), { timeout: 60_000 })
      .toContain('Subscription');
    const { HALFSPREAD_SCREENSHOTS: screenshots } = process.env;
    if (screenshots !== undefined) await page.screenshot({ path: `${screenshots}/graphiql.png` });

    const live = await open(
      `${venue.url}/graphql?query=${encodeURIComponent('subscription { venueStatusChanged { message } }')}`,
    );
    await live.page.getByRole('button', { name: /execute/i }).click();
    const received = textOf(live.page);
    await expect.poll(received, { timeout: 60_000 }).toContain('"message": null');
    await venue.operate('notice', { message: 'Back at noon.' });
    await expect.poll(received, { timeout: 60_000 }).toContain('"message": "Back at noon."');
    if (screenshots !== undefined) await live.page.screenshot({ path: `${screenshots}/graphiql-subscription.png` });

    expect(complaints).toEqual([]);
    expect(live.complaints).toEqual([]);
    const others = [...requested, ...live.asked].filter(
      (url) => !/^(data|blob):/.test(url) && !url.startsWith(`${venue.url}/`),
    );
    expect(others).toEqual([]);
  }, 180_000);
});

/** Asks from within the page. @returns status, answer and the headers that it may read; or the name of what was thrown */
function asking(url: string): string {
  return `(async () => {
    try {
      const answer = await fetch('${url}/graphql', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer none' }, body: JSON.stringify({ query: '{ health { status } }' }) });
      return [answer.status, await answer.json(), answer.headers.get('x-request-id') !== null];
    } catch (error) {
      return error.name;
    }
  })()`;
}

/** Opens a WebSocket from within the page. @returns whether it opened */
function socketTo(url: string): string {
  return `new Promise((resolve) => {
    const socket = new WebSocket('${url.replace('http', 'ws')}/graphql', 'graphql-transport-ws');
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  })`;
}

describe('a page of another origin in Chromium', () => {
  it('may send requests after a preflight, and open a WebSocket', async () => {
    const { page, complaints } = await open(origin);
    const requests = async () => {
      const text = await (await fetch(`${venue.url}/metrics`)).text();
      return Number(/^halfspread_http_requests_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await requests();
    expect(await page.evaluate(asking(venue.url))).toEqual([200, { data: { health: { status: 'OK' } } }, true]);
    // The preflight, the request itself, and the look at the numbers.
    expect((await requests()) - before).toBe(3);
    expect(await page.evaluate(socketTo(venue.url))).toBe(true);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('may not when the venue allows other origins: neither request nor WebSocket', async () => {
    const { page, complaints } = await open(origin);
    expect(await page.evaluate(asking(strict.url))).toBe('TypeError');
    expect(await page.evaluate(socketTo(strict.url))).toBe(false);
    expect(complaints.join('\n')).toMatch(/blocked by CORS policy/);
    const own = await open(strict.url);
    expect(await own.page.evaluate(asking(strict.url))).toEqual([200, { data: { health: { status: 'OK' } } }, true]);
  }, 120_000);
});
