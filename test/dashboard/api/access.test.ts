import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fakeBot } from '../fake-bot.ts';
import { OPERATOR, openServer, post, statusOf, upgrade, VIEWER } from './dashboard-server.ts';

describe('without a session', () => {
  it('only the page and the sign-in are served', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    expect(await statusOf(dashboard.port, '/')).toBe(200);
    expect(await statusOf(dashboard.port, '/assets/a.js')).toBe(200);
    expect(await statusOf(dashboard.port, '/reports/one.html')).toBe(401);
    expect(await statusOf(dashboard.port, '/studies/one.study')).toBe(401);
    expect((await dashboard.query('{ bots { id } }')).status).toBe(401);
    expect((await dashboard.query('mutation { act(bot: "bot-0", action: KILL) { text } }')).status).toBe(401);
    expect((await dashboard.query('{ bots { id } }', `halfspread=${'a'.repeat(43)}`)).status).toBe(401);
    expect(await upgrade(dashboard.port, {})).toContain('401');
    expect(bot.commands).toEqual([]);
  });

  it('sign-ins are delayed after five wrong tokens', async () => {
    const dashboard = await openServer([]);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await post(dashboard.port, '/login', { secret: 'guess' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await post(dashboard.port, '/login', { secret: OPERATOR })).status).toBe(429);
  });

  it('behind a proxy, sign-ins are delayed by the address of the client, whatever its port', async () => {
    const dashboard = await openServer([], undefined, { isBehindProxy: true });
    const signIn = async (client: string): Promise<number> =>
      (await post(dashboard.port, '/login', { secret: 'guess' }, { 'x-forwarded-for': client })).status;
    for (let port = 1; port <= 5; port += 1) expect(await signIn(`203.0.113.7:${port}`)).toBe(401);
    expect(await signIn('203.0.113.7:6')).toBe(429);
    expect(await signIn('203.0.113.8:6')).toBe(401);
  });

  it.each([{}, { secret: 5 }, { secret: 'x'.repeat(50_000) }])('a sign-in with %j is refused', async (body) => {
    const dashboard = await openServer([]);
    expect([400, 401]).toContain((await post(dashboard.port, '/login', body)).status);
  });
});

