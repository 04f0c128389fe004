import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SimClock, wallClock } from '../../src/clock/index.ts';
import { epochMs, InputFault } from '../../src/domain/index.ts';
import { listenOn, NETWORK_LIMITS } from '../../src/network/index.ts';
import { parseTcpAddress, requestBot, TcpControl, type TcpControlOptions, watchBot } from '../../src/ops/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { controlledBot } from './controlled-bot.ts';

const TOKEN = 'operator-token-0123456789abcdef0123';
const VIEWER = 'viewer-token-0123456789abcdef012345';
const LOGIN = login(TOKEN);

function login(token: string, v = 1): string {
  return `${JSON.stringify({ v, id: 0, command: 'login', args: { token } })}\n`;
}

function commandLine(command: string, id = 1): string {
  return `${JSON.stringify({ v: 1, id, command, args: {} })}\n`;
}

async function listen(more: Partial<TcpControlOptions> = {}) {
  const logged: object[] = [];
  const take = (fields: object): void => void logged.push(fields);
  const log = { debug() {}, info: take, warn: take, error: take };
  const { bot, received } = controlledBot();
  const options = { host: '127.0.0.1', port: 0, token: TOKEN, viewerToken: VIEWER, bot, clock: wallClock(), log };
  const server = await TcpControl.listen({ ...options, ...more });
  afterThisTest.add(() => server.close());
  const address = (token = TOKEN) => ({ host: '127.0.0.1', port: server.port, isTls: false, token });
  return {
    server,
    address,
    logged,
    received,
    request: (command: 'status' | 'kill', token?: string) => requestBot(address(token), { command }, wallClock()),
  };
}

/** Opens a raw connection, without the client's code. */
async function dial(port: number): Promise<{ socket: Socket; output: () => string; closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1');
  afterThisTest.add(() => void socket.destroy());
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (piece) => {
      text += piece;
    });
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, output: () => text, closed };
}

