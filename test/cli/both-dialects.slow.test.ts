/**
 * Runs one strategy live on one recording, through the service's own API and through Polymarket's dialect, and expects
 * the same fills. Then the recording of the Polymarket session is measured and replayed in a backtest.
 *
 * The bots start at different times, so the recording repeats a constant book and the same two trades. The strategy
 * quotes once. The test compares each order's number, outcome, side and its fills in order. Times, and the order of
 * different orders' fills, depend on the start.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { wallClock } from '../../src/clock/index.ts';
import { readStepLog } from '../../src/history/index.ts';
import { requestBot } from '../../src/ops/index.ts';
import { headOf, message, row } from '../backtest/scenario.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { halfspread, newFolder } from './halfspread.ts';
import { endAll, newKey, setSecret, startAndWait, until } from './trading.ts';

afterAll(endAll);

const SECONDS = 120;
const STEP_MS = 250;
/** 4 sells of 3 fill the bid of 10, and 3 buys of 4 fill the ask of 10. */
const FILLS = 7;

const STRATEGY = `
import { defineStrategy, z } from 'halfspread';
export default defineStrategy({
  name: 'once',
  summary: 'Quotes both sides once.',
  params: z.strictObject({}),
  create() {
    let isDone = false;
    return {
      onBook({ book, info }) {
        if (isDone || book.bestBid() === undefined) return undefined;
        isDone = true;
        const quotes = [{ side: 'bid', price: 4800, shares: 10000000 }, { side: 'ask', price: 5200, shares: 10000000 }];
        return [{ type: 'quote', market: info.market, quotes }];
      },
    };
  },
});
`;

function recording(): string {
  const tape = join(scratchFolder(), 'steady.tape');
  const trades = Array.from({ length: (SECONDS * 1_000) / STEP_MS }, (_, step) =>
    message(2_000 + STEP_MS * step, step % 2 === 0 ? row.print('SELL', 4_800, 3) : row.print('BUY', 5_200, 4)),
  );
  writeTape(tape, [message(1_000, row.open(), row.bid(4_500, 100), row.ask(5_500, 100)), ...trades], headOf('steady'));
  return tape;
}

/** Runs a bot until all its orders are filled. @returns the path of the recorded steps */
async function runSession(name: string, tape: string, venue: string): Promise<string> {
  const folder = newFolder();
  setSecret(`TEST_BOTH_${name}`, newKey());
  setSecret('XDG_STATE_HOME', folder);
  mkdirSync(join(folder, 'strategies', 'once'), { recursive: true });
  writeFileSync(join(folder, 'strategies', 'once', 'strategy.ts'), STRATEGY);
  const text = `
version: 1
venue: ${venue}
account: { key: { env: TEST_BOTH_${name} } }
markets: { slugs: [market-1], grid: { tape: "${tape}" } }
strategy: once
record: recordings
`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  const bot = await startAndWait(['run', 'bot.yaml'], folder, /"msg":"trading"/);
  const status = z.object({ fills: z.int() });
  const fills = async (): Promise<number> =>
    status.parse(await requestBot(join(folder, 'bot.sock'), { command: 'status', args: {} }, wallClock())).fills;
  await until(async () => (await fills()) >= FILLS, 'all orders are filled');
  bot.child.kill('SIGINT');
  const { code, stdout } = await bot.end;
  expect(stdout).toContain('0 own orders at the venue, verified');
  expect(code).toBe(0);
  const steps = readdirSync(join(folder, 'recordings')).find((file) => file.endsWith('.steps'));
  return join(folder, 'recordings', steps ?? '');
}

/** The fills of each order, oldest first. */
function fillsOf(steps: string): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  for (const { event } of readStepLog(steps).steps()) {
    if (event?.type !== 'orderFilled') continue;
    const { order, outcome, side, price, shares } = event;
    const key = `${order} ${side} ${outcome}`;
    found[key] = [...(found[key] ?? []), `${shares / 1e6} at ${price}`];
  }
  return found;
}

it('a strategy has the same fills through both dialects, and its recordings can be measured and repeated', async () => {
  const tape = recording();
  const args = ['serve', '--port', '0', '--db', 'venue.db', '--log', 'error', '--replay', tape];
  const venue = await startAndWait([...args, '--dialect', 'service,polymarket'], newFolder(), /listening on \S+\n/);
  const url = /listening on (\S+)\n/.exec(venue.output())?.[1] ?? '';
  const base = `${url}/polymarket`;
  const polymarket = `{ url: "${base}", ws_url: "${base.replace('http', 'ws')}/ws", chain_id: 137, polymarket: { gamma_url: "${base}/gamma" } }`;
  const sessions = [
    await runSession('SERVICE', tape, `{ url: "${url}" }`),
    await runSession('POLYMARKET', tape, polymarket),
  ];
  venue.child.kill('SIGTERM');
  await venue.end;
  const [serviceFills, polymarketFills] = sessions.map(fillsOf);
  expect(polymarketFills).toEqual(serviceFills);
  expect(Object.values(serviceFills ?? {})).toEqual(
    expect.arrayContaining([
      ['3 at 4800', '3 at 4800', '3 at 4800', '1 at 4800'],
      expect.arrayContaining([expect.stringContaining('4 at ')]),
    ]),
  );
  // own-recording.slow.test.ts measures a session on the service.
  const [, steps = ''] = sessions;
  const folder = join(steps, '..', '..');
  const report = await halfspread(['report', steps, '--json', '--out', folder], folder);
  expect(JSON.parse(report.stdout).fills).toMatchObject({ count: FILLS, shares: 20_000_000 });
  const compared = await halfspread(['compare', '--live', steps, '--json'], folder);
  const { live, backtest } = JSON.parse(compared.stdout);
  expect(live).toMatchObject({ fills: FILLS, shares: 20_000_000 });
  expect(backtest).toMatchObject({ fills: FILLS, shares: 20_000_000 });
});
