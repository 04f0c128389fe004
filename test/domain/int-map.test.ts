import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IntMap } from '../../src/domain/index.ts';

/** Numbers with colliding hash positions: neighbours, multiples of the table length apart, and beyond 32 bits. */
const number = fc.oneof(
  fc.integer({ min: 1, max: 80 }),
  fc.integer({ min: 1, max: 6 }).map((turn) => turn * 64),
  fc.integer({ min: 0, max: 5 }).map((step) => 2 ** 40 + 64 * step),
);
const action = fc.record({ type: fc.constantFrom('set', 'set', 'delete', 'get'), number });

describe('IntMap', () => {
  it('equals a Map after any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), (acts) => {
        const items = new IntMap<string>();
        const map = new Map<number, string>();
        for (const [at, { type, number: key }] of acts.entries()) {
          if (type === 'set') {
            items.set(key, `${key} at ${at}`);
            map.set(key, `${key} at ${at}`);
          } else if (type === 'delete') {
            items.delete(key);
            map.delete(key);
          }
          expect([items.get(key), items.size]).toEqual([map.get(key), map.size]);
        }
        expect(items.list().toSorted()).toEqual([...map.values()].toSorted());
        for (const [key, item] of map) expect(items.get(key)).toBe(item);
      }),
      { numRuns: 500 },
    );
  });

  it('grows, and keeps old entries while many others are added and deleted', () => {
    const items = new IntMap<number>();
    for (let key = 1; key <= 10_000; key += 1) items.set(key, -key);
    for (let key = 1; key <= 10_000; key += 1) if (key % 1_000 !== 7) items.delete(key);
    expect(items.list().toSorted((a, b) => b - a)).toEqual(
      [7, 1_007, 2_007, 3_007, 4_007, 5_007, 6_007, 7_007, 8_007, 9_007].map((key) => -key),
    );
    expect([items.get(7), items.get(8), items.size]).toEqual([-7, undefined, 10]);
  });
});