describe('the TCP port of a bot', () => {
  it('accepts the token of operators, and logs the address that a command came from', async () => {
    const { request, received, logged } = await listen();
    expect(await request('status')).toMatchObject({ mode: 'ACTIVE' });
    await request('kill');
    expect(received).toEqual([['kill', undefined]]);
    expect(logged).toEqual([{ command: 'kill', args: {}, from: '127.0.0.1' }]);
  });

  it('allows queries with the token of viewers, and refuses commands', async () => {
    const { request, received, address } = await listen();
    expect(await request('status', VIEWER)).toMatchObject({ mode: 'ACTIVE' });
    for (const command of ['kill', 'cancel-all', 'resume', 'set', 'market-add', 'signal'] as const) {
      const refused = requestBot(address(VIEWER), { command }, wallClock());
      await expect(refused).rejects.toThrow(`this token is for viewing only, not for ${command}`);
    }
    expect(received).toEqual([]);
  });

  it('executes nothing without a login, whatever arrives first', async () => {
    const { server, received } = await listen();
    for (const text of [
      commandLine('kill'),
      'GET / HTTP/1.1\r\n\r\n',
      `PROXY TCP4 10.0.0.1 10.0.0.2 5000 9444\r\n${LOGIN}${commandLine('kill')}`,
      '\n',
      '[]\n',
      '{"v":1,"command":"login"}\n',
      login(TOKEN, 2),
    ]) {
      const { socket, output, closed } = await dial(server.port);
      socket.write(text);
      await closed;
      expect(output()).toMatch(/"ok":false.*(log in first|another version)/);
    }
    expect(received).toEqual([]);
  });

  it('executes no command that follows a wrong token', async () => {
    const { server, received } = await listen();
    const { socket, output, closed } = await dial(server.port);
    socket.write(login(`${TOKEN}x`) + commandLine('kill'));
    await closed;
    expect([output(), received]).toEqual([expect.stringMatching(/^(\{.*the token is wrong.*\}\n)?$/), []]);
  });

  it('executes commands that arrive in one chunk with the login', async () => {
    const { server, received } = await listen();
    const { socket, output } = await dial(server.port);
    socket.write(LOGIN + commandLine('kill', 1) + commandLine('status', 2));
    await expect.poll(output).toMatch(/"role":"operator".*\n.*"id":1.*\n.*"id":2/);
    expect(received).toEqual([['kill', undefined]]);
  });

  it('refuses every login after five wrong tokens in a minute, and logs no token', async () => {
    const { request, logged } = await listen();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(request('status', `${TOKEN}${attempt}`)).rejects.toThrow('the token is wrong');
    }
    await expect(request('status', `${TOKEN}6`)).rejects.toThrow(
      /too many wrong tokens from this address: try again in \d+ s/,
    );
    await expect(request('status')).rejects.toThrow(/too many wrong tokens/);
    expect(logged).toEqual(Array(5).fill({ from: '127.0.0.1' }));
  });

  it('accepts logins again after a minute', async () => {
    const clock = new SimClock(epochMs(0));
    const { request } = await listen({ clock });
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(request('status', `${TOKEN}${attempt}`)).rejects.toThrow();
    await expect(request('status')).rejects.toThrow(/try again in 60 s/);
    clock.advanceTo(epochMs(60_000));
    expect(await request('status')).toMatchObject({ mode: 'ACTIVE' });
  });

  it('ends a connection that does not log in within five seconds', async () => {
    const clock = new SimClock(epochMs(0));
    const { server } = await listen({ clock });
    const { socket, closed } = await dial(server.port);
    socket.write(LOGIN.slice(0, 20));
    await expect.poll(() => clock.pending).toBe(1);
    clock.runNext();
    expect(clock.now()).toBe(5_000);
    await closed;
  });

  it('ends a connection whose login has no end', async () => {
    const { server } = await listen();
    const { socket, closed } = await dial(server.port);
    socket.write('x'.repeat(100_000));
    await closed;
  });

  it('ends a connection whose command has no end, or that sends faster than it reads', async () => {
    const { server, request } = await listen();
    const endless = await dial(server.port);
    endless.socket.write(`${LOGIN}${'x'.repeat(2 * NETWORK_LIMITS.controlCommand)}`);
    await endless.closed;
    const eager = await dial(server.port);
    eager.socket.write(LOGIN + commandLine('status').repeat(2_000));
    await eager.closed;
    expect(await request('status')).toMatchObject({ mode: 'ACTIVE' });
  });

  it('accepts operators while clients that do not log in hold connections open', async () => {
    const { server, request } = await listen();
    const idleClients: Socket[] = [];
    for (let count = 0; count < 40; count += 1) idleClients.push((await dial(server.port)).socket);
    expect(await request('status')).toMatchObject({ mode: 'ACTIVE' });
    await expect.poll(() => idleClients.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(16);
  });

  it('has at most 32 clients, and accepts another viewer when one disconnects', async () => {
    const { address, request } = await listen();
    const ends: (() => void)[] = [];
    for (let count = 0; count < NETWORK_LIMITS.controlConnections; count += 1) {
      ends.push(await watchBot(address(), { command: 'watch' }, { onReport: () => {}, onEnded: () => {} }));
    }
    await expect(request('status', VIEWER)).rejects.toThrow(/more than 32 connections/);
    ends[0]?.();
    await expect.poll(() => request('status', VIEWER).catch(() => undefined)).toMatchObject({ mode: 'ACTIVE' });
    for (const end of ends) end();
  });

  it('executes the kill of an operator while 32 clients are connected, and closes the oldest watch', async () => {
    const { address, request, received } = await listen();
    const ended: number[] = [];
    for (let index = 0; index < NETWORK_LIMITS.controlConnections; index += 1) {
      const onEnded = (): void => void ended.push(index);
      const end = await watchBot(address(VIEWER), { command: 'watch' }, { onReport: () => {}, onEnded });
      afterThisTest.add(end);
    }
    await request('kill');
    expect(received).toEqual([['kill', undefined]]);
    await expect.poll(() => ended).toEqual([0]);
  });

  it('executes the kill of an operator behind more commands than may wait', async () => {
    const { server, received } = await listen();
    const { socket, closed } = await dial(server.port);
    socket.write(LOGIN + commandLine('status').repeat(5_000) + commandLine('kill'));
    await closed;
    expect(received).toEqual([['kill', undefined]]);
  });

  it('streams reports until the bot ends, and reports the end to the client', async () => {
    const { address, server } = await listen();
    const reports: unknown[] = [];
    const ended = Promise.withResolvers<string>();
    await watchBot(
      address(VIEWER),
      { command: 'watch' },
      { onReport: (each) => reports.push(each), onEnded: ({ message }) => ended.resolve(message) },
    );
    await expect.poll(() => reports).toEqual([{ a: 1 }]);
    await server.close();
    expect(await ended.promise).toMatch(
      /^tcp:\/\/127\.0\.0\.1:\d+: the (bot closed the connection|connection to the bot broke)/,
    );
  });

  it('closes while a client reads nothing', async () => {
    const { server } = await listen();
    const { socket } = await dial(server.port);
    socket.pause();
    socket.write(LOGIN + commandLine('watch'));
    await server.close();
  });

  it('names the configuration field when another process uses the port', async () => {
    const { server } = await listen();
    await expect(listen({ port: server.port })).rejects.toThrow(/control\.tcp\.port: expected a port of 127\.0\.0\.1/);
  });
});

