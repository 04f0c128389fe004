import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { OrderSlots } from '../../../src/exchange/index.ts';
import { NOTE, noteOf } from '../../../src/exchange/matching/order-slots.ts';

describe('OrderSlots', () => {
  it('finds what is open and nothing else, also where numbers share a bucket and the columns grow', () => {
    // Multiples of 4096 share a bucket until the columns are large.
    const number = fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 20 }).map((n) => n * 4096),
    );
    const steps = fc.array(fc.record({ number, open: fc.boolean() }), { maxLength: 120 });
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 2, 3, 1000), (list, capacity) => {
        const slots = new OrderSlots(capacity);
        const open = new Map<number, number>();
        for (const step of list) {
          const slot = open.get(step.number);
          if (step.open && slot === undefined) {
            const opened = slots.open(step.number, 0);
            expect([...open.values()]).not.toContain(opened);
            slots.setRemaining(opened, step.number);
            open.set(step.number, opened);
          } else if (!step.open && slot !== undefined) {
            slots.close(slot);
            open.delete(step.number);
          }
          expect(slots.size).toBe(open.size);
          for (const { number: known } of list) expect(slots.find(known)).toBe(open.get(known) ?? 0);
          for (const [known, at] of open) expect([slots.order(at), slots.remaining(at)]).toEqual([known, known]);
        }
      }),
    );
  });

  it('keeps every column when it grows', () => {
    const slots = new OrderSlots(1);
    const first = slots.open(77, 0);
    slots.write(first, 2, 3, 1, 4);
    slots.setAhead(first, 5);
    slots.setBehind(first, 6);
    slots.notes[noteOf(first) + NOTE.lastFill] = 7;
    for (let order = 100; order < 1100; order++) slots.open(order, 0);
    const row = [slots.order(first), slots.book(first), slots.level(first), slots.kind(first), slots.remaining(first)];
    expect(row).toEqual([77, 2, 3, 1, 4]);
    expect([slots.ahead(first), slots.behind(first), slots.notes[noteOf(first) + NOTE.lastFill]]).toEqual([5, 6, 7]);
    expect([slots.find(77), slots.find(1099) > 0, slots.size]).toEqual([first, true, 1001]);
  });

  it('uses the slot last freed first, and no more slots than orders were open at once', () => {
    const slots = new OrderSlots(3);
    const length = slots.notes.length;
    const [one, two] = [slots.open(1, 0), slots.open(2, 0)];
    slots.close(one);
    slots.close(two);
    expect([slots.open(3, 0), slots.open(4, 0)]).toEqual([two, one]);
    for (let order = 5; order < 10_000; order++) slots.close(slots.open(order, 0));
    expect(slots.notes.length).toBe(length);
  });

  it('refuses a capacity that is none', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN, 2 ** 24])
      expect(() => new OrderSlots(capacity)).toThrow(InputFault);
  });
});
