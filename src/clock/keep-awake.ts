import { monotonic, type Stopwatch } from './stopwatch.ts';

/**
 * From now on the event loop looks for input again and again and never sleeps, until the answer is called. It takes a whole core, and
 * keeps the process alive; timers and input have their turn as ever. `work` is called in between, `everyMs` (with fractions) after
 * its last end.
 */
export function keepAwake(everyMs: number, work: () => void, watch: Stopwatch = monotonic): () => void {
  let due = watch() + everyMs;
  let next: NodeJS.Immediate;
  const look = (): void => {
    // First, so that a `work` which throws, or ends this, leaves it in order.
    next = setImmediate(look);
    if (watch() < due) return;
    work();
    due = watch() + everyMs;
  };
  next = setImmediate(look);
  return () => clearImmediate(next);
}
