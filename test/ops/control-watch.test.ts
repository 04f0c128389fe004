import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { wallClock } from '../../src/clock/index.ts';
import { NETWORK_LIMITS } from '../../src/network/index.ts';
import type { CommandResult } from '../../src/ops/control/bot-port.ts';
import { ControlConnections } from '../../src/ops/control/control-connections.ts';
import { type ControlServer, serveControl, watchBot } from '../../src/ops/index.ts';
import { controlledBot, sendLines } from './controlled-bot.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
let folder = '';
let server: ControlServer | undefined;
let { bot, received } = controlledBot();
const path = () => join(folder, 'bot.sock');
async function listen(at = path()): Promise<ControlServer> {
  server = await serveControl({ path: at, bot, clock: wallClock(), log: SILENT });
  return server;
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

describe('a control socket whose client reads nothing', () => {
  it('closes without delivering the answer', async () => {
    const { promise: requested, resolve } = Promise.withResolvers<void>();
    const fills = (): never[] => {
      resolve();
      // More than the socket buffers, and less than the limit that closes the connection.
      return JSON.parse(JSON.stringify([{ text: 'x'.repeat(4 * 1_048_576) }]));
    };
    const open = await serveControl({ path: path(), bot: { ...bot, fills }, clock: wallClock(), log: SILENT });
    const socket = connect(path()).on('error', () => undefined);
    socket.pause();
    socket.write('{"v":1,"id":1,"command":"fills","args":{"limit":1}}\n');
    await requested;
    await new Promise((turn) => setImmediate(turn));
    await open.close();
    expect(existsSync(path())).toBe(false);
    socket.destroy();
  });
});

describe('a client that disconnects while its command runs', () => {
  it('does not prevent the kill that it has sent after this command', async () => {
    const adding = Promise.withResolvers<CommandResult>();
    const begun = Promise.withResolvers<void>();
    const addMarket = (): Promise<CommandResult> => {
      begun.resolve();
      return adding.promise;
    };
    const open = createServer((socket) => {
      socket.setEncoding('utf8').once('close', () => adding.resolve({ mode: 'ACTIVE', text: 'added' }));
      new ControlConnections().serve(socket, { bot: { ...bot, addMarket }, clock: wallClock(), log: SILENT });
    }).listen(path());
    onTestFinished(() => void open.close());
    await once(open, 'listening');
    const lines = [
      { v: 1, id: 1, command: 'market-add', args: { market: 'm' } },
      { v: 1, id: 2, command: 'kill', args: { reason: 'news' } },
    ];
    const socket = connect(path());
    socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await begun.promise;
    socket.destroy();
    await expect.poll(() => received).toEqual([['kill', 'news']]);
  });
});

describe('a watch', () => {
  /** Collects reports until `isLast` returns true. */
  async function reports(command: Parameters<typeof watchBot>[1], isLast: (all: readonly unknown[]) => boolean) {
    const all: unknown[] = [];
    const enough = Promise.withResolvers<void>();
    const end = await watchBot(path(), command, {
      onReport: (result) => {
        all.push(result);
        if (isLast(all)) enough.resolve();
      },
      onEnded: (fault) => enough.reject(fault),
    });
    await enough.promise;
    end();
    return all;
  }

  it('is answered at once, and again after each change', async () => {
    let count = 0;
    server = await serveControl({
      path: path(),
      bot: {
        ...bot,
        reportJson: () => {
          count += 1;
          return JSON.stringify({ count });
        },
      },
      clock: wallClock(),
      log: SILENT,
    });
    expect(await reports({ command: 'watch' }, (all) => all.length === 3)).toEqual([
      { count: 1 },
      { count: 2 },
      { count: 3 },
    ]);
  });

  it('calls `onConnected` before the first report, and before the watch can be ended', async () => {
    await listen();
    const calls: string[] = [];
    const first = Promise.withResolvers<void>();
    const end = await watchBot(
      path(),
      { command: 'watch' },
      {
        onConnected: () => calls.push('connected'),
        onReport: () => first.resolve(void calls.push('report')),
        onEnded() {},
      },
    );
    expect(calls).toEqual(['connected']);
    await first.promise;
    end();
    expect(calls).toEqual(['connected', 'report']);
  });

  it('repeats an unchanged report once a second', async () => {
    await listen();
    const begun = Date.now();
    expect(await reports({ command: 'watch' }, (all) => all.length === 2)).toEqual([{ a: 1 }, { a: 1 }]);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(900);
  });

  it('of a market passes the name of the market to the bot', async () => {
    await listen();
    expect(await reports({ command: 'watch-market', args: { market: 'rain' } }, () => true)).toEqual([
      { market: 'rain' },
    ]);
  });

  it('is refused beyond sixteen on one connection', async () => {
    await listen();
    const text = Array.from({ length: 17 }, (_, id) => `{"v":1,"id":${id},"command":"watch"}\n`).join('');
    const answers = await sendLines(path(), text, 17);
    expect(answers.filter(({ ok }) => !ok).map(({ error }) => error.message)).toEqual([
      expect.stringContaining('at most 16 reports'),
    ]);
  });

  it('ends with the bot', async () => {
    const open = await listen();
    const ended = Promise.withResolvers<string>();
    await watchBot(
      path(),
      { command: 'watch' },
      { onReport: () => {}, onEnded: ({ message }) => ended.resolve(message) },
    );
    await open.close();
    expect(await ended.promise).toMatch(/^\/.*bot\.sock: the (bot closed the connection|connection to the bot broke)/);
  });

  it.each([
    ['the process that answers there is no halfspread bot', 'no JSON'],
    ['the bot sent an invalid report', '{"v":1,"id":1,"ok":true,"result":7}'],
    [`a line of more than ${NETWORK_LIMITS.controlAnswer} characters`, 'x'.repeat(NETWORK_LIMITS.controlAnswer + 1)],
  ])('that ends with a fault names the address of the bot: %s', async (problem, line) => {
    const other = createServer((client) =>
      client
        .on('error', () => {})
        .resume()
        .write(`${line}\n`),
    ).listen(path());
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const ended = Promise.withResolvers<string>();
    await watchBot(
      path(),
      { command: 'watch' },
      { onReport: (result) => z.object({}).parse(result), onEnded: ({ message }) => ended.resolve(message) },
    );
    expect(await ended.promise).toBe(`${path()}: ${problem}`);
  });
});
