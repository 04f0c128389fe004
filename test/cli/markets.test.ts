import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startVenue, type VenueServer } from '../../src/embed.ts';
import { ROOT } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { runInProcess } from './trading.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function venueWith(count: number): Promise<VenueServer> {
  const venue = await startVenue();
  ends.push(() => venue.close(0));
  await venue.operate('put-category', { slug: 'weather', name: 'Weather' });
  for (let at = 0; at < count; at += 1) {
    const question = `Will it ${at % 2 === 0 ? 'rain' : 'snow'} in Oslo on day ${at}?`;
    const terms = { category: 'weather', rules: 'As measured.', resolution_date: '2100-01-01T12:30:00Z' };
    const created = await venue.operate('create-market', { ...terms, question });
    const id = Object(created).id;
    await venue.operate('open-market', { market: id });
    if (at < 2) await venue.operate('void', { market: id });
  }
  return venue;
}

describe('halfspread markets', () => {
  it('lists open markets without a token', async () => {
    const { url } = await venueWith(4);
    const { code, stdout, stderr } = await runInProcess(['markets', '--url', url]);
    expect(code).toBe(0);
    expect(stderr).toBe(`2 of 2 OPEN markets at ${url}\n`);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(head.split(/\s{2,}/)).toEqual(['slug', 'status', 'bid bps', 'ask bps', 'volume', 'ends', 'question']);
    expect(rows.toSorted()).toEqual([
      expect.stringMatching(
        /^will-it-rain-in-oslo-on-day-2 {2}OPEN +- +- +\$0\.00 +2100-01-01 12:30Z {2}Will it rain in Oslo on day 2\?$/,
      ),
      expect.stringMatching(
        /^will-it-snow-in-oslo-on-day-3 {2}OPEN +- +- +\$0\.00 +2100-01-01 12:30Z {2}Will it snow in Oslo on day 3\?$/,
      ),
    ]);
  });

  it('fits a terminal with whole slugs and as many other columns as possible', async () => {
    const { url } = await venueWith(4);
    for (const [columns, last] of [
      [120, /day 3\?$/],
      [112, /…/],
      [100, /Z$/],
      [66, /\$0\.00$/],
      [58, /-$/],
    ] as const) {
      const { stdout } = await runInProcess(['markets', '--url', url], ROOT, columns);
      const [head = '', ...rows] = stdout.trimEnd().split('\n');
      expect(head).toMatch(/^slug +status +bid bps +ask bps/);
      const snow = rows.find((row) => row.startsWith('will-it-snow-in-oslo-on-day-3  OPEN'));
      expect(snow).toMatch(last);
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(Math.max(columns, 58));
    }
  });

  it('filters by question and status over several pages up to a limit, also with --json', async () => {
    const { url } = await venueWith(130);
    const lines = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runInProcess(['markets', '--url', `${url}/`, '--json', ...args]);
      expect([code, stderr]).toEqual([0, '']);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    };
    const all = await lines('--status', 'any', '--limit', '1000');
    expect(new Set(all.map(({ slug }) => slug)).size).toBe(130);
    expectDocumented('markets', all[0]);
    expect(await lines('--status', 'any', '--limit', '103')).toEqual(all.slice(0, 103));
    const rain = await lines('--search', 'RAIN', '--limit', '1000');
    expect(rain).toHaveLength(64);
    expect(rain.every(({ status, question }) => status === 'OPEN' && question.includes('rain'))).toBe(true);
    expect(await lines('--search', 'hail')).toEqual([]);
  });

  it('prints what to do when no venue answers, another server answers, or an option is invalid', async () => {
    const unreachable = await runInProcess(['markets', '--url', 'http://127.0.0.1:9']);
    expect(unreachable).toMatchObject({ code: 2, stdout: '' });
    expect(unreachable.stderr).toContain(
      '--url: expected a venue that can be reached (127.0.0.1:9 cannot be reached (ECONNREFUSED)), got "http://127.0.0.1:9"',
    );
    for (const [answer, problem] of [
      ['<html>', 'expected the base URL of a venue; another service answers there'],
      ['{"error":"not found"}', 'expected the base URL of a venue with markets (it answered: no list of markets)'],
      ['{"errors":[{"message":"no \\u001b[2J"}]}', 'expected the base URL of a venue with markets (it answered: no '],
    ]) {
      const page = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
      ends.push(() => page.close());
      await new Promise((resolve) => page.once('listening', resolve));
      const address = page.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const other = await runInProcess(['markets', '--url', `http://127.0.0.1:${port}`]);
      expect(other).toMatchObject({ code: 2, stdout: '' });
      expect(other.stderr).toContain(problem);
      expect(other.stderr).not.toContain('\u001b');
    }
    for (const [option, value] of [
      ['--status', 'lost'],
      ['--limit', '0'],
      ['--url', 'ftp://127.0.0.1'],
    ] as const) {
      const { code, stderr } = await runInProcess(['markets', option, value]);
      expect([option, code]).toEqual([option, 2]);
      expect(stderr).toContain(option);
    }
  });
});
