/**
 * Three clients of a bot's control socket in a child process. Each watches the bot and one of its markets.
 *
 * The clients store the reports of a turn. Later they read the same reports at the same times from a server in this
 * process. They then use as much processor time, without work for the bot.
 */
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import process from 'node:process';
import { watchBot } from '../../src/ops/index.ts';

/** The reply to each request. */
export interface WatchReply {
  /** Number of reports since the last reply. */
  readonly reports: number;
  readonly problem?: string;
}

/** A message to this program. */
export type WatchRequest =
  /** Watch the bot. */
  | 'watch'
  /** Watch the bot and store the reports. */
  | 'keep'
  /** Read the stored reports. */
  | 'repeat'
  | 'leave';

interface KeptReport {
  /** ms since the start of the watches. */
  readonly at: number;
  /** Index of the watch. */
  readonly watch: number;
  /** JSON. */
  readonly result: string;
}

const [path = '', ...markets] = process.argv.slice(2);
const ownPath = `${path}-repeated`;
const SEND_EVERY_MS = 10;
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
  for (const [at, watched] of requests.entries()) {
    const onReport = (result: unknown): void => {
      reports += 1;
      if (isKept) kept.push({ at: performance.now() - begun, watch: at, result: JSON.stringify(result) });
    };
    ends.push(await watchBot(address, watched, { onReport, onEnded: fail }));
  }
}

/** Serves the stored reports and watches this server. The first connection gets the reports of the first watch. */
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
  }, SEND_EVERY_MS);
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.resume();
    // A client that disconnects during a report resets the connection.
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
  process.send?.({ reports, problem: String(fault) } satisfies WatchReply);
}

async function execute(request: WatchRequest): Promise<void> {
  if (request === 'leave') leave();
  else if (request === 'repeat') await repeat();
  else await watch(path, request === 'keep');
  process.send?.({ reports } satisfies WatchReply);
  reports = 0;
}

// The priority of a dashboard.
setPriority(5);
process.on('message', (request: WatchRequest) => {
  execute(request).catch(fail);
});
process.on('disconnect', () => process.exit());
process.send?.({ reports } satisfies WatchReply);
