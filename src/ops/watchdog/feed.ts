/** The bot's side of the watchdog: sends the settings, then regular beats from the event loop, and the end of the run. */
import { type Clock, repeatEvery } from '../../clock/index.ts';
import type { WatchdogHello, WatchdogMessage } from './messages.ts';

/** Number of beats within `silenceMs`. */
const BEATS = 5;

export class WatchdogFeed {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #stopBeats: () => void = () => {};
  #isOver = false;

  /** @param write writes to the watchdog's standard input */
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

  sendToken(token: string): void {
    this.#send({ type: 'token', token });
  }

  /** Ends the watchdog: the bot has ended and cancelled its orders. */
  finish(): void {
    this.#send({ type: 'finished' });
    this.stop();
  }

  /** Hands over to the watchdog: the bot has ended, and orders may be open. */
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
