import { column } from '../domain/index.ts';
import type { Clock } from './clock.ts';
import { monotonic, type Stopwatch } from './stopwatch.ts';

/** The longest wait that one Node timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** Of true speed, while the system's time has to catch up. */
const SLOW = 0.5;

/** Where time comes from. */
export interface SteadyClockOf {
  /** Milliseconds since the epoch, which may step; default: the system's. */
  readonly system?: () => number;
  /** Default: `monotonic`. */
  readonly watch?: Stopwatch;
}

/**
 * The system's clock for a server: it never goes back and never stands still. Where the system's time is set back it goes on
 * at half speed until that has come as far, so a deadline of five seconds comes within ten, whatever was done to the time;
 * a dead-man's switch that waited for an hour to come again would guard nobody. Set forward, it follows at once.
 * A pending `schedule` keeps the process alive until it is cancelled.
 */
export function steadyClock({ system = Date.now, watch = monotonic }: SteadyClockOf = {}): Clock {
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
