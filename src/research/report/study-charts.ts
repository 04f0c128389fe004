import type { Chart } from '../../backtest/report/index.ts';
import { type Dimension, fractionOfRange } from '../search/space.ts';
import {
  cellIndexes,
  computeHeatMap,
  formatCell,
  formatNumber,
  formatRangeEnd,
  type HeatCell,
  type PlottedTrial,
  parameterLabel,
} from './plotted-trials.ts';

const MARGINS = { marginTop: 26, marginBottom: 40 } as const;
/** Maximum number of lines in a chart, because more lines hide each other. */
export const MAX_LINES = 300;

export function progressChart(trials: readonly PlottedTrial[], objective: string): Chart {
  const points = trials.map(({ number, scores: [score = 0], isBest }) => ({ x: number, y: score, isLarge: isBest }));
  return {
    title: 'Trials in order',
    description: `${objective} of ${trials.length} trials.`,
    options: (plot, { name }) => ({
      ...MARGINS,
      height: name === 'wide' ? 260 : 220,
      x: { label: 'trial', labelArrow: 'none' },
      y: { label: objective, labelArrow: 'none', grid: true, nice: true },
      marks: dotMarks(plot, points),
    }),
  };
}

/** Draws a line per trial over all parameters. Trials of higher rank (0 to 1, the best) have stronger lines. */
export function parallelChart(trials: readonly PlottedTrial[], dimensions: readonly Dimension[]): Chart {
  const bestTrials = trials.toSorted((a, b) => b.rank - a.rank).slice(0, MAX_LINES);
  const rows = bestTrials.flatMap((trial) =>
    dimensions.flatMap((dimension) => {
      const value = trial.params[dimension.name];
      if (value === undefined) return [];
      return [{ ...trial, name: parameterLabel(dimension), at: fractionOfRange(dimension, value) }];
    }),
  );
  const ends = dimensions.flatMap((dimension) =>
    [0, 1].map((at) => ({ name: parameterLabel(dimension), at, text: formatRangeEnd(dimension, at) })),
  );
  const isRotated = (name: string): boolean => dimensions.length > 3 && name === 'narrow';
  return {
    title: 'Parameters of the trials',
    description: 'Each line is a trial. Each axis is a parameter, from its lowest to its highest value.',
    options: (plot, { name }) => ({
      ...MARGINS,
      marginLeft: isRotated(name) ? 64 : 40,
      marginRight: 40,
      marginBottom: isRotated(name) ? 72 : MARGINS.marginBottom,
      height: name === 'wide' ? 340 : 320,
      x: { domain: dimensions.map(parameterLabel), label: null, padding: 0.5, tickRotate: isRotated(name) ? -30 : 0 },
      y: { domain: [-0.1, 1.1], axis: null },
      marks: [
        plot.ruleX(ends, { x: 'name', y1: 0, y2: 1, stroke: 'var(--rule)' }),
        plot.line(rows, {
          x: 'name',
          y: 'at',
          z: 'number',
          stroke: 'var(--line)',
          strokeOpacity: (row: PlottedTrial) => 0.04 + 0.5 * row.rank * row.rank,
          strokeWidth: 1.2,
        }),
        plot.line(
          rows.filter(({ isBest }) => isBest),
          { x: 'name', y: 'at', z: 'number', stroke: 'var(--ask)', strokeWidth: 2.5 },
        ),
        ...[0, 1].map((end) =>
          plot.text(
            ends.filter(({ at }) => at === end),
            { x: 'name', y: 'at', text: 'text', dy: end === 0 ? 9 : -9 },
          ),
        ),
      ],
    }),
  };
}

/** Draws the mean of the first objective in cells of two parameters. */
export function heatChart(trials: readonly PlottedTrial[], x: Dimension, y: Dimension, objective: string): Chart {
  const { cells, low, high } = computeHeatMap(trials, x, y);
  const getOpacity = ({ mean }: HeatCell): number => (high > low ? 0.08 + (0.92 * (mean - low)) / (high - low) : 0.5);
  return {
    title: `${x.name} and ${y.name}`,
    description: `Mean of ${objective} by the two parameters that explain most of it, from ${formatNumber(low)} to ${formatNumber(high)}.`,
    options: (plot, { name }) => ({
      ...MARGINS,
      height: name === 'wide' ? 340 : 300,
      marginLeft: 70,
      x: {
        domain: cellIndexes(x),
        tickFormat: (cell: number) => formatCell(x, cell),
        label: x.name,
        labelArrow: 'none',
      },
      y: {
        domain: cellIndexes(y).toReversed(),
        tickFormat: (cell: number) => formatCell(y, cell),
        label: y.name,
        labelArrow: 'none',
      },
      marks: [
        plot.cell(cells, { x: 'x', y: 'y', fill: 'var(--line)', fillOpacity: getOpacity, inset: 1 }),
        plot.text(name === 'wide' ? cells : [], {
          x: 'x',
          y: 'y',
          text: ({ mean }: HeatCell) => formatNumber(mean, 3),
          fill: (cell: HeatCell) => (getOpacity(cell) > 0.7 ? 'var(--paper)' : 'var(--ink)'),
        }),
      ],
    }),
  };
}

/** Draws the first two objectives of each trial. Trials on the Pareto front are larger. */
export function frontChart(
  trials: readonly PlottedTrial[],
  front: ReadonlySet<number>,
  objectives: readonly string[],
): Chart {
  const [first = '', second = ''] = objectives;
  const points = trials.map(({ number, scores: [x = 0, y = 0] }) => ({ x, y, isLarge: front.has(number) }));
  return {
    title: 'Objectives against each other',
    description: `${first} and ${second} of ${trials.length} trials; ${front.size} are on the front.`,
    options: (plot, { name }) => ({
      ...MARGINS,
      height: name === 'wide' ? 320 : 280,
      x: { label: first, labelArrow: 'none', nice: true, grid: true },
      y: { label: second, labelArrow: 'none', nice: true, grid: true },
      marks: dotMarks(plot, points),
    }),
  };
}

function dotMarks(
  plot: Parameters<Chart['options']>[0],
  points: readonly { readonly x: number; readonly y: number; readonly isLarge: boolean }[],
) {
  const large = points.filter(({ isLarge }) => isLarge);
  return [
    plot.dot(points, { x: 'x', y: 'y', r: 2.5, fill: 'var(--other)', fillOpacity: 0.7 }),
    plot.dot(large, { x: 'x', y: 'y', r: 5, fill: 'var(--line)' }),
  ];
}
