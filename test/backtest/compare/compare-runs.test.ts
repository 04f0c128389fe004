import { describe, expect, it } from 'vitest';
import { type ComparedRun, compareRuns } from '../../../src/backtest/index.ts';
import { seededRandom } from '../../../src/clock/index.ts';

const zero = {
  spreadMicros: 0,
  inventoryMicros: 0,
  settlementMicros: 0,
  feesMicros: 0,
  rewardsMicros: 0,
  roundingMicros: 0,
};

/** A run with this P&L per market. */
function run(name: string, pnls: readonly number[], tape = 'a', equity?: ComparedRun['equity']): ComparedRun {
  const totalMicros = pnls.reduce((sum, pnl) => sum + pnl, 0);
  const result: ComparedRun['result'] = {
    strategy: 'ladder',
    tape: { name: tape, sha256: tape, events: 1, from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
    fills: { count: pnls.length, maker: pnls.length, taker: 0, shares: pnls.length * 1_000_000 },
    pnl: {
      totalMicros,
      realizedMicros: totalMicros,
      unrealizedMicros: 0,
      feesMicros: 0,
      commissionMicros: 0,
      settlementMicros: 0,
    },
    split: { ...zero, spreadMicros: totalMicros },
    markouts: { effective: null, horizons: [] },
    maxDrawdownMicros: 0,
    maxInventoryShares: 0,
    markets: pnls.map((pnlMicros, at) => {
      return {
        slug: `m${at}`,
        payout: null,
        fills: 1,
        ownShares: 0,
        recordedShares: 0,
        pnlMicros,
        maxInventoryShares: 0,
      };
    }),
  };
  return equity === undefined ? { name, result } : { name, result, equity };
}

const random = () => seededRandom(1);

describe('a comparison of runs', () => {
  it('pairs markets, so that a constant advantage has an interval of width zero', () => {
    const before = Array.from({ length: 30 }, (_, at) => at * 1_000_000);
    const { differences } = compareRuns(
      [
        run('before', before),
        run(
          'after',
          before.map((pnl) => pnl + 50),
        ),
      ],
      random(),
    );
    expect(differences).toEqual([
      {
        name: 'after',
        than: 'before',
        fills: 0,
        shares: 0,
        pnlMicros: 1_500,
        pairedBy: 'market',
        pairs: 30,
        interval: [1_500, 1_500],
      },
    ]);
  });

  it('pairs only markets of both runs, and has no interval with fewer than 20', () => {
    const { differences } = compareRuns([run('before', [1, 2]), run('after', [1, 2, 3])], random());
    expect(differences[0]).toMatchObject({ pairedBy: 'market', pairs: 2, interval: null, pnlMicros: 3 });
  });

  it('pairs blocks of time of a single market when both runs have their equity', () => {
    const time = Array.from({ length: 31 }, (_, minute) => minute * 60_000);
    const line = (slope: number) => ({ time, value: time.map((_, at) => (at % 2) * 900 + at * slope) });
    const { differences } = compareRuns(
      [run('before', [0], 'a', line(10)), run('after', [600], 'a', line(30))],
      random(),
    );
    expect(differences[0]).toMatchObject({ pairedBy: 'block', pairs: 30, interval: [600, 600] });
  });

  it('reports runs on different tapes', () => {
    expect(compareRuns([run('a', [1], 'one'), run('b', [1], 'other')], random()).sameTapes).toBe(false);
    expect(compareRuns([run('a', [1]), run('b', [1])], random()).sameTapes).toBe(true);
  });

  it('has the same result for the same seed', () => {
    const runs = [
      run(
        'a',
        Array.from({ length: 40 }, (_, at) => at ** 2),
      ),
      run(
        'b',
        Array.from({ length: 40 }, (_, at) => at),
      ),
    ];
    expect(compareRuns(runs, random())).toEqual(compareRuns(runs, random()));
  });
});
