/** A watchdog with its hands: the venue over a line of its own, the process table, the disk, the webhooks. */
import process from 'node:process';
import { wallClock } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { harmless } from '../../network/index.ts';
import {
  AccountClient,
  createLog,
  Redactor,
  readableLine,
  sendAlert,
  VenueLine,
  verifyNothingOpen,
  Watchdog,
  type WatchdogActions,
  type WatchdogEnd,
  type WatchdogHello,
} from '../../ops/index.ts';
import { writeMark } from './kill-mark.ts';

export async function watch(input: NodeJS.ReadableStream): Promise<WatchdogEnd> {
  const clock = wallClock();
  const redactor = new Redactor();
  // Its own standard error is that of the bot, which may be gone with its terminal.
  process.stderr.on('error', () => {});
  // In the form of the bot's own log: lines of JSON, on a terminal for people.
  const write = (text: string): void =>
    void process.stderr.write(process.stderr.isTTY ? harmless(readableLine(text)) : text);
  const log = createLog({ level: 'warn', redactor, write });
  let line: VenueLine | undefined;
  let hello: WatchdogHello | undefined;
  const hands: WatchdogActions = {
    connect(told) {
      hello = told;
      for (const secret of [told.token, ...told.webhooks.map(({ url }) => url)]) redactor.keep(secret);
      line = new VenueLine({
        url: told.url,
        headers: told.headers,
        clock,
        textOf: ({ name, text }) => told.texts[name] ?? text,
      });
      line.use(told.token);
    },
    use(token) {
      redactor.keepForNow(token);
      line?.use(token);
    },
    async cancelAndVerify() {
      if (line === undefined) return { isVerified: false, open: undefined };
      const client = new AccountClient(line);
      // First and whatever is shown as open: what is signed and on its way ends with the epoch.
      try {
        await client.cancelAll();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        log.warn({ problem: error.message }, 'the first cancel did not get through, trying again');
      }
      return verifyNothingOpen({ client, clock, log });
    },
    kill(pid) {
      try {
        return process.kill(pid, 'SIGKILL');
      } catch {
        return false;
      }
    },
    mark(file, reason) {
      try {
        writeMark(file, reason);
      } catch (error) {
        log.error({ err: error }, 'the mark that keeps trading killed could not be written');
      }
    },
    say: (text) => log.error({}, text),
    async alert(text, fields) {
      for (const { shape, url, chatId } of hello?.webhooks ?? []) {
        try {
          await sendAlert({ shape, url, chatId }, { kind: 'watchdog', text: redactor.text(text), fields }, { clock });
        } catch (error) {
          log.error({ err: error }, 'a webhook was not told');
        }
      }
    },
  };
  const watchdog = new Watchdog(clock, hands);
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (piece: string) => {
    rest += piece;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) watchdog.line(text);
  });
  input.on('end', () => watchdog.closed());
  input.on('error', () => watchdog.closed());
  return watchdog.ended;
}
