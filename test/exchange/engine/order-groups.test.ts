import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderGroups } from '../../../src/exchange/engine/order-groups.ts';
import type { StateWriter } from '../../../src/exchange/state-writer.ts';
import { eventTexts, Harness, SHARE } from './harness.ts';

/** Returns the number of stored fills of the only group. */
function storedFills(groups: OrderGroups, now: number): number {
  const numbers: number[] = [];
  const writer: StateWriter = { number: (value) => void numbers.push(value), text: () => {} };
  groups.writeState(writer, now);
  return numbers[7] ?? -1;
}

interface Fill {
  readonly time: number;
  readonly shares: number;
}

/** Sums the shares of all fills within the last `window` ms. */
function filledInWindow(fills: readonly Fill[], now: number, window: number): number {
  return fills.reduce((sum, { time, shares }) => (time > now - window ? sum + shares : sum), 0);
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

describe('the window of an order group', () => {
  it('is exact while at most 1,024 milliseconds in it have a fill', () => {
    const groups = new OrderGroups();
    const group = groups.create(1, NO_LIMIT, 5000);
    const fills: Fill[] = [];
    for (let time = 1; time <= 20_000; time += 5) {
      fills.push({ time, shares: time % 7 });
      groups.addFill(group, time % 7, time);
      expect(groups.filledInWindow(group, time)).toBe(filledInWindow(fills, time, 5000));
    }
    expect(storedFills(groups, 20_000)).toBe(1000);
  });

  it('stores 1,024 exact fills and merges them into buckets at the next one', () => {
    const groups = new OrderGroups();
    const group = groups.create(1, NO_LIMIT, 5000);
    for (let time = 1; time <= 1024; time += 1) groups.addFill(group, 1, time);
    expect(storedFills(groups, 1024)).toBe(1024);
    groups.addFill(group, 1, 1025);
    expect(storedFills(groups, 1025)).toBeLessThan(200);
  });

  it('trips once, and counts nothing after the trip or for a deleted group', () => {
    const groups = new OrderGroups();
    const group = groups.create(1, 10, 5000);
    expect(groups.addFill(group, 10, 1)).toBe(false);
    expect(groups.addFill(group, 1, 2)).toBe(true);
    expect(groups.addFill(group, 5, 3)).toBe(false);
    expect(groups.filledInWindow(group, 3)).toBe(11);
    groups.delete(group);
    expect(groups.addFill(group, 100, 4)).toBe(false);
  });

  it('counts all fills of the window, at most another 1/512 of its length, and keeps at most 1,024 entries', () => {
    let fewest = Number.POSITIVE_INFINITY;
    const window = 4000;
    const tolerance = Math.ceil(window / 512);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3000, maxLength: 5000, size: 'max' }),
        (waits) => {
          const groups = new OrderGroups();
          const group = groups.create(1, NO_LIMIT, window);
          const fills: Fill[] = [];
          let time = 1_700_000_000_000;
          for (const wait of waits) {
            time += wait;
            fills.push({ time, shares: 1 + wait });
            groups.addFill(group, 1 + wait, time);
            if (fills.length % 97 !== 0) continue;
            const recent = fills.slice(-window - 200);
            const counted = groups.filledInWindow(group, time);
            expect(counted).toBeGreaterThanOrEqual(filledInWindow(recent, time, window));
            expect(counted).toBeLessThan(filledInWindow(recent, time, window + tolerance) + 1);
            expect(storedFills(groups, time)).toBeLessThanOrEqual(1024);
            fewest = Math.min(fewest, storedFills(groups, time));
          }
        },
      ),
      { numRuns: 8 },
    );
    expect(fewest).toBeGreaterThan(0);
  });

  it('trips at the fill that exceeds the limit, also after merging entries', () => {
    const groups = new OrderGroups();
    const group = groups.create(1, 3000, 1_000_000);
    let trippedAt = 0;
    for (let time = 1; time <= 3001 && trippedAt === 0; time++) if (groups.addFill(group, 1, time)) trippedAt = time;
    expect(trippedAt).toBe(3001);
  });
});

describe('the longest window of an order group', () => {
  it('is a setting of the configuration', () => {
    const harness = new Harness();
    harness.account();
    const create = (window: number) => eventTexts(harness.send('createGroup', { maxFilled: SHARE, window }));
    expect(create(86_400_001)).toEqual(['refused 0 ABOVE_MAX windowSeconds']);
    expect(create(86_400_000)).toEqual(['groupChanged']);
    harness.send('configure', { config: { maxGroupWindow: 1000 as never } });
    expect(create(1001)).toEqual(['refused 0 ABOVE_MAX windowSeconds']);
    expect(
      eventTexts(harness.send('updateGroup', { group: 1, maxFilled: undefined, window: 1001, reset: false })),
    ).toEqual(['refused 0 ABOVE_MAX windowSeconds']);
  });
});

describe('a FOK', () => {
  /** A maker's orders at one price, in a group with a limit of 2 shares, and a function that places a FOK there. */
  function groupedOrders(...sizes: readonly number[]) {
    const harness = new Harness();
    const [maker, taker] = [harness.account(), harness.account()];
    harness.market();
    harness.send('createGroup', { account: maker, maxFilled: 2 * SHARE, window: 1000 });
    for (const size of sizes) harness.place(maker, { outcome: 'NO', price: 6000, size, group: 1 } as never);
    const placeFok = (size: number, more: object = {}) =>
      eventTexts(harness.place(taker, { price: 4000, size, timeInForce: 'FOK', ...more }));
    return { harness, maker, taker, placeFok };
  }

  it('is accepted when it fills an order group exactly to its limit', () => {
    const { placeFok } = groupedOrders(2, 50);
    expect(placeFok(20)).toEqual([
      'accepted 3',
      'traded 1<3 2@4000 MINT',
      'closed 1 FILLED 0',
      'traded 2<3 18@4000 MINT',
      'groupChanged',
      'closed 2 ORDER_GROUP_LIMIT 32',
      'closed 3 FILLED 0',
    ]);
  });

  it('does not count orders that an order group would cancel before they match', () => {
    const { placeFok } = groupedOrders(1, 1, 1, 1);
    expect(placeFok(4)).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    expect(placeFok(3).filter((received) => received.startsWith('closed'))).toEqual([
      'closed 1 FILLED 0',
      'closed 2 FILLED 0',
      'closed 3 FILLED 0',
      'closed 4 ORDER_GROUP_LIMIT 1',
      'closed 5 FILLED 0',
    ]);
  });

  it('takes account of earlier fills in the window of the maker’s order group', () => {
    const { harness, placeFok } = groupedOrders(2, 1, 1);
    placeFok(2);
    expect(placeFok(2)).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    harness.time += 1000;
    expect(placeFok(2).at(-1)).toBe('closed 5 FILLED 0');
  });

  it('is refused when its own order group would trip before it is filled', () => {
    const { harness, maker, taker, placeFok } = groupedOrders();
    for (const size of [2, 2, 2]) harness.buy(maker, 'NO', 6000, size);
    harness.send('createGroup', { account: taker, maxFilled: 3 * SHARE, window: 1000 });
    expect(placeFok(5, { group: 2 })).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    expect(placeFok(4, { group: 2 }).slice(-2)).toEqual(['groupChanged', 'closed 4 FILLED 0']);
    expect(harness.view.openOrders(taker, 0)).toEqual([]);
  });
});
