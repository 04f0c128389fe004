import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, SimClock, wallClock } from '../../src/clock/index.ts';
import { epochMs, FileFault } from '../../src/domain/index.ts';
import { NETWORK_LIMITS } from '../../src/network/index.ts';
import { CONTROL_COMMANDS } from '../../src/ops/control/commands.ts';
import { ControlConnections } from '../../src/ops/control/control-connections.ts';
import { type ControlServer, requestBot, serveControl } from '../../src/ops/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { controlledBot, STATUS, sendLines } from './controlled-bot.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
let folder = '';
let server: ControlServer | undefined;
let { bot, received } = controlledBot();
const path = () => join(folder, 'bot.sock');
async function listen(at = path(), clock: Clock = wallClock()): Promise<ControlServer> {
  server = await serveControl({ path: at, bot, clock, log: SILENT });
  return server;
}

const line = (id: number, command: string, args: object = {}) => `${JSON.stringify({ v: 1, id, command, args })}\n`;

/** Opens a connection that stays half open when the bot ends it. */
async function dial(): Promise<Socket> {
  const socket = connect({ path: path(), allowHalfOpen: true });
  socket.on('error', () => {}).resume();
  afterThisTest.add(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Opens connections, which the bot has accepted when the promise resolves. */
function dialAll(count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, async () => request(await dial(), 'status')));
}

/** Waits for the first data after a command. */
async function request(socket: Socket, command: string): Promise<Socket> {
  socket.write(line(1, command));
  await once(socket, 'data');
  return socket;
}

/** Returns a clock that shows `now`, and whose timers never fire. */
function stoppedTime(): { now: number; readonly clock: Clock } {
  const time = { now: 0, clock: { now: () => epochMs(time.now), schedule: () => () => {} } };
  return time;
}

/** Returns a function with the indexes of the sockets that the bot has closed since this call. */
function indexesOfClosed(sockets: readonly Socket[]): () => readonly number[] {
  const closed: number[] = [];
  for (const [index, socket] of sockets.entries()) socket.once('end', () => closed.push(index));
  return () => closed.toSorted((a, b) => a - b);
}

/** Waits until a half-open connection is closed. Only a write shows it. */
async function waitUntilClosed(socket: Socket): Promise<void> {
  const isOpen = (): boolean => {
    socket.write('\n');
    return !socket.destroyed;
  };
  await expect.poll(isOpen).toBe(false);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'control-'));
  ({ bot, received } = controlledBot());
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

