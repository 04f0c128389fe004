import type { Clock } from '../../../clock/index.ts';
import { Fault, timeAfter } from '../../../domain/index.ts';

/** Timers of one owner, which end together. */
export class Timers {
  readonly #clock: Clock;
  readonly #armed = new Set<() => void>();
  readonly #pausing = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls `fire` once after `ms`; the answer cancels it. Does nothing once closed. */
  after(ms: number, fire: () => void): () => void {
    if (this.#isClosed) return () => {};
    const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), ms), () => {
      this.#armed.delete(cancel);
      fire();
    });
    this.#armed.add(cancel);
    return () => {
      this.#armed.delete(cancel);
      cancel();
    };
  }

  /** Resolves after `ms`. @throws Fault STOPPED as soon as it is closed: whoever waits comes to an end with it */
  async wait(ms: number): Promise<void> {
    await this.pause(ms);
    if (this.#isClosed) throw new Fault('STOPPED', 'the venue was left');
  }

  /** Resolves after `ms`, or as soon as it is closed. */
  pause(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const over = (): void => {
        this.#pausing.delete(over);
        resolve();
      };
      this.#pausing.add(over);
      this.after(ms, over);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#armed) cancel();
    this.#armed.clear();
    for (const over of [...this.#pausing]) over();
  }
}
