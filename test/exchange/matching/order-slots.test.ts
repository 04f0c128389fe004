import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputFault } from '../../../src/domain/index.ts';
import { OrderSlots } from '../../../src/exchange/index.ts';

/** Opens a slot for an order number with irrelevant other values. */
function openFor(slots: OrderSlots, order: number, holding = 0): number {
  return slots.open(order, holding, 0, 1, 0, 0, 0);
}

function ordersOf(slots: OrderSlots, holding: number): readonly number[] {
  const orders: number[] = [];
  for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot))
    orders.push(slots.order(slot));
  return orders;
}

describe('OrderSlots', () => {
  it('keeps the values of its rows when they grow', () => {
    const slots = new OrderSlots(1, 1);
    const orders = Array.from({ length: 40 }, (_, at) => at + 1);
    for (const order of orders) slots.setRemaining(openFor(slots, order), 1_000 * order);
    expect(slots.rows).toBe(64);
    expect(orders.map((order) => slots.remaining(slots.find(order)))).toEqual(orders.map((order) => 1_000 * order));
  });

  it('finds exactly the open orders and lists them by owner, also with hash collisions and growing rows', () => {
    // Multiples of 4096 share a bucket while there are few rows.
    const number = fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 20 }).map((n) => n * 4096),
    );
    const holding = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5000 }));
    const steps = fc.array(fc.record({ number, holding, open: fc.boolean() }), { maxLength: 120 });
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 2, 3, 1000), (list, capacity) => {
        const slots = new OrderSlots(capacity, capacity);
        const open = new Map<number, { readonly slot: number; readonly holding: number }>();
        for (const step of list) {
          const known = open.get(step.number);
          if (step.open && known === undefined) {
            const slot = openFor(slots, step.number, step.holding);
            expect([...open.values()].map((other) => other.slot)).not.toContain(slot);
            slots.setRemaining(slot, step.number);
            open.set(step.number, { slot, holding: step.holding });
          } else if (!step.open && known !== undefined) {
            slots.close(known.slot);
            open.delete(step.number);
          }
          expect(slots.size).toBe(open.size);
          for (const other of list) {
            expect(slots.find(other.number)).toBe(open.get(other.number)?.slot ?? 0);
            if (other.holding === 0) continue;
            const owned = [...open].filter(([, entry]) => entry.holding === other.holding).map(([order]) => order);
            expect(ordersOf(slots, other.holding)).toEqual(owned);
          }
          for (const [order, { slot }] of open) {
            expect([slots.order(slot), slots.remaining(slot)]).toEqual([order, order]);
          }
        }
      }),
    );
  });

  it('keeps every field of an order when rows grow', () => {
    const slots = new OrderSlots(1, 1);
    const last = openFor(slots, 76);
    const slot = slots.open(77, 8, 2_147_483_647, 9999, 3, 1e15, last);
    slots.setDetails(slot, 2_147_483_647, 5, 1e15, 7);
    const row = () => [slots.order(slot), slots.holding(slot), slots.book(slot), slots.level(slot), slots.kind(slot)];
    const notes = () => [slots.credential(slot), slots.group(slot), slots.expiration(slot), slots.lastFill(slot)];
    const before = [...row(), slots.remaining(slot), slots.ahead(slot), slots.behind(slot), slots.firstOfHolding(8)];
    expect(before).toEqual([77, 8, 2_147_483_647, 9999, 3, 1e15, last, 0, slot]);
    for (let order = 100; order < 1100; order++) openFor(slots, order, order);
    expect([...row(), slots.remaining(slot), slots.ahead(slot), slots.behind(slot), slots.firstOfHolding(8)]).toEqual(
      before,
    );
    expect([slots.behind(last), ...notes()]).toEqual([slot, 2_147_483_647, 5, 1e15, 7]);
    expect([slots.find(77), slots.order(slots.find(1099)), slots.size]).toEqual([slot, 1099, 1002]);
    expect([ordersOf(slots, 1099), ordersOf(slots, 1100), ordersOf(slots, 1_000_000)]).toEqual([[1099], [], []]);
  });

  it('replaces all details of the order in a slot', () => {
    const slots = new OrderSlots(3);
    const slot = openFor(slots, 1);
    const notes = () => [slots.credential(slot), slots.group(slot), slots.expiration(slot), slots.lastFill(slot)];
    for (const noted of [
      [0, 0, 0, 0],
      [0, 9, 0, 0],
      [3, 0, 1e15, 2],
      [2_147_483_647, 4, 5, 6],
      [7, 0, 0, 0],
    ] as const) {
      slots.setDetails(slot, noted[0], noted[1], noted[2], noted[3]);
      expect(notes()).toEqual(noted);
    }
    slots.setLastFill(slot, 2 ** 53 - 1);
    expect(notes()).toEqual([7, 0, 0, 2 ** 53 - 1]);
  });

  it('halves the tables of the sizes that would just exceed the cache', () => {
    const rows = [4000, 5000, 20_000, 30_000, 40_000].map((capacity) => new OrderSlots(capacity).rows);
    expect(rows).toEqual([8192, 8192, 32_768, 32_768, 131_072]);
    for (const capacity of [4000, 5000, 20_000]) {
      const slots = new OrderSlots(capacity);
      const { rows: before } = slots;
      for (let order = 1; order <= capacity; order++) openFor(slots, order);
      expect([slots.rows, slots.find(1), slots.order(slots.find(capacity))]).toEqual([before, 1, capacity]);
    }
  });

  it('puts an order in its home slot, or in the last freed row behind the table when the slot is used', () => {
    const slots = new OrderSlots(3);
    const { rows } = slots;
    // There are four home slots; slot 0 is never used.
    expect([1, 5, 9, 2, 4].map((order) => openFor(slots, order))).toEqual([1, 4, 5, 2, 6]);
    for (const order of [5, 9, 2]) slots.close(slots.find(order));
    expect([13, 17, 6, 8].map((order) => openFor(slots, order))).toEqual([5, 4, 2, 7]);
    slots.close(slots.find(1));
    expect([openFor(slots, 21), openFor(slots, 3)]).toEqual([1, 3]);
    expect([13, 17, 21, 5, 1].map((order) => slots.find(order))).toEqual([5, 4, 1, 0, 0]);
    slots.close(slots.find(6));
    for (let order = 100; order < 10_000; order++) slots.close(openFor(slots, order * 4 + 2));
    expect(slots.rows).toBe(rows);
  });

  it('refuses an invalid capacity and an invalid holding number', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN, 2 ** 23]) {
      expect(() => new OrderSlots(capacity)).toThrow(InputFault);
    }
    for (const holdings of [0, -1, 1.5, Number.NaN, 2 ** 26]) {
      expect(() => new OrderSlots(1, holdings)).toThrow(InputFault);
    }
    expect(() => openFor(new OrderSlots(), 1, 2 ** 26)).toThrow(InputFault);
  });
});
