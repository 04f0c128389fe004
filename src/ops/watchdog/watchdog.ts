/**
 * Watches a bot from a separate process. The bot sends lines of JSON to the watchdog's standard input: its settings,
 * regular beats from its event loop, and the end of the run. No other channel carries secrets.
 *
 * The watchdog cancels every order of the account in three cases: the beats stop, because a strategy hangs; the pipe
 * closes without `finished`, because the process died; the bot hands over its open orders. It also ends a process that
 * hangs. Silence is counted in checks, so that the bot gets its full time after a suspend of the machine.
 */
import { z } from 'zod';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import type { AlertFields } from '../alerts/alert.ts';
import { targetSchema } from '../alerts/target.ts';

const helloSchema = z.strictObject({
  type: z.literal('hello'),
  pid: z.int().min(1),
  url: z.string(),
  headers: z.record(z.string(), z.string()).readonly(),
  token: z.string(),
  /** Time without a beat after which the watchdog treats the bot as hanging, ms. */
  silenceMs: z.int().min(100),
  /** Receivers of alerts, and the name of the bot in their texts. */
  alerts: z.strictObject({ name: z.string().optional(), targets: z.array(targetSchema).readonly() }).readonly(),
  /** Complete command lines for operators. */
  commands: z.strictObject({ resume: z.string(), cancelAll: z.string() }).readonly(),
  /** File that stores the reason of a kill for the next start. */
  killFilePath: z.string(),
  /** Texts of operations by name, for a venue with other names. */
  texts: z.record(z.string(), z.string()).readonly().default({}),
});

const messageSchema = z.discriminatedUnion('type', [
  helloSchema,
  z.strictObject({ type: z.literal('token'), token: z.string() }),
  z.strictObject({ type: z.literal('beat') }),
  /** The bot ended, and the venue has not confirmed that no order is open. */
  z.strictObject({ type: z.literal('handOver') }),
  /** The bot ended and has cancelled every order itself. */
  z.strictObject({ type: z.literal('finished') }),
]);

export type WatchdogHello = z.output<typeof helloSchema>;
type WatchdogMessage = z.output<typeof messageSchema>;

export function readWatchdogMessage(line: string): WatchdogMessage | undefined {
  return messageSchema.safeParse(tryParseJson(line)).data;
}

const BEATS_PER_SILENCE = 5;

/** Starts the bot's side of the watchdog. @param write writes to the watchdog's standard input */
export function feedWatchdog(write: (line: string) => void, clock: Clock, hello: Omit<WatchdogHello, 'type'>) {
  let isOver = false;
  const send = (message: WatchdogMessage): void => {
    if (!isOver) write(`${JSON.stringify(message)}\n`);
  };
  const beat = (): void => send({ type: 'beat' });
  send({ type: 'hello', ...hello });
  beat();
  const stopBeats = repeatEvery(clock, Math.max(Math.floor(hello.silenceMs / BEATS_PER_SILENCE), 10), beat);
  return {
    sendToken: (token: string) => send({ type: 'token', token }),
    /**
     * Ends the feed after the bot has ended. Nothing is sent later.
     * @param type `finished` if the bot has cancelled its orders, `handOver` if orders may be open
     */
    end(type: 'finished' | 'handOver') {
      send({ type });
      stopBeats();
      isOver = true;
    },
  };
}

export interface WatchdogActions {
  connect(hello: WatchdogHello): void;
  setToken(token: string): void;
  /** Cancels every order and checks that none is open. Never rejects. */
  cancelAllAndVerify(): Promise<{ readonly isVerified: boolean; readonly open: number | undefined }>;
  kill(pid: number): boolean;
  /** Writes the file that keeps trading killed at the next start. */
  writeKillFile(file: string, reason: string): void;
  log(text: string): void;
  /** Sends an alert to all targets and waits for its delivery. Never rejects. */
  alert(text: string, fields: AlertFields): Promise<void>;
}

const CHECKS_PER_SILENCE = 10;

export type WatchdogEnd = 'finished' | 'handOver' | 'spin' | 'death' | 'idle';