describe('a page of another origin', () => {
  it('cannot send commands with the session of a user, because its request lacks the header', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const response = await fetch(`http://127.0.0.1:${dashboard.port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ query: 'mutation { act(bot: "bot-0", action: KILL) { text } }' }),
    });
    expect(response.status).toBe(403);
    expect(bot.commands).toEqual([]);
  });

  it('cannot open a stream, or use another host name', async () => {
    const dashboard = await openServer([]);
    const cookie = await dashboard.signIn(OPERATOR);
    expect(await upgrade(dashboard.port, { cookie, origin: 'http://evil.example' })).toContain('403');
    expect(await upgrade(dashboard.port, { cookie, host: 'evil.example' })).toContain('421');
    expect(await upgrade(dashboard.port, { cookie, origin: `http://127.0.0.1:${dashboard.port}` })).toBe('open');
    expect(await statusOf(dashboard.port, '/', { host: 'evil.example' })).toBe(421);
  });

  it('cannot frame the page, and the page runs only its own scripts', async () => {
    const dashboard = await openServer([]);
    const response = await fetch(`http://127.0.0.1:${dashboard.port}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

it('accepts requests to its own IPv6 address, which browsers write in brackets and in short form', async () => {
  const dashboard = await openServer([], undefined, { host: '::ffff:127.0.0.1' });
  expect(await statusOf(dashboard.port, '/', { host: '[::ffff:7f00:1]' })).toBe(200);
  expect(await statusOf(dashboard.port, '/', { host: '[::ffff:7f00:2]' })).toBe(421);
});

it.each([
  ['Bots.Example.ORG', 'bots.example.org'],
  ['fd00:0::AB', '[fd00::ab]'],
  ['[FD00::ab]', '[fd00::ab]'],
])('accepts the additional name %s in any usual form', async (name, host) => {
  const dashboard = await openServer([], undefined, { hostNames: [name] });
  expect(await statusOf(dashboard.port, '/', { host })).toBe(200);
});

describe('roles', () => {
  it('let an operator send a command, whose outcome is in the audit log', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const { body } = await dashboard.query(
      'mutation { act(bot: "bot-0", action: PAUSE, reason: "lunch") { done text mode } }',
      cookie,
    );
    const text = 'pause is done. Open orders confirmed by the venue: 0 (before: 2).';
    expect(JSON.parse(body)).toEqual({ data: { act: { done: true, text, mode: 'ACTIVE' } } });
    expect(bot.commands[0]).toEqual({ command: 'pause', args: { reason: 'lunch' } });
    expect(dashboard.audit()).toContain('"action":"pause","details":"{\\"reason\\":\\"lunch\\"}","done":true');
  });

  it('let an operator kill a bot although the connection breaks directly after the request', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const body = JSON.stringify({ query: 'mutation { act(bot: "bot-0", action: KILL) { done } }' });
    const head = [
      'POST /graphql HTTP/1.1',
      `host: 127.0.0.1:${dashboard.port}`,
      `cookie: ${cookie}`,
      ...['x-halfspread: 1', 'content-type: application/json', `content-length: ${body.length}`, '', ''],
    ];
    const socket = connect(dashboard.port, '127.0.0.1', () => {
      socket.write(head.join('\r\n') + body);
      socket.resetAndDestroy();
    });
    await expect.poll(() => bot.commands).toEqual([{ command: 'kill', args: {} }]);
    await expect.poll(() => dashboard.audit()).toContain('"from":"","bot":"bot-0","action":"kill"');
  });

  it('refuse an upgrade without a session, and survive a client that then resets its connection', async () => {
    const dashboard = await openServer([]);
    const { promise: isClosed, resolve } = Promise.withResolvers<void>();
    const socket = connect({ port: dashboard.port, host: '127.0.0.1', noDelay: true }, () => {
      const names = ['connection: upgrade', 'upgrade: websocket', `host: 127.0.0.1:${dashboard.port}`];
      socket.write(['GET /graphql HTTP/1.1', ...names, '', ''].join('\r\n'));
      socket.once('data', () => socket.resetAndDestroy());
    });
    socket.once('close', resolve);
    await isClosed;
    const cookie = await dashboard.signIn(OPERATOR);
    expect((await dashboard.query('{ bots { id } }', cookie)).status).toBe(200);
  });

  it('let an operator cancel one order, and refuse an invalid order number', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const cancel = async (order: string) =>
      (await dashboard.query(`mutation { cancelOrder(bot: "bot-0", order: "${order}") { done text } }`, cookie)).body;
    expect(JSON.parse(await cancel('12'))).toEqual({ data: { cancelOrder: { done: true, text: 'cancel is done' } } });
    for (const wrong of ['x', '', '-1', '1.5', '1e99']) expect(await cancel(wrong)).not.toContain('"done":true');
    expect(bot.commands).toEqual([{ command: 'cancel', args: { order: 12 } }]);
    expect(dashboard.audit()).toContain('"action":"cancel","details":"{\\"order\\":12}","done":true');
  });

  it('let a viewer read, and record refused commands of a viewer', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    expect((await dashboard.query('{ viewer { role } }', cookie)).body).toContain('VIEWER');
    for (const mutation of [
      'act(bot: "bot-0", action: KILL) { done }',
      'killAll(kind: LIVE) { done }',
      'setParameter(bot: "bot-0", name: "a", value: 1) { done }',
      'cancelOrder(bot: "bot-0", order: "12") { done }',
      'addMarket(bot: "bot-0", market: "m") { done }',
      'removeMarket(bot: "bot-0", market: "m") { done }',
      'acknowledge(bot: "bot-0", alert: "1")',
    ]) {
      expect((await dashboard.query(`mutation { ${mutation} }`, cookie)).body).not.toContain('true');
    }
    expect(bot.commands).toEqual([]);
    expect(dashboard.audit()).toContain('"who":"VIEWER"');
  });

  it('end at sign-out', async () => {
    const dashboard = await openServer([]);
    const cookie = await dashboard.signIn(OPERATOR);
    await post(dashboard.port, '/logout', {}, { cookie });
    expect((await dashboard.query('{ bots { id } }', cookie)).status).toBe(401);
  });
});
