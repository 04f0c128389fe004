/** Metrics of a backtest that a study stores, and that objectives use. */
import { z } from 'zod';
import type { RunResult } from '../../backtest/index.ts';

/** Amounts are in micro-USD and micro-shares. */
export const metricsSchema = z.object({
  markets: z.array(z.object({ slug: z.string(), pnl: z.number() })).min(1),
  /** After fees and settlement, with rewards, like the `pnl` of each market. */
  pnl: z.number(),
  /** Earnings of own maker fills against the mid 30 s later, with fees and rewards. */
  pnlAfterMarkout: z.number(),
  rewards: z.number(),
  fees: z.number(),
  maxDrawdown: z.number(),
  /** Largest |YES - NO| of one market. */
  maxInventory: z.number(),
  fills: z.number(),
  shares: z.number(),
  /** Mean distance of own maker fills from the mid, bps a share; null without such fills. */
  effectiveBps: z.number().nullable(),
  eventLogHash: z.string(),
  /** Mean two-sided uptime of the markets, 0..1; null if it was not measured, or no market had a two-sided book. */
  twoSided: z.number().nullable().default(null),
});
export type RunMetrics = Readonly<z.output<typeof metricsSchema>>;

export function toMetrics(result: RunResult, twoSided: number | null): RunMetrics {
  const { pnl, rewards, markouts, fills } = result;
  const mean = markouts.horizons.find(({ label }) => label === '30 s')?.mean ?? null;
  const earned = mean === null ? 0 : Math.round((mean.bps * mean.shares) / 10_000);
  const paid = rewards.rebatesMicros + rewards.liquidityMicros;
  return {
    markets: result.markets.map(({ slug, pnlMicros }) => ({ slug, pnl: pnlMicros })),
    pnl: pnl.totalMicros,
    pnlAfterMarkout: earned + pnl.feesMicros + paid,
    rewards: paid,
    fees: pnl.feesMicros,
    maxDrawdown: result.maxDrawdownMicros,
    maxInventory: result.maxInventoryShares,
    fills: fills.count,
    shares: fills.shares,
    effectiveBps: markouts.effective?.bps ?? null,
    eventLogHash: result.eventLogHash,
    twoSided,
  };
}

/** Names in objectives, with their meaning over several runs. */
export const OBJECTIVE_METRICS = {
  pnl: 'mean P&L of a market, USD, after fees and settlement, with rewards',
  pnl_error: 'standard error of `pnl`, which allows for correlation within an event and a day; 0 for a single market',
  pnl_total: 'P&L of all markets, USD',
  pnl_after_markout: 'mean over runs of earnings of maker fills against the mid 30 s later, with fees and rewards, USD',
  reward: 'mean over runs of rebates and liquidity rewards, USD',
  drawdown: 'mean over runs of the largest fall of equity, USD',
  worst_drawdown: 'largest fall of equity of all runs, USD',
  inventory: 'largest |YES - NO| of all markets, shares',
  fills: 'mean over runs of the number of fills',
  volume: 'mean over runs of own volume, shares',
} as const;

export type ObjectiveMetric = keyof typeof OBJECTIVE_METRICS;

const MICROS_PER_UNIT = 1_000_000;

/** @param runs at least one. @param pnlError USD */
export function objectiveMetrics(
  runs: readonly RunMetrics[],
  pnlError: number,
): Readonly<Record<ObjectiveMetric, number>> {
  const sum = (metric: (run: RunMetrics) => number): number => runs.reduce((total, run) => total + metric(run), 0);
  const mean = (metric: (run: RunMetrics) => number): number => sum(metric) / runs.length;
  const maximum = (metric: (run: RunMetrics) => number): number => Math.max(0, ...runs.map(metric));
  const total = sum((run) => run.markets.reduce((runPnl, { pnl }) => runPnl + pnl, 0));
  return {
    pnl: total / sum(({ markets }) => markets.length) / MICROS_PER_UNIT,
    pnl_error: pnlError,
    pnl_total: total / MICROS_PER_UNIT,
    pnl_after_markout: mean(({ pnlAfterMarkout }) => pnlAfterMarkout) / MICROS_PER_UNIT,
    reward: mean(({ rewards }) => rewards) / MICROS_PER_UNIT,
    drawdown: mean(({ maxDrawdown }) => maxDrawdown) / MICROS_PER_UNIT,
    worst_drawdown: maximum(({ maxDrawdown }) => maxDrawdown) / MICROS_PER_UNIT,
    inventory: maximum(({ maxInventory }) => maxInventory) / MICROS_PER_UNIT,
    fills: mean(({ fills }) => fills),
    volume: mean(({ shares }) => shares) / MICROS_PER_UNIT,
  };
}
