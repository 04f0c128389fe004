/** The program inside another program. embed-examples.slow.test.ts runs the examples of its page. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { backtest, backtestResult, startVenue, type VenueOptions, type VenueServer } from '../src/embed.ts';

const ROOT = join(import.meta.dirname, '..');
const RUN = {
  strategy: 'ladder',
  tapes: ['config/tapes/betfair-1.200806927.tape'],
  params: { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300 },
  from: '2022-07-11T12:00:00Z',
  to: '2022-07-11T12:01:00Z',
};
const running: VenueServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((venue) => venue.close(0)));
});

async function start(options: VenueOptions = {}): Promise<VenueServer> {
  const venue = await startVenue(options);
  running.push(venue);
  return venue;
}

async function query({ url }: VenueServer, text: string): Promise<unknown> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  };
  return (await fetch(`${url}/graphql`, sent)).json();
}

describe('halfspread/embed', () => {
  it('exports exactly the listed values', async () => {
    expect(Object.keys(await import('../src/embed.ts')).toSorted()).toEqual([
      'ImportCounts',
      'SIDE',
      'TapeImport',
      'TapeWriter',
      'backtest',
      'backtestResult',
      'marketIdFromName',
      'startVenue',
    ]);
  });
});

describe('a venue in this process', () => {
  it('listens on a free port, with a separate exchange for each venue', async () => {
    const [first, second] = [
      await start({ seed: true }),
      await start({ exchange: { spreadBps: 700 }, base: '/venue' }),
    ];
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(second.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/venue$/);
    expect(await query(first, '{ markets { totalCount } bettingConfig { spreadBps } }')).toEqual({
      data: { markets: { totalCount: 13 }, bettingConfig: { spreadBps: 2000 } },
    });
    expect(await query(second, '{ markets { totalCount } bettingConfig { spreadBps } }')).toEqual({
      data: { markets: { totalCount: 0 }, bettingConfig: { spreadBps: 700 } },
    });
  });

  it('restores everything from its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspread-embed-'));
    try {
      const db = join(folder, 'venue.db');
      const first = await start({ db });
      expect(first.operatorToken).toMatch(/^pmo_/);
      await first.operate('put-category', { slug: 'tests', name: 'Tests' });
      await first.close(0);
      const second = await start({ db });
      expect(second.operatorToken).toBeUndefined();
      expect(await second.operate('catalogue')).toMatchObject({ categories: [{ slug: 'tests' }] });
      expect(await second.operate('actions')).toMatchObject([{ command: 'put-category', from: 'in process' }]);
      await expect(startVenue({ db })).rejects.toThrow(`process ${process.pid} uses it`);
    } finally {
      await Promise.all(running.splice(0).map((venue) => venue.close(0)));
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('reports invalid options, and releases its file', async () => {
    await expect(startVenue({ access: { audience: 'nowhere' } })).rejects.toThrow(/audience: expected a base URL/);
    await expect(startVenue({ exchange: { tickBps: 7 } })).rejects.toThrow(/tick/);
    const taken = await start();
    const port = Number(new URL(taken.url).port);
    await expect(startVenue({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('refuses forbidden operator commands with a reason', async () => {
    const venue = await start();
    await expect(venue.operate('halt', { market: 'nowhere' })).rejects.toThrow(/nowhere/);
    await expect(venue.operate('unknown')).rejects.toThrow(/there is no "unknown"/);
  });
});

describe('a backtest in this process', () => {
  it('gives the same numbers in both forms and writes no report', async () => {
    const inDetail = await backtest(RUN, { baseDir: ROOT });
    const alone = await backtestResult(RUN, { baseDir: ROOT });
    expect(inDetail.result.report).toBeNull();
    expect(inDetail.detail.markets).toHaveLength(1);
    const { wallMs: _, eventsPerSecond: __, quoting, ...numbers } = inDetail.result;
    expect(alone).toMatchObject({ ...numbers, quoting: null });
    expect(quoting).not.toBeNull();
  });

  it('reports an invalid spec, and ends when it is cancelled', async () => {
    await expect(async () => backtest({ ...RUN, params: { bid_spraed: 1 } }, { baseDir: ROOT })).rejects.toThrow(
      /bid_spraed/,
    );
    await expect(backtest(RUN, { baseDir: ROOT, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
