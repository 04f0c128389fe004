/** `halfspread run` in paper mode, with its recording, and `halfspread replay`. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ended, newFolder, ROOT, start, waitForStderr } from './halfspread.ts';
import { serving } from './serving.ts';
import { runInProcess } from './trading.ts';

const TIMEOUT_MS = 120_000;
const MATCH = ['--replay', join(ROOT, 'config/tapes/betfair-1.200806927.tape'), '--from', '12:00:00Z', '--speed', '60'];

const paper = (url: string): string => `
mode: paper
venue: { url: '${url}' }
markets: { filter: { limit: 1 } }
strategy: ladder
params: { bid_spread: 60, ask_spread: 60, order_amount: 10, order_refresh_time: 1, max_position: 100 }
log: { level: warn }
record: true
report_dir: reports
`;

const summarySchema = z.looseObject({
  account: z.literal('paper'),
  commands: z.record(z.string(), z.number()),
  openOrdersAtVenue: z.literal(0),
  fills: z.looseObject({ count: z.number(), maker: z.number() }),
});
const measuredSchema = z.looseObject({
  fills: z.looseObject({ count: z.number() }),
  orders: z.looseObject({ placed: z.number() }),
  pnl: z.looseObject({ totalMicros: z.int(), realizedMicros: z.int(), unrealizedMicros: z.int() }),
  split: z.record(z.string(), z.int()),
  report: z.string(),
});
const foundSchema = z.looseObject({ same: z.number(), steps: z.number(), rows: z.number(), hash: z.string() });

/** Trades in paper mode for three seconds. @returns the file of recorded steps, and the venue's view of the account */
async function session(folder: string) {
  const venue = await serving(['--log', 'silent', ...MATCH], folder);
  writeFileSync(join(folder, 'paper.yaml'), paper(venue.url));
  const child = start(['run', 'paper.yaml', '--json'], folder);
  const end = ended(child);
  await waitForStderr(child, 'trading 1 market on paper: no order is sent and no database is kept');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const change = await runInProcess(['set', 'order_amount=5', '--config', 'paper.yaml'], folder);
  expect(change).toMatchObject({ code: 0, stdout: expect.stringContaining('order_amount is 5 on 1 market') });
  child.kill('SIGINT');
  const { code, stdout, stderr } = await end;
  expect(stderr).toMatch(/^report: reports\/ladder-.*\.html$/m);
  const metrics = await (await fetch(`${venue.url}/metrics`)).text();
  await venue.stop('SIGTERM');
  expect({ code, stderr: stderr.split('\n').filter((line) => line.startsWith('{')) }).toEqual({ code: 0, stderr: [] });
  const recorded = join(folder, 'recordings');
  const [steps = ''] = readdirSync(recorded).filter((name) => name.endsWith('.steps'));
  return { steps: join(recorded, steps), summary: summarySchema.parse(JSON.parse(stdout)), metrics };
}

