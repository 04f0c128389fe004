import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SideLevels } from '../../../src/history/import/side-levels.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { runs } from '../../runs.ts';

const anyStep = fc.oneof(
  { weight: 10, arbitrary: fc.record({ price: fc.integer({ min: 1, max: 6 }), size: fc.constantFrom(0, 1, 20_000) }) },
  { weight: 1, arbitrary: fc.constantFrom('empty', 'clear', 'flush', 'restore') },
);

it('the best price is the best one with a size above 0 after any changes', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(anyStep, { maxLength: 40 }), (isBid, steps) => {
      let side = new SideLevels(isBid ? SIDE.bid : SIDE.ask);
      const sizes = new Map<number, number>();
      for (const step of steps) {
        if (typeof step === 'object') {
          side.set(step.price, step.price, step.size);
          sizes.set(step.price, step.size);
        } else if (step === 'restore') {
          side.flush(() => undefined);
          const saved = side.save();
          side = new SideLevels(isBid ? SIDE.bid : SIDE.ask);
          side.restore(saved);
        } else {
          if (step === 'flush') side.flush(() => undefined);
          else side[step]();
          if (step !== 'flush') sizes.clear();
        }
        const prices = [...sizes].filter(([, size]) => size > 0).map(([price]) => price);
        const best = prices.length === 0 ? undefined : isBid ? Math.max(...prices) : Math.min(...prices);
        expect(side.sourceBest()).toBe(best);
      }
    }),
    { numRuns: runs(500) },
  );
});
