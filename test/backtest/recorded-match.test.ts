/** The recorded match that ships with the project, against figures of an independent script (test/fixtures/betfair). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BacktestRun, parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { options } from './scenario.ts';

const CONFIG = fileURLToPath(new URL('../../config/', import.meta.url));
const EXPECTED = z
  .object({
    prints: z.object({ inPlay: z.int(), inPlayLots: z.int() }),
    takerFlowInPlay: z.object({
      prints: z.int(),
      lots: z.int(),
      effectiveHalfSpreadBps: z.number(),
      realisedHalfSpreadBps: z.record(z.string(), z.number()),
    }),
  })
  .parse(JSON.parse(readFileSync(new URL('../fixtures/betfair/expected.json', import.meta.url), 'utf8')));

async function match(spec: object): Promise<BacktestRun> {
  const tapes = ['tapes/betfair-1.200806927.tape'];
  return await runBacktest(parseRunSpec({ tapes, report_dir: null, ...spec }), options(CONFIG));
}

const IN_PLAY = { from: '2022-07-11T11:00:20.540Z' };
const TAKER = { strategy: 'taker', params: { shares: 50 } };

describe('the recorded match', () => {
  it('has the makers’ earnings in play regardless of own orders', async () => {
    const { detail } = await match({ ...TAKER, ...IN_PLAY });
    const { effective, horizons } = detail.atRecordedMid;
    const { takerFlowInPlay: flow, prints } = EXPECTED;
    expect(effective.recorded?.count).toBe(flow.prints);
    expect(effective.recorded?.shares).toBe(flow.lots * 10_000);
    expect(effective.recorded?.bps).toBeCloseTo(flow.effectiveHalfSpreadBps, 2);
    const realized = Object.fromEntries(horizons.map(({ label, recorded }) => [label.replace(' ', ''), recorded?.bps]));
    for (const [label, bps] of Object.entries(flow.realisedHalfSpreadBps))
      expect(realized[label], label).toBeCloseTo(bps, 2);
    expect(detail.markets[0]?.recordedShares).toBe(prints.inPlayLots * 10_000);
    expect(detail.effective.own).toBeUndefined();
  });

  it('measures its makers against the mark, which also exists for one-sided books', async () => {
    const { detail } = await match({ ...TAKER, ...IN_PLAY });
    expect(detail.effective.recorded?.count).toBe(EXPECTED.prints.inPlay);
    expect(detail.effective.recorded?.shares).toBe(EXPECTED.prints.inPlayLots * 10_000);
    const last = (rows: typeof detail.horizons) => rows.at(-1)?.recorded?.bps;
    expect(last(detail.horizons)).not.toBe(last(detail.atRecordedMid.horizons));
  });

  it('pays the winner, less commission on the winnings', async () => {
    const { result, detail } = await match({ ...TAKER, ...IN_PLAY });
    expect(detail.markets[0]?.payout).toBe(10_000);
    expect(result.fills).toMatchObject({ count: 1, taker: 1, shares: 50_000_000 });
    const won = result.pnl.settlementMicros;
    expect(won).toBeGreaterThan(0);
    expect(result.pnl.feesMicros).toBe(-Math.ceil(won / 20));
    expect(result.pnl).toMatchObject({ totalMicros: won + result.pnl.feesMicros, unrealizedMicros: 0 });
    expect(result.volumeShare).toBeCloseTo(5_000 / EXPECTED.prints.inPlayLots, 12);
  });

  it('has the same hash and numbers in a second run', async () => {
    const spec = {
      strategy: 'quoter',
      params: { bid: 7_874, ask: 8_197, shares: 100 },
      queue: { model: 'power' },
      ...IN_PLAY,
    };
    const [first, second] = [await match(spec), await match(spec)];
    expect(first.result.fills.count).toBeGreaterThan(0);
    expect({ ...second.result, wallMs: 0, eventsPerSecond: 0 }).toEqual({
      ...first.result,
      wallMs: 0,
      eventsPerSecond: 0,
    });
    expect(second.detail).toEqual(first.detail);
  });
});
