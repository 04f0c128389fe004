/** Runs bots as processes on the embedded venue in Polymarket's dialect: on paper, live, ended, killed, restarted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { requestBot } from '../../src/ops/index.ts';
import { polymarketSignIns } from '../../src/signing/index.ts';
import { CancelClient, openApiKey, RestClient } from '../../src/venues/polymarket/index.ts';
import { openSigner } from '../signing/harness.ts';
import { halfspread, newFolder, ROOT } from './halfspread.ts';
import { endAll, newKey, openVenue, type Ready, setSecret, startAndWait, until, type VenueProcess } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let venue: VenueProcess;
/** The venue keeps orders without a heartbeat for longer than a program takes to start. */
let patient: VenueProcess;
let count = 0;
beforeAll(async () => {
  const dialect = ['--dialect', 'service,polymarket'];
  venue = await openVenue(dialect);
  const config = join(newFolder(), 'venue.yaml');
  writeFileSync(config, 'polymarket: { heartbeat_ms: 120000 }\n');
  patient = await openVenue([...dialect, '--config', config]);
});
afterAll(async () => {
  await venue.close();
  await patient.close();
  endAll();
});

interface Bot {
  readonly folder: string;
  /** The account's open orders, read from the venue. */
  open(): Promise<number>;
  run(): Promise<Ready>;
}

async function newBot(mode: 'live' | 'paper', more = '', at = venue): Promise<Bot> {
  count += 1;
  const key = newKey();
  const folder = newFolder();
  setSecret(`TEST_POLYMARKET_${count}`, key);
  setSecret('XDG_STATE_HOME', folder);
  const base = `${at.url}/polymarket`;
  const text = `
version: 1
mode: ${mode}
venue: { url: "${base}", ws_url: "${base.replace('http', 'ws')}/ws", chain_id: 137, polymarket: { gamma_url: "${base}/gamma" } }
account: { key: { env: TEST_POLYMARKET_${count} } }
markets: { slugs: [will-the-cup-final-go-to-penalties, will-the-home-side-win-the-cup-final] }
strategy: ladder
params: { bid_spread: 100, ask_spread: 100, order_amount: 5, order_levels: 2, order_refresh_time: 1, max_position: 50 }
${more}`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  const signer = await openSigner('native');
  const rest = new RestClient({ clobUrl: base, clock: wallClock(), offset: { offsetMs: 0 }, timeoutMs: 5_000 });
  rest.setCredentials(await openApiKey(rest, polymarketSignIns(signer, 137), signer.key(key)));
  const client = new CancelClient(rest, wallClock());
  return {
    folder,
    open: () => client.countOpenOrders(),
    run: () => startAndWait(['run', 'bot.yaml'], folder, /"msg":"trading"/),
  };
}

