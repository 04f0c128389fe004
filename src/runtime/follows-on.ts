import type { Step } from './ports.ts';

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
