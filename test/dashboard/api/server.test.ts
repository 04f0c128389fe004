/** The dashboard's server over real sockets, with fake bots. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { wallClock } from '../../../src/clock/index.ts';
import { AuditLog, Fleet, serveDashboard } from '../../../src/dashboard/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { type FakeBot, fakeBot } from '../fake-bot.ts';
import { marketLine, report } from '../reports.ts';

const OPERATOR = 'operator-token';
const VIEWER = 'viewer-password';

interface Dashboard {
  readonly port: number;
  readonly folder: string;
  /** @param cookie of a session */
  ask(query: string, cookie?: string, variables?: object): Promise<{ readonly status: number; readonly body: string }>;
  signIn(secret: string): Promise<string>;
  audit(): string;
}

/** @param viewerPassword hashing one takes a tenth of a second, so only tests with a viewer set it */
async function open(bots: readonly FakeBot[], viewerPassword?: string): Promise<Dashboard> {
  const folder = newFolder();
  const page = join(folder, 'page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'reports'));
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>halfspread</title>');
  writeFileSync(join(page, 'assets/a.js'), '1');
  writeFileSync(join(folder, 'reports/one.html'), '<!doctype html><title>one</title>');
  writeFileSync(join(folder, 'secret.html'), 'secret');
  const clock = wallClock();
  const fleet = new Fleet(
    bots.map(({ socket }, index) => ({ id: `bot-${index}`, address: socket })),
    clock,
  );
  const server = await serveDashboard({
    fleet,
    audit: new AuditLog(join(folder, 'audit.jsonl')),
    clock,
    version: '0.1.0',
    reports: join(folder, 'reports'),
    studies: join(folder, 'studies'),
    studyRun: () => null,
    renderStudy: async () => '<!doctype html><title>a study</title>',
    host: '127.0.0.1',
    port: 0,
    page,
    secrets: { token: OPERATOR, viewerPassword },
    isBehindProxy: false,
    names: [],
  });
  afterThisTest.add(async () => {
    fleet.close();
    await server.close();
  });
  const { port } = server;
  return {
    port,
    folder,
    async ask(query, cookie = '', variables = {}) {
      const answer = await post(port, '/graphql', { query, variables }, { cookie });
      return { status: answer.status, body: await answer.text() };
    },
    async signIn(secret) {
      const answer = await post(port, '/login', { secret });
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    },
    audit: () => readFileSync(join(folder, 'audit.jsonl'), 'utf8'),
  };
}

function post(
  port: number,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-halfspread': '1', ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends a request with this exact `Host` and path. */
function raw(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** Returns the outcome of a WebSocket with these headers. */
function upgrade(port: number, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { headers });
    socket.on('open', () => {
      resolve('open');
      socket.terminate();
    });
    socket.on('error', (error) => resolve(error.message));
  });
}

interface Stream {
  /** Received messages as JSON, the newest last. */
  readonly frames: string[];
  readonly closed: Promise<void>;
  send(message: object): void;
}

/** Opens a connection of a signed-in page. */
async function stream(port: number, cookie: string): Promise<Stream> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { headers: { cookie } });
  afterThisTest.add(() => socket.terminate());
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(String(data)));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('{"type":"connection_init"}');
  await expect.poll(() => frames.length).toBe(1);
  return { frames, closed, send: (message) => socket.send(JSON.stringify(message)) };
}

function subscription(id: string, query: string): object {
  return { type: 'subscribe', id, payload: { query } };
}

async function health(dashboard: Dashboard, cookie: string): Promise<string> {
  return (await dashboard.ask('{ bots { health healthReason } }', cookie)).body;
}

describe('without a session', () => {
  it('nothing is answered but the page and the sign-in', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot]);
    expect(await raw(dashboard.port, '/')).toBe(200);
    expect(await raw(dashboard.port, '/assets/a.js')).toBe(200);
    expect(await raw(dashboard.port, '/reports/one.html')).toBe(401);
    expect(await raw(dashboard.port, '/studies/one.study')).toBe(401);
    expect((await dashboard.ask('{ bots { id } }')).status).toBe(401);
    expect((await dashboard.ask('mutation { act(bot: "bot-0", action: KILL) { text } }')).status).toBe(401);
    expect((await dashboard.ask('{ bots { id } }', `halfspread=${'a'.repeat(43)}`)).status).toBe(401);
    expect(await upgrade(dashboard.port, {})).toContain('401');
    expect(bot.commands).toEqual([]);
  });

  it('guesses are delayed', async () => {
    const dashboard = await open([]);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await post(dashboard.port, '/login', { secret: 'guess' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await post(dashboard.port, '/login', { secret: OPERATOR })).status).toBe(429);
  });

  it.each([{}, { secret: 5 }, { secret: 'x'.repeat(50_000) }])('a sign-in with %j is refused', async (body) => {
    const dashboard = await open([]);
    expect([400, 401]).toContain((await post(dashboard.port, '/login', body)).status);
  });
});

