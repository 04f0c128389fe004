/** Every HTTP and WebSocket client against a redirecting server: no request is redirected, and no secret is shown. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { HttpClient } from '../../src/network/index.ts';
import { attemptDelivery, VenueHttp } from '../../src/ops/index.ts';
import { OPERATIONS } from '../../src/protocol/index.ts';
import { ended, newFolder, ROOT } from '../cli/halfspread.ts';
import { runInProcess, setSecret, TestBot } from '../cli/trading.ts';
import { transportTo } from '../venues/service/real-venue.ts';

const STATUSES = [301, 302, 303, 307, 308] as const;
const WATCHDOG = join(ROOT, 'src/app/live/watchdog-process.ts');
const SECRET = 'S3CRET-of-the-account';
const HEALTH =
  '{"data":{"health":{"status":"OK","mode":"NORMAL","version":"1","serverTime":"2026-01-01T00:00:00Z","engineSeq":"1"}}}';

interface Listener {
  readonly url: string;
  /** Requests and upgrades so far. */
  readonly requests: { readonly headers: object; readonly method: string | undefined }[];
  status: number;
  close(): void;
}

/** Redirects every request and upgrade. @param target undefined for a server that answers 200 to everything */
async function listen(target?: string): Promise<Listener> {
  const listener: Listener = {
    url: '',
    requests: [],
    status: 307,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer((request, response) => {
    listener.requests.push({ headers: request.headers, method: request.method });
    request.resume().on('end', () => {
      if (target === undefined) response.writeHead(200).end(HEALTH);
      else response.writeHead(listener.status, { location: `${target}/other?from=here` }).end();
    });
  });
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => undefined);
    listener.requests.push({ headers: request.headers, method: request.method });
    socket.end(
      target === undefined
        ? 'HTTP/1.1 400 Bad Request\r\n\r\n'
        : `HTTP/1.1 ${listener.status} Moved\r\nlocation: ${target.replace('http', 'ws')}/other\r\ncontent-length: 0\r\n\r\n`,
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return Object.assign(listener, { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
}

let elsewhere: Listener;
let redirecting: Listener;
let healthy: Listener;
beforeAll(async () => {
  elsewhere = await listen();
  redirecting = await listen(elsewhere.url);
  healthy = await listen();
});
afterAll(() => {
  redirecting.close();
  healthy.close();
  elsewhere.close();
});

/** Runs a client and returns its report of the redirect, or undefined if it has none. */
type Client = (url: string) => Promise<string | undefined>;

function bot(url: string): TestBot {
  setSecret('TEST_REDIRECT_HEADER', SECRET);
  const made = new TestBot(url);
  const { folder, key } = made;
  setSecret('TEST_REDIRECT_KEY', key);
  const text = [
    `venue: { url: "${url}", headers: { x-gateway: { env: TEST_REDIRECT_HEADER } } }`,
    'account: { key: { env: TEST_REDIRECT_KEY } }',
    'markets: { slugs: [will-the-cup-final-go-to-penalties] }',
    'strategy: ladder',
    'params: { bid_spread: 60, ask_spread: 60, order_amount: 5, max_position: 100 }',
    'log: { level: info }',
  ];
  writeFileSync(join(folder, 'bot.yaml'), `${text.join('\n')}\n`);
  return made;
}

async function output(command: readonly string[], folder: string): Promise<string> {
  const { stdout, stderr } = await runInProcess(command, folder);
  return stdout + stderr;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  async 'a read of a bot'(url) {
    const transport = transportTo(url, { retries: 0 });
    transport.setCredentials(SECRET);
    const answer = await transport.query(OPERATIONS.health, {});
    await transport.close();
    return JSON.stringify(answer);
  },
  async 'a change of a bot over HTTP'(url) {
    const transport = transportTo(url, { retries: 0 });
    transport.setCredentials(SECRET);
    const answer = await transport.mutate(OPERATIONS.cancelAllOrders, {});
    await transport.close();
    return JSON.stringify(answer);
  },
  async 'the WebSocket of a bot'(url) {
    const transport = transportTo(url, { retries: 0 });
    transport.setCredentials(SECRET);
    const fault = await transport.open().catch((error: unknown) => error);
    await transport.close();
    return String(fault);
  },
  async 'a request past the bot'(url) {
    const line = new VenueHttp({ url, clock: wallClock(), headers: { 'x-gateway': SECRET } });
    line.setToken(SECRET);
    const fault = await line.request(OPERATIONS.cancelAllOrders).catch((error: unknown) => error);
    return String(fault);
  },
  'doctor over HTTP': (url) => output(['doctor', 'bot.yaml'], bot(url).folder),
  'doctor over a WebSocket': (url) =>
    output(['doctor', 'bot.yaml', '--set', `venue.ws_url=${url.replace('http', 'ws')}`], bot(healthy.url).folder),
  'the start of a bot': (url) => output(['run', 'bot.yaml'], bot(url).folder),
  'orders of an account': (url) => output(['orders', 'bot.yaml', '--venue'], bot(url).folder),
  'the list of markets': (url) => output(['markets', '--url', url], newFolder()),
  async "an operator's command"(url) {
    const folder = newFolder();
    writeFileSync(join(folder, 'token'), SECRET);
    return output(['venue', 'status', '--url', url, '--token-file', 'token'], folder);
  },
  async 'a webhook'(url) {
    const clock = wallClock();
    const target = { name: 'a webhook', type: 'webhook', level: 'info', url: `${url}/${SECRET}` } as const;
    const alert = { kind: 'kill', level: 'critical', text: 'killed', fields: {}, time: clock.now() } as const;
    return JSON.stringify(await attemptDelivery(new HttpClient({ clock }), target, alert, 5_000));
  },
  async 'the watchdog'(url) {
    const child = spawn(process.execPath, [WATCHDOG], { stdio: ['pipe', 'ignore', 'pipe'] });
    const end = ended(child);
    const hello = {
      type: 'hello',
      pid: child.pid,
      url,
      headers: { 'x-gateway': SECRET },
      token: SECRET,
      silenceMs: 60_000,
    };
    const requestsBefore = redirecting.requests.length;
    child.stdin.end(
      `${JSON.stringify({ ...hello, alerts: { targets: [] }, killFilePath: '/nowhere', texts: {}, commands: { resume: 'resume', cancelAll: 'cancel-all' } })}\n`,
    );
    await vi.waitUntil(() => redirecting.requests.length > requestsBefore, { timeout: 60_000 });
    // Without this it retries for 17 s.
    child.kill('SIGKILL');
    const { stderr } = await end;
    return stderr;
  },
};

describe.each(Object.entries(CLIENTS))('%s', (name, client) => {
  it.each(STATUSES)('does not follow a redirect with status %i', async (status) => {
    redirecting.status = status;
    elsewhere.requests.length = 0;
    const before = redirecting.requests.length;
    const text = await client(redirecting.url);
    expect(redirecting.requests.length).toBeGreaterThan(before);
    expect(elsewhere.requests).toEqual([]);
    expect(text).not.toContain(SECRET);
    if (name !== 'the watchdog') {
      expect(text).toContain(`${status}`);
      expect(text).toContain(`redirect to ${elsewhere.url.replace('http', name.includes('Socket') ? 'ws' : 'http')}`);
    }
  });
});
