import type { Clock } from '../../clock/index.ts';
import { column } from '../../domain/index.ts';

/** A clock that is ahead of another by so many ms, or behind it. */
export function skewedClock(clock: Clock, skewMs: number): Clock {
  return {
    now: () => column.time(clock.now() + skewMs),
    schedule: (when, fire) => clock.schedule(column.time(when - skewMs), fire),
  };
}
