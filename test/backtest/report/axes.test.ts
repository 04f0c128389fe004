import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symbolPath } from '../../../src/backtest/report/fill-symbols.ts';
import { timeAxis } from '../../../src/backtest/report/time-axis.ts';
import { priceRange } from '../../../src/backtest/report/time-charts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONDAY = Date.parse('2022-07-11T00:00:00Z');

function line(time: readonly number[], value: readonly number[] = time.map(() => 0)) {
  return { time, value };
}

/** `count` points evenly over a span. */
function evenly(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}

describe('the time axis', () => {
  it('equals the clock when events are evenly spread', () => {
    const axis = timeAxis([line(evenly(MONDAY, MONDAY + 4 * HOUR, 500))]);
    expect(axis.warped).toBe(false);
    expect(axis.position(MONDAY + HOUR)).toBeCloseTo(0.25, 12);
    expect(axis.ticks(0.2).map(({ label }) => label)).toEqual(['00:00\n11 Jul', '01:00', '02:00', '03:00', '04:00']);
  });

  it('omits a tick whose label would be cut off at the right end', () => {
    const axis = timeAxis([line(evenly(MONDAY, MONDAY + 4 * HOUR, 500))]);
    expect(axis.ticks(0.2, 0.01).map(({ label }) => label)).toEqual(['00:00\n11 Jul', '01:00', '02:00', '03:00']);
  });

  it('widens the part of the time in which nearly all events happened', () => {
    const early = evenly(MONDAY - 6 * DAY, MONDAY + 11 * HOUR, 50);
    const axis = timeAxis([line([...early, ...evenly(MONDAY + 11 * HOUR, MONDAY + 15 * HOUR, 950)])]);
    expect(axis.warped).toBe(true);
    expect(axis.position(MONDAY + 11 * HOUR)).toBeLessThan(0.1);
    expect(axis.position(MONDAY + 13 * HOUR)).toBeGreaterThan(0.4);
    expect(axis.position(MONDAY + 13 * HOUR)).toBeLessThan(0.65);
    expect(axis.ticks(0.1).map(({ label }) => label)).toContain('13:00');
  });

  it('never runs backwards, starts at 0, ends at 1 and keeps its ticks apart', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 * DAY }), { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0.05, 0.09, 0.2),
        (offsets, gap) => {
          const times = offsets.map((offset) => MONDAY + offset).sort((a, b) => a - b);
          const axis = timeAxis([line(times)]);
          const positions = times.map(axis.position);
          expect(positions).toEqual(positions.toSorted((a, b) => a - b));
          expect(positions[0]).toBe(0);
          if (times[0] !== times.at(-1)) expect(positions.at(-1)).toBeCloseTo(1, 12);
          const ticks = axis.ticks(gap).map(({ position }) => position);
          for (let tick = 1; tick < ticks.length; tick += 1) {
            expect((ticks[tick] ?? 0) - (ticks[tick - 1] ?? 0)).toBeGreaterThanOrEqual(gap - 1e-12);
          }
        },
      ),
    );
  });

  it('exists without a single point', () => {
    expect(timeAxis([]).ticks(0.1).length).toBeGreaterThan(0);
  });
});

describe('the price range', () => {
  it('shows all prices when none is far off', () => {
    const { low, high, cut } = priceRange(line([0, 1, 2], [5_000, 5_200, 5_400]), []);
    expect([low, high, cut]).toEqual([49.84, 54.16, false]);
  });

  it('cuts off brief prices of a thin book, but no own fill', () => {
    const times = evenly(0, 1_000, 500);
    const values = times.map((_, index) => (index === 3 ? 100 : index === 4 ? 9_900 : 5_000 + index));
    const fill = {
      time: 1,
      sign: 1,
      price: 4_000,
      shares: 1,
      liquidity: 'maker',
      tag: 'queue',
      inside: false,
    } as const;
    const without = priceRange(line(times, values), []);
    expect(without.cut).toBe(true);
    expect(without.low).toBeGreaterThan(49);
    expect(without.high).toBeLessThan(56);
    expect(priceRange(line(times, values), [fill])).toMatchObject({ cut: true, low: expect.closeTo(39.4, 1) });
  });
});

describe('fill symbols', () => {
  it('point up for purchases and down for sales', () => {
    expect(symbolPath(10, 20, 4, true)).toBe('M10 16l4 8h-8z');
    expect(symbolPath(10, 20, 4, false)).toBe('M10 24l4 -8h-8z');
  });
});
