import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, microShares, priceBps, unchecked } from '../../../src/domain/index.ts';
import { MoveDetector, SweepDetector } from '../../../strategies/event-regime/alarms.ts';
import { runs } from '../../runs.ts';

function trade(time: number, taker: 'BUY' | 'SELL' | 'unknown', shares: number, price = 6_000) {
  return {
    market: unchecked.market(0),
    time: epochMs(time),
    taker,
    price: priceBps(price),
    shares: microShares(shares * 1_000_000),
  };
}

describe('the move of the mid', () => {
  it('is the largest distance from a mid that was current within the window', () => {
    const moves = new MoveDetector(1_000);
    expect(moves.move(0, 6_000)).toBe(0);
    // The first mid was current until now.
    expect(moves.move(10_000, 6_050)).toBe(50);
    expect(moves.move(10_500, 6_020)).toBe(30);
    expect(moves.move(10_999, 6_060)).toBe(60);
    expect(moves.move(11_000, 6_060)).toBe(40);
    expect(moves.move(13_000, 6_061)).toBe(1);
  });

  it('agrees with a comparison of all mids', () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 700 }), mid: fc.integer({ min: 100, max: 130 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const moves = new MoveDetector(1_000);
        const history: { readonly time: number; readonly mid: number }[] = [];
        let time = 0;
        for (const { wait, mid } of steps) {
          time += wait;
          history.push({ time, mid });
          const current = history.filter((_, index) => (history[index + 1]?.time ?? time + 1) > time - 1_000);
          const expected = Math.max(...current.map((entry) => Math.abs(entry.mid - mid)));
          expect(moves.move(time, mid)).toBe(expected);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a sweep', () => {
  const options = { windowMs: 1_000, multiple: 5, levels: 3 };

  /** A detector after `windows` windows in which buyers trade 10 shares and sellers 4. */
  function detectorAfter(windows: number): SweepDetector {
    const sweeps = new SweepDetector(options);
    for (let window = 0; window < windows; window++) {
      expect(sweeps.trade(trade(window * 1_000, 'BUY', 10))).toBeUndefined();
      expect(sweeps.trade(trade(window * 1_000 + 10, 'SELL', 4))).toBeUndefined();
    }
    return sweeps;
  }

  it('is a volume of five times the median window by takers of one side', () => {
    const sweeps = detectorAfter(20);
    expect(sweeps.trade(trade(60_000, 'SELL', 49))).toBeUndefined();
    expect(sweeps.trade(trade(60_100, 'BUY', 49))).toBeUndefined();
    expect(sweeps.trade(trade(60_200, 'unknown', 1_000))).toBeUndefined();
    expect(sweeps.trade(trade(60_300, 'SELL', 1))).toBe('shares');
    expect(sweeps.trade(trade(61_000, 'SELL', 49))).toBeUndefined();
  });

  it('needs 20 windows with trades for its median', () => {
    expect(detectorAfter(19).trade(trade(60_000, 'SELL', 40))).toBeUndefined();
    // The 19 windows and the one that ends now are enough.
    const sweeps = detectorAfter(19);
    sweeps.trade(trade(60_000, 'SELL', 10));
    expect(sweeps.trade(trade(61_000, 'SELL', 50))).toBe('shares');
  });

  it('uses the median of the last 100 windows', () => {
    const sweeps = detectorAfter(20);
    for (let window = 20; window < 121; window++) sweeps.trade(trade(window * 1_000, 'BUY', 40));
    expect(sweeps.trade(trade(200_000, 'BUY', 199))).toBeUndefined();
    expect(sweeps.trade(trade(201_000, 'BUY', 200))).toBe('shares');
  });

  it('is one message with trades at three prices', () => {
    const sweeps = new SweepDetector(options);
    expect(sweeps.trade(trade(5, 'BUY', 1, 6_000))).toBeUndefined();
    expect(sweeps.trade(trade(5, 'BUY', 1, 6_010))).toBeUndefined();
    expect(sweeps.trade(trade(5, 'BUY', 1, 6_010))).toBeUndefined();
    expect(sweeps.trade(trade(5, 'unknown', 1, 6_020))).toBe('levels');
    expect(sweeps.trade(trade(6, 'BUY', 1, 6_030))).toBeUndefined();
    expect(sweeps.trade(trade(6, 'BUY', 1, 6_040))).toBeUndefined();
    sweeps.endMessage();
    expect(sweeps.trade(trade(6, 'BUY', 1, 6_050))).toBeUndefined();
  });

  it('is never found with both options off', () => {
    const sweeps = new SweepDetector({ windowMs: 1_000, multiple: 0, levels: 0 });
    for (let index = 0; index < 5_000; index++)
      expect(sweeps.trade(trade(index * 300, 'BUY', index, 1 + index))).toBeUndefined();
  });
});
