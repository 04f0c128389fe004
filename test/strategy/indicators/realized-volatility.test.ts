import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TapeFile } from '../../../src/history/index.ts';
import { MarketReplay } from '../../../src/history/quality/market-replay.ts';
import { RealizedVolatility } from '../../../src/strategy/index.ts';
import { FLAG, makeBlock } from '../../../src/tape/index.ts';

const FIVE_SECONDS = { stepMs: 5_000, samples: 360 };

function estimatorOf(mids: readonly (readonly [number, number | undefined])[]): RealizedVolatility {
  const estimator = new RealizedVolatility(FIVE_SECONDS);
  for (const [seconds, mid] of mids) estimator.observe(seconds * 1_000, mid);
  return estimator;
}

describe('realized variance of the mid', () => {
  it('is 47.5 bps² a second for 6000, 6010, 5995, 5995, 6020 five seconds apart: 6.892 bps a root second', () => {
    const { bpsSquaredPerSecond, samples } = estimatorOf([
      [0, 6000],
      [5, 6010],
      [10, 5995],
      [15, 5995],
      [20, 6020],
      [20.001, 6020],
    ]).variance();
    expect({ bpsSquaredPerSecond, samples }).toEqual({ bpsSquaredPerSecond: 47.5, samples: 4 });
    expect(Math.sqrt(bpsSquaredPerSecond)).toBeCloseTo(6.892, 3);
  });

  it('uses the last known mid at each grid point and ignores moves between them', () => {
    const { bpsSquaredPerSecond } = estimatorOf([
      [0, 6000],
      [1, 9000],
      [4.999, 6010],
      [5.001, 100],
      [9, 6010],
      [11, 6010],
    ]).variance();
    expect(bpsSquaredPerSecond).toBe(10);
  });

  it('counts a grid point only after its time', () => {
    const estimator = estimatorOf([
      [0, 6000],
      [5, 6010],
    ]);
    expect(estimator.variance().samples).toBe(0);
    estimator.observe(5_000, 6020);
    estimator.observe(5_001, 6020);
    expect(estimator.variance()).toEqual({ samples: 1, bpsSquaredPerSecond: 80 });
  });

  it('omits each step that overlaps a halt, with the jump over it', () => {
    const { bpsSquaredPerSecond, samples } = estimatorOf([
      [0, 6000],
      [5, 6010],
      [6, undefined],
      [8, 9000],
      [15, 9010],
      [16, 9010],
      [20.001, 9010],
    ]).variance();
    // The steps from 0 to 5, 10 to 15 and 15 to 20 count; the halt is between 5 and 10.
    expect({ samples, bpsSquaredPerSecond }).toEqual({ samples: 3, bpsSquaredPerSecond: 200 / 15 });
  });

  it('counts quiet steps as steps, and drops those that left the window', () => {
    const estimator = new RealizedVolatility({ stepMs: 1_000, samples: 10 });
    estimator.observe(0, 5_000);
    estimator.observe(500, 5_100);
    estimator.observe(6_001, 5_100);
    expect(estimator.variance()).toEqual({ samples: 6, bpsSquaredPerSecond: 10_000 / 6 });
    estimator.observe(6 * 86_400_000, 5_100);
    expect(estimator.variance()).toEqual({ samples: 10, bpsSquaredPerSecond: 0 });
  });

  it('does not depend on values between grid points', () => {
    const path = fc.array(fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 9_999 })), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(path, (steps) => {
        const estimator = new RealizedVolatility({ stepMs: 1_000, samples: 50 });
        const history: (readonly [number, number])[] = [];
        let time = 7;
        for (const [wait, mid] of steps) {
          estimator.observe(time, mid);
          history.push([time, mid]);
          time += wait;
        }
        const changes: number[] = [];
        const last = history.at(-1)?.[0] ?? 0;
        const midAt = (point: number) => history.findLast(([time]) => time <= point)?.[1] ?? 0;
        for (let point = 1_007; point < last; point += 1_000) changes.push(midAt(point) - midAt(point - 1_000));
        const window = changes.slice(-50);
        const sum = window.reduce((total, change) => total + change * change, 0);
        expect(estimator.variance().samples).toBe(window.length);
        expect(estimator.variance().bpsSquaredPerSecond).toBe(window.length === 0 ? 0 : sum / window.length);
      }),
    );
  });

  it('finds the 61,872,398 squared bps of the double mid in the recorded match in play, in 2,715 steps', () => {
    const tape = TapeFile.open(join(import.meta.dirname, '../../../config/tapes/betfair-1.200806927.tape'));
    const [entry] = tape.manifest.markets;
    const market = new MarketReplay(entry?.grid ?? { type: 'tick', tickBps: 1 });
    const estimator = new RealizedVolatility({ stepMs: 5_000, samples: 5_000 });
    const inPlay = Date.parse('2022-07-11T11:00:20.540Z');
    const block = makeBlock(65_536);
    const feed = tape.feed();
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; row += 1) {
        market.apply(block, row);
        if (((block.flags[row] ?? 0) & FLAG.last) === 0) continue;
        market.endMessage();
        const time = block.tx[row] ?? 0;
        if (time >= inPlay)
          estimator.observe(time, market.isOpen && market.doubleMark !== undefined ? market.doubleMark / 2 : undefined);
      }
    }
    feed.close();
    const { bpsSquaredPerSecond, samples } = estimator.variance();
    expect(samples).toBe(2_715);
    expect(bpsSquaredPerSecond * samples * 5 * 4).toBeCloseTo(61_872_398, 3);
  });
});
