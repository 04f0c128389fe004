import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Occupancy } from '../../src/domain/index.ts';

describe('Occupancy', () => {
  it('finds the neighbours that a linear search finds', () => {
    const level = (last: number) => fc.oneof(fc.integer({ min: 1, max: last - 1 }), fc.constantFrom(1, last - 1));
    const fixture = fc.integer({ min: 2, max: 10_000 }).chain((last) =>
      fc.record({
        last: fc.constant(last),
        changes: fc.array(fc.record({ level: level(last), occupied: fc.boolean() }), { maxLength: 80 }),
        asked: fc.array(level(last), { minLength: 1, maxLength: 20 }),
      }),
    );
    fc.assert(
      fc.property(fixture, ({ last, changes, asked: requests }) => {
        const occupancy = new Occupancy(last);
        const levels = new Set([0, last]);
        for (const { level, occupied } of changes) {
          if (occupied) occupancy.set(level);
          else occupancy.clear(level);
          if (occupied) levels.add(level);
          else levels.delete(level);
        }
        for (const level of [...requests, ...changes.map((change) => change.level)]) {
          expect(occupancy.below(level)).toBe(Math.max(...[...levels].filter((other) => other < level)));
          expect(occupancy.above(level)).toBe(Math.min(...[...levels].filter((other) => other > level)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('finds neighbours across words and groups of words', () => {
    const occupancy = new Occupancy(10_000);
    for (const level of [31, 32, 1023, 1024, 9999]) {
      occupancy.set(level);
      expect([occupancy.below(level), occupancy.above(level)]).toEqual([0, 10_000]);
      expect([occupancy.above(0), occupancy.below(10_000)]).toEqual([level, level]);
      occupancy.clear(level);
      expect([occupancy.above(0), occupancy.below(10_000)]).toEqual([10_000, 0]);
    }
  });

  it('is empty except for its ends after a reset', () => {
    const occupancy = new Occupancy(10_000);
    for (const level of [1, 31, 32, 1023, 1024, 9999]) occupancy.set(level);
    occupancy.reset();
    expect([occupancy.above(0), occupancy.below(10_000)]).toEqual([10_000, 0]);
  });
});
