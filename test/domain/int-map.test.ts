import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IntMap } from '../../src/domain/index.ts';

/** Numbers that fall on each other's places: neighbours, whole turns of the table apart, and beyond 32 bits. */
const number = fc.oneof(
  fc.integer({ min: 1, max: 80 }),
  fc.integer({ min: 1, max: 6 }).map((turn) => turn * 64),
  fc.integer({ min: 0, max: 5 }).map((step) => 2 ** 40 + 64 * step),
);
const act = fc.record({ what: fc.constantFrom('set', 'set', 'delete', 'get'), number });

describe('IntMap', () => {
  it('equals a Map after any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
        const items = new IntMap<string>();
        const map = new Map<number, string>();
        for (const [at, { what, number: one }] of acts.entries()) {
          if (what === 'set') {
            items.set(one, `${one} at ${at}`);
            map.set(one, `${one} at ${at}`);
          } else if (what === 'delete') {
            items.delete(one);
            map.delete(one);
          }
          expect([items.get(one), items.size]).toEqual([map.get(one), map.size]);
        }
        expect(items.list().toSorted()).toEqual([...map.values()].toSorted());
        for (const [one, item] of map) expect(items.get(one)).toBe(item);
      }),
      { numRuns: 500 },
    );
  });

  it('grows, and keeps the few that stay while millions pass', () => {
    const items = new IntMap<number>();
    for (let one = 1; one <= 10_000; one += 1) items.set(one, -one);
    for (let one = 1; one <= 10_000; one += 1) if (one % 1_000 !== 7) items.delete(one);
    expect(items.list().toSorted((a, b) => b - a)).toEqual(
      [7, 1_007, 2_007, 3_007, 4_007, 5_007, 6_007, 7_007, 8_007, 9_007].map((one) => -one),
    );
    expect([items.get(7), items.get(8), items.size]).toEqual([-7, undefined, 10]);
  });
});
