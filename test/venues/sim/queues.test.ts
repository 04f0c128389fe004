import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderNumbers } from '../../../src/venues/sim/exchange-commands.ts';
import { TimeList, TimeQueue } from '../../../src/venues/sim/time-queue.ts';

type Queue = Pick<TimeList<number>, 'nextTime' | 'add' | 'shift'>;

/** A number adds an entry; `undefined` removes one. */
const scenario = fc.array(fc.option(fc.nat(20), { nil: undefined, freq: 2 }), { maxLength: 200 });

const queues: [string, () => Queue, (times: number[]) => number[]][] = [
  ['list', () => new TimeList<number>(), (times) => times],
  // A queue accepts only times that do not decrease.
  [
    'queue',
    () => new TimeQueue<number>(),
    (times) => times.map((_, at) => times.slice(0, at + 1).reduce((a, b) => a + b)),
  ],
];

describe.each(queues)('a time %s', (_name, make, timesOf) => {
  it('returns the earliest entry first, and entries of equal time in insertion order', () => {
    fc.assert(
      fc.property(scenario, (steps) => {
        const queue = make();
        const times = timesOf(steps.filter((step) => step !== undefined));
        const waiting: { time: number; item: number }[] = [];
        let added = 0;
        for (const step of steps) {
          if (step !== undefined) {
            const time = times[added]!;
            queue.add(time, added);
            waiting.push({ time, item: added });
            added += 1;
          } else if (waiting.length > 0) {
            const first = waiting.toSorted((a, b) => a.time - b.time || a.item - b.item)[0]!;
            expect(queue.shift()).toBe(first.item);
            waiting.splice(waiting.indexOf(first), 1);
          }
          expect(queue.nextTime).toBe(Math.min(...waiting.map(({ time }) => time)));
        }
      }),
    );
  });

  it('returns nothing when it is empty', () => {
    expect(make().nextTime).toBe(Number.POSITIVE_INFINITY);
    expect(() => make().shift()).toThrow('Invariant');
  });
});

describe('a time queue', () => {
  it('shows its first entry', () => {
    const queue = new TimeQueue<string>();
    expect(queue.first).toBeUndefined();
    for (let at = 0; at < 40; at += 1) queue.add(at, `${at}`);
    for (let at = 0; at < 40; at += 1) expect([queue.first, queue.shift()]).toEqual([`${at}`, `${at}`]);
    expect(queue.first).toBeUndefined();
  });
});

describe('the exchange order numbers', () => {
  it('are the stored ones, and 0 for all other orders', () => {
    const number = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    const pair = fc.tuple(fc.nat(300_000), number);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60 }), fc.array(fc.nat(400_000)), (pairs, requests) => {
        const numbers = new OrderNumbers();
        const known = new Map(pairs);
        for (const [order, number] of pairs) numbers.set(order, number);
        for (const order of [...known.keys(), ...requests]) expect(numbers.get(order)).toBe(known.get(order) ?? 0);
      }),
    );
  });
});