describe('a client of another machine', () => {
  it('reports an address where no bot listens', async () => {
    const { server, address, request } = await listen();
    const gone = address();
    await server.close();
    await expect(request('status')).rejects.toMatchObject({ code: 'NO_BOT' });
    await expect(requestBot(gone, { command: 'status' }, wallClock())).rejects.toThrow(
      `tcp://127.0.0.1:${gone.port}: no bot runs there`,
    );
  });

  it('sends nothing but the login to a server that is not a bot', async () => {
    const taken: string[] = [];
    const stranger = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (data) => {
          taken.push(String(data));
          socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        });
    });
    afterThisTest.add(() => void stranger.close());
    const port = await listenOn(stranger, 0, '127.0.0.1', 'port');
    const request = requestBot(
      { host: '127.0.0.1', port, isTls: false, token: TOKEN },
      { command: 'kill' },
      wallClock(),
    );
    await expect(request).rejects.toThrow(/no halfspread bot/);
    expect(taken).toEqual([LOGIN]);
  });

  it('sends no token to a port without TLS when the address starts with tls', async () => {
    const { address, received } = await listen();
    const request = requestBot({ ...address(), isTls: true }, { command: 'kill' }, wallClock());
    await expect(request).rejects.toMatchObject({ code: 'CONTROL' });
    expect(received).toEqual([]);
  });

  it.each([
    ['tcp://bots.example.org:9444', { host: 'bots.example.org', port: 9_444, isTls: false }],
    ['tls://[::1]:9444', { host: '::1', port: 9_444, isTls: true }],
  ])('reads the address %s', (text, address) => {
    expect(parseTcpAddress(text, '--bot')).toEqual(address);
  });

  it.each([
    'http://a:1',
    'tcp://a',
    'tcp://:1',
    'tcp://a:99999',
    'a:1',
    'tls://a:1/x',
    'tls://a:1?token=hunter2',
    'tls://me:hunter2@a:1',
  ])('refuses the address %s without showing a secret in it', (text) => {
    expect(() => parseTcpAddress(text, '--bot')).toThrow(InputFault);
    expect(() => parseTcpAddress(text, '--bot')).not.toThrow(/hunter2/);
  });
});