describe('a foreign page', () => {
  it('cannot send commands with the session of a user, because its request lacks the header', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const answer = await fetch(`http://127.0.0.1:${dashboard.port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ query: 'mutation { act(bot: "bot-0", action: KILL) { text } }' }),
    });
    expect(answer.status).toBe(403);
    expect(bot.commands).toEqual([]);
  });

  it('cannot open a stream, or use another host name', async () => {
    const dashboard = await open([]);
    const cookie = await dashboard.signIn(OPERATOR);
    expect(await upgrade(dashboard.port, { cookie, origin: 'http://evil.example' })).toContain('403');
    expect(await upgrade(dashboard.port, { cookie, host: 'evil.example' })).toContain('421');
    expect(await upgrade(dashboard.port, { cookie, origin: `http://127.0.0.1:${dashboard.port}` })).toBe('open');
    expect(await raw(dashboard.port, '/', { host: 'evil.example' })).toBe(421);
  });

  it('cannot frame the page, and the page runs only its own scripts', async () => {
    const dashboard = await open([]);
    const answer = await fetch(`http://127.0.0.1:${dashboard.port}/`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

describe('roles', () => {
  it('let an operator send a command, whose outcome is in the audit log', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const { body } = await dashboard.ask(
      'mutation { act(bot: "bot-0", action: PAUSE, reason: "lunch") { done text mode } }',
      cookie,
    );
    const text = 'pause is done. Open as the venue confirmed it: 0 (before: 2).';
    expect(JSON.parse(body)).toEqual({ data: { act: { done: true, text, mode: 'ACTIVE' } } });
    expect(bot.commands[0]).toEqual({ command: 'pause', args: { reason: 'lunch' } });
    expect(dashboard.audit()).toContain('"action":"pause","details":"{\\"reason\\":\\"lunch\\"}","done":true');
  });

  it('let an operator cancel one order, and refuse an invalid order number', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const cancel = async (order: string) =>
      (await dashboard.ask(`mutation { cancelOrder(bot: "bot-0", order: "${order}") { done text } }`, cookie)).body;
    expect(JSON.parse(await cancel('12'))).toEqual({ data: { cancelOrder: { done: true, text: 'cancel is done' } } });
    for (const wrong of ['x', '', '-1', '1.5', '1e99']) expect(await cancel(wrong)).not.toContain('"done":true');
    expect(bot.commands).toEqual([{ command: 'cancel', args: { order: 12 } }]);
    expect(dashboard.audit()).toContain('"action":"cancel","details":"{\\"order\\":12}","done":true');
  });

  it('let a viewer read, and record refused commands of a viewer', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    expect((await dashboard.ask('{ viewer { role } }', cookie)).body).toContain('VIEWER');
    for (const mutation of [
      'act(bot: "bot-0", action: KILL) { done }',
      'killAll(kind: LIVE) { done }',
      'setParameter(bot: "bot-0", name: "a", value: 1) { done }',
      'cancelOrder(bot: "bot-0", order: "12") { done }',
      'addMarket(bot: "bot-0", market: "m") { done }',
      'removeMarket(bot: "bot-0", market: "m") { done }',
      'acknowledge(bot: "bot-0", alert: "1")',
    ]) {
      expect((await dashboard.ask(`mutation { ${mutation} }`, cookie)).body).not.toContain('true');
    }
    expect(bot.commands).toEqual([]);
    expect(dashboard.audit()).toContain('"who":"VIEWER"');
  });

  it('end at sign-out', async () => {
    const dashboard = await open([]);
    const cookie = await dashboard.signIn(OPERATOR);
    await post(dashboard.port, '/logout', {}, { cookie });
    expect((await dashboard.ask('{ bots { id } }', cookie)).status).toBe(401);
  });
});

describe('a stream', () => {
  it('refuses commands of a viewer', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot], VIEWER);
    const { frames, send } = await stream(dashboard.port, await dashboard.signIn(VIEWER));
    send(subscription('1', 'mutation { act(bot: "bot-0", action: KILL) { done text } }'));
    await expect.poll(() => frames.at(-1)).toContain('complete');
    expect(frames.join()).toContain('A viewer may look, not act');
    expect(bot.commands).toEqual([]);
  });

  it('ends with its session', async () => {
    const dashboard = await open([await fakeBot()]);
    const cookie = await dashboard.signIn(OPERATOR);
    const { closed } = await stream(dashboard.port, cookie);
    await post(dashboard.port, '/logout', {}, { cookie });
    await closed;
  });

  it('has at most fifty subscriptions', async () => {
    const dashboard = await open([await fakeBot()], VIEWER);
    const { frames, send } = await stream(dashboard.port, await dashboard.signIn(VIEWER));
    for (let id = 0; id < 60; id += 1) send(subscription(String(id), 'subscription { bots { id } }'));
    await expect.poll(() => frames.filter((frame) => frame.includes('At most 50')).length).toBeGreaterThanOrEqual(9);
  });

  it('uses one connection to the bot for each market, and twelve at most, for any number of viewers', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot], VIEWER);
    const { frames, send } = await stream(dashboard.port, await dashboard.signIn(VIEWER));
    await expect.poll(() => bot.connections()).toBe(1);
    for (let id = 0; id < 10; id += 1)
      send(subscription(`same-${id}`, 'subscription { market(bot: "bot-0", market: "rain") { tickBps } }'));
    await expect.poll(() => frames.filter((frame) => frame.includes('same-')).length).toBeGreaterThanOrEqual(10);
    expect(bot.connections()).toBe(2);
    for (let id = 0; id < 20; id += 1)
      send(subscription(`other-${id}`, `subscription { market(bot: "bot-0", market: "m${id}") { tickBps } }`));
    await expect.poll(() => frames.filter((frame) => frame.includes('other-19')).length).toBeGreaterThanOrEqual(1);
    await expect.poll(() => bot.connections()).toBe(13);
  });
});

