/** Starts the watchdog's process and keeps the pipe to it. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { type Log, WatchdogFeed, type WatchdogHello } from '../../ops/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { OperationTexts } from '../../venues/service/index.ts';
import type { TradingAccount } from './account.ts';
import type { OpenedVenue } from './connection.ts';
import type { LiveStart } from './opened-live.ts';
import { commandLines } from './paths.ts';

/** Starts a watchdog where the configuration has one: it takes over where this process ends without the venue's word. */
export function openWatchdog(start: LiveStart, access: OpenedVenue, account: TradingAccount): void {
  const { live, paths, log, closers, outcome } = start;
  const { watchdog_ms: silenceMs } = live.file;
  if (silenceMs === 'none') return;
  const { clock, line, headers, webhooks, operations } = access;
  const { commandLine, venueCommandLine } = commandLines(paths, live.configuration.path);
  const hello = {
    url: line.base,
    headers,
    token: account.token,
    webhooks,
    silenceMs,
    marker: paths.marker,
    commands: { resume: commandLine('resume'), cancelAll: venueCommandLine('cancel-all') },
    texts: watchdogTexts(operations),
  };
  const watchdog = startWatchdog(hello, clock, log, (problem) =>
    outcome.fail(new Fault('WATCHDOG', `${problem}. Everything was cancelled; start again, or set watchdog_ms: none`)),
  );
  account.onToken((token) => watchdog.use(token));
  closers.add(() => (outcome.isLeftOpen ? watchdog.takeOver() : watchdog.bye()));
}

interface RunningWatchdog {
  use(token: string): void;
  /** Says goodbye and waits for its end. */
  bye(): Promise<void>;
  /** Leaves without a goodbye: it cancels everything, asks until nothing is open and tells people, also after our end. */
  takeOver(): void;
}

const ENTRY = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './watchdog-process.ts' : './watchdog-process.js', import.meta.url),
);

/** In a session of its own, out of reach of Ctrl+C. Secrets go over its standard input only. */
function startWatchdog(
  hello: Omit<WatchdogHello, 'type' | 'pid'>,
  clock: Clock,
  log: Log,
  lost: (problem: string) => void,
): RunningWatchdog {
  const child = spawn(process.execPath, [ENTRY], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      if (!isOver) lost(`the watchdog ended (${signal ?? `code ${code}`})`);
      resolve();
    });
    child.on('error', (error) => {
      if (!isOver) lost(`the watchdog cannot run (${error.message})`);
      resolve();
    });
  });
  child.stdin.on('error', (error) => log.debug({ err: error }, 'the watchdog takes nothing more'));
  const feed = new WatchdogFeed((line) => void child.stdin.write(line), clock);
  feed.start({ ...hello, pid: process.pid });
  return {
    use: (token) => feed.use(token),
    async bye() {
      isOver = true;
      feed.bye();
      child.stdin.end();
      await ended;
    },
    takeOver() {
      isOver = true;
      feed.handOver();
      child.stdin.end();
      child.unref();
    },
  };
}

/** What a watchdog sends, in the words of a venue whose names differ. */
export function watchdogTexts(operations: Pick<OperationTexts, 'textOf'>): Readonly<Record<string, string>> {
  const sent = [OPERATIONS.cancelAllOrders, OPERATIONS.tradingSafety];
  return Object.fromEntries(sent.map((each) => [each.name, operations.textOf(each)]));
}
