import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  computeView,
  equityChart,
  priceChart,
  type TimeChart,
  timeFigure,
} from '../../../src/backtest/report/time-charts.ts';
import { ByteReader } from '../../../src/domain/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONDAY = Date.parse('2022-07-11T00:00:00Z');

const DATA = z.object({
  times: z.string(),
  values: z.string(),
  fills: z.object({ times: z.string(), prices: z.string(), lots: z.string(), kinds: z.string() }).optional(),
});

/** `count` evenly spaced points. */
function evenly(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}

function line(time: readonly number[]) {
  return { time, value: time.map(() => 0) };
}

function dataIn(chart: TimeChart) {
  const { markup } = timeFigure(chart, 'caption');
  const text = /<script type="application\/json">(.*)<\/script>/.exec(markup)?.[1] ?? '';
  return DATA.parse(JSON.parse(text));
}

function decodeValues(text: string): readonly number[] {
  const reader = new ByteReader(Buffer.from(text, 'base64'));
  const values: number[] = [];
  for (let sum = 0; !reader.isAtEnd; ) {
    sum += reader.number();
    values.push(sum);
  }
  return values;
}

describe('the view of a page', () => {
  it('is the whole run when points are evenly spread', () => {
    const [from, to] = [MONDAY, MONDAY + 4 * HOUR];
    expect(computeView([line(evenly(from, to, 500))])).toEqual({ from, to, zoomFrom: from, zoomTo: to });
  });

  it('starts with the part that has nine tenths of the points, when that is less than half of the time', () => {
    const early = evenly(MONDAY - 6 * DAY, MONDAY + 11 * HOUR, 50);
    const view = computeView([line([...early, ...evenly(MONDAY + 11 * HOUR, MONDAY + 15 * HOUR, 950)])]);
    expect(view).toMatchObject({ from: MONDAY - 6 * DAY, to: MONDAY + 15 * HOUR });
    expect(view.zoomFrom).toBeGreaterThan(MONDAY + 10.5 * HOUR);
    expect(view.zoomFrom).toBeLessThan(MONDAY + 11.1 * HOUR);
    expect(view.zoomTo).toBeGreaterThan(MONDAY + 14.9 * HOUR);
  });

  it('is valid without a point', () => {
    expect(computeView([])).toEqual({ from: 0, to: 1, zoomFrom: 0, zoomTo: 1 });
  });
});

describe('the data of a chart', () => {
  it('encodes every time and value without loss, also beyond 32 bits and below zero', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2 ** 41), fc.integer({ min: -(2 ** 33), max: 2 ** 33 }))), (points) => {
        const time = points.map(([at]) => at).sort((a, b) => a - b);
        const value = points.map(([, hundreds]) => hundreds * 100);
        const data = dataIn(equityChart({ time, value }, 0));
        expect(decodeValues(data.times)).toEqual(time);
        expect(decodeValues(data.values)).toEqual(value.map((micros) => micros / 100 + 0));
      }),
      { numRuns: 50 },
    );
  });

  it('has the fills in time order, with side and kind in one number', () => {
    const fill = {
      sign: 1,
      price: 4_000,
      shares: 2_500_000,
      liquidity: 'maker',
      basis: 'queue',
      inside: false,
    } as const;
    const fills = [{ ...fill, time: 9 }, { ...fill, time: 5, sign: -1, liquidity: 'taker', price: 4_100 } as const];
    const data = dataIn(priceChart(line([1, 10]), fills));
    expect(Object.entries(data.fills ?? {}).map(([name, text]) => [name, decodeValues(text)])).toEqual([
      ['times', [5, 9]],
      ['prices', [4_100, 4_000]],
      ['lots', [250, 250]],
      ['kinds', [3, 0]],
    ]);
  });

  it('has the number of points before thinning only when thinning removed points', () => {
    const all = timeFigure(equityChart({ ...line([1, 2]), totalPoints: 2 }, 0), 'caption');
    expect(all.markup).not.toContain('points');
    const thinned = timeFigure(equityChart({ ...line([1, 2]), totalPoints: 1_234 }, 0), 'caption');
    expect(thinned.markup).toContain('2 of 1,234 points');
  });
});
