import type { Clock } from '../clock/index.ts';
import type { EpochMs } from '../domain/index.ts';

/** A timer for one deadline, which can be moved. */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #onDeadline: () => void;
  #when: EpochMs | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onDeadline: () => void) {
    this.#clock = clock;
    this.#onDeadline = onDeadline;
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
      this.#onDeadline();
    });
  }
}
