import type { Clock } from '../../clock/index.ts';

/** A clock whose timers fail into `fail` instead of ending the process: what fired them has nobody above it. */
export function guardedClock(clock: Clock, fail: (error: unknown) => void): Clock {
  return {
    now: () => clock.now(),
    schedule: (when, fire) =>
      clock.schedule(when, () => {
        try {
          fire();
        } catch (error) {
          fail(error);
        }
      }),
  };
}
