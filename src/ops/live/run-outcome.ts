import type { Clock } from '../../clock/index.ts';
import { toError } from '../../domain/index.ts';

/** Records how a run ends. Created before the bot, so that every part can report its failure. */
export class RunOutcome {
  readonly #failed = Promise.withResolvers<Error>();
  /** Resolves with the fault of a strategy, the venue or the disk that ends the run. */
  readonly failed: Promise<Error> = this.#failed.promise;
  #end: LiveEnd | undefined;

  /** Whether the run ended without the venue's confirmation that no order is open. The watchdog then continues. */
  get mayHaveOpenOrders(): boolean {
    return this.#end !== undefined && this.#end.open !== 0;
  }

  fail(error: unknown): void {
    this.#failed.resolve(toError(error));
  }

  /** Call after the attempt to cancel every order and the check for open orders at the venue. */
  setEnd(end: LiveEnd): void {
    this.#end = end;
  }
}

export interface LiveEnd {
  /** Own orders open at the venue; null when the check failed. */
  readonly open: number | null;
  readonly fault: Error | undefined;
}

/** Returns a clock whose timers report errors to `fail`, because an uncaught error would end the process. */
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
