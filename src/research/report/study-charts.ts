/** Charts of a study's trials. */
import type { Chart } from '../../backtest/report/index.ts';
import { type Dimension, positionOf } from '../search/space.ts';
import {
  cellsOf,
  cellText,
  endText,
  type HeatCell,
  heatMap,
  labelOf,
  numberText,
  type PlottedTrial,
} from './plotted-trials.ts';

const FRAME = { marginTop: 26, marginBottom: 40 } as const;
/** Maximum number of lines in a chart: more would hide each other. */
export const MAX_LINES = 300;

export function progressChart(trials: readonly PlottedTrial[], objective: string): Chart {
  const points = trials.map(({ number, scores: [score = 0], isBest }) => ({ x: number, y: score, isLarge: isBest }));
  return {
    title: 'Trials in order',
    description: `${objective} of ${trials.length} trials.`,
    options: (plot, { name }) => ({
      ...FRAME,
      height: name === 'wide' ? 260 : 220,
      x: { label: 'trial', labelArrow: 'none' },
      y: { label: objective, labelArrow: 'none', grid: true, nice: true },
      marks: dots(plot, points),
    }),
  };
}

/** A line per trial over all parameters. Better trials have stronger lines. */
export function parallelChart(trials: readonly PlottedTrial[], dimensions: readonly Dimension[]): Chart {
  const shown = trials.toSorted((a, b) => b.rank - a.rank).slice(0, MAX_LINES);
  const rows = shown.flatMap((trial) =>
    dimensions.flatMap((dimension) => {
      const value = trial.params[dimension.name];
      if (value === undefined) return [];
      return [{ ...trial, name: labelOf(dimension), at: positionOf(dimension, value) }];
    }),
  );
  const ends = dimensions.flatMap((dimension) =>
    [0, 1].map((at) => ({ name: labelOf(dimension), at, text: endText(dimension, at) })),
  );
  const isRotated = (name: string): boolean => dimensions.length > 3 && name === 'narrow';
  return {
    title: 'Parameters of the trials',
    description: 'Each line is a trial. Each axis is a parameter, from its lowest to its highest value.',
    options: (plot, { name }) => ({
      ...FRAME,
      marginLeft: isRotated(name) ? 64 : 40,
      marginRight: 40,
      marginBottom: isRotated(name) ? 72 : FRAME.marginBottom,
      height: name === 'wide' ? 340 : 320,
      x: {
        domain: dimensions.map(labelOf),
        label: null,
        padding: 0.5,
        tickRotate: isRotated(name) ? -30 : 0,
      },
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

/** Mean of the first objective in cells of two parameters. */
export function heatChart(trials: readonly PlottedTrial[], x: Dimension, y: Dimension, objective: string): Chart {
  const { cells, low, high } = heatMap(trials, x, y);
  const opacityOf = ({ mean }: HeatCell): number => (high > low ? 0.08 + (0.92 * (mean - low)) / (high - low) : 0.5);
  return {
    title: `${x.name} and ${y.name}`,
    description: `Mean of ${objective} by the two parameters that explain most of it, from ${numberText(low)} to ${numberText(high)}.`,
    options: (plot, { name }) => ({
      ...FRAME,
      height: name === 'wide' ? 340 : 300,
      marginLeft: 70,
      x: { domain: cellsOf(x), tickFormat: (cell: number) => cellText(x, cell), label: x.name, labelArrow: 'none' },
      y: {
        domain: cellsOf(y).toReversed(),
        tickFormat: (cell: number) => cellText(y, cell),
        label: y.name,
        labelArrow: 'none',
      },
      marks: [
        plot.cell(cells, {
          x: 'x',
          y: 'y',
          fill: 'var(--line)',
          fillOpacity: opacityOf,
          inset: 1,
        }),
        plot.text(name === 'wide' ? cells : [], {
          x: 'x',
          y: 'y',
          text: ({ mean }: HeatCell) => numberText(mean, 3),
          fill: (cell: HeatCell) => (opacityOf(cell) > 0.7 ? 'var(--paper)' : 'var(--ink)'),
        }),
      ],
    }),
  };
}

/** The first two objectives of each trial. Trials of the front are larger. */
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
      ...FRAME,
      height: name === 'wide' ? 320 : 280,
      x: { label: first, labelArrow: 'none', nice: true, grid: true },
      y: { label: second, labelArrow: 'none', nice: true, grid: true },
      marks: dots(plot, points),
    }),
  };
}

function dots(
  plot: Parameters<Chart['options']>[0],
  points: readonly { readonly x: number; readonly y: number; readonly isLarge: boolean }[],
) {
  const large = points.filter(({ isLarge }) => isLarge);
  return [
    plot.dot(points, { x: 'x', y: 'y', r: 2.5, fill: 'var(--other)', fillOpacity: 0.7 }),
    plot.dot(large, { x: 'x', y: 'y', r: 5, fill: 'var(--line)' }),
  ];
}
