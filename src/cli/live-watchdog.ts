/** Starts the watchdog's process and keeps the pipe to it. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../clock/index.ts';
import { type Log, WatchdogFeed, type WatchdogHello } from '../ops/index.ts';
import { OPERATIONS } from '../protocol/index.ts';
import type { OperationTexts } from '../venues/remote/index.ts';

/** A watchdog that runs. */
export interface RunningWatchdog {
  use(token: string): void;
  /** Says goodbye and waits for its end. */
  bye(): Promise<void>;
  /** Leaves without a goodbye: it cancels everything, asks until nothing is open and tells people, also after our end. */
  takeOver(): void;
}

const ENTRY = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './watchdog.ts' : './watchdog.js', import.meta.url),
);

/**
 * In a session of its own: Ctrl+C does not reach it. Secrets go over its standard input and no other way.
 * @param lost hears that it is gone though nobody said goodbye
 */
export function startWatchdog(
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
      feed.stop();
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
