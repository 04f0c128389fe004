import type { Clock } from '../../clock/index.ts';

/** How a run ends. Exists before the bot, so that every part can report its failure here. */
export class RunOutcome {
  readonly #failed = Promise.withResolvers<Error>();
  #end: LiveEnd | undefined;

  /** Resolves when the run cannot go on: a strategy, the venue, the disk. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** Whether the run ended without the venue's confirmation that no order is open. Then the watchdog stays. */
  get isLeftOpen(): boolean {
    return this.#end !== undefined && this.#end.open !== 0;
  }

  fail(error: unknown): void {
    this.#failed.resolve(error instanceof Error ? error : new Error(String(error)));
  }

  /** Cancelling is done as far as possible, and open orders were checked at the venue. */
  ended(end: LiveEnd): void {
    this.#end = end;
  }
}

export interface LiveEnd {
  /** Own orders open at the venue; null when the check failed. */
  readonly open: number | null;
  readonly fault: Error | undefined;
}

/** A clock whose timers report an error to `fail` instead of ending the process: no caller could catch it. */
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
