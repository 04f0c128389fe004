import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLAG } from '../../../src/tape/index.ts';
import { OwnRows } from '../../../src/venues/sim/own-rows.ts';

/** A number adds a message of as many rows; `0` reads one. */
const scenario = fc.array(fc.nat(5), { maxLength: 300 });

describe('own messages in the public feed', () => {
  it('are read as they were written, however many are queued', () => {
    fc.assert(
      fc.property(scenario, (steps) => {
        const rows = new OwnRows();
        const waiting: { time: number; prices: number[] }[] = [];
        let time = 0;
        for (const step of steps) {
          if (step > 0) {
            time += 1;
            const prices = Array.from({ length: step }, (_, at) => 1_000 + ((time * 7 + at) % 100));
            for (const price of prices) rows.add(2, 1, price, price * 10_000);
            expect(rows.hasOpenMessage).toBe(true);
            rows.end(time, time + 50, time * 3);
            waiting.push({ time, prices });
          } else if (waiting.length > 0) {
            const first = waiting.shift()!;
            const { from, to } = rows.shift();
            const { block } = rows;
            const seen = Array.from({ length: to - from }, (_, at) => from + at);
            expect(seen.map((at) => block.price[at])).toEqual(first.prices);
            expect(seen.map((at) => block.shares[at])).toEqual(first.prices.map((price) => price * 10_000));
            expect(seen.every((at) => block.tx[at] === first.time && block.rx[at] === first.time + 50)).toBe(true);
            expect(seen.map((at) => block.flags[at])).toEqual(seen.map((at) => (at === to - 1 ? FLAG.last : 0)));
          }
          expect(rows.hasOpenMessage).toBe(false);
          expect(rows.nextAfter).toBe(waiting[0] === undefined ? -1 : waiting[0].time * 3);
          expect(rows.nextTime).toBe(waiting[0] === undefined ? Number.POSITIVE_INFINITY : waiting[0].time + 50);
          expect(rows.nextVenueTime).toBe(waiting[0] === undefined ? Number.POSITIVE_INFINITY : waiting[0].time);
        }
      }),
    );
  });

  it('reuse the same memory', () => {
    const rows = new OwnRows();
    for (let time = 0; time < 10_000; time += 1) {
      rows.add(0, 0, 5_000, 0);
      rows.end(time, time, time);
      if (time > 2) rows.shift();
    }
    expect(rows.block.tx.length).toBe(64);
  });

  it('cannot be read when there are none', () => {
    expect(() => new OwnRows().shift()).toThrow('Invariant');
  });
});