describe('an action that cannot be written to the audit log', () => {
  it('is carried out anyway, with a note in its answer', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot]);
    mkdirSync(join(dashboard.folder, 'audit.jsonl'));
    const cookie = await dashboard.signIn(OPERATOR);
    const { body } = await dashboard.ask('mutation { act(bot: "bot-0", action: KILL) { done text } }', cookie);
    expect(JSON.parse(body).data.act).toMatchObject({
      done: true,
      text: expect.stringMatching(/^kill is done \(not written to /),
    });
    expect(bot.commands).toEqual([{ command: 'kill', args: {} }]);
  });
});

describe('answers', () => {
  it('contain no secret', async () => {
    const dashboard = await open([await fakeBot()], VIEWER);
    const cookie = await dashboard.signIn(OPERATOR);
    const { body } = await dashboard.ask(
      '{ viewer { role version } bots { id state { account venue } } audit { text details } reports { id } }',
      cookie,
    );
    for (const secret of [OPERATOR, VIEWER, cookie.split('=')[1] ?? 'none']) expect(body).not.toContain(secret);
  });

  it.each([
    '/reports/..%2Fsecret.html',
    '/reports/%2e%2e%2fsecret.html',
    '/reports/../secret.html',
    '/../audit.jsonl',
    '/reports/none.html',
    '/studies/..%2Fsecret.study',
    '/studies/none.study',
  ])('do not lead out of the folder of reports: %s', async (path) => {
    const dashboard = await open([]);
    const cookie = await dashboard.signIn(OPERATOR);
    expect(await raw(dashboard.port, path, { cookie })).toBe(404);
  });

  it('give a report its own policy, which isolates it from the page', async () => {
    const dashboard = await open([]);
    const cookie = await dashboard.signIn(OPERATOR);
    const answer = await fetch(`http://127.0.0.1:${dashboard.port}/reports/one.html`, { headers: { cookie } });
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  });

  it('refuse documents and bodies that are too large', async () => {
    const dashboard = await open([]);
    const cookie = await dashboard.signIn(OPERATOR);
    const many = Array.from({ length: 2_000 }, (_, index) => `a${index}: bots { id }`).join(' ');
    expect((await dashboard.ask(`{ ${many} }`, cookie)).status).toBe(400);
    expect((await post(dashboard.port, '/graphql', { query: 'x'.repeat(200_000) }, { cookie })).status).toBe(413);
    expect((await dashboard.ask('{ nothing }', cookie)).status).toBe(400);
  });
});

