/** Comparisons of runs, and sensitivity tables, as columns for people. */
import type { Comparison, RunDifference, RunFigures, SensitivityCell } from '../../backtest/index.ts';
import { formatMicros, formatShares, microShares, microUsd } from '../../domain/index.ts';
import { columnsText } from './columns-text.ts';

const FIGURES: readonly (readonly [title: string, of: (run: RunFigures) => string])[] = [
  ['fills', ({ fills }) => String(fills)],
  ['shares', ({ shares }) => formatShares(microShares(shares))],
  ['P&L $', ({ pnlMicros }) => dollars(pnlMicros)],
  ['spread $', ({ spreadMicros }) => dollars(spreadMicros)],
  ['inventory $', ({ inventoryMicros }) => dollars(inventoryMicros)],
  ['settlement $', ({ settlementMicros }) => dollars(settlementMicros)],
  ['fees $', ({ feesMicros }) => dollars(feesMicros)],
  ['drawdown $', ({ maxDrawdownMicros }) => dollars(maxDrawdownMicros)],
  ['effective bps', ({ effectiveBps }) => effectiveBps?.toFixed(1) ?? '-'],
];

/** A line for each run, then its difference to the first. @param width characters a line */
export function comparisonText({ runs, differences, sameTapes }: Comparison, width: number): string {
  const figures = columnsText(
    [
      { title: 'run', cells: runs.map(({ name }) => name), bends: true },
      ...FIGURES.map(([title, of], at) => ({ title, cells: runs.map(of), leave: FIGURES.length - at })),
    ],
    width,
  );
  const [first] = runs;
  const paired = columnsText(
    [
      { title: `less ${first?.name ?? ''}`, cells: differences.map(({ name }) => name), bends: true },
      { title: 'fills', cells: differences.map(({ fills }) => signed(fills)) },
      { title: 'P&L $', cells: differences.map(({ pnlMicros }) => dollars(pnlMicros)) },
      { title: '95 % interval $', cells: differences.map(intervalText) },
      { title: 'pairs', cells: differences.map(pairsText) },
    ],
    width,
  );
  const warning = sameTapes ? '' : '\nThe runs are on different tapes: the differences are also those of the tapes.\n';
  return `${figures}\n${paired}${warning}`;
}

/** A line for each combination. @param width characters a line */
export function sensitivityText(cells: readonly SensitivityCell[], width: number): string {
  return columnsText(
    [
      { title: 'queue', cells: cells.map(({ queue }) => queue) },
      { title: 'latency', cells: cells.map(({ latency }) => `x ${latency}`) },
      { title: 'book', cells: cells.map(({ reactive }) => (reactive ? 'reactive' : 'immutable')) },
      { title: 'fills', cells: cells.map(({ fills }) => String(fills)) },
      { title: 'shares', cells: cells.map(({ shares }) => formatShares(microShares(shares))) },
      { title: 'P&L $', cells: cells.map(({ pnlMicros }) => dollars(pnlMicros)) },
    ],
    width,
  );
}

function intervalText({ interval }: RunDifference): string {
  return interval === null ? 'too few pairs' : `${dollars(interval[0])} to ${dollars(interval[1])}`;
}

function pairsText({ pairedBy, pairs }: RunDifference): string {
  if (pairedBy === null) return 'none';
  return `${pairs} ${pairedBy === 'block' ? 'blocks of time' : pairs === 1 ? 'market' : 'markets'}`;
}

function dollars(micros: number): string {
  return formatMicros(microUsd(micros));
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}
