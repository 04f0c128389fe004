import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { boundedWait } from '../../network/index.ts';
import type { FailingCommand, VenueProblem } from './ports.ts';

/** The timers of one owner, which `close` cancels together. */
export class Timers {
  readonly #clock: Clock;
  readonly #armed = new Set<() => void>();
  readonly #pauses = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls `fire` once after `ms`. The returned function cancels the timer. Does nothing after `close`. */
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

  /** Calls `run` every `ms` milliseconds until `close`. */
  every(ms: number, run: () => void): void {
    this.after(ms, () => {
      this.every(ms, run);
      run();
    });
  }

  /** Calls `work` after the current task, unless the timers are closed by then. */
  defer(work: () => void): void {
    queueMicrotask(() => {
      if (!this.#isClosed) work();
    });
  }

  /** Resolves after `ms`. @throws Fault STOPPED on `close` */
  async wait(ms: number): Promise<void> {
    await this.pause(ms);
    if (this.#isClosed) throw new Fault('STOPPED', 'the venue was closed');
  }

  /** Resolves after `ms`, or on `close`. */
  pause(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        this.#pauses.delete(finish);
        resolve();
      };
      this.#pauses.add(finish);
      this.after(ms, finish);
    });
  }

  /** Resolves with true when `isDone` returns true; with false at the deadline or on `close`. */
  async until(isDone: () => boolean, deadline: number, pauseMs: number): Promise<boolean> {
    while (!isDone()) {
      if (this.#isClosed || this.#clock.now() >= deadline) return false;
      await this.pause(pauseMs);
    }
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#armed) cancel();
    this.#armed.clear();
    for (const finish of [...this.#pauses]) finish();
  }
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;
/** Failures in a row after which a command is stuck. */
const MAX_TRIES = 10;
const STUCK_DELAY_MS = 10_000;

/** Delays before retries of a command. They double up to `MAX_DELAY_MS`; a stuck command waits `STUCK_DELAY_MS`. */
export class Backoff {
  #tries = 0;

  get isStuck(): boolean {
    return this.#tries >= MAX_TRIES;
  }

  reset(): void {
    this.#tries = 0;
  }

  /** Reports a failed command, and after several failures a stuck command. Returns the delay before the retry, ms. */
  onFailure(failed: FailingCommand, onProblem: (reported: VenueProblem) => void, minMs = 0): number {
    const wait = this.next(minMs);
    onProblem({ type: 'commandResent', command: failed.command, problem: failed.problem });
    if (this.#tries === MAX_TRIES) onProblem({ type: 'stuck', ...failed });
    return wait;
  }

  /** Returns the delay before the next retry, ms. @param minMs delay that the venue requested */
  next(minMs = 0): number {
    const wait = this.isStuck ? STUCK_DELAY_MS : Math.min(FIRST_DELAY_MS << this.#tries, MAX_DELAY_MS);
    this.#tries += 1;
    return Math.max(boundedWait(minMs), wait);
  }
}