describe('halfspread run on Polymarket', () => {
  it('quotes, and leaves no open order on SIGTERM', async () => {
    const bot = await newBot('live');
    const { child, end } = await bot.run();
    await until(async () => (await bot.open()) >= 4, 'the bot has four orders');
    child.kill('SIGINT');
    const { code, stdout } = await end;
    expect(code).toBe(0);
    expect(stdout).toContain('0 own orders at the venue, verified');
    expect(await bot.open()).toBe(0);
  });

  it('has its orders cancelled by the venue after SIGKILL, and continues from its database', async () => {
    const bot = await newBot('live');
    const first = await bot.run();
    await until(async () => (await bot.open()) >= 4, 'the bot has four orders');
    first.child.kill('SIGKILL');
    await first.end;
    await until(async () => (await bot.open()) === 0, 'the venue missed the heartbeats');
    const second = await bot.run();
    expect(second.output()).toContain('"outcome":"agrees"');
    await until(async () => (await bot.open()) >= 4, 'the bot has four orders again');
    second.child.kill('SIGTERM');
    expect(await second.end).toMatchObject({ code: 0 });
    expect(await bot.open()).toBe(0);
  });

  it('shows and cancels the orders of a killed run without a bot', async () => {
    const bot = await newBot('live', '', patient);
    const { child, end } = await bot.run();
    await until(async () => (await bot.open()) >= 4, 'the bot has four orders');
    child.kill('SIGKILL');
    await end;
    const shown = await halfspread(['orders', '--venue', 'bot.yaml', '--json'], bot.folder);
    expect(JSON.parse(shown.stdout).orders[0]).toMatchObject({
      market: { slug: expect.stringContaining('cup-final') },
      outcome: expect.stringMatching(/^(YES|NO)$/),
      side: 'BUY',
      remainingShares: 5,
    });
    const { code, stdout } = await halfspread(['cancel-all', '--venue', 'bot.yaml', '--json'], bot.folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ open: 0 });
  });

  it('cancels the orders of a killed run when it restarts at once', async () => {
    const bot = await newBot('live', '', patient);
    const first = await bot.run();
    await until(async () => (await bot.open()) >= 4, 'the bot has four orders');
    first.child.kill('SIGKILL');
    await first.end;
    const second = await bot.run();
    expect(second.output()).toMatch(/started: [1-9]\d* orders found, [1-9]\d* cancelled/);
    second.child.kill('SIGTERM');
    expect(await second.end).toMatchObject({ code: 0 });
    expect(await bot.open()).toBe(0);
  });

  it('reads the same books and sends nothing in paper mode', async () => {
    const bot = await newBot('paper');
    const { child, end } = await bot.run();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await bot.open()).toBe(0);
    child.kill('SIGINT');
    const { code, stdout } = await end;
    expect(code).toBe(0);
    expect(stdout).toMatch(/orders +[1-9]\d* place/);
  });

  it('refuses a configuration that mixes keys of the service and of Polymarket, and names the key to change', async () => {
    const bot = await newBot('live', 'heartbeat_ms: none');
    const { code, stderr } = await halfspread(['run', 'bot.yaml'], bot.folder);
    expect(code).toBe(2);
    expect(stderr).toContain('heartbeat_ms: expected a heartbeat');
    const other = await newBot('live');
    const args = ['run', 'bot.yaml', '--set', `account.address="0x${'7'.repeat(40)}"`];
    const wallet = await halfspread(args, other.folder);
    expect(wallet.code).toBe(2);
    expect(wallet.stderr).toContain("account.address: expected the key's own address");
    const recorded = await halfspread(['record', 'bot.yaml'], bot.folder);
    expect(recorded.code).toBe(2);
    expect(recorded.stderr).toContain('`record polymarket` records Polymarket');
  });
});

it('fills of a recorded market are booked, settled and reported', async () => {
  const tape = 'config/tapes/betfair-1.200806927.tape';
  const replay = ['--replay', tape, '--from', '12:00:00Z', '--speed', '10', '--dialect', 'service,polymarket'];
  const { child, output, end } = await startAndWait(
    ['serve', '--port', '0', '--log', 'error', ...replay],
    ROOT,
    /listening on \S+\n/,
  );
  const url = /listening on (\S+)\n/.exec(output())?.[1] ?? '';
  const base = `${url}/polymarket`;
  const folder = newFolder();
  setSecret('TEST_POLYMARKET_REPLAY', newKey());
  const text = `
venue: { url: "${base}", ws_url: "${base.replace('http', 'ws')}/ws", chain_id: 137, polymarket: { gamma_url: "${base}/gamma" } }
account: { key: { env: TEST_POLYMARKET_REPLAY } }
markets: { slugs: [betfair-match-odds-1-200806927-runner-228749], grid: { tape: "${join(ROOT, tape)}" } }
strategy: ladder
params: { bid_spread: 20, ask_spread: 20, order_amount: 20, order_levels: 2, order_level_spread: 20, order_refresh_time: 1, max_position: 300 }
risk: { max_position: 600 }
kill_switch: { errors: none }
`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  const bot = await startAndWait(['run', 'bot.yaml'], folder, /"msg":"trading"/);
  const fills = async (): Promise<number> =>
    Object(await requestBot(join(folder, 'bot.sock'), { command: 'status', args: {} }, wallClock())).fills;
  await until(async () => (await fills()) >= 3, 'three fills', 120_000);
  bot.child.kill('SIGINT');
  const { code, stdout } = await bot.end;
  expect(stdout).toContain('0 own orders at the venue, verified');
  expect(stdout).toMatch(/fills +[1-9]\d* \(/);
  expect(code).toBe(0);
  child.kill('SIGTERM');
  expect(await end).toMatchObject({ code: 143 });
});
