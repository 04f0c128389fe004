import { describe, expect, it } from 'vitest';
import { OrderOwners } from '../../../src/exchange/engine/order-owners.ts';

const ORDERS = 200_000;
/** Neighbouring orders have different accounts. */
const accountOf = (order: number) => (order * 7919) % 104_729;

describe('order owners', () => {
  it('are stored for every order', () => {
    const owners = new OrderOwners();
    for (let order = 1; order <= ORDERS; order++) {
      if (owners.add(accountOf(order)) !== order) throw new Error(`order ${order} has another number`);
    }
    expect(owners.count).toBe(ORDERS);
    const wrong: number[] = [];
    for (let order = 1; order <= ORDERS; order++) if (owners.accountOf(order) !== accountOf(order)) wrong.push(order);
    expect(wrong).toEqual([]);
  });

  it('are 0 for an unknown order number', () => {
    const owners = new OrderOwners();
    for (let order = 1; order <= 3; order++) owners.add(order);
    const unknown = [0, 4, -1, 1.5, Number.NaN, 2 ** 32 + 1, Number.POSITIVE_INFINITY];
    expect(unknown.map((order) => owners.accountOf(order))).toEqual(unknown.map(() => 0));
    expect([owners.accountOf(1), owners.accountOf(3)]).toEqual([1, 3]);
  });

  it('are written by number and read restored', () => {
    const owners = new OrderOwners();
    for (let order = 1; order <= ORDERS; order++) owners.add(accountOf(order));
    const numbers: number[] = [];
    owners.writeState({ number: (value) => numbers.push(value), text: () => {} });
    expect([numbers.length, numbers[0], numbers[ORDERS]]).toEqual([ORDERS + 1, ORDERS, accountOf(ORDERS)]);
    let at = 0;
    const restored = new OrderOwners();
    restored.readState({ number: () => numbers[at++] ?? Number.NaN, text: () => '' });
    const again: number[] = [];
    restored.writeState({ number: (value) => again.push(value), text: () => {} });
    expect(again.every((value, place) => value === numbers[place])).toBe(true);
    expect([again.length, at]).toEqual([numbers.length, numbers.length]);
  });
});
