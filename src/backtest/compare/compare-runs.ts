/**
 * Compares finished runs with the first run. Pairs P&L by market or by block of time, so that effects common to both
 * runs do not widen the interval.
 */
import { BlockDraws, BlockSums, type Line } from '../../analytics/index.ts';
import type { Random } from '../../clock/index.ts';
import type { RunResult, SplitResult } from '../run-result.ts';

export type ComparedResult = Pick<
  RunResult,
  'strategy' | 'tape' | 'fills' | 'pnl' | 'split' | 'markouts' | 'maxDrawdownMicros' | 'maxInventoryShares' | 'markets'
>;

export interface ComparedRun {
  readonly name: string;
  readonly result: ComparedResult;
  /** Undefined for a run from a file, whose JSON has no equity over time. */
  readonly equity?: Line;
}

/** Metrics of a run; micro-USD, micro-shares, bps. */
export interface ComparedMetrics extends Omit<SplitResult, 'rewardsMicros' | 'roundingMicros'> {
  readonly name: string;
  readonly strategy: string;
  readonly fills: number;
  readonly shares: number;
  readonly pnlMicros: number;
  readonly maxDrawdownMicros: number;
  readonly maxInventoryShares: number;
  /** Effective half-spread of own maker fills; null without such fills. */
  readonly effectiveBps: number | null;
}

/** A run minus the first run. */
export interface RunDifference {
  readonly name: string;
  /** Name of the first run. */
  readonly than: string;
  readonly fills: number;
  readonly shares: number;
  readonly pnlMicros: number;
  /** Pairs are markets, or blocks of time of equal length; null without pairs. */
  readonly pairedBy: 'market' | 'block' | null;
  readonly pairs: number;
  /** Bootstrap percentiles 2.5 and 97.5 of the difference of P&L, micro-USD; null with fewer than 20 pairs. */
  readonly interval: readonly [number, number] | null;
}

export interface Comparison {
  /** Whether all runs replayed the same tapes. If not, the tapes cause a part of the differences. */
  readonly sameTapes: boolean;
  readonly runs: readonly ComparedMetrics[];
  readonly differences: readonly RunDifference[];
}

/** Minimum number of pairs for an interval (docs/spec/models.md#confidence-intervals). */
const MIN_PAIRS = 20;
const MAX_BLOCKS = 200;
const MIN_BLOCK_MS = 60_000;

/** @throws RangeError for fewer than two runs */
export function compareRuns(runs: readonly ComparedRun[], random: Random): Comparison {
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) throw new RangeError('Invariant: a comparison needs two runs');
  return {
    sameTapes: others.every(({ result }) => result.tape.sha256 === first.result.tape.sha256),
    runs: runs.map(toMetrics),
    differences: others.map((run, index) => compareToFirst(run, first, random.fork(`compare/${index}`))),
  };
}

function toMetrics({ name, result }: ComparedRun): ComparedMetrics {
  const { strategy, fills, pnl, split, markouts, maxDrawdownMicros, maxInventoryShares } = result;
  return {
    name,
    strategy,
    fills: fills.count,
    shares: fills.shares,
    pnlMicros: pnl.totalMicros,
    spreadMicros: split.spreadMicros,
    inventoryMicros: split.inventoryMicros,
    settlementMicros: split.settlementMicros,
    feesMicros: split.feesMicros,
    maxDrawdownMicros,
    maxInventoryShares,
    effectiveBps: markouts.effective?.bps ?? null,
  };
}

function compareToFirst(run: ComparedRun, first: ComparedRun, random: Random): RunDifference {
  const byMarket = marketPairs(run.result, first.result);
  const byBlock = byMarket.length >= MIN_PAIRS ? [] : blockPairs(run.equity, first.equity);
  const usesBlocks = byBlock.length >= MIN_PAIRS;
  const pairs = usesBlocks ? byBlock : byMarket;
  const { fills, pnl } = run.result;
  return {
    name: run.name,
    than: first.name,
    fills: fills.count - first.result.fills.count,
    shares: fills.shares - first.result.fills.shares,
    pnlMicros: pnl.totalMicros - first.result.pnl.totalMicros,
    pairedBy: usesBlocks ? 'block' : pairs.length > 0 ? 'market' : null,
    pairs: pairs.length,
    interval: computeInterval(pairs, random),
  };
}

function marketPairs(run: ComparedResult, first: ComparedResult): readonly number[] {
  const firstPnl = new Map(first.markets.map(({ slug, pnlMicros }) => [slug, pnlMicros]));
  return run.markets.flatMap(({ slug, pnlMicros }) => {
    const firstMicros = firstPnl.get(slug);
    return firstMicros === undefined ? [] : [pnlMicros - firstMicros];
  });
}

/** Returns the differences between the runs' equity changes, by block of the time that both runs cover. */
function blockPairs(run: Line | undefined, first: Line | undefined): readonly number[] {
  if (run === undefined || first === undefined) return [];
  const from = Math.max(run.time[0] ?? 0, first.time[0] ?? 0);
  const to = Math.min(run.time.at(-1) ?? 0, first.time.at(-1) ?? 0);
  const blocks = Math.min(MAX_BLOCKS, Math.floor((to - from) / MIN_BLOCK_MS));
  const differences: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const [start, end] = [from + ((to - from) * block) / blocks, from + ((to - from) * (block + 1)) / blocks];
    differences.push(equityAt(run, end) - equityAt(run, start) - (equityAt(first, end) - equityAt(first, start)));
  }
  return differences;
}

/** Returns the last value at or before a time. */
function equityAt({ time, value }: Line, at: number): number {
  let [low, high] = [0, time.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((time[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return value[low] ?? 0;
}

function computeInterval(pairs: readonly number[], random: Random): readonly [number, number] | null {
  if (pairs.length < MIN_PAIRS) return null;
  // Each pair is a block of its own: `index` takes the place of the time.
  const sums = new BlockSums(1);
  for (const [index, value] of pairs.entries()) sums.add(index, 1, value);
  const bounds = sums.interval(new BlockDraws(random));
  return bounds === undefined ? null : [Math.round(bounds[0] * pairs.length), Math.round(bounds[1] * pairs.length)];
}
