import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeHalfSpreads, MarketHalfSpreads } from '../../../src/analytics/half-spreads.ts';
import { HORIZONS, MarkoutTotals } from '../../../src/analytics/markouts.ts';
import { seededRandom } from '../../../src/clock/index.ts';
import { LOT } from '../../../src/domain/index.ts';
import { TakerFlow, type TakerFlowEarnings } from '../../../src/history/quality/taker-flow.ts';
import { CANCELLED_PAYOUT, SIDE } from '../../../src/tape/index.ts';

const horizon = ({ horizons }: TakerFlowEarnings, horizonMs: number) =>
  horizons.find((found) => found.horizonMs === horizonMs);

describe('taker flow', () => {
  it('has the figures of the example in docs/spec/models.md#spread-and-markout', () => {
    // The taker sells YES at 5800. The mid is 6000, and 5900 five seconds later; NO wins.
    const flow = new TakerFlow();
    flow.addMid(0, 12_000);
    flow.addPrint(1_000, SIDE.ask, 5_800, 100_000_000);
    flow.addMid(5_000, 11_800);
    flow.addMid(400_000, 11_000);
    flow.resolve(500_000, 0);
    const earnings = flow.finish();
    expect(earnings.effectiveBps).toBe(200);
    expect(horizon(earnings, 5_000)?.realisedBps).toBe(100);
    expect(horizon(earnings, 300_000)?.realisedBps).toBe(100);
    expect(horizon(earnings, Infinity)?.realisedBps).toBe(-5_800);
  });

  it('uses the mark before the message, and for the horizon the last mark at or before it', () => {
    const flow = new TakerFlow();
    flow.addMid(0, 10_000);
    flow.addPrint(10, SIDE.bid, 5_050, 10_000);
    flow.addMid(10, 10_100);
    flow.addMid(1_010, 10_200);
    flow.addMid(1_011, 10_400);
    const earnings = flow.finish();
    expect(earnings.effectiveBps).toBe(50);
    expect(horizon(earnings, 1_000)?.realisedBps).toBe(5_050 - 5_100);
  });

  it('weights by shares', () => {
    const flow = new TakerFlow();
    flow.addMid(0, 10_000);
    flow.addPrint(1, SIDE.bid, 5_010, 10_000);
    flow.addPrint(1, SIDE.ask, 4_960, 30_000);
    expect(flow.finish()).toMatchObject({ prints: 2, shares: 40_000, effectiveBps: (10 + 3 * 40) / 4 });
  });

  it('omits prints of unknown side and those without a two-sided book', () => {
    const measure = (addMore: (flow: TakerFlow) => void) => {
      const flow = new TakerFlow();
      flow.addPrint(1, SIDE.bid, 5_010, 10_000);
      flow.addMid(2, 10_000);
      flow.addPrint(3, SIDE.unknown, 5_010, 10_000);
      flow.addMid(4, undefined);
      flow.addPrint(5, SIDE.bid, 5_010, 10_000);
      addMore(flow);
      return flow.finish();
    };
    expect(measure(() => {})).toMatchObject({ prints: 0, leftOut: 3, effectiveBps: undefined });
    const earnings = measure((flow) => {
      flow.addMid(6, 10_000);
      flow.addPrint(7, SIDE.bid, 5_010, 10_000);
      // The last mark stays valid when a side is missing.
      flow.addMid(500, undefined);
      flow.addMid(2_000, 9_000);
    });
    expect(earnings).toMatchObject({ prints: 1, leftOut: 3 });
    expect(horizon(earnings, 1_000)?.realisedBps).toBe(10);
  });

  it('counts prints without a later mark and without a resolution as censored', () => {
    const measure = (addMore: (flow: TakerFlow) => void) => {
      const flow = new TakerFlow();
      flow.addMid(0, 10_000);
      flow.addPrint(10, SIDE.bid, 5_010, 10_000);
      addMore(flow);
      return flow.finish();
    };
    const open = measure((flow) => flow.addMid(500, 10_010));
    expect(horizon(open, 1_000)).toEqual({ horizonMs: 1_000, realisedBps: 5, censored: 1 });
    const noResolution = { horizonMs: Infinity, realisedBps: null, reason: 'no resolution', censored: 0 };
    expect(open.horizons.at(-1)).toEqual(noResolution);
    const cancelled = measure((flow) => {
      flow.addMid(500, 10_010);
      flow.resolve(900, CANCELLED_PAYOUT);
    });
    expect(horizon(cancelled, 1_000)?.censored).toBe(1);
    expect(cancelled.horizons.at(-1)).toEqual(noResolution);
    const paid = measure((flow) => flow.resolve(5_010, 10_000));
    // At 1010 the mark was valid without a later one; at 5010 the market had resolved.
    expect(horizon(paid, 1_000)).toEqual({ horizonMs: 1_000, realisedBps: 10, censored: 1 });
    expect(horizon(paid, 5_000)).toEqual({ horizonMs: 5_000, realisedBps: -4_990, censored: 0 });
    expect(paid.horizons.at(-1)).toEqual({ horizonMs: Infinity, realisedBps: -4_990, censored: 0 });
  });

  it('gives the payout to horizons that end after the resolution, even if messages follow it', () => {
    const flow = new TakerFlow();
    flow.addMid(0, 10_000);
    flow.addPrint(10, SIDE.bid, 5_010, 10_000);
    flow.resolve(1_000, 10_000);
    flow.resolve(2_000, 10_000);
    expect(horizon(flow.finish(), 1_000)).toEqual({ horizonMs: 1_000, realisedBps: -4_990, censored: 0 });
  });

  it('counts a print as censored when only a halt, an unchanged mid, a print or the resolution follows', () => {
    const countCensored = (addMore: (flow: TakerFlow) => void) => {
      const flow = new TakerFlow();
      flow.addMid(0, 10_000);
      flow.addPrint(10, SIDE.bid, 5_010, 10_000);
      flow.addMid(1_000, 10_000);
      flow.addMid(2_000, 10_000);
      flow.addPrint(3_000, SIDE.bid, 5_010, 10_000);
      addMore(flow);
      return horizon(flow.finish(), 1_000)?.censored;
    };
    expect(countCensored(() => {})).toBe(2);
    expect(countCensored((flow) => flow.addMid(5_000, undefined))).toBe(2);
    // The mid returns to its earlier value, which is a mark after both horizons.
    const addReturn = (flow: TakerFlow) => {
      flow.addMid(5_000, undefined);
      flow.addMid(6_000, 10_000);
    };
    expect(countCensored(addReturn)).toBe(0);
    const addLastPrint = (flow: TakerFlow) => {
      addReturn(flow);
      flow.addPrint(6_000, SIDE.bid, 5_010, 10_000);
      flow.addMid(8_000, undefined);
      flow.resolve(9_000, 10_000);
    };
    expect(countCensored(addLastPrint)).toBe(1);
  });

  it('counts and averages prints as the report of a backtest does, for any flow', () => {
    const step = fc.record({
      dt: fc.constantFrom(0, 300, 1_000, 20_000, 70_000),
      mid: fc.option(fc.constantFrom(9_900, 10_000, 10_100), { nil: undefined, freq: 3 }),
      prints: fc.boolean(),
      side: fc.constantFrom(SIDE.bid, SIDE.ask),
    });
    const end = fc.constantFrom(undefined, 0, 10_000, CANCELLED_PAYOUT);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), end, fc.nat(400_000), (steps, payout, wait) => {
        const flow = new TakerFlow();
        const totals = new MarkoutTotals({ hasIntervals: false });
        const report = new MarketHalfSpreads(totals);
        let [time, reported] = [0, undefined as number | undefined];
        for (const { dt, mid, prints, side } of steps) {
          time += dt;
          if (prints) {
            flow.addPrint(time, side, 5_000, 10_000);
            const sign = side === SIDE.bid ? -1 : 1;
            if (reported !== undefined) report.addFill({ time, sign, price: 5_000, lots: 1 }, reported);
          }
          flow.addMid(time, mid);
          if (mid !== undefined && mid !== reported) report.setMark(time, mid);
          reported = mid;
        }
        time += wait;
        if (payout !== undefined) flow.resolve(time, payout);
        report.finish(time, payout === undefined || payout === CANCELLED_PAYOUT ? undefined : 2 * payout);
        const { horizons } = computeHalfSpreads(totals, seededRandom(1));
        const shown = horizons.map(({ mean }) => ({ bps: mean?.bps ?? null, censored: mean?.censored ?? 0 }));
        const checked = flow.finish().horizons.map(({ realisedBps, censored }) => ({ bps: realisedBps, censored }));
        expect(checked).toEqual(shown);
      }),
    );
  });

  it('equals a lookup of every mark, also for flows longer than its buffer', () => {
    const step = fc.record({
      dt: fc.nat(800),
      move: fc.integer({ min: -40, max: 40 }),
      side: fc.nat(1),
      lots: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.boolean(), (steps, resolved) => {
        const many = Array.from({ length: Math.ceil(12_000 / steps.length) }, () => steps).flat();
        const flow = new TakerFlow();
        const marks: [time: number, mid: number][] = [[0, 10_000]];
        const prints: { time: number; sign: number; price: number; lots: number; mid: number }[] = [];
        flow.addMid(0, 10_000);
        let time = 0;
        for (const { dt, move, side, lots } of many) {
          time += dt;
          const mid = marks.at(-1)![1];
          const price = side === SIDE.bid ? 5_100 : 4_900;
          flow.addPrint(time, side, price, lots * LOT);
          prints.push({ time, sign: side === SIDE.bid ? 1 : -1, price, lots, mid });
          const next = Math.min(Math.max(mid + move, 9_000), 11_000);
          flow.addMid(time, next);
          marks.push([time, next]);
        }
        const end = time + 5_000;
        if (resolved) flow.resolve(end, 10_000);
        const lots = prints.reduce((sum, print) => sum + print.lots, 0);
        let from = 0;
        const markAt = (moment: number) => {
          while (from + 1 < marks.length && marks[from + 1]![0] <= moment) from += 1;
          return marks[from]![1];
        };
        const earnings = flow.finish();
        for (const { ms: horizonMs } of HORIZONS) {
          from = 0;
          let sum = 0;
          for (const print of prints) {
            const later = resolved && print.time + horizonMs >= end ? 20_000 : markAt(print.time + horizonMs);
            sum += print.lots * print.sign * (2 * print.price - later);
          }
          expect(horizon(earnings, horizonMs)?.realisedBps).toBeCloseTo(sum / lots / 2, 9);
        }
        const effective = prints.reduce((sum, { lots: n, sign, price, mid }) => sum + n * sign * (2 * price - mid), 0);
        expect(earnings.effectiveBps).toBeCloseTo(effective / lots / 2, 9);
      }),
      { numRuns: 20 },
    );
  });
});
