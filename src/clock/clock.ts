/** The only door to time. The core never uses it: time comes in the event. */
import { column, type EpochMs, timeAfter } from '../domain/index.ts';

export interface Clock {
  now(): EpochMs;
  /** Calls `fire` once at `when` (at once if past, but never before this call returns). The answer cancels it. */
  schedule(when: EpochMs, fire: () => void): () => void;
}

/** Resolves after `ms`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.schedule(timeAfter(clock.now(), ms), resolve));
}

/** Calls `work` every `everyMs`, first after `everyMs`. A `work` that throws ends it. @returns stops the calls */
export function repeatEvery(clock: Clock, everyMs: number, work: () => void): () => void {
  let isOver = false;
  let cancel = (): void => {};
  const arm = (): void => {
    cancel = clock.schedule(timeAfter(clock.now(), everyMs), () => {
      work();
      if (!isOver) arm();
    });
  };
  arm();
  return () => {
    isOver = true;
    cancel();
  };
}

/** The longest wait that one Node timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The system's time, which may step. A pending `schedule` keeps the process alive until it is cancelled. */
export function wallClock(): Clock {
  return {
    now: () => column.time(Date.now()),
    schedule(when, fire) {
      let timer: NodeJS.Timeout;
      // Timers run on another clock than Date.now() and may be early by it: look again until the moment has come.
      const arm = (): void => {
        const wait = Math.min(Math.max(when - Date.now(), 0), LONGEST_TIMER_MS);
        timer = setTimeout(() => (Date.now() >= when ? fire() : arm()), wait);
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}
/** Of true speed, while the system's time has to catch up. */
const SLOW = 0.5;

interface SteadyClockOptions {
  /** Milliseconds since the epoch, which may step; default: the system's. */
  readonly system?: () => number;
  /** Default: `monotonic`. */
  readonly watch?: Stopwatch;
}

/**
 * The system's clock for a server: it never goes back and never stands still. When the system's time is set back, this
 * clock runs at half speed until the system's time has caught up. So a deadline of five seconds comes within ten: a
 * dead-man's switch that repeated an hour would protect no orders. When the system's time is set forward, it follows at
 * once. A pending `schedule` keeps the process alive until it is cancelled.
 */
export function steadyClock({ system = Date.now, watch = monotonic }: SteadyClockOptions = {}): Clock {
  let shown = system();
  let lookedAt = watch();
  const now = (): number => {
    const at = watch();
    shown = Math.max(system(), shown + SLOW * Math.max(0, at - lookedAt));
    lookedAt = at;
    return Math.floor(shown);
  };
  return {
    now: () => column.time(now()),
    schedule(when, fire) {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const wait = Math.min(Math.max(when - now(), 0), LONGEST_TIMER_MS);
        timer = setTimeout(() => (now() >= when ? fire() : arm()), wait);
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}

/** Calls `work` every `everyMs` milliseconds, and does not keep the process alive for it. @returns what ends it */
export function backgroundTimer(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves after one turn of the event loop, so that signals, timers and input had their chance. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Milliseconds since some moment of this process, with fractions; never goes back. */
export type Stopwatch = () => number;

export const monotonic: Stopwatch = () => performance.now();

/** Blocks this thread until `Atomics.notify` after word `place` was `value`; false after `patienceMs`, default never. */
export function waitForChange(words: Int32Array, place: number, value: number, patienceMs?: number): boolean {
  return Atomics.wait(words, place, value, patienceMs) !== 'timed-out';
}
