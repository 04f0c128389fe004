/** What keeps the way of an order quick while a live bot waits: rehearsals, and a loop that does not sleep. */
import { availableParallelism } from 'node:os';
import { keepAwake } from '../clock/index.ts';
import { Rehearsal, type RehearsalOptions } from '../ops/index.ts';
import type { Closers } from './closers.ts';
import type { LiveFile } from './live-schema.ts';

/**
 * Between two rehearsals of a loop that does not sleep, ms. What a rehearsal has touched is in the caches for some 0.3 ms more
 * (docs/decisions/0024).
 */
export const POLLED_REST_MS = 0.25;
/** One for the loop and one for all else: the watchdog, the database's thread, V8's own. */
const CORES = 2;

/**
 * Rehearses until code is compiled, before the first quote.
 * @param cores that this process may use
 * @returns to be called once when trading has begun: from then on things are kept warm until the closers close
 */
export async function openWarmth(
  { busy_poll: isPolled, keep_warm_ms: everyMs }: Pick<LiveFile, 'busy_poll' | 'keep_warm_ms'>,
  options: RehearsalOptions,
  closers: Closers,
  cores = availableParallelism(),
): Promise<() => void> {
  const { log } = options;
  const rehearsal = new Rehearsal(options);
  closers.add(() => rehearsal.end());
  if (isPolled && cores < CORES)
    log.warn({ cores }, 'busy_poll takes a core, and there is no other: give this process two, or leave it out');
  if (everyMs !== 'none') await rehearsal.train();
  return () => {
    if (isPolled) closers.add(keepAwake(POLLED_REST_MS, () => (everyMs === 'none' ? undefined : rehearsal.once())));
    else if (everyMs !== 'none') rehearsal.keepWarm(everyMs);
  };
}
