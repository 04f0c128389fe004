import type { Clock } from '../clock/index.ts';
import type { EpochMs } from '../domain/index.ts';

/** A timer for one deadline, which can be moved. */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #onDeadline: () => void;
  #deadline: EpochMs | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onDeadline: () => void) {
    this.#clock = clock;
    this.#onDeadline = onDeadline;
  }

  /** Moves the deadline; undefined removes the deadline. */
  set(deadline: EpochMs | undefined): void {
    if (deadline === this.#deadline) return;
    this.#cancel?.();
    this.#deadline = deadline;
    this.#cancel = undefined;
    if (deadline === undefined) return;
    this.#cancel = this.#clock.schedule(deadline, () => {
      this.#deadline = undefined;
      this.#cancel = undefined;
      this.#onDeadline();
    });
  }
}
