/** Downloads from a fake of Polymarket's Gamma, Data API and CLOB. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadPolymarket, type PolymarketDownload } from '../../src/app/download-polymarket.ts';
import { afterThisTest } from '../cleanup.ts';
import { halfspread, newFolder } from '../cli/halfspread.ts';
import { rowsOfTape } from '../history/import/tape-rows.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';

const MARKET = `0x${'ab'.repeat(32)}`;
const [YES, NO] = ['1'.repeat(70), '2'.repeat(70)];
const GAMMA = {
  conditionId: MARKET,
  slug: 'rain',
  question: 'Rain?',
  clobTokenIds: JSON.stringify([YES, NO]),
  outcomes: '["Yes","No"]',
  orderPriceMinTickSize: 0.01,
  closed: true,
  closedTime: '2026-11-02 00:00:00+00',
  endDate: '2026-11-01T00:00:00Z',
  outcomePrices: '["1","0"]',
};

type Answer = { readonly status?: number; readonly body: unknown };
let server: Server;
let requests: URL[] = [];
let answers: Record<string, (url: URL) => Answer>;
let folder: string;

/** Five trades in pages of two, the newest first. */
function trades(url: URL): Answer {
  const from = Number(url.searchParams.get('cursor') ?? 5);
  const rows = [from, from - 1].filter((at) => at > 0).map((at) => trade(at));
  return { body: { data: rows, pagination: { has_more: from > 2, next_cursor: from > 2 ? String(from - 2) : null } } };
}

function trade(at: number) {
  return {
    proxy_wallet: `0x${'9'.repeat(40)}`,
    name: 'somebody',
    condition_id: MARKET,
    token_id: at === 2 ? NO : YES,
    side: at % 2 === 0 ? 'SELL' : 'BUY',
    size: at,
    price: 0.5 + at / 100,
    timestamp: 1_790_000_000 + at,
    transaction_hash: `0x${String(at).repeat(64)}`,
  };
}

/** Returns an empty text for a link that is gone. */
function readlink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

