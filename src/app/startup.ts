/** A startup that can be cancelled. */
import { type Clock, steadyClock } from '../clock/index.ts';
import { Fault, timeAfter } from '../domain/index.ts';
import type { Log } from '../ops/index.ts';
import type { LiveSignals } from './signals.ts';

/** Functions that close what a startup has opened. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #log: Log;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds a function. After `close`, calls the function at once and throws. @throws Fault STOPPED */
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
        this.#log.warn({ err: error }, 'closing a part of the bot failed');
      }
    }
  }
}

/** Time for pending requests after a signal. Startup then fails and the process ends. */
const CANCEL_MS = 10_000;

export interface StartOptions {
  readonly log: Log;
  /** Signals that cancel the startup. Default: none. */
  readonly signals?: Pick<LiveSignals, 'stopRequested' | 'stopForced'> | undefined;
  readonly clock?: Clock;
}

/** Runs `open`. Closes all on failure. @throws as `open`; Fault STOPPED 10 s after a signal, or at `stopForced` */
export async function startUp<T>(
  { log, signals, clock = steadyClock() }: StartOptions,
  open: (closers: Closers) => Promise<T>,
): Promise<T> {
  const closers = new Closers(log);
  const timeout = Promise.withResolvers<never>();
  let cancel = (): void => {};
  let hasEnded = false;
  const abort = (): void => {
    const remedy =
      'No order was placed. Orders of an earlier run may still be open: `npx halfspread orders --venue <config.yaml>`';
    timeout.reject(new Fault('STOPPED', `startup was cancelled before the venue answered. ${remedy}`));
  };
  void signals?.stopRequested.then(() => {
    if (!hasEnded) cancel = clock.schedule(timeAfter(clock.now(), CANCEL_MS), abort);
  });
  void signals?.stopForced.then(abort);
  try {
    return await Promise.race([open(closers), timeout.promise]);
  } catch (error) {
    await closers.close();
    throw error;
  } finally {
    hasEnded = true;
    cancel();
    timeout.promise.catch(() => undefined);
  }
}
