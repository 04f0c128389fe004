/** Invalid input around a bot: each error names its remedy, no order is placed and no process is left running. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Ended } from './halfspread.ts';
import { expectDocumented } from './json-page.ts';
import { endAll, newKey, openVenue, runInProcess, setSecret, TestBot } from './trading.ts';

// Tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let url = '';
let htmlUrl = '';
let oldVenueUrl = '';
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  const venue = await openVenue();
  closers.push(venue.close);
  url = venue.url;
  htmlUrl = await listen((_, body) => ({
    status: 200,
    type: 'text/html',
    text: `<!doctype html><p>Sign in</p>${body.length}`,
  }));
  // A proxy of the venue whose schema lacks a field.
  oldVenueUrl = await listen(async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const text = await answer.text();
    const schema = text.includes('"__schema"') ? text.replace(/\{"name":"volumeCents"/g, '{"name":"volume"') : text;
    return { status: answer.status, type: 'application/json', text: schema };
  });
});
afterAll(async () => {
  for (const close of closers) await close();
  endAll();
});

interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function listen(answer: (path: string, body: string) => HttpAnswer | Promise<HttpAnswer>): Promise<string> {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', async () => {
      const { status, type, text } = await answer(request.url ?? '', body);
      response.writeHead(status, { 'content-type': type }).end(text);
    });
  });
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

/** Runs a bot that must end by itself. */
function run(bot: TestBot, ...sets: readonly string[]): Promise<Ended> {
  return runInProcess(['run', 'bot.yaml', ...sets.flatMap((set) => ['--set', set])], bot.folder);
}

describe('halfspread run refuses to start', () => {
  it.each<[string, () => readonly string[], number, RegExp]>([
    [
      'where no server listens',
      () => ['venue.url=http://127.0.0.1:2'],
      5,
      /cannot be reached \(ECONNREFUSED\).*Check venue\.url/,
    ],
    [
      'on a page of HTML',
      () => [`venue.url=${htmlUrl}`],
      5,
      /answered 200 with an HTML page.*Check venue\.url; a login page/,
    ],
    ['on an invalid URL', () => ['venue.url=venue'], 2, /venue\.url: expected a URL that begins with http/],
    [
      'on a different chain',
      () => ['venue.chain_id=1'],
      5,
      /domain\.chainId is 31337, but 1 is expected\. Nothing was signed\. Set venue\.chain_id/,
    ],
    [
      'for a different contract',
      () => [`venue.contract="0x${'00'.repeat(19)}01"`],
      5,
      /differs in domain\.verifyingContract.*Nothing was signed\. Set venue\.contract/,
    ],
    [
      'for a venue with a different audience',
      () => ['venue.audience=https://other.example'],
      5,
      /message\.audience is .*Nothing was signed\. Set venue\.audience/,
    ],
    [
      'for an account that does not belong to the key',
      () => [`account.address="0x${'00'.repeat(19)}01"`],
      5,
      /not of account\.address/,
    ],
    [
      'on an unknown market',
      () => ['markets.slugs=[nope]'],
      2,
      /expected the slug of a market that the venue knows \(open there: .*will-the-cup-final-go-to-penalties.*\), got "nope"/,
    ],
    ['with an unknown parameter', () => ['params.order_amont=1'], 2, /did you mean "order_amount"\?/],
    ['with an unknown strategy', () => ['strategy=laddr'], 2, /did you mean "ladder"\?/],
    [
      'with a port that is in use',
      () => [`metrics={ port: ${new URL(url).port} }`],
      2,
      /metrics\.port: expected a port of 127\.0\.0\.1/,
    ],
  ])('%s', async (_, sets, code, message) => {
    const bot = new TestBot(url);
    const ended = await run(bot, ...sets());
    expect(ended.stderr).toMatch(message);
    expect(existsSync(bot.socket)).toBe(false);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).not.toContain('internal error');
  });

  it('with a key that is invalid, missing, or readable by others, and never prints it', async () => {
    const bot = new TestBot(url);
    setSecret('TEST_BAD_KEY', '0x1234567890');
    const bad = await run(bot, 'account.key={ env: TEST_BAD_KEY }');
    expect(bad).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/TEST_BAD_KEY: private key: expected 32 bytes/),
    });
    expect(bad.stderr).not.toContain('1234567890');
    const missing = await run(bot, 'account.key={ env: TEST_NO_KEY }');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/environment variable TEST_NO_KEY/) });
    writeFileSync(join(bot.folder, 'key'), `${newKey()}\n`);
    chmodSync(join(bot.folder, 'key'), 0o644);
    const open = await run(bot, 'account.key={ file: key }');
    expect(open).toMatchObject({ code: 3, stderr: expect.stringMatching(/others than its owner may read.*chmod 600/) });
  });

  it('on a venue whose clock differs too much', async () => {
    const chaos = new TestBot(url);
    writeFileSync(join(chaos.folder, 'chaos.yaml'), 'clock: { skew_ms: 25000 }\n');
    const venue = await openVenue(['--chaos', join(chaos.folder, 'chaos.yaml')]);
    const ended = await runInProcess(['doctor', 'bot.yaml', '--set', `venue.url=${venue.url}`], chaos.folder);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(
      /fail clock +this clock is 2\d{4} ms behind the venue's.*\(10000 allowed\)\n +-> Set this clock/,
    );
    const run = await runInProcess(['run', 'bot.yaml', '--set', `venue.url=${venue.url}`], chaos.folder);
    expect(run).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/this clock is 2\d{4} ms behind.*Set this clock/),
    });
    await venue.close();
  });
});