beforeEach(async () => {
  folder = newFolder();
  requests = [];
  answers = {
    '/markets/keyset': () => ({ body: { markets: [GAMMA], next_cursor: '' } }),
    '/v2/trades': trades,
    '/prices-history': () => ({
      body: { history: [1, 2, 3].map((at) => ({ t: 1_790_000_000 + 60 * at, p: 0.6 + at / 1_000 })) },
    }),
  };
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://server');
    requests.push(url);
    const { status = 200, body } = answers[url.pathname]?.(url) ?? { status: 404, body: {} };
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function download(more: Partial<PolymarketDownload> = {}) {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const choice = { names: ['rain'], tag: undefined, max: 10 };
  const urls = { gammaUrl: base, clobUrl: base, dataUrl: base };
  return downloadPolymarket(
    { folder, choice, content: 'trades', ...urls, log: () => undefined, ...more },
    () => undefined,
  );
}

describe('a download from Polymarket', () => {
  it('makes a tape of all trades, the oldest first, with the outcome, and stores no accounts', async () => {
    const { tapes, counts } = await download();
    expect(tapes.map(({ isResolved }) => isResolved)).toEqual([true]);
    expect(counts.trades).toMatchObject({ read: 5, prints: 5 });
    expect(rowsOfTape(tapes[0]?.path ?? '')).toMatchInlineSnapshot(`
      [
        "1790000001000 trade bid 5100 1 |",
        "1790000002000 trade bid 4800 2 |",
        "1790000003000 trade bid 5300 3 |",
        "1790000004000 trade ask 5400 4 |",
        "1790000005000 trade bid 5500 5 |",
        "1793577600000 resolution bid 10000 0 |",
      ]
    `);
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).timestamp - 1_790_000_000)).toEqual([1, 2, 3, 4, 5]);
    expect(lines.join('')).not.toMatch(/wallet|somebody/);
  });

  it('makes a tape of the prices, one candle a minute', async () => {
    const { tapes } = await download({ content: 'prices' });
    expect(tapes[0]?.manifest.markets[0]).toMatchObject({ slug: 'rain', question: 'Rain?' });
    expect(requests.at(-1)?.searchParams.get('market')).toBe(YES);
    expect(rowsOfTape(tapes[0]?.path ?? '')).toMatchInlineSnapshot(`
      [
        "1790000060000 trade ? 6010 1 inferred |",
        "1790000120000 trade ? 6020 1 inferred |",
        "1790000180000 trade ? 6030 1 inferred |",
        "1793577600000 resolution bid 10000 0 |",
      ]
    `);
  });

  it('retries when the venue is busy, and does not download trades of an ended market again', async () => {
    let isBusy = true;
    answers['/v2/trades'] = (url) => {
      if (!isBusy) return trades(url);
      isBusy = false;
      return { status: 503, body: 'busy' };
    };
    await download();
    const before = requests.filter(({ pathname }) => pathname === '/v2/trades').length;
    expect(before).toBe(4);
    await download();
    expect(requests.filter(({ pathname }) => pathname === '/v2/trades')).toHaveLength(before);
  });

  it('downloads the trades of an ended market again if its file is older than its end', async () => {
    await download();
    const beforeTheEnd = new Date('2026-11-01T12:00:00Z');
    utimesSync(join(folder, 'rain.trades.jsonl'), beforeTheEnd, beforeTheEnd);
    requests = [];
    await download();
    expect(requests.filter(({ pathname }) => pathname === '/v2/trades')).toHaveLength(3);
  });

  it('leaves no file of a market whose download broke', async () => {
    answers['/v2/trades'] = (url) => (url.searchParams.has('cursor') ? { body: '<html>' } : trades(url));
    await expect(download()).rejects.toThrow(/answered unexpected data .*the address of the Data API/);
    expect(readdirSync(folder)).toEqual(['polymarket-markets.json']);
  });

  it('closes its files on a full disk', async ({ skip }) => {
    const disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    afterThisTest.add(() => disk.unmount());
    // The pages fit on the disk, but not a second time in the order of time.
    const rows = Array.from({ length: 500 }, (_, at) => ({
      ...trade(1),
      transaction_hash: `0x${'1'.repeat(1_000)}${at}`,
    }));
    answers['/v2/trades'] = () => ({ body: { data: rows, pagination: { has_more: false, next_cursor: null } } });
    await expect(download({ folder: disk.folder })).rejects.toMatchObject({
      code: 'FILE',
      file: join(disk.folder, 'rain.trades.jsonl'),
      message: expect.stringMatching(/could not be written \(ENOSPC.*the disk has room/),
    });
    const files = readdirSync('/proc/self/fd').map((fd) => readlink(`/proc/self/fd/${fd}`));
    expect(files.filter((path) => path.startsWith(disk.folder))).toEqual([]);
  });

  it.each(['trades', 'prices'] as const)('of %s names a file or folder that cannot be written', async (content) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(download({ folder: join(file, 'in'), content })).rejects.toMatchObject({
      code: 'FILE',
      file: join(file, 'in', 'polymarket-markets.json'),
    });
    const path = join(folder, `rain.${content}.jsonl`);
    mkdirSync(path);
    const beforeTheEnd = new Date('2026-11-01T12:00:00Z');
    utimesSync(path, beforeTheEnd, beforeTheEnd);
    await expect(download({ content })).rejects.toMatchObject({ code: 'FILE', file: path });
  });

  it.each([
    [
      'repeats a page',
      () => ({ body: { data: [], pagination: { next_cursor: 'same' } } }),
      /keeps sending the same page/,
    ],
    ['answers a page that is too long', () => ({ body: 'x'.repeat(17 * 1_048_576) }), /too long|larger|bytes/],
    ['answers 404', () => ({ status: 404, body: {} }), /answered 404/],
  ])('refuses a server that %s', async (_, answer, message) => {
    answers['/v2/trades'] = answer;
    await expect(download()).rejects.toThrow(message);
  });

  it('does not use an unsafe slug as a file name', async () => {
    answers['/markets/keyset'] = () => ({ body: { markets: [{ ...GAMMA, slug: '../../rain' }], next_cursor: '' } });
    await download({ choice: { names: [MARKET], tag: undefined, max: 10 } });
    expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toEqual([`${MARKET}.trades.jsonl`]);
  });

  it('is available as a command that prints a report', async () => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const urls = ['--gamma-url', base, '--data-url', base, '--clob-url', base];
    const { code, stdout } = await halfspread(['download', 'polymarket', 'rain', '--out', folder, '--json', ...urls]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kinds: [{ kind: 'trade_record', count: 5 }], isUpToDate: false });
  });
});