describe('a bot', () => {
  it('that does not run, sends an invalid report, or has another version is shown as unreachable', async () => {
    const garbage = await fakeBot('hello\n');
    const other = await fakeBot(
      '{"v":2,"id":1,"ok":false,"error":{"code":"INPUT","message":"of different versions"}}\n',
    );
    const odd = await fakeBot({ ...report(), equity: 'a lot' });
    const gone = await fakeBot();
    await gone.close();
    const dashboard = await open([garbage, other, odd, gone]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie)).toContain('no bot runs there');
    await expect.poll(() => health(dashboard, cookie)).toContain('of different versions');
    await expect.poll(async () => (await health(dashboard, cookie)).match(/an invalid report/g)?.length).toBe(2);
  });

  it('that dies while it is watched is unreachable at once, and its last figures stay visible', async () => {
    const bot = await fakeBot();
    const dashboard = await open([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    await bot.close();
    await expect.poll(() => health(dashboard, cookie)).toContain('UNREACHABLE');
    expect((await dashboard.ask('{ bots { state { equity } } }', cookie)).body).toContain('1610000');
    const act = await dashboard.ask('mutation { act(bot: "bot-0", action: KILL) { done text } }', cookie);
    expect(JSON.parse(act.body).data.act).toMatchObject({
      done: false,
      text: expect.stringContaining('no bot runs there'),
    });
  });

  it('with ten thousand markets, and with HTML in a name, is shown as it is', async () => {
    const markets = Array.from({ length: 10_000 }, (_, index) =>
      marketLine({ slug: `market-${index}`, question: '<img src=x onerror=alert(1)>' }),
    );
    const dashboard = await open([await fakeBot({ ...report(), markets })]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie), { timeout: 5_000 }).toContain('QUOTING');
    const { body } = await dashboard.ask('{ bots { state { markets { slug question } } } }', cookie);
    const [{ state }] = JSON.parse(body).data.bots;
    expect(state.markets).toHaveLength(10_000);
    expect(state.markets[0].question).toBe('<img src=x onerror=alert(1)>');
  });

  it('that is unknown is refused with a list of the known bots', async () => {
    const dashboard = await open([await fakeBot()]);
    const cookie = await dashboard.signIn(OPERATOR);
    expect((await dashboard.ask('mutation { act(bot: "x", action: KILL) { done } }', cookie)).body).toContain(
      'one of bot-0',
    );
  });
});

describe('figures in YES terms', () => {
  it('show a purchase of NO as a sale', async () => {
    const bot = await fakeBot();
    bot.answers.set('orders', [
      {
        order: 7,
        market: 'rain',
        outcome: 'NO',
        side: 'BUY',
        priceBps: 3_800,
        remaining: 5,
        phase: 'live',
        since: 1,
        tag: null,
      },
    ]);
    bot.answers.set('fills', [
      {
        time: 2,
        order: 7,
        market: 'rain',
        outcome: 'NO',
        side: 'SELL',
        priceBps: 3_800,
        shares: 5,
        fee: 0,
        liquidity: 'maker',
        trade: null,
        tag: null,
      },
    ]);
    const dashboard = await open([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    expect(
      JSON.parse((await dashboard.ask('{ orders { side price } fills { side price } }', cookie)).body).data,
    ).toEqual({
      orders: [{ side: 'ASK', price: 6_200 }],
      fills: [{ side: 'BID', price: 6_200 }],
    });
  });
});

describe('the history of a market', () => {
  it('covers the requested range, also a range that ended before now', async () => {
    const bot = await fakeBot();
    bot.answers.set('fills', [fill(3_000), fill(2_000), fill(1_000)]);
    const dashboard = await open([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    const history = async (query: string) => {
      const { body } = await dashboard.ask(`{ history(bot: "bot-0", market: "rain", ${query} }`, cookie);
      return JSON.parse(body).data?.history;
    };
    await expect
      .poll(() => history('rangeMs: 60000) { doubleMid position }'))
      .toEqual({
        doubleMid: [12_300],
        position: [1_000_000],
      });
    expect(await history('rangeMs: 1500, until: 2500) { from until time fillCount fills { time } }')).toEqual({
      from: 1_000,
      until: 2_500,
      time: [],
      fillCount: 2,
      fills: [{ time: 2_000 }, { time: 1_000 }],
    });
    expect((await history('rangeMs: 1) { oldest }')).oldest).toBeGreaterThan(1e12);
    expect(await history('rangeMs: 1, until: null, points: -5) { fills { time } }')).toEqual({ fills: [] });
  });

  it('has at most five hundred fills, and the number of all', async () => {
    const bot = await fakeBot();
    bot.answers.set(
      'fills',
      Array.from({ length: 1_200 }, (_, at) => fill(2_000 - at)),
    );
    const dashboard = await open([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    const query = '{ history(bot: "bot-0", market: "rain", rangeMs: 5000, until: 5000) { fillCount fills { time } } }';
    const { history } = JSON.parse((await dashboard.ask(query, cookie)).body).data;
    expect([history.fillCount, history.fills.length]).toEqual([1_200, 400]);
  });
});

function fill(time: number): object {
  const rest = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 6_100, shares: 5, fee: 0 };
  return { ...rest, time, liquidity: 'maker', trade: null, tag: null };
}