export class Watchdog {
  readonly #clock: Clock;
  readonly #actions: WatchdogActions;
  readonly #end = Promise.withResolvers<WatchdogEnd>();
  readonly ended: Promise<WatchdogEnd> = this.#end.promise;
  #hello: WatchdogHello | undefined;
  #checksWithoutBeat = 0;
  #isOver = false;
  #cancelCheck: () => void = () => {};

  constructor(clock: Clock, actions: WatchdogActions) {
    this.#clock = clock;
    this.#actions = actions;
  }

  /** Handles a line of input. Invalid messages are ignored. */
  onLine(text: string): void {
    const message = readWatchdogMessage(text);
    if (message !== undefined && !this.#isOver) this.#onMessage(message);
  }

  onInputClosed(): void {
    if (this.#isOver) return;
    if (this.#hello === undefined) this.#finish('idle');
    else void this.#intervene('death', this.#hello);
  }

  #onMessage(message: WatchdogMessage): void {
    if (message.type === 'hello') {
      this.#hello = message;
      this.#actions.connect(message);
      this.#checksWithoutBeat = 0;
      this.#cancelCheck();
      this.#scheduleCheck(message);
    } else if (message.type === 'token') this.#actions.setToken(message.token);
    else if (message.type === 'beat') this.#checksWithoutBeat = 0;
    else if (message.type === 'finished') this.#finish('finished');
    else if (message.type === 'handOver' && this.#hello !== undefined) void this.#intervene('handOver', this.#hello);
  }

  #scheduleCheck(hello: WatchdogHello): void {
    const waitMs = Math.max(Math.round(hello.silenceMs / CHECKS_PER_SILENCE), 10);
    this.#cancelCheck = this.#clock.schedule(timeAfter(this.#clock.now(), waitMs), () => {
      this.#checksWithoutBeat += 1;
      if (this.#checksWithoutBeat > CHECKS_PER_SILENCE) void this.#intervene('spin', hello);
      else this.#scheduleCheck(hello);
    });
  }

  async #intervene(
    end: keyof typeof END_TEXTS,
    { pid, silenceMs, killFilePath, commands }: WatchdogHello,
  ): Promise<void> {
    this.#isOver = true;
    this.#cancelCheck();
    const cause = END_TEXTS[end].cause(pid, silenceMs);
    this.#actions.log(`watchdog: ${cause}. Cancelling every order of the account.`);
    if (end === 'spin') {
      this.#actions.writeKillFile(killFilePath, `WATCHDOG: ${cause}`);
      this.#actions.kill(pid);
    }
    const { isVerified, open } = await this.#actions.cancelAllAndVerify();
    const result = isVerified
      ? 'No order is open at the venue.'
      : `NOT VERIFIED: ${open === undefined ? 'the venue does not answer' : `${open} orders are open`}. Cancel them with \`${commands.cancelAll}\`.`;
    const next = END_TEXTS[end].next(commands.resume);
    this.#actions.log(`watchdog: ${result}${next}`);
    await this.#actions.alert(`halfspread watchdog: ${cause}. ${result}${next}`, { end, pid, open: open ?? -1 });
    this.#end.resolve(end);
  }

  #finish(end: WatchdogEnd): void {
    this.#isOver = true;
    this.#cancelCheck();
    this.#end.resolve(end);
  }
}

/** Texts about each end: its cause, and the next step for people. `resume` is the command line that ends a kill. */
const END_TEXTS = {
  spin: {
    cause: (pid: number, silenceMs: number) =>
      `process ${pid} has not answered for ${silenceMs} ms: a strategy hangs or the machine is overloaded`,
    next: (resume: string) =>
      ` The process was killed. Correct the strategy and start the bot. Trading stays killed until \`${resume}\`.`,
  },
  death: {
    cause: (pid: number) => `process ${pid} died`,
    next: () => ' Start the bot again: it recovers automatically.',
  },
  handOver: {
    cause: (pid: number) => `the bot (process ${pid}) ended, but the venue had not confirmed that no order is open`,
    next: () => '',
  },
} as const;