describe('halfspread doctor', () => {
  it('finds no problem with a local venue', async () => {
    const bot = new TestBot(url);
    const { code, stdout } = await runInProcess(['doctor', 'bot.yaml', '--json'], bot.folder);
    expect(JSON.parse(stdout)).toMatchObject({ fail: 0, warn: 0 });
    expectDocumented('doctor', JSON.parse(stdout));
    expect(code).toBe(0);
    const names = JSON.parse(stdout).findings.map(({ name }: { name: string }) => name);
    for (const name of [
      'node',
      'disk',
      'graphql',
      'socket',
      'clock',
      'country',
      'operations',
      'schema',
      'login',
      'signing',
    ]) {
      expect(names).toContain(name);
    }
    expect(stdout).not.toContain(bot.key.slice(2));
  });

  it('continues when the key cannot be read, and needs none in paper mode', async () => {
    const bot = new TestBot(url);
    const doctor = (set: string) => runInProcess(['doctor', 'bot.yaml', '--set', set], bot.folder);
    const missing = await doctor('account.key={ env: TEST_NO_KEY }');
    expect(missing.code).toBe(2);
    expect(missing.stdout).toMatch(/fail key +account\.key: expected a secret in the environment variable TEST_NO_KEY/);
    expect(missing.stdout).toMatch(/ok {3}schema/);
    const inherited = await doctor('account.key={ env: toString }');
    expect(inherited.stdout).toMatch(/fail key +account\.key: expected a secret in the environment variable toString/);
    const paper = await doctor('mode=paper');
    expect(paper.code).toBe(0);
    expect(paper.stdout).not.toMatch(/key|login/);
  });

  it('finds problems for which `run` would refuse to start, also without a venue', async () => {
    const bot = new TestBot(url);
    const doctor = (...sets: readonly string[]) =>
      runInProcess(['doctor', 'bot.yaml', ...sets.flatMap((set) => ['--set', set])], bot.folder);
    const named = await doctor('strategy=laddr');
    expect(named.code).toBe(2);
    expect(named.stdout).toMatch(/fail strategy +.*laddr.*\n +-> Correct the strategy, or its keys/);
    expect(named.stdout).toMatch(/ok {3}signing/);
    const param = await doctor(
      'params.order_level=3',
      'venue.url=http://127.0.0.1:2',
      'account.key={ env: TEST_NO_KEY }',
    );
    expect(param.code).toBe(2);
    expect(param.stdout).toMatch(/fail strategy +--set params\.order_level=3: .*order_levels/);
    expect(param.stdout).toMatch(/fail key +account\.key: .*TEST_NO_KEY/);
    expect(param.stdout).toMatch(/fail graphql/);
    const large = await doctor('params.order_amount=100000');
    expect(large.stdout).toMatch(
      /warn strategy +risk\.max_order \d+ refuses quotes of order_amount 100000 at any price/,
    );
  });

  it('reports an error that a strategy throws in `create`, and signals that no strategy reads', async () => {
    const bot = new TestBot(url);
    const code = `import { defineStrategy, z } from 'halfspread';
export default defineStrategy({
  name: 'thrower',
  summary: 'Throws.',
  params: z.strictObject({ throws: z.boolean().default(true) }),
  create({ throws }, { markets }) {
    if (throws) throw new RangeError(\`no plan for \${markets[0]?.slug}\`);
    return {};
  },
});
`;
    mkdirSync(join(bot.folder, 'thrower'));
    writeFileSync(join(bot.folder, 'thrower/strategy.ts'), code);
    const doctor = (...sets: readonly string[]) =>
      runInProcess(
        ['doctor', 'bot.yaml', ...['strategy=./thrower', 'params={}', ...sets].flatMap((set) => ['--set', set])],
        bot.folder,
      );
    const thrown = await doctor('markets={ slugs: [rain] }');
    expect(thrown.code).toBe(2);
    expect(thrown.stdout).toMatch(/fail strategy +strategy "thrower" failed in create: RangeError: no plan for rain/);
    const doubted = await doctor('markets={ filter: { limit: 2 } }');
    expect(doubted.stdout).toMatch(/warn strategy +with an example market: .*no plan for example-market/);
    const unread = await doctor('params.throws=false', 'signals=[{ file: fair.jsonl }]');
    expect(unread.stdout).toMatch(/warn signals +no strategy of this run reads signals, and those of .*fair\.jsonl/);
  });

  it('names a field that the venue lacks and the operations that need it', async () => {
    const bot = new TestBot(url);
    const sets = ['--set', `venue.url=${oldVenueUrl}`, '--set', `venue.audience=${url}`];
    const { code, stdout } = await runInProcess(['doctor', 'bot.yaml', ...sets], bot.folder);
    expect(code).toBe(2);
    expect(stdout).toMatch(/fail operations +\d+ of \d+ do not fit the venue's schema:.*volumeCents/);
    expect(stdout).toMatch(/fail schema +breaking differences:.*Market\.volumeCents/);
    expect(stdout).toMatch(/-> Write the operation with the venue's names/);
  });
});

it('halfspread doctor checks as many markets as the bot would trade', async () => {
  const bot = new TestBot(url);
  const sets = ['--set', 'markets={ filter: { limit: 2 } }'];
  const { code, stdout } = await runInProcess(['doctor', 'bot.yaml', ...sets], bot.folder);
  expect(stdout).toMatch(/ok +market +2 markets accept orders/);
  expect(code).toBe(0);
});

describe('commands to a bot', () => {
  it('report that no bot runs, and query the venue with --venue', async () => {
    const bot = new TestBot(url);
    const none = await runInProcess(['orders', 'bot.yaml'], bot.folder);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no bot runs there.*--venue reads from the venue itself/),
    });
    expect(await runInProcess(['kill', 'bot.yaml'], bot.folder)).toMatchObject({ code: 2 });
    expect(await runInProcess(['orders', 'bot.yaml', '--venue'], bot.folder)).toMatchObject({
      code: 0,
      stdout: 'no orders\n',
    });
    const status = await runInProcess(['status', 'bot.yaml', '--venue', '--json'], bot.folder);
    expect(JSON.parse(status.stdout)).toMatchObject({ health: { mode: 'NORMAL' }, safety: { openOrderCount: 0 } });
    expect((await runInProcess(['cancel-all', 'bot.yaml', '--venue'], bot.folder)).stdout).toMatch(
      /^0 orders cancelled, 0 open/,
    );
  });
});
