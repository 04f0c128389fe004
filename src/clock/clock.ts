/** Clocks and timers. The core uses no clock, because its events contain the time. */
import { type EpochMs, timeAfter, unchecked } from '../domain/index.ts';

export interface Clock {
  now(): EpochMs;
  /** Calls `fire` once at `when`, or soon if `when` is past. @returns a function that cancels the call */
  schedule(when: EpochMs, fire: () => void): () => void;
}

/** Resolves after `ms`, or when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.schedule(timeAfter(clock.now(), ms), end);
    signal?.addEventListener('abort', end);
  });
}

/** Resolves with `work`, or with `onLate` if `work` takes longer than `ms`. `onLate` may reject, but must not throw. */
export function withTimeout<T>(clock: Clock, ms: number, work: Promise<T>, onLate: () => T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<T>();
  const cancel = clock.schedule(timeAfter(clock.now(), ms), () => late.resolve(onLate()));
  return Promise.race([work, late.promise]).finally(cancel);
}

/** Calls `work` after each `everyMs` ms, until `work` throws. @returns a function that stops the calls */
export function repeatEvery(clock: Clock, everyMs: number, work: () => void): () => void {
  let isStopped = false;
  let cancel = (): void => {};
  const scheduleNext = (): void => {
    cancel = clock.schedule(timeAfter(clock.now(), everyMs), () => {
      work();
      if (!isStopped) scheduleNext();
    });
  };
  scheduleNext();
  return () => {
    isStopped = true;
    cancel();
  };
}

/** A Node timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Returns the system's clock, which can jump. Use it to show or store times, and in short CLI commands. After
 * the system's time was set back, timers wait until it has caught up. A pending `schedule` keeps the process alive.
 */
export function wallClock(): Clock {
  return timerClock(() => Date.now());
}

/** @param now whole milliseconds since the epoch */
function timerClock(now: () => number): Clock {
  return {
    now: () => unchecked.time(now()),
    schedule(when, fire) {
      let timer: NodeJS.Timeout;
      // A Node timer uses another clock than `now`, so it can fire before `when`. Then set a new timer.
      const setTimer = (): void => {
        const wait = Math.min(Math.max(when - now(), 0), LONGEST_TIMER_MS);
        timer = setTimeout(() => (now() >= when ? fire() : setTimer()), wait);
      };
      setTimer();
      return () => clearTimeout(timer);
    },
  };
}

/** Speed of the steady clock while the system's time catches up; 1 is real time. */
const CATCH_UP_SPEED = 0.5;

/**
 * Returns a clock for servers and bots, which never goes back and never stops. When the system's time is set back, this
 * clock runs at half speed until the system's time has caught up. A deadline of five seconds then takes at most ten. A
 * stopped clock would prevent a dead-man's switch from firing. When the system's time is set forward, this clock
 * follows immediately. A pending `schedule` keeps the process alive.
 * @param sources `system` returns milliseconds since the epoch, which can jump
 */
export function steadyClock(sources: { readonly system?: () => number; readonly watch?: Stopwatch } = {}): Clock {
  const { system = Date.now, watch = monotonic } = sources;
  let current = system();
  let readAt = watch();
  return timerClock(() => {
    const at = watch();
    current = Math.max(system(), current + CATCH_UP_SPEED * Math.max(0, at - readAt));
    readAt = at;
    return Math.floor(current);
  });
}

/** Calls `work` every `everyMs` ms without keeping the process alive. @returns a function that stops the calls */
export function backgroundTimer(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves after one turn of the event loop. */
export function nextEventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Returns fractional milliseconds since a fixed moment of this process. Never decreases. */
export type Stopwatch = () => number;

export const monotonic: Stopwatch = () => performance.now();

/** Blocks this thread while `words[index]` is `value`, until `Atomics.notify`. @returns false after `timeoutMs` */
export function blockUntilChanged(words: Int32Array, index: number, value: number, timeoutMs: number): boolean {
  return Atomics.wait(words, index, value, timeoutMs) !== 'timed-out';
}

const UNCHANGED = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Blocks this thread, and its event loop, for `ms`. */
export function blockThread(ms: number): void {
  Atomics.wait(UNCHANGED, 0, 0, ms);
}
