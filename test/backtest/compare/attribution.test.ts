import { describe, expect, it } from 'vitest';
import {
  attributeDifference,
  calibrate,
  parseRunSpec,
  type RunSpec,
  type SessionOutcome,
  testCalibration,
} from '../../../src/backtest/index.ts';

const SPEC = parseRunSpec({ strategy: 'ladder', tapes: ['a.tape'], report_dir: null });
const LIVE: SessionOutcome = { fills: 54, shares: 381_980_000, pnlMicros: 2_687_731 };

/** A fake backtest whose result depends only on the assumptions. */
async function run({ latency, queue, liquidity, fees }: RunSpec): Promise<SessionOutcome> {
  const isRecorded = latency.model === 'recorded';
  const isMeasured = isRecorded && latency.placing_delay === 'measured';
  const fills = 86 - (isRecorded ? 9 : 0) - (isMeasured ? 4 : 0) - (queue.model === 'log' ? 15 : 0);
  const pnl = fills * 10_007 - (liquidity === 'immutable' ? 31 : 0) - (fees.model === 'taker' ? fees.rate_bps : 0);
  return { fills, shares: fills * 7_000_000, pnlMicros: pnl };
}

const options = { spec: SPEC, session: '/s.steps', live: LIVE, run };

describe('the attribution of a session', () => {
  it('has parts that add up to the whole difference, to the share and the micro-dollar', async () => {
    const { parts, live, backtest } = await attributeDifference({ ...options, feeRateBps: 123 });
    expect(live).toEqual(LIVE);
    for (const key of ['fills', 'shares', 'pnlMicros'] as const) {
      expect(parts.reduce((sum, part) => sum + part[key], 0)).toBe(live[key] - backtest[key]);
    }
  });

  it('assigns to each cause the change from replacing its assumption', async () => {
    const { parts } = await attributeDifference({ ...options, feeRateBps: 123 });
    expect(parts.map(({ cause, change, fills }) => [cause, change, fills])).toEqual([
      ['latency', 'constant → recorded', -9],
      ['placing delay', 'published → measured', -4],
      ['queue', 'risk-averse → log', -15],
      ['own liquidity', 'consumed → immutable', 0],
      ['fees', 'none → taker, 123 bps', 0],
      ['unexplained', 'the session itself', -4],
    ]);
    expect(parts.map(({ pnlMicros }) => pnlMicros).slice(3, 5)).toEqual([-31, -123]);
  });

  it('reports that a venue without fees charges none', async () => {
    const { parts } = await attributeDifference({ ...options, feeRateBps: 0 });
    expect(parts[4]).toEqual({ cause: 'fees', change: 'the venue charges no fees', fills: 0, shares: 0, pnlMicros: 0 });
  });
});

describe('a calibration', () => {
  const times = { entryMs: { median: 2.4, p99: 27 }, responseMs: { median: 3, p99: 24 }, placingMs: 502 };

  it('ranks the candidates by their error and writes the models of the best one', async () => {
    const found = await calibrate({ spec: SPEC, live: LIVE, run }, times);
    expect(found.candidates).toHaveLength(12);
    expect(found.candidates.map(({ error }) => error)).toEqual(
      found.candidates.map(({ error }) => error).toSorted((a, b) => a - b),
    );
    expect(found.models).toEqual({
      queue: { model: 'log', variant: 'split' },
      latency: { model: 'constant', feed_ms: 50, entry_ms: 2, response_ms: 3, placing_ms: 502 },
    });
    // 71 fills and 497 shares instead of 54 and 381.98.
    expect(found.candidates[0]?.error).toBeCloseTo((17 / 54 + 115.02 / 381.98) / 2, 9);
    expect(found.errorBefore).toBeGreaterThan(found.candidates[0]?.error ?? 1);
  });

  it('is tested on another session and compared with the previous models', async () => {
    const { models } = await calibrate({ spec: SPEC, live: LIVE, run }, times);
    const other = { fills: 71, shares: 497_000_000, pnlMicros: 0 };
    const tested = await testCalibration({ spec: SPEC, live: other, run }, models);
    expect(tested.error).toBe(0);
    expect(tested.errorBefore).toBeCloseTo((15 / 71 + 105 / 497) / 2, 9);
  });
});
