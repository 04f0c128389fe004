/** The bot's side of the watchdog: introduces the bot, sends a regular beat from the event loop, and ends the watch. */
import { type Clock, repeatEvery } from '../../clock/index.ts';
import type { WatchdogHello, WatchdogMessage } from './messages.ts';

/** Beats within `silenceMs`. */
const BEATS = 5;

export class WatchdogFeed {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #stopBeats: () => void = () => {};
  #isOver = false;

  /** @param write to the watchdog's standard input */
  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  start(hello: Omit<WatchdogHello, 'type'>): void {
    this.#send({ type: 'hello', ...hello });
    const beat = (): void => this.#send({ type: 'beat' });
    beat();
    this.#stopBeats = repeatEvery(this.#clock, Math.max(Math.floor(hello.silenceMs / BEATS), 10), beat);
  }

  use(token: string): void {
    this.#send({ type: 'token', token });
  }

  /** The bot ended and its orders are cancelled: the watchdog ends, too. */
  finish(): void {
    this.#send({ type: 'finished' });
    this.stop();
  }

  /** The bot ended, and orders may be open: the watchdog continues alone. */
  handOver(): void {
    this.#send({ type: 'handOver' });
    this.stop();
  }

  /** Sends no more messages. */
  stop(): void {
    this.#stopBeats();
    this.#isOver = true;
  }

  #send(message: WatchdogMessage): void {
    if (!this.#isOver) this.#write(`${JSON.stringify(message)}\n`);
  }
}
