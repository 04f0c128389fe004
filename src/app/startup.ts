/** A start that can be interrupted: what it has taken is given back in reverse order. */
import { type Clock, wallClock } from '../clock/index.ts';
import { Fault, timeAfter } from '../domain/index.ts';
import type { Log } from '../ops/index.ts';
import type { LiveSignals } from './signals.ts';

/** What was taken and has to be given back. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #log: Log;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @throws Fault STOPPED when all was given back before: then this is, too, and nothing more is to be taken */
  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
    if (!this.#isClosed) return;
    void this.close();
    throw new Fault('STOPPED', 'startup was cancelled');
  }

  /** Closes in reverse order. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        this.#log.warn({ err: error }, 'something did not close in good order');
      }
    }
  }
}

/** For what is on its way when the signal comes, ms: then it is given up, and the process ends. */
const LATE_MS = 10_000;

export interface StartOptions {
  readonly log: Log;
  /** Ask for an end before the start is over. Default: nobody does. */
  readonly signals?: Pick<LiveSignals, 'asked' | 'hurried'> | undefined;
  readonly clock?: Clock;
}

/** Gives all back when `open` fails or is to end. @throws what `open` throws; Fault STOPPED 10 s after a signal */
export async function startUp<T>(
  { log, signals, clock = wallClock() }: StartOptions,
  open: (closers: Closers) => Promise<T>,
): Promise<T> {
  const closers = new Closers(log);
  const late = Promise.withResolvers<never>();
  let cancel = (): void => {};
  let isOpen = false;
  const giveUp = (): void => {
    const rest =
      'Nothing was placed; orders of an earlier run may stand: `npx halfspread orders --venue <config.yaml>`';
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
