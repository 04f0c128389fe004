/** What comes again and again, and what is waited for meanwhile. */
import type { Clock } from '../../../clock/index.ts';
import { Fault, timeAfter } from '../../../domain/index.ts';

/** What somebody waits for. */
interface Wait {
  /** @returns whether the waiting is over */
  look(isEnded: boolean): boolean;
}

export class Waits {
  readonly #clock: Clock;
  readonly #timers = new Map<object, () => void>();
  readonly #waits = new Set<Wait>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs every so many ms, until `end`. */
  every(ms: number, run: () => void): void {
    const key = {};
    const arm = (): void => {
      const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), ms), () => {
        arm();
        run();
      });
      this.#timers.set(key, cancel);
    };
    arm();
  }

  /** Looked at now and with every `look`. @param what for people. @throws Fault LINK when the time is over, or all has ended */
  until(isSo: () => boolean, deadline: number, what: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const wait: Wait = {
        look: (isEnded) => {
          if (isSo()) resolve();
          else if (isEnded || this.#clock.now() >= deadline) {
            const problem = `${what()} did not come in time. Check ws_url, and the venue's health.`;
            reject(new Fault('LINK', problem, { retryable: true }));
          } else return false;
          return true;
        },
      };
      if (!wait.look(false)) this.#waits.add(wait);
    });
  }

  look(): void {
    for (const wait of this.#waits) if (wait.look(false)) this.#waits.delete(wait);
  }

  end(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    for (const wait of this.#waits) wait.look(true);
    this.#waits.clear();
  }
}
