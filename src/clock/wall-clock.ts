import { column } from '../domain/index.ts';
import type { Clock } from './clock.ts';

/** The longest wait that one Node timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The system's clock, for live and paper trading. It moves with the system's time, so it may step when that is set.
 * A pending `schedule` keeps the process alive until it is cancelled.
 */
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
