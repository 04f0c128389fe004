/**
 * Watches a bot from a process of its own. While the bot lives it tells a beat from its one loop; when the beats stop (a
 * strategy spins), the pipe closes without a goodbye (the process died) or a bot that ends hands over, everything of the account is cancelled at the
 * venue, and a process that spins is ended.
 *
 * Silence is counted in own looks and not in the clock's time: a machine that slept has slept for both.
 */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { readWatchdogMessage, type WatchdogHello, type WatchdogMessage } from './messages.ts';

export interface WatchdogActions {
  /** A way to the venue for the account; told again when the credentials change. */
  connect(hello: WatchdogHello): void;
  use(token: string): void;
  /** Cancels everything and asks whether anything is left. Never rejects. @returns whether nothing is open, and how much was */
  cancelAndVerify(): Promise<{ readonly isVerified: boolean; readonly open: number | undefined }>;
  /** Ends the process at once; false when it is gone. */
  kill(pid: number): boolean;
  /** Writes the file that keeps trading killed at the next start. */
  mark(file: string, reason: string): void;
  say(text: string): void;
  /** To the webhooks; never rejects. */
  alert(text: string, fields: Readonly<Record<string, string | number>>): Promise<void>;
}

/** Looks within one silence. */
const LOOKS = 10;

export type WatchdogEnd = 'bye' | 'handOver' | 'spin' | 'death' | 'idle';

export class Watchdog {
  readonly #clock: Clock;
  readonly #hands: WatchdogActions;
  readonly #end = Promise.withResolvers<WatchdogEnd>();
  #hello: WatchdogHello | undefined;
  #looks = 0;
  #isOver = false;
  #cancelLook: () => void = () => {};

  constructor(clock: Clock, hands: WatchdogActions) {
    this.#clock = clock;
    this.#hands = hands;
  }

  get ended(): Promise<WatchdogEnd> {
    return this.#end.promise;
  }

  /** A line came in; what is no message is passed over. */
  line(text: string): void {
    const message = readWatchdogMessage(text);
    if (message !== undefined && !this.#isOver) this.#hear(message);
  }

  closed(): void {
    if (this.#isOver) return;
    if (this.#hello === undefined) this.#finish('idle');
    else void this.#act('death', this.#hello);
  }

  #hear(message: WatchdogMessage): void {
    switch (message.type) {
      case 'hello':
        this.#hello = message;
        this.#hands.connect(message);
        this.#looks = 0;
        this.#cancelLook();
        this.#armLook(message);
        return;
      case 'token':
        this.#hands.use(message.token);
        return;
      case 'beat':
        this.#looks = 0;
        return;
      case 'handOver':
        if (this.#hello !== undefined) void this.#act('handOver', this.#hello);
        return;
      case 'bye':
        this.#finish('bye');
    }
  }

  #armLook(hello: WatchdogHello): void {
    const wait = Math.max(Math.round(hello.silenceMs / LOOKS), 10);
    this.#cancelLook = this.#clock.schedule(timeAfter(this.#clock.now(), wait), () => {
      this.#looks += 1;
      if (this.#looks > LOOKS) void this.#act('spin', hello);
      else this.#armLook(hello);
    });
  }

  async #act(end: keyof typeof NEXT, { pid, silenceMs, marker, commands }: WatchdogHello): Promise<void> {
    this.#isOver = true;
    this.#cancelLook();
    const what = whatHappened(end, pid, silenceMs);
    this.#hands.say(`watchdog: ${what}. Cancelling every order of the account.`);
    if (end === 'spin') {
      this.#hands.mark(marker, `WATCHDOG: ${what}`);
      this.#hands.kill(pid);
    }
    const { isVerified, open } = await this.#hands.cancelAndVerify();
    const result = isVerified
      ? 'No order is open at the venue.'
      : `NOT VERIFIED: ${open === undefined ? 'the venue does not answer' : `${open} orders are open`}. Cancel them with \`${commands.cancelAll}\`.`;
    const next = NEXT[end](commands.resume);
    this.#hands.say(`watchdog: ${result}${next}`);
    await this.#hands.alert(`halfspread watchdog: ${what}. ${result}${next}`, { end, pid, open: open ?? -1 });
    this.#end.resolve(end);
  }

  #finish(end: WatchdogEnd): void {
    this.#isOver = true;
    this.#cancelLook();
    this.#end.resolve(end);
  }
}

function whatHappened(end: keyof typeof NEXT, pid: number, silenceMs: number): string {
  switch (end) {
    case 'spin':
      return `process ${pid} has not answered for ${silenceMs} ms: a strategy spins or the machine is far too slow`;
    case 'death':
      return `process ${pid} died`;
    case 'handOver':
      return `the bot (process ${pid}) ended, but the venue had not confirmed that no order is open`;
  }
}

/** What to do next, from the command line that ends a kill. */
const NEXT = {
  spin: (resume: string) =>
    ` The process was ended. Mend the strategy and start the bot; trading stays killed until \`${resume}\`.`,
  death: () => ' Start the bot again: it recovers by itself.',
  handOver: () => '',
} as const;
