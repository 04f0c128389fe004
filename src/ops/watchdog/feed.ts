/** The bot's side of its watchdog: says who it is, beats from its one loop, and says goodbye. */
import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import type { WatchdogHello, WatchdogMessage } from './messages.ts';

/** Beats within one silence. */
const BEATS = 5;

export class WatchdogFeed {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #cancel: () => void = () => {};
  #isOver = false;

  /** @param write to the watchdog's standard input */
  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  start(hello: Omit<WatchdogHello, 'type'>): void {
    this.#send({ type: 'hello', ...hello });
    this.#beat(Math.max(Math.floor(hello.silenceMs / BEATS), 10));
  }

  use(token: string): void {
    this.#send({ type: 'token', token });
  }

  bye(): void {
    this.#send({ type: 'bye' });
    this.stop();
  }

  /** The bot ends in good order, and orders may be open: the watchdog goes on alone. */
  handOver(): void {
    this.#send({ type: 'handOver' });
    this.stop();
  }

  /** Sends nothing more, like a bot that died. */
  stop(): void {
    this.#cancel();
    this.#isOver = true;
  }

  #beat(everyMs: number): void {
    this.#send({ type: 'beat' });
    this.#cancel = this.#clock.schedule(timeAfter(this.#clock.now(), everyMs), () => this.#beat(everyMs));
  }

  #send(message: WatchdogMessage): void {
    if (!this.#isOver) this.#write(`${JSON.stringify(message)}\n`);
  }
}
