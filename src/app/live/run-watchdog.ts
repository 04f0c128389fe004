/** Runs the watchdog process, which cancels orders, kills the bot, writes the kill file (kill-file.ts) and alerts. */
import process from 'node:process';
import { steadyClock } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { escapeControls } from '../../network/index.ts';
import {
  AccountClient,
  Alerts,
  cancelAllAndVerify,
  createLog,
  Redactor,
  readableLine,
  splitLines,
  VenueHttp,
  Watchdog,
  type WatchdogActions,
  type WatchdogEnd,
} from '../../ops/index.ts';
import { writeKillFile } from './kill-file.ts';

const ALERT_DELIVERY_MS = 60_000;

export async function runWatchdog(input: NodeJS.ReadableStream): Promise<WatchdogEnd> {
  const clock = steadyClock();
  const redactor = new Redactor();
  // Like the bot, writes JSON lines, or readable lines on a terminal.
  const write = (text: string): void =>
    void process.stderr.write(process.stderr.isTTY ? escapeControls(readableLine(text)) : text);
  const log = createLog({ level: 'warn', redactor, write });
  let http: VenueHttp | undefined;
  let alerts: Alerts | undefined;
  const actions: WatchdogActions = {
    connect(received) {
      const { url, headers, token, texts } = received;
      const { targets } = received.alerts;
      const secrets = targets.flatMap((target) => [target.url, ...Object.values(target.headers ?? {})]);
      for (const secret of [token, ...secrets]) redactor.addSecret(secret);
      alerts = new Alerts({ ...received.alerts, clock, log, redactor });
      http = new VenueHttp({ url, headers, clock, getText: ({ name, text }) => texts[name] ?? text });
      http.setToken(token);
    },
    setToken(token) {
      redactor.addShortLivedSecret(token);
      http?.setToken(token);
    },
    async cancelAllAndVerify() {
      if (http === undefined) return { isVerified: false, open: undefined };
      const client = new AccountClient(http);
      // Cancels even if nothing is open: the new order epoch invalidates signed orders that have not arrived yet.
      try {
        await client.cancelAll();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        log.warn({ problem: error.message }, 'the first cancel failed, trying again');
      }
      return cancelAllAndVerify({ client, clock, log });
    },
    kill(pid) {
      try {
        return process.kill(pid, 'SIGKILL');
      } catch {
        return false;
      }
    },
    writeKillFile(file, reason) {
      try {
        writeKillFile(file, reason);
      } catch (error) {
        log.error({ err: error }, 'the file that keeps trading killed could not be written');
      }
    },
    log: (text) => log.error({}, text),
    async alert(text, fields) {
      alerts?.send('watchdog', text, fields);
      await alerts?.close(ALERT_DELIVERY_MS);
    },
  };
  const watchdog = new Watchdog(clock, actions);
  input.setEncoding('utf8');
  input.on(
    'data',
    splitLines('the bot', Number.POSITIVE_INFINITY, (line) => watchdog.onLine(line)),
  );
  input.on('end', () => watchdog.onInputClosed());
  input.on('error', () => watchdog.onInputClosed());
  return watchdog.ended;
}
