/** Tests the venue in Chromium: GraphiQL and pages of other origins. */
import { createServer, type Server } from 'node:http';
import process from 'node:process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startVenue, type VenueServer } from '../../src/embed.ts';
import { NO_CHROMIUM, openChromium } from './chromium.ts';

let browser: Browser | undefined;
let venue: VenueServer;
let restricted: VenueServer;
let otherSite: Server;
let origin = '';

beforeAll(async () => {
  if (NO_CHROMIUM !== undefined) return;
  browser = await openChromium();
  venue = await startVenue({ seed: true });
  restricted = await startVenue({ origins: ['https://b.example'] });
  otherSite = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => void otherSite.listen(0, '127.0.0.1', resolve));
  const address = otherSite.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}, 120_000);

afterAll(async () => {
  if (NO_CHROMIUM !== undefined) return;
  await browser?.close();
  await Promise.all([venue.close(0), restricted.close(0)]);
  otherSite.close();
});

beforeEach((context) => {
  if (NO_CHROMIUM !== undefined) context.skip(NO_CHROMIUM);
});

async function open(
  url: string,
): Promise<{ readonly page: Page; readonly requests: string[]; readonly errors: string[] }> {
  if (browser === undefined) throw new Error('there is no browser');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  return { page, requests: requested, errors };
}

/** Returns a function that reads the response pane, with every run of white space as one space. */
function textOf(page: Page): () => Promise<string> {
  return async () => ((await page.locator('.graphiql-response').textContent()) ?? '').replace(/\s+/g, ' ');
}

describe('GraphiQL in Chromium', () => {
  it('runs a query and a subscription, shows the schema, and loads nothing from other hosts', async () => {
    const {
      page,
      requests: requested,
      errors,
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

    expect(errors).toEqual([]);
    expect(live.errors).toEqual([]);
    const others = [...requested, ...live.requests].filter(
      (url) => !/^(data|blob):/.test(url) && !url.startsWith(`${venue.url}/`),
    );
    expect(others).toEqual([]);
  }, 180_000);
});

/** A script that sends a query. Returns status, answer and whether `x-request-id` is readable, or the error's name. */
function fetchScript(url: string): string {
  return `(async () => {
    try {
      const answer = await fetch('${url}/graphql', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer none' }, body: JSON.stringify({ query: '{ health { status } }' }) });
      return [answer.status, await answer.json(), answer.headers.get('x-request-id') !== null];
    } catch (error) {
      return error.name;
    }
  })()`;
}

/** A script that opens a WebSocket and returns whether it opened. */
function socketScript(url: string): string {
  return `new Promise((resolve) => {
    const socket = new WebSocket('${url.replace('http', 'ws')}/graphql', 'graphql-transport-ws');
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  })`;
}

describe('a page of another origin in Chromium', () => {
  it('can send requests after a preflight and open a WebSocket', async () => {
    const { page, errors } = await open(origin);
    const requests = async () => {
      const text = await (await fetch(`${venue.url}/metrics`)).text();
      return Number(/^halfspread_http_requests_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await requests();
    expect(await page.evaluate(fetchScript(venue.url))).toEqual([200, { data: { health: { status: 'OK' } } }, true]);
    // The preflight, the request, and the second request for the metrics.
    expect((await requests()) - before).toBe(3);
    expect(await page.evaluate(socketScript(venue.url))).toBe(true);
    expect(errors).toEqual([]);
  }, 120_000);

  it('can neither read answers nor open a WebSocket when only other origins are allowed', async () => {
    const { page, errors } = await open(origin);
    expect(await page.evaluate(fetchScript(restricted.url))).toBe('TypeError');
    expect(await page.evaluate(socketScript(restricted.url))).toBe(false);
    expect(errors.join('\n')).toMatch(/blocked by CORS policy/);
    const own = await open(restricted.url);
    expect(await own.page.evaluate(fetchScript(restricted.url))).toEqual([
      200,
      { data: { health: { status: 'OK' } } },
      true,
    ]);
  }, 120_000);
});
