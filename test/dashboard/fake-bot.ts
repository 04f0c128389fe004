/** The control socket of a fake bot, with responses set by the test. */
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterThisTest } from '../cleanup.ts';
import { newFolder } from '../cli/halfspread.ts';
import { report } from './reports.ts';

export interface FakeBot {
  readonly socket: string;
  /** Received commands, except watches. */
  readonly commands: { readonly command: string; readonly args: unknown }[];
  /** Number of open connections. */
  connections(): number;
  /** Response to `watch`. A string is sent unchanged. */
  watchResponse: unknown;
  /** Responses to other commands by name, or functions that return them for the arguments of the command. */
  readonly responses: Map<string, unknown>;
  /** Sends the responses to `watch` and `watch-market` to all connections that watch. */
  push(): void;
  close(): Promise<void>;
}

export async function fakeBot(watchResponse: unknown = report()): Promise<FakeBot> {
  const socket = join(newFolder(), 'bot.sock');
  const open = new Set<Socket>();
  const watchers = new Set<{ readonly socket: Socket; readonly id: number; readonly isMarket: boolean }>();
  const write = (to: Socket, id: number, result: unknown): void => {
    to.write(typeof result === 'string' ? result : `${JSON.stringify({ v: 1, id, ok: true, result })}\n`);
  };
  const bot: FakeBot = {
    socket,
    commands: [],
    connections: () => open.size,
    watchResponse,
    responses: new Map<string, unknown>([
      ['orders', []],
      ['fills', []],
      ['log', []],
    ]),
    push: () => {
      for (const { socket: to, id, isMarket } of watchers) {
        if (!to.destroyed) write(to, id, isMarket ? (bot.responses.get('watch-market') ?? null) : bot.watchResponse);
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const { socket: to } of watchers) to.destroy();
        server.close(() => resolve());
        rmSync(socket, { force: true });
      }),
  };
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => {}).on('close', () => open.delete(client));
    client.setEncoding('utf8').on('data', (lines: string) => {
      for (const line of lines.trim().split('\n')) {
        const { id, command, args = {} } = JSON.parse(line);
        if (command === 'watch' || command === 'watch-market') {
          const isMarket = command === 'watch-market';
          const watcher = { socket: client, id, isMarket };
          watchers.add(watcher);
          client.once('close', () => watchers.delete(watcher));
          write(client, id, isMarket ? (bot.responses.get('watch-market') ?? null) : bot.watchResponse);
        } else {
          bot.commands.push({ command, args });
          const response = bot.responses.get(command);
          const result = typeof response === 'function' ? response(args) : response;
          write(client, id, result ?? { mode: 'ACTIVE', text: `${command} is done` });
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  afterThisTest.add(() => bot.close());
  return bot;
}
