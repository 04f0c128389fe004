import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, type OrderCommand, type RateLimitUpdated, unchecked } from '../../src/domain/index.ts';
import { RateBudget, rateCost } from '../../src/execution/index.ts';
import { place } from '../state/world.ts';

const START = 1_000_000;
const timeAt = (ms: number) => epochMs(START + ms);

function rateLimitUpdated(
  bucket: RateLimitUpdated['bucket'],
  remaining: number,
  rest: Partial<RateLimitUpdated> = {},
): RateLimitUpdated {
  const sizes = { capacity: 10, refillPerSecond: 5, retryAfterMs: 0 };
  return { type: 'rateLimitUpdated', time: timeAt(0), venueTime: timeAt(0), bucket, ...sizes, remaining, ...rest };
}

function limitedBudget(): RateBudget {
  return new RateBudget({ order: { capacity: 4, perSecond: 2 }, cancel: { capacity: 10, perSecond: 10 } });
}

describe('a rate budget', () => {
  it('without limits allows everything', () => {
    const budget = new RateBudget();
    expect(budget.tryConsume({ order: 1e9, cancel: 1e9 }, timeAt(0))).toBe(true);
    expect(budget.readyAt({ order: 5, cancel: 5 }, timeAt(0))).toBe(timeAt(1));
  });

  it('grants available tokens, and more after a refill', () => {
    const budget = limitedBudget();
    const two = { order: 2, cancel: 0 };
    expect([0, 0, 0].map((ms) => budget.tryConsume(two, timeAt(ms)))).toEqual([true, true, false]);
    expect(budget.readyAt(two, timeAt(0))).toBe(timeAt(1_000));
    expect([999, 1_000, 1_000].map((ms) => budget.tryConsume(two, timeAt(ms)))).toEqual([false, true, false]);
  });

  it('grants all or nothing', () => {
    const budget = limitedBudget();
    budget.consume({ order: 0, cancel: 5 }, timeAt(0));
    expect(budget.tryConsume({ order: 1, cancel: 9 }, timeAt(0))).toBe(false);
    expect(budget.tryConsume({ order: 4, cancel: 0 }, timeAt(0))).toBe(true);
  });

  it('reserves a fifth of the cancel tokens from new orders and optional cancels', () => {
    const budget = limitedBudget();
    expect(budget.tryConsume({ order: 1, cancel: 8 }, timeAt(0))).toBe(true);
    expect(budget.tryConsume({ order: 1, cancel: 1 }, timeAt(0))).toBe(false);
    expect(budget.tryConsume({ order: 0, cancel: 1 }, timeAt(0), 'keepReserve')).toBe(false);
    expect(budget.tryConsume({ order: 0, cancel: 2 }, timeAt(0))).toBe(true);
  });

  it('grants a request larger than a bucket when the bucket is full', () => {
    const budget = limitedBudget();
    expect(budget.tryConsume({ order: 9, cancel: 0 }, timeAt(0))).toBe(true);
    expect(budget.tryConsume({ order: 9, cancel: 0 }, timeAt(1_999))).toBe(false);
    expect(budget.tryConsume({ order: 9, cancel: 0 }, timeAt(2_000))).toBe(true);
  });

  it('falls below zero for requests that must be sent', () => {
    const budget = limitedBudget();
    budget.consume({ order: 4, cancel: 0 }, timeAt(0));
    budget.consume({ order: 4, cancel: 0 }, timeAt(0));
    expect(budget.readyAt({ order: 1, cancel: 0 }, timeAt(0))).toBe(timeAt(2_500));
  });

  it('uses the smaller of its own count and the count of the venue', () => {
    const budget = limitedBudget();
    budget.update(rateLimitUpdated('order', 1, { capacity: 4, refillPerSecond: 2 }));
    expect([2, 1].map((order) => budget.tryConsume({ order, cancel: 0 }, timeAt(0)))).toEqual([false, true]);
    budget.update(rateLimitUpdated('order', 4, { capacity: 4, refillPerSecond: 2 }));
    expect(budget.tryConsume({ order: 1, cancel: 0 }, timeAt(0))).toBe(false);
  });

  it('adds limits that only the venue reports', () => {
    const budget = new RateBudget();
    budget.update(rateLimitUpdated('order', 3));
    expect(budget.tryConsume({ order: 4, cancel: 0 }, timeAt(0))).toBe(false);
    expect(budget.tryConsume({ order: 3, cancel: 99 }, timeAt(0))).toBe(true);
    expect(budget.tryConsume({ order: 5, cancel: 0 }, timeAt(1_000))).toBe(true);
  });

  it('grants no token of a bucket while the venue requires a wait', () => {
    const budget = limitedBudget();
    budget.update(rateLimitUpdated('order', 4, { retryAfterMs: 700 }));
    expect(budget.readyAt({ order: 1, cancel: 0 }, timeAt(0))).toBe(timeAt(700));
    expect([
      budget.tryConsume({ order: 1, cancel: 0 }, timeAt(699)),
      budget.tryConsume({ order: 0, cancel: 1 }, timeAt(699)),
      budget.tryConsume({ order: 1, cancel: 0 }, timeAt(700)),
    ]).toEqual([false, true, true]);
  });

  it('never exceeds the limit of a venue that counts in the same way, and predicts when a request is possible', () => {
    const request = fc.record({
      wait: fc.integer({ min: 0, max: 900 }),
      order: fc.integer({ min: 0, max: 7 }),
      cancel: fc.integer({ min: 0, max: 7 }),
    });
    const size = fc.integer({ min: 1, max: 12 });
    const rate = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(
        size,
        rate,
        size,
        rate,
        fc.array(request, { maxLength: 60 }),
        (orderCapacity, orderRate, cancelCapacity, cancelRate, requests) => {
          const limits = {
            order: { capacity: orderCapacity, perSecond: orderRate },
            cancel: { capacity: cancelCapacity, perSecond: cancelRate },
          };
          const budget = new RateBudget(limits);
          // In thousandths of a token, as whole numbers.
          const level = { order: 1_000 * orderCapacity, cancel: 1_000 * cancelCapacity };
          let now = 0;
          for (const { wait, order, cancel } of requests) {
            now += wait;
            for (const name of ['order', 'cancel'] as const) {
              const { capacity, perSecond } = limits[name];
              level[name] = Math.min(1_000 * capacity, level[name] + wait * perSecond);
            }
            const ready = budget.readyAt({ order, cancel }, timeAt(now));
            if (budget.tryConsume({ order, cancel }, timeAt(now))) {
              level.order -= 1_000 * Math.min(order, orderCapacity);
              level.cancel -= 1_000 * Math.min(cancel, cancelCapacity);
              expect(ready).toBe(timeAt(now + 1));
              // Tolerates rounding errors of floats.
              expect(Math.min(level.order, level.cancel)).toBeGreaterThan(-0.001);
            } else {
              expect(ready).toBeGreaterThan(timeAt(now));
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the cost of commands', () => {
  it('is one order token per placed order, and one cancel token per cancelled or reduced order', () => {
    const [order, market] = [unchecked.order(1), unchecked.market(0)];
    const { shares } = place({ order: 1 });
    const commands: readonly OrderCommand[] = [
      place({ order: 1 }),
      { type: 'cancel', order, market },
      { type: 'reduce', order, market, by: shares },
      {
        type: 'replace',
        market,
        cancels: [{ order, remaining: shares }],
        places: [place({ order: 2 }), place({ order: 3 })],
      },
      { type: 'split', bot: unchecked.instance(0), market, shares },
      { type: 'cancelAll' },
    ];
    expect(rateCost(commands, 7)).toEqual({ order: 3, cancel: 10 });
  });
});
