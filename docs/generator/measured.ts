/** What the shipped configurations earn on the recorded match, under each queue model: a table for their READMEs. */
import { dirname } from 'node:path';
import { parseRunSpec, type RunResult, runBacktest } from '../../src/backtest/index.ts';
import { strategyFolders } from '../../src/cli/paths.ts';
import { readConfiguration } from '../../src/config/configuration.ts';
import { formatShares, formatUsd, microShares, microUsd } from '../../src/domain/index.ts';

/** What is run, and what the row is called. */
export interface Variant {
  readonly label: string;
  /** As given to `--set`. */
  readonly sets: readonly string[];
}

/** The queue models on the window of the configuration, then the whole recording. */
const QUEUES: readonly Variant[] = [
  { label: 'risk-averse', sets: ['queue={ model: risk-averse }'] },
  { label: 'power, n = 2', sets: ['queue={ model: power, n: 2 }'] },
  { label: 'log', sets: ['queue={ model: log }'] },
  { label: 'risk-averse, from the first row on', sets: ['queue={ model: risk-averse }', 'from=2022-07-05T00:00:00Z'] },
];

const KAPPAS: readonly Variant[] = [50, 138, 138.63].map((kappa) => ({
  label: `risk-averse, kappa ${kappa}`,
  sets: ['queue={ model: risk-averse }', `params.kappa=${kappa}`],
}));

/** The means that measured fill rates had over the match (strategies/glft/README.md). */
const GLFT_MEANS = {
  label: 'risk-averse, kappa 279, intensity 0.113',
  sets: ['queue={ model: risk-averse }', 'params.kappa=279', 'params.intensity=0.113'],
};

const DYNAMIC_GRID = {
  label: 'risk-averse, dynamic',
  sets: ['queue={ model: risk-averse }', 'params.grid_type=dynamic'],
};

const MID_ANCHOR = {
  label: 'risk-averse, anchor mid, b 100',
  sets: ['queue={ model: risk-averse }', 'params={ b: 100, anchor: mid, order_amount: 20, max_position: 300 }'],
};

const NO_SWEEPS = ['params.sweep_multiple=0', 'params.sweep_levels=0'];
const NO_JUMPS = ['params.jump_ticks=0', 'params.jump_sigmas=0'];
const SAME_WIDTH = 'params.max_vol_multiplier=1';

/** The last is the wrapped strategy on its own. */
const REGIME_PARTS: readonly Variant[] = [
  { label: 'sweep_multiple 20', sets: ['params.sweep_multiple=20'] },
  { label: 'jumps alone', sets: [...NO_SWEEPS, SAME_WIDTH] },
  { label: 'volatility alone', sets: [...NO_SWEEPS, ...NO_JUMPS] },
  { label: '`ladder` alone', sets: [...NO_SWEEPS, ...NO_JUMPS, SAME_WIDTH] },
].map(({ label, sets }) => ({ label: `risk-averse, ${label}`, sets: ['queue={ model: risk-averse }', ...sets] }));

const LADDER_OPTIONS: readonly Variant[] = [
  ['order optimisation', 'params.order_optimization_enabled=true'],
  ['inventory cost', 'params.price_type=inventory_cost'],
  ['hanging orders', 'params.hanging_orders_enabled=true'],
  ['delay of 60 s after fills', 'params.filled_order_delay=60'],
  ['ping-pong', 'params.ping_pong_enabled=true'],
].map(([label, set = '']) => ({ label: `risk-averse, ${label}`, sets: ['queue={ model: risk-averse }', set] }));

const SIGNAL_SDS: readonly Variant[] = [0.1, 5].map((sd) => ({
  label: `risk-averse, signal_sd ${sd}`,
  sets: ['queue={ model: risk-averse }', `params.signal_sd=${sd}`],
}));

/** What is measured, by strategy. */
export const MEASURED = {
  ladder: { config: 'config/demo.yaml', variants: [...QUEUES, ...LADDER_OPTIONS] },
  'avellaneda-stoikov': { config: 'config/avellaneda-stoikov.yaml', variants: [...QUEUES, ...KAPPAS] },
  glft: { config: 'config/glft.yaml', variants: [...QUEUES, GLFT_MEANS] },
  'logit-avellaneda-stoikov': { config: 'config/logit-avellaneda-stoikov.yaml', variants: QUEUES },
  grid: { config: 'config/grid.yaml', variants: [...QUEUES, DYNAMIC_GRID] },
  'event-regime': { config: 'config/event-regime.yaml', variants: [...QUEUES, ...REGIME_PARTS] },
  lmsr: { config: 'config/lmsr.yaml', variants: [...QUEUES, MID_ANCHOR] },
  signal: { config: 'config/signal.yaml', variants: [...QUEUES, ...SIGNAL_SDS] },
} as const;

/** A Markdown table, one row a variant. @param root folder of the project */
export async function measuredTable(config: string, root: string, variants: readonly Variant[]): Promise<string> {
  const rows: string[] = [];
  for (const { label, sets } of variants) {
    const { value, path } = readConfiguration(config, root, ['report_dir=null', ...sets]);
    const { result } = await runBacktest(parseRunSpec(value), {
      baseDir: dirname(path),
      strategyFolders: strategyFolders(root),
      version: 'reference',
      machine: { peakRssMb: () => 0 },
    });
    rows.push(row(label, result));
  }
  return [
    '| Queue | Total | Spread | Inventory | Settlement | Fees | Fills | Shares | Of it inside or `queue` |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function row(label: string, { pnl, split, fills, fillsByTag }: RunResult): string {
  const doubtful = Object.entries(fillsByTag).reduce(
    (sum, [tag, one]) => sum + (tag === 'queue' ? one.count : one.inside),
    0,
  );
  const share = fills.count === 0 ? 'none' : `${Math.round((doubtful * 100) / fills.count)} % of fills`;
  const dollars = [
    pnl.totalMicros,
    split.spreadMicros,
    split.inventoryMicros,
    split.settlementMicros,
    split.feesMicros,
  ].map((micros) => formatUsd(microUsd(micros)));
  return `| ${[label, ...dollars, fills.count, formatShares(microShares(fills.shares)), share].join(' | ')} |`;
}
