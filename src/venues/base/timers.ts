import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { boundedWait } from '../../network/index.ts';

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

  /** Calls `run` periodically (ms), until it is closed. */
  every(ms: number, run: () => void): void {
    this.after(ms, () => {
      this.every(ms, run);
      run();
    });
  }

  /** Calls `work` after the current task, unless it is closed by then. */
  soon(work: () => void): void {
    queueMicrotask(() => {
      if (!this.#isClosed) work();
    });
  }

  /** Resolves after `ms`. @throws Fault STOPPED as soon as it is closed */
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

  /** Resolves when the condition holds, with true; with false when the time is over or it is closed. */
  async until(isSo: () => boolean, deadline: number, pauseMs: number): Promise<boolean> {
    while (!isSo()) {
      if (this.#isClosed || this.#clock.now() >= deadline) return false;
      await this.pause(pauseMs);
    }
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#armed) cancel();
    this.#armed.clear();
    for (const over of [...this.#pausing]) over();
  }
}

const FIRST_MS = 100;
const LONGEST_MS = 2_000;
/** Repeats in a row after which a command counts as one that does not get through. */
const MOST_TRIES = 10;
const SLOW_MS = 10_000;

/** Waits between repeats of one command: they double, and after `MOST_TRIES` in a row they are long. */
export class Backoff {
  #tries = 0;

  /** This repeat is the one with which it counts as not getting through. */
  get isStuck(): boolean {
    return this.#tries === MOST_TRIES;
  }

  /** It got through. */
  reset(): void {
    this.#tries = 0;
  }

  /** Delay before the next repeat, ms. @param leastMs requested by the venue */
  next(leastMs = 0): number {
    const wait = this.#tries >= MOST_TRIES ? SLOW_MS : Math.min(FIRST_MS << this.#tries, LONGEST_MS);
    this.#tries += 1;
    return Math.max(boundedWait(leastMs), wait);
  }
}
