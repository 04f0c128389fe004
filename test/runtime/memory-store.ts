import type { Seq } from '../../src/domain/index.ts';
import { checkConsecutive, type EventStore, type Step } from '../../src/runtime/index.ts';

/** Stores every step in memory. */
export class MemoryStore implements EventStore {
  readonly #steps: Step[] = [];
  #last = 0;

  append(steps: readonly Step[]): void {
    this.#last = checkConsecutive(this.#last, steps);
    for (const step of steps) this.#steps.push(step);
  }

  /** Steps from number `from` on, in order. */
  *read(from: Seq): Iterable<Step> {
    for (const step of this.#steps) if (step.seq >= from) yield step;
  }
}
