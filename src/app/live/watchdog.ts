import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../domain/index.ts';
import { type AlertTarget, feedWatchdog } from '../../ops/index.ts';
import { entryUrl } from '../../package-files.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { OperationTexts } from '../../venues/service/index.ts';
import type { VenueAccess } from '../venue-access.ts';
import type { LiveStart } from './opened-live.ts';
import { commandLines } from './paths.ts';

interface WatchdogDeps {
  readonly access: VenueAccess;
  readonly account: {
    /** Token of the last login. */
    token(): string;
    /** Calls `callback` with the token of each later login. */
    onToken(callback: (token: string) => void): void;
  };
  readonly targets: readonly AlertTarget[];
}

/** Starts a watchdog if configured. The watchdog takes over when this process ends while orders may be open. */
export function openWatchdog(start: LiveStart, { access, account, targets }: WatchdogDeps): void {
  const { live, paths, log, closers, outcome } = start;
  const { watchdog_ms: silenceMs } = live.file;
  if (silenceMs === 'none') return;
  const { clock, http, headers, operations } = access;
  const { commandLine, venueCommandLine } = commandLines(paths, live.configuration.path);
  const onLost = (problem: string): void => {
    const remedy = 'The bot cancels all orders and stops; start it again, or set watchdog_ms: none';
    outcome.fail(new Fault('WATCHDOG', `${problem}. ${remedy}`));
  };
  // The watchdog has its own session, so Ctrl+C does not reach it. It receives secrets only through standard input.
  const child = spawn(process.execPath, [fileURLToPath(entryUrl('watchdog-process', import.meta.url))], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = Promise.withResolvers<void>();
  let isOver = false;
  child.on('exit', (code, signal) => {
    if (!isOver) onLost(`the watchdog ended (${signal ?? `code ${code}`})`);
    ended.resolve();
  });
  child.on('error', (error) => {
    if (!isOver) onLost(`the watchdog cannot run (${error.message})`);
    ended.resolve();
  });
  child.stdin.on('error', (error) => log.debug({ err: error }, 'the watchdog accepts no more messages'));
  const feed = feedWatchdog((line) => void child.stdin.write(line), clock, {
    url: http.baseUrl,
    headers,
    token: account.token(),
    alerts: { name: live.file.alerts.name, targets },
    silenceMs,
    killFilePath: paths.killFilePath,
    commands: { resume: commandLine('resume'), cancelAll: venueCommandLine('cancel-all') },
    texts: watchdogTexts(operations),
    pid: process.pid,
  });
  account.onToken((token) => feed.sendToken(token));
  closers.add(async () => {
    isOver = true;
    feed.end(outcome.mayHaveOpenOrders ? 'handOver' : 'finished');
    child.stdin.end();
    if (outcome.mayHaveOpenOrders) {
      // The watchdog cancels every order, checks that none is open and sends an alert. It may outlive this process.
      child.unref();
    } else await ended.promise;
  });
}

export function watchdogTexts(operations: Pick<OperationTexts, 'textOf'>): Readonly<Record<string, string>> {
  const sent = [OPERATIONS.cancelAllOrders, OPERATIONS.tradingSafety];
  return Object.fromEntries(sent.map((operation) => [operation.name, operations.textOf(operation)]));
}
