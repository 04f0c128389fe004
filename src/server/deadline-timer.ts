import type { Clock } from '../clock/index.ts';
import type { EpochMs } from '../domain/index.ts';

export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #fire: () => void;
  #when: EpochMs | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, fire: () => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** Moves the deadline; undefined removes the deadline. */
  set(when: EpochMs | undefined): void {
    if (when === this.#when) return;
    this.#cancel?.();
    this.#when = when;
    this.#cancel = undefined;
    if (when === undefined) return;
    this.#cancel = this.#clock.schedule(when, () => {
      this.#when = undefined;
      this.#cancel = undefined;
      this.#fire();
    });
  }
}
