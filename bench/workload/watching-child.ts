/**
 * Three clients of a bot's control socket that watch the bot and one of its markets each, in a process of their own.
 *
 * They keep the reports of a turn. Later they read the same reports at the same times from a server of their own process: so they need
 * their core as much as if they watched the bot, which does nothing for them.
 */
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import process from 'node:process';
import { watchBot } from '../../src/ops/index.ts';

/** What it receives. It answers `{ reports }`, how many came since the last answer, or `{ problem }`. */
export type WatchOrder =
  /** Watch the bot. */
  | 'watch'
  /** The same, and keep the reports. */
  | 'keep'
  /** Read what was kept. */
  | 'repeat'
  | 'leave';

interface KeptReport {
  /** ms since the watches began. */
  readonly at: number;
  /** Which of the watches. */
  readonly watch: number;
  /** As JSON. */
  readonly result: string;
}

const [path = '', ...markets] = process.argv.slice(2);
const ownPath = `${path}-repeated`;
const LOOK_MS = 10;
const requests = markets.flatMap((market) => [
  { command: 'watch' } as const,
  { command: 'watch-market', args: { market } } as const,
]);
let kept: KeptReport[] = [];
let reports = 0;
let ends: (() => void)[] = [];

async function watch(address: string, isKept = false): Promise<void> {
  const begun = performance.now();
  if (isKept) kept = [];
  for (const [at, request] of requests.entries()) {
    const report = (result: unknown): void => {
      reports += 1;
      if (isKept) kept.push({ at: performance.now() - begun, watch: at, result: JSON.stringify(result) });
    };
    ends.push(await watchBot(address, request, { report, ended: fail }));
  }
}

/** Sends what was kept of the watches to its connections: the first of them gets the first watch. */
async function repeat(): Promise<void> {
  rmSync(ownPath, { force: true });
  const begun = performance.now();
  const sockets: Socket[] = [];
  let next = 0;
  const timer = setInterval(() => {
    for (let each = kept[next]; each !== undefined && each.at <= performance.now() - begun; each = kept[next]) {
      sockets[each.watch]?.write(`{"v":1,"id":1,"ok":true,"result":${each.result}}\n`);
      next += 1;
    }
  }, LOOK_MS);
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.resume();
    // A client that leaves while a report is on its way resets the connection.
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(ownPath, resolve);
  });
  await watch(ownPath);
  ends.push(() => {
    clearInterval(timer);
    server.close();
  });
}

function leave(): void {
  for (const end of ends) end();
  ends = [];
}

function fail(fault: unknown): void {
  process.send?.({ problem: String(fault) });
}

async function take(order: WatchOrder): Promise<void> {
  if (order === 'leave') leave();
  else if (order === 'repeat') await repeat();
  else await watch(path, order === 'keep');
  process.send?.({ reports });
  reports = 0;
}

// As a dashboard beside a bot.
setPriority(5);
process.on('message', (order: WatchOrder) => {
  take(order).catch(fail);
});
process.on('disconnect', () => process.exit());
