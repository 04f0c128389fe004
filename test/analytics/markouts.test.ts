import { describe, expect, it } from 'vitest';
import { BlockDraws } from '../../src/analytics/block-bootstrap.ts';
import { MarketMarkouts, MarkoutTotals } from '../../src/analytics/markouts.ts';
import { seededRandom } from '../../src/clock/index.ts';

const draws = new BlockDraws(seededRandom(1));

function means(totals: MarkoutTotals): Record<string, number | undefined> {
  const [after1s, after5s, after30s, after1m, after5m] = totals.horizons.map((sums) => sums.mean(draws)?.bps);
  return {
    effective: totals.effective.mean(draws)?.bps,
    after1s,
    after5s,
    after30s,
    after1m,
    after5m,
    resolution: totals.resolution.mean(draws)?.bps,
  };
}

function censored(totals: MarkoutTotals): readonly (number | undefined)[] {
  return totals.horizons.map((sums) => sums.mean(draws)?.censored);
}

/** @param mark double mid in force at the start */
function emptyMarket(mark: number) {
  const totals = new MarkoutTotals();
  return { totals, market: new MarketMarkouts(totals, mark) };
}

describe('markouts', () => {
  it('equal the example of docs/spec/models.md#spread-and-markout', () => {
    const { totals, market } = emptyMarket(12_000);
    market.addFill({ time: 1_000, sign: 1, price: 5_800, lots: 100 }, 12_000);
    market.setMark(6_000, 11_800);
    market.setMark(400_000, 100);
    market.finish(900_000, 0);
    expect(means(totals)).toEqual({
      effective: 200,
      after1s: 200,
      after5s: 100,
      after30s: 100,
      after1m: 100,
      after5m: 100,
      resolution: -5_800,
    });
    expect(censored(totals)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('have the opposite sign for a sale', () => {
    const { totals, market } = emptyMarket(12_000);
    market.addFill({ time: 0, sign: -1, price: 6_100, lots: 7 }, 12_000);
    market.setMark(500, 12_400);
    market.setMark(2_000, 12_000);
    market.setMark(301_000, 12_000);
    market.finish(999_999, 20_000);
    expect(means(totals)).toEqual({
      effective: 100,
      after1s: -100,
      after5s: 100,
      after30s: 100,
      after1m: 100,
      after5m: 100,
      resolution: -3_900,
    });
  });

  it('use a mark at exactly t + h and no later one', () => {
    const { totals, market } = emptyMarket(12_000);
    market.addFill({ time: 0, sign: 1, price: 6_000, lots: 1 }, 12_000);
    market.setMark(1_000, 12_200);
    market.setMark(5_001, 14_000);
    market.finish(5_001, undefined);
    const { after1s, after5s } = means(totals);
    expect({ after1s, after5s }).toEqual({ after1s: 100, after5s: 100 });
  });

  it('use the last mark at or before t + h, for any grouping of marks', () => {
    const draw = seededRandom(7);
    const { totals, market } = emptyMarket(10_000);
    const marks = [{ time: Number.NEGATIVE_INFINITY, mark: 10_000 }];
    const fills: { readonly time: number; readonly sign: number; readonly price: number; readonly lots: number }[] = [];
    for (let time = 0; time < 4_000_000; time += 1 + draw.int(20_000)) {
      if (draw.int(4) === 0) {
        const fill = { time, sign: draw.int(2) * 2 - 1, price: 4_000 + draw.int(2_000), lots: 1 + draw.int(9) };
        fills.push(fill);
        market.addFill(fill, 10_000);
      } else {
        marks.push({ time, mark: 9_000 + draw.int(2_000) });
        market.setMark(time, marks.at(-1)?.mark ?? 0);
      }
      if (draw.int(50) === 0) market.processMarks();
    }
    market.processMarks();
    const ends = [1_000, 5_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];
    const expected = ends.map((ms) => {
      const due = fills.filter(({ time }) => time + ms < (marks.at(-1)?.time ?? 0));
      const sum = due.reduce((total, { time, sign, price, lots }) => {
        const { mark } = marks.findLast((entry) => entry.time <= time + ms) ?? { mark: Number.NaN };
        return total + lots * sign * (mark - 2 * price);
      }, 0);
      return { lots: due.reduce((sum, { lots }) => sum + lots, 0), halfBpsTimesLots: sum };
    });
    expect(marks.length).toBeGreaterThan(200);
    expect(totals.horizons.map(({ total }) => total)).toEqual(expected);
  });

  it('do not compare a late fill with marks from before its arrival', () => {
    const { totals, market } = emptyMarket(10_000);
    market.addFill({ time: 0, sign: 1, price: 5_000, lots: 1 }, 10_000);
    market.setMark(500, 10_200);
    market.setMark(9_000, 10_400);
    market.addFill({ time: 100, sign: 1, price: 5_000, lots: 1 }, 10_000);
    market.setMark(9_500, 10_600);
    market.processMarks();
    expect(totals.horizons[0]?.total).toEqual({ lots: 2, halfBpsTimesLots: 200 + 400 });
  });

  it('have horizons up to an hour', () => {
    const { totals, market } = emptyMarket(12_000);
    market.addFill({ time: 0, sign: 1, price: 5_900, lots: 1 }, 12_000);
    market.setMark(900_000, 12_200);
    market.setMark(3_600_000, 11_600);
    market.setMark(3_600_001, 2_000);
    market.finish(4_000_000, undefined);
    expect(totals.horizons.slice(-2).map((sums) => sums.mean(draws)?.bps)).toEqual([200, -100]);
    expect(censored(totals)).toEqual(Array(7).fill(0));
  });

  it('are weighted by shares', () => {
    const { totals, market } = emptyMarket(10_000);
    market.addFill({ time: 0, sign: 1, price: 4_900, lots: 300 }, 10_000);
    market.addFill({ time: 0, sign: 1, price: 4_500, lots: 100 }, 10_000);
    const mean = totals.effective.mean(draws);
    expect(mean?.bps).toBe((300 * 100 + 100 * 500) / 400);
    expect(mean?.count).toBe(2);
    expect(mean?.shares).toBe(4_000_000);
  });

  it('use the payout when the market resolves within the horizon, and censor fills without a later mark', () => {
    const resolved = new MarkoutTotals();
    const first = new MarketMarkouts(resolved, 10_000);
    first.addFill({ time: 0, sign: 1, price: 5_000, lots: 1 }, 10_000);
    first.setMark(500, 10_200);
    first.finish(20_000, 20_000);
    expect(means(resolved)).toEqual({
      effective: 0,
      after1s: 100,
      after5s: 100,
      after30s: 5_000,
      after1m: 5_000,
      after5m: 5_000,
      resolution: 5_000,
    });
    expect(censored(resolved)).toEqual([1, 1, 0, 0, 0, 0, 0]);

    const open = new MarkoutTotals();
    const second = new MarketMarkouts(open, 10_000);
    second.addFill({ time: 0, sign: 1, price: 5_000, lots: 1 }, 10_000);
    second.setMark(5_000, 10_200);
    second.finish(20_000, undefined);
    expect(means(open)).toEqual({
      effective: 0,
      after1s: 0,
      after5s: 100,
      after30s: 100,
      after1m: 100,
      after5m: 100,
      resolution: undefined,
    });
    expect(censored(open)).toEqual([0, 0, 1, 1, 1, 1, 1]);
    // The last mark is not a payout.
    expect(open.resolution.mean(draws)).toBeUndefined();
  });

  it.each([12_000, undefined])('exclude a fill that is reversed after the market ended with payout %s', (payout) => {
    const [totals, expected] = [new MarkoutTotals(), new MarkoutTotals()];
    for (const [current, hasReversed] of [
      [totals, true],
      [expected, false],
    ] as const) {
      const market = new MarketMarkouts(current, 10_000);
      const valid = { time: 0, sign: 1, price: 5_000, lots: 2 };
      const reversed = { time: 100, sign: -1, price: 5_200, lots: 5 };
      market.addFill(valid, 10_000);
      const number = hasReversed ? market.addFill(reversed, 10_100, true) : 0;
      market.setMark(5_000, 10_200);
      market.finish(20_000, payout);
      if (hasReversed) market.reverseFill(number, reversed, 10_100);
    }
    expect(means(totals)).toEqual(means(expected));
    expect(censored(totals)).toEqual(censored(expected));
    expect(totals.resolution.mean(draws)).toEqual(expected.resolution.mean(draws));
  });

  it('remove fills whose horizons have passed, in order', () => {
    const { totals, market } = emptyMarket(10_000);
    for (let fill = 0; fill < 5_000; fill += 1) {
      market.addFill({ time: fill * 1_000, sign: 1, price: 5_000, lots: 1 }, 10_000);
      market.setMark(fill * 1_000 + 999, 10_000 + fill * 2);
    }
    market.finish(6_000_000, undefined);
    const counts = totals.horizons.map((sums) => sums.mean(draws)?.count);
    expect(counts).toEqual(Array(7).fill(5_000));
    // The markout of a fill at second t after 1 s uses the mark of that second: the mean of 0..4999.
    expect(totals.horizons[0]?.mean(draws)?.bps).toBe(4_999 / 2);
  });
});
