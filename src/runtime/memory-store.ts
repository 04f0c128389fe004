import type { Seq } from '../domain/index.ts';
import type { EventStore, Step } from './ports.ts';

/** Keeps every step in memory, for tests and short looks; lost with the process. */
export class MemoryStore implements EventStore {
  readonly #steps: Step[] = [];
  #last = 0;

  append(steps: readonly Step[]): void {
    this.#last = followsOn(this.#last, steps);
    for (const step of steps) this.#steps.push(step);
  }

  /** Steps from number `from` on, in order. */
  *read(from: Seq): Iterable<Step> {
    for (const step of this.#steps) if (step.seq >= from) yield step;
  }
}

/** @throws RangeError when a step does not follow the one before; the first may have any number (`last` 0) */
export function followsOn(last: number, steps: readonly Step[]): number {
  let before = last;
  for (const { seq } of steps) {
    if (before !== 0 && seq !== before + 1)
      throw new RangeError(`Invariant: step ${seq} was stored after step ${before}`);
    before = seq;
  }
  return before;
}
