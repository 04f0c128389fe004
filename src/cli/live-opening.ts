/** A bot on its way to being there, which may be asked to end before it is. */
import { type Clock, wallClock } from '../clock/index.ts';
import { Fault, timeAfter } from '../domain/index.ts';
import type { Log } from '../ops/index.ts';
import { Closers } from './closers.ts';
import type { LiveSignals } from './live-signals.ts';

/** For what is on its way when the signal comes, ms: then it is given up, and the process ends. */
const LATE_MS = 10_000;

/** Who may ask for an end. */
type Asking = Pick<LiveSignals, 'asked' | 'hurried'>;

/**
 * Whatever `open` takes is given back when it fails, or when it is asked to end and is not there in time.
 * @throws what `open` throws; Fault STOPPED when a signal came, and the venue did not answer within ten seconds of it
 */
export async function opening<T>(
  {
    log,
    signals,
    clock = wallClock(),
  }: { readonly log: Log; readonly signals?: Asking | undefined; readonly clock?: Clock },
  open: (closers: Closers) => Promise<T>,
): Promise<T> {
  const closers = new Closers(log);
  const late = Promise.withResolvers<never>();
  let cancel = (): void => {};
  let isOpen = false;
  const giveUp = (): void => {
    const rest = 'Nothing was placed; orders of an earlier run may stand: `halfspread orders <config> --venue`';
    late.reject(new Fault('STOPPED', `stopped while it was starting, before the venue had answered. ${rest}`));
  };
  void signals?.asked.then(() => {
    if (!isOpen) cancel = clock.schedule(timeAfter(clock.now(), LATE_MS), giveUp);
  });
  void signals?.hurried.then(giveUp);
  try {
    return await Promise.race([open(closers), late.promise]);
  } catch (error) {
    await closers.close();
    throw error;
  } finally {
    isOpen = true;
    cancel();
    late.promise.catch(() => undefined);
  }
}