describe('a paper run', () => {
  it(
    'quotes a real market without sending anything, and its recording replays to the same decisions',
    async () => {
      const { steps, summary, metrics } = await session(newFolder());
      expect(summary.commands).toMatchObject({ place: expect.any(Number), cancelAll: expect.any(Number) });
      expect(metrics).not.toMatch(/(placeOrder|createSession|cancelAllOrders)/);
      const again = await runInProcess(['replay', steps, '--json']);
      const { same, steps: all, rows, hash } = foundSchema.parse(JSON.parse(again.stdout));
      expect([again.code, same]).toEqual([0, all]);
      expect(rows).toBeGreaterThan(50);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);

      // The summary of the run equals the report of its recording.
      const measured = await runInProcess(['report', steps, '--json', '--out', join(dirname(steps), 'measured')]);
      const run = measuredSchema.parse(JSON.parse(measured.stdout));
      const { count, maker } = summary.fills;
      expect(run.fills).toMatchObject({ count, maker });
      const parts = Object.values(run.split).reduce((sum, part) => sum + part, 0);
      expect(parts).toBe(run.pnl.totalMicros);
      expect(run.pnl.realizedMicros + run.pnl.unrealizedMicros).toBe(run.pnl.totalMicros);
      expect(run.orders.placed).toBeGreaterThan(0);
      expect(readFileSync(run.report, 'utf8')).toContain('halfspread paper session</title>');

      // With a different spread, the first quote differs.
      const bytes = readFileSync(steps);
      const head = bytes.indexOf(0x0a);
      const changed = bytes
        .subarray(0, head)
        .toString('utf8')
        .replaceAll('"bid_spread":60', '"bid_spread":90')
        .replace(/,"crc32":"[0-9a-f]+"/, '');
      const other = steps.replace('.steps', '-other.steps');
      writeFileSync(other, Buffer.concat([Buffer.from(changed), bytes.subarray(head)]));
      writeFileSync(other.replace('.steps', '.tape'), readFileSync(steps.replace('.steps', '.tape')));
      const differs = await runInProcess(['replay', other]);
      expect(differs.code).toBe(1);
      expect(differs.stdout).toMatch(
        /the first difference is in \S+ \(recorded .*, now .*\).*:\n {2}recorded: \{.*\n {2}now: {6}\{/,
      );

      // Only complete steps of a truncated recording are compared.
      truncateSync(steps, bytes.length - 3);
      const cut = await runInProcess(['replay', steps]);
      expect(cut.code).toBe(0);
      expect(cut.stdout).toMatch(
        /^no end mark: the bot was killed, its disk was full, or the end of the file is missing\. The file has (\d+) complete steps; the last is step \d+ of \S+Z\. The next one is incomplete and has \d+ bytes\. Later steps may be missing.*\n\1 of \1 steps are the same/,
      );
    },
    TIMEOUT_MS,
  );

  it('reports an unreachable venue', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'paper.yaml'), paper('http://127.0.0.1:9'));
    const { code, stderr } = await runInProcess(['run', 'paper.yaml'], folder);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/127\.0\.0\.1:9|Check url and the network/);
  }, 180_000);
});

describe('halfspread replay', () => {
  it.each([
    ['missing.steps', /missing\.steps: there is no such file or folder/],
    ['none.steps', /none\.steps, line 1: this is not a log of a session/],
    ['other.steps', /other\.steps, line 1: its session cannot be read/],
  ])('refuses %s', async (name, expected) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'none.steps'), 'nothing');
    writeFileSync(join(folder, 'other.steps'), '{"format":2}\n');
    const { code, stdout, stderr } = await runInProcess(['replay', join(folder, name)]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(expected);
  });
});

describe('halfspread record', () => {
  it(
    'records a tape that a backtest can use',
    async () => {
      const folder = newFolder();
      const venue = await serving(['--log', 'silent', ...MATCH], folder);
      writeFileSync(join(folder, 'paper.yaml'), paper(venue.url));
      const { code, stdout } = await runInProcess(
        ['record', 'paper.yaml', '--seconds', '2', '--out', 'a.tape', '--json'],
        folder,
      );
      await venue.stop('SIGTERM');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ file: join(folder, 'a.tape'), rows: expect.any(Number) });
      const info = await runInProcess(['tape', 'info', 'a.tape', '--json'], folder);
      expect(info.stdout).toContain('betfair');
      const back =
        'strategy: ladder\nparams: { bid_spread: 60, ask_spread: 60, order_amount: 10, max_position: 100 }\ntapes: [a.tape]\n';
      writeFileSync(join(folder, 'backtest.yaml'), back);
      const backtest = await runInProcess(['backtest', 'backtest.yaml', '--json', '--no-report'], folder);
      expect({ code: backtest.code, stderr: backtest.stderr }).toEqual({ code: 0, stderr: '' });
    },
    TIMEOUT_MS,
  );
});