describe('the control of a running bot', () => {
  it('is a socket that only its owner can open, and that is removed afterwards', async () => {
    const control = await listen();
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    await control.close();
    expect(existsSync(path())).toBe(false);
  });

  it.each([
    ['a file', () => writeFileSync(path(), 'a database')],
    ['a folder', () => mkdirSync(path())],
    ['a symbolic link', () => symlinkSync('elsewhere', path())],
  ])('leaves %s that replaced its socket in place when it closes', async (_name, make) => {
    const control = await listen();
    rmSync(path());
    make();
    const before = lstatSync(path());
    await control.close();
    expect(lstatSync(path())).toEqual(before);
  });

  it('closes when its socket file cannot be deleted', async () => {
    const control = await listen();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder any more');
    await expect(control.close()).resolves.toBeUndefined();
  });

  it('leaves the socket of another bot that replaced it in place when it closes', async () => {
    const first = await listen();
    rmSync(path());
    const second = await listen();
    await first.close();
    expect(await requestBot(path(), { command: 'status' }, wallClock())).toEqual(STATUS);
    await second.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has no other file in the folder while it listens', async () => {
    await listen();
    expect(readdirSync(folder)).toEqual(['bot.sock']);
  });

  it.runIf(existsSync('/dev/shm'))(
    'creates nothing outside of its socket’s folder, which may be a disk of its own',
    async () => {
      const at = join('/dev/shm', `halfspread-${process.pid}.sock`);
      const control = await listen(at);
      expect(lstatSync(at).isSocket()).toBe(true);
      await control.close();
      expect(existsSync(at)).toBe(false);
    },
  );

  it('refuses a path at which a file appeared while its socket was created, and keeps that file', async () => {
    const starting = listen();
    writeFileSync(path(), 'a database');
    await expect(starting).rejects.toThrow(/another process just made this file/);
    expect(readFileSync(path(), 'utf8')).toBe('a database');
    expect(readdirSync(folder)).toEqual(['bot.sock']);
  });

  it('answers queries and executes commands', async () => {
    await listen();
    const clock = wallClock();
    expect(await requestBot(path(), { command: 'status' }, clock)).toEqual(STATUS);
    expect(await requestBot(path(), { command: 'fills', args: { limit: 7 } }, clock)).toEqual([]);
    await requestBot(path(), { command: 'kill', args: { reason: 'news' } }, clock);
    await requestBot(path(), { command: 'cancel-all' }, clock);
    await requestBot(path(), { command: 'cancel', args: { order: 12, reason: 'typo' } }, clock);
    await requestBot(path(), { command: 'market-add', args: { market: 'm', params: { a: 1 } } }, clock);
    await requestBot(path(), { command: 'market-confirm-fee', args: { market: 'm', feeBps: 80 } }, clock);
    expect(received).toEqual([
      ['fills', 7],
      ['kill', 'news'],
      ['cancelAll', undefined],
      [12],
      ['m', { a: 1 }],
      ['m', 80],
    ]);
  });

  it('logs commands of operators, but not their queries', async () => {
    const logged: unknown[] = [];
    const log = { ...SILENT, info: (fields: object) => void logged.push(fields) };
    server = await serveControl({ path: path(), bot, clock: wallClock(), log });
    await requestBot(path(), { command: 'status' }, wallClock());
    await requestBot(path(), { command: 'pause', args: { reason: 'lunch' } }, wallClock());
    await expect(
      requestBot(path(), { command: 'market-remove', args: { market: 'nope' } }, wallClock()),
    ).rejects.toThrow();
    expect(logged).toEqual([{ command: 'pause', args: { reason: 'lunch' } }]);
  });

  it('distinguishes an invalid command from a failing bot', async () => {
    await listen();
    const wrong = requestBot(path(), { command: 'market-remove', args: { market: 'nope' } }, wallClock());
    await expect(wrong).rejects.toMatchObject({ code: 'CONTROL_INPUT' });
    const broken = requestBot(path(), { command: 'set', args: { name: 'a', value: 1 } }, wallClock());
    await expect(broken).rejects.toMatchObject({ code: 'CONTROL' });
  });

  it('refuses an invalid command with a suggestion, and does not execute it', async () => {
    await listen();
    const line = (command: string, args: object = {}, v = 1) => `${JSON.stringify({ v, id: 3, command, args })}\n`;
    const text = [
      ...[line('kil'), line('kill', { why: 'x' }), line('fills', { limit: 0 }), line('status', {}, 2), 'no json\n'],
      ...[line('market-remove', { market: 'nope' }), line('set', { name: 'a', value: 1 }), '{"v":1}\n'],
    ].join('');
    const answers = await sendLines(path(), text, 8);
    expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(false));
    const messages = answers.map(({ error }) => error.message);
    expect(messages[0]).toMatch(/did you mean "kill"\?/);
    expect(messages[1]).toMatch(/why: expected a known key/);
    expect(messages[2]).toMatch(/limit: expected at least 1/);
    expect(messages[3]).toMatch(/the versions of command line and bot differ/);
    expect(messages[4]).toMatch(/a line of JSON/);
    expect(messages[5]).toMatch(/a market of this bot, got "nope"/);
    expect(messages[6]).toBe('broken inside');
    expect(received).toEqual([['a', 1, {}]]);
  });

  it('answers in the order of the requests, however they are split', async () => {
    await listen();
    const text = [1, 2, 3].map((id) => `{"v":1,"id":${id},"command":"status"}\n`).join('');
    expect((await sendLines(path(), text, 3)).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  describe('while a command waits', () => {
    const waiting = line(1, 'market-add', { market: 'm' });
    let release = (): void => {};
    let isReceived = false;

    beforeEach(async () => {
      const released = Promise.withResolvers<void>();
      release = released.resolve;
      const { addMarket } = bot;
      isReceived = false;
      bot.addMarket = async (...given) => {
        isReceived = true;
        await released.promise;
        return addMarket(...given);
      };
      await listen();
    });

    it('executes a kill at once, and no resume that was sent before it', async () => {
      const lines = [waiting, line(2, 'resume'), line(3, 'kill'), line(4, 'pause')];
      const answers = sendLines(path(), lines.join(''), 4);
      await expect.poll(() => received).toEqual([['kill', undefined]]);
      release();
      expect((await answers).map(({ id, ok }) => ({ id, ok }))).toEqual([
        { id: 3, ok: true },
        { id: 1, ok: true },
        { id: 2, ok: false },
        { id: 4, ok: true },
      ]);
      expect(received).toEqual([
        ['kill', undefined],
        ['m', {}],
        ['pause', undefined],
      ]);
    });

    it('executes a kill at once behind more commands than may wait, and none of those beyond the limit', async () => {
      const socket = await dial();
      socket.write(`${waiting}${line(2, 'pause').repeat(5_000)}${line(3, 'kill')}`);
      await expect.poll(() => received).toEqual([['kill', undefined]]);
      release();
      await waitUntilClosed(socket);
      await expect.poll(() => received.length).toBe(NETWORK_LIMITS.controlQueue + 1);
    });

    it('executes a kill on an ended connection behind kills with wrong arguments', async () => {
      const socket = await dial();
      const overflow = waiting + line(2, 'pause').repeat(NETWORK_LIMITS.controlQueue);
      socket.write(
        `${overflow}${line(3, 'kill', { why: 'x' })}${line(4, 'kill', { reason: 'news' })}${line(5, 'kill')}`,
      );
      await expect.poll(() => received).toEqual([['kill', 'news']]);
      release();
      await waitUntilClosed(socket);
      expect(received.filter((command) => JSON.stringify(command).includes('kill'))).toHaveLength(1);
    });

    it('executes a resume that was sent after a kill in one write', async () => {
      const answers = await sendLines(path(), line(1, 'kill') + line(2, 'resume'), 2);
      expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    });

    it.each(['kill', 'pause'] as const)(
      'executes no resume that was sent before a %s of another connection',
      async (stop) => {
        const answers = sendLines(path(), `${waiting}${line(2, 'resume')}`, 2);
        await expect.poll(() => isReceived).toBe(true);
        await requestBot(path(), { command: stop }, wallClock());
        release();
        expect((await answers).map(({ id, ok }) => ({ id, ok }))).toEqual([
          { id: 1, ok: true },
          { id: 2, ok: false },
        ]);
      },
    );
  });

  it('executes a kill behind answers that the client does not read', async () => {
    const clock = new SimClock(epochMs(0));
    bot.orders = () => [{ market: 'x'.repeat(NETWORK_LIMITS.unsentBytes) }] as never;
    await listen(path(), clock);
    const socket = await dial();
    socket.pause().write(line(1, 'orders').repeat(3));
    await expect.poll(() => clock.pending).toBe(1);
    socket.write(line(2, 'kill'));
    await expect.poll(() => received).toEqual([['kill', undefined]]);
  });

  it('reads a connection that it ended for five more seconds', async () => {
    const clock = new SimClock(epochMs(0));
    await listen(path(), clock);
    const socket = await dial();
    socket.write(line(1, 'status').repeat(5_000));
    await expect.poll(() => clock.pending).toBe(1);
    clock.runNext();
    expect(clock.now()).toBe(5_000);
    await waitUntilClosed(socket);
  });

  it('executes a kill while idle clients hold every connection open, and closes the longest idle one', async () => {
    const time = stoppedTime();
    await listen(path(), time.clock);
    const clients = await dialAll(NETWORK_LIMITS.controlConnections);
    const closed = indexesOfClosed(clients);
    time.now = 10_000;
    // The first is not the longest idle one any more.
    await request(clients[0] as Socket, 'status');
    await requestBot(path(), { command: 'kill' }, wallClock());
    expect(received).toEqual([['kill', undefined]]);
    await expect.poll(closed).toEqual([1]);
  });

  it('closes idle connections before those with a watch or a command in progress', async () => {
    const time = stoppedTime();
    const called = Promise.withResolvers<void>();
    bot.addMarket = () => {
      called.resolve();
      return new Promise(() => {});
    };
    await listen(path(), time.clock);
    const clients = await dialAll(NETWORK_LIMITS.controlConnections - 1);
    const closed = indexesOfClosed(clients);
    await request(clients[0] as Socket, 'watch');
    clients[1]?.write(line(1, 'market-add', { market: 'm' }));
    await called.promise;
    time.now = 10_000;
    await dialAll(clients.length - 1);
    await expect.poll(closed).toEqual([...clients.keys()].slice(2));
  });

  it('closes the oldest watch for a kill when no connection is idle', async () => {
    const time = stoppedTime();
    await listen(path(), time.clock);
    const clients = await dialAll(NETWORK_LIMITS.controlConnections);
    const closed = indexesOfClosed(clients);
    for (const socket of clients) {
      time.now += 10_000;
      await request(socket, 'watch');
    }
    await requestBot(path(), { command: 'kill' }, wallClock());
    expect(received).toEqual([['kill', undefined]]);
    await expect.poll(closed).toEqual([0]);
  });

  it('closes a watch rather than a new connection, whose first command may be a kill', async () => {
    const time = stoppedTime();
    await listen(path(), time.clock);
    const clients = await dialAll(NETWORK_LIMITS.controlConnections);
    const closed = indexesOfClosed(clients);
    await Promise.all(clients.slice(1).map((socket) => request(socket, 'watch')));
    time.now = 5_000;
    const next = await dial();
    await expect.poll(closed).toEqual([0]);
    // `next` has sent nothing yet.
    await dialAll(1);
    await expect.poll(closed).toEqual([0, 1]);
    next.write(line(1, 'kill'));
    await expect.poll(() => received).toEqual([['kill', undefined]]);
  });

  it('never has more open connections than its limit, not even within one burst', () => {
    const connections = new ControlConnections();
    const sockets: Socket[] = [];
    afterThisTest.add(() => sockets.forEach((socket) => void socket.destroy()));
    for (let count = 0; count < 3 * NETWORK_LIMITS.controlConnections; count += 1) {
      const socket = new Socket();
      sockets.push(socket);
      connections.serve(socket, { bot, clock: wallClock(), log: SILENT });
      expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(
        NETWORK_LIMITS.controlConnections,
      );
      expect(socket.destroyed).toBe(false);
    }
  });

  it('executes the commands of a client that has disconnected, except queries', async () => {
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { operate } = bot;
    bot = {
      ...bot,
      operate: async (...given) => {
        entered.resolve();
        await released.promise;
        return operate(...given);
      },
    };
    const control = await listen();
    const client = connect(path(), () => {
      client.write([line(1, 'pause'), line(2, 'fills', { limit: 7 }), line(3, 'log'), line(4, 'kill')].join(''));
    });
    await entered.promise;
    client.destroy();
    await control.close();
    released.resolve();
    await expect.poll(() => received).toContainEqual(['kill', undefined]);
    expect(received).toEqual([
      ['pause', undefined],
      ['kill', undefined],
    ]);
  });

  it('replaces the socket of a bot that died, but not the socket of a running bot', async () => {
    const dead =
      "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    spawnSync(process.execPath, ['-e', dead, path()], { timeout: 120_000 });
    expect(lstatSync(path()).isSocket()).toBe(true);
    await listen();
    await expect(listen()).rejects.toThrow(/another bot listens there/);
  });

  it('does not replace the socket of a frozen bot whose connection backlog is full', async () => {
    const listening =
      "require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log('ready'))";
    const frozen = spawn(process.execPath, ['-e', listening, path()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const waiting: Socket[] = [];
    try {
      await once(frozen.stdout, 'data');
      frozen.kill('SIGSTOP');
      let problem: unknown;
      while (problem === undefined) {
        const socket = connect(path());
        waiting.push(socket);
        problem = await new Promise((resolve) => {
          socket.once('connect', () => resolve(undefined));
          socket.once('error', resolve);
        });
      }
      expect(problem).toMatchObject({ code: 'EAGAIN' });
      const before = lstatSync(path());
      await expect(listen()).rejects.toThrow(/another bot listens there/);
      expect(lstatSync(path()).ino).toBe(before.ino);
    } finally {
      for (const socket of waiting) socket.destroy();
      frozen.kill('SIGKILL');
    }
  });

  it.each([
    ['a file', () => writeFileSync(path(), 'a database')],
    ['a symbolic link', () => symlinkSync('elsewhere', path())],
    ['a folder', () => mkdirSync(path())],
  ])('refuses %s at its path and keeps it', async (_name, make) => {
    make();
    const before = lstatSync(path());
    await expect(listen()).rejects.toThrow(FileFault);
    await expect(listen()).rejects.toThrow(/is not a socket and is not replaced.*control\.socket/s);
    expect(lstatSync(path())).toEqual(before);
  });

  it('explains what is wrong with a path', async () => {
    await expect(listen(join(folder, 'x'.repeat(120)))).rejects.toThrow(/at most 107 bytes.*control\.socket/s);
    await expect(listen(join(folder, 'no/such/folder.sock'))).rejects.toThrow(
      /folder\.sock: its folder is not there\. Set `control\.socket`/,
    );
  });

  it('reports to a client that no bot listens, or that another program listens', async () => {
    const tooLong = join(folder, 'x'.repeat(200), 'bot.sock');
    for (const place of [path(), tooLong]) {
      await expect(requestBot(place, { command: 'status' }, wallClock())).rejects.toMatchObject({ code: 'NO_BOT' });
    }
    const stranger = createServer((socket) => socket.resume().end('{"hello":1}\n'));
    await new Promise<void>((resolve) => void stranger.listen(path(), resolve));
    await expect(requestBot(path(), { command: 'status' }, wallClock())).rejects.toThrow(/no halfspread bot/);
    stranger.close();
  });

  it('has a schema for every command that refuses unknown keys', () => {
    for (const [name, schema] of Object.entries(CONTROL_COMMANDS)) {
      expect(schema.safeParse({ unknown: 1 }).success, name).toBe(false);
    }
  });

  it('closes a connection whose line has no end, or that sends faster than it reads', async () => {
    await listen();
    const endless = connect(path(), () => void endless.write('x'.repeat(2 * NETWORK_LIMITS.controlCommand)));
    endless.on('error', () => {});
    await new Promise((resolve) => void endless.once('close', resolve));
    let answered = 0;
    const line = `${JSON.stringify({ v: 1, id: 1, command: 'kill', args: {} })}\n`;
    const eager = connect(path(), () => void eager.write(line.repeat(1_000)));
    eager.on('data', (data) => {
      answered += data.toString().split('\n').length - 1;
    });
    eager.on('error', () => {});
    await new Promise((resolve) => void eager.once('close', resolve));
    expect(answered).toBeLessThanOrEqual(NETWORK_LIMITS.controlQueue);
    expect(await requestBot(path(), { command: 'status' }, wallClock())).toEqual(STATUS);
  });

  it('has a client that refuses endless and invalid answers', async () => {
    for (const text of ['x'.repeat(2 * NETWORK_LIMITS.controlAnswer), 'no json\n', '[]\n', '{"ok":true}\n']) {
      const other = createServer((socket) => {
        socket.on('error', () => {});
        socket.resume().write(text);
      });
      await new Promise<void>((resolve) => void other.listen(path(), resolve));
      const requests = requestBot(path(), { command: 'status' }, wallClock());
      await expect(requests).rejects.toMatchObject({ code: 'CONTROL' });
      await new Promise<void>((resolve) => void other.close(() => resolve()));
    }
  });
});
