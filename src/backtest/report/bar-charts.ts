/** Charts without a time axis: half-spreads by horizon, fills by level and side, P&L by cause. */
import type * as Plot from '@observablehq/plot';
import type { HorizonRow, LevelRow, WeightedMean } from '../../analytics/index.ts';
import type { SplitResult } from '../run-result.ts';
import type { Chart } from './drawing.ts';
import { bps, shares, signedUsd } from './number-text.ts';

const MICROS_PER_UNIT = 1_000_000;
const SHORT_LABELS: Readonly<Record<string, string>> = {
  'at the fill': 'fill',
  resolution: 'end',
  inventory: 'invent.',
  settlement: 'settl.',
  rewards: 'rew.',
  rounding: 'round.',
};

/** Returns an axis of labels, which are short on narrow screens. */
function labelAxis(format: 'wide' | 'narrow') {
  return { label: null, tickFormat: (label: string) => (format === 'wide' ? label : (SHORT_LABELS[label] ?? label)) };
}

interface Dot {
  readonly label: string;
  readonly series: string;
  readonly mean: WeightedMean;
}

/** Draws half-spreads at the fill and after each horizon, for own fills and for recorded makers. */
export function horizonChart(effective: HorizonRow, horizons: readonly HorizonRow[]): Chart {
  const rows = [effective, ...horizons];
  const dots = rows.flatMap(({ label, own, recorded }): Dot[] => [
    ...(own === undefined ? [] : [{ label, series: 'own fills', mean: own }]),
    ...(recorded === undefined ? [] : [{ label, series: 'recorded makers', mean: recorded }]),
  ]);
  return {
    title: 'Spread captured and kept',
    description: `Own fills: ${rows.map(({ label, own, recorded }) => `${label} ${own === undefined ? (label === 'resolution' && recorded === undefined ? 'not on the tape' : 'none') : bps(own.bps)}`).join(', ')} bps a share.`,
    options: (plot, format) => ({
      height: format.name === 'wide' ? 250 : 240,
      marginTop: 26,
      marginBottom: 34,
      x: { ...labelAxis(format.name), domain: rows.map(({ label }) => label), padding: 0.5 },
      y: { label: 'bps a share', nice: true, labelArrow: 'none' },
      marks: [
        plot.gridY({ stroke: 'var(--rule)', strokeOpacity: 1 }),
        plot.ruleY([0], { stroke: 'var(--muted)' }),
        ...seriesMarks(plot, dots, 'own fills', -6),
        ...seriesMarks(plot, dots, 'recorded makers', 6),
      ],
    }),
  };
}

function seriesMarks(plot: typeof Plot, dots: readonly Dot[], series: string, dx: number) {
  const seriesDots = dots.filter((dot) => dot.series === series);
  const bounds = seriesDots.flatMap(({ label, mean }) =>
    mean.interval === undefined ? [] : [{ label, low: mean.interval[0], high: mean.interval[1] }],
  );
  const isOwn = series === 'own fills';
  const colour = isOwn ? 'var(--line)' : 'var(--ask)';
  return [
    plot.ruleX(bounds, { x: 'label', y1: 'low', y2: 'high', stroke: colour, strokeWidth: 2, strokeOpacity: 0.55, dx }),
    plot.dot(seriesDots, {
      x: 'label',
      y: (dot: Dot) => dot.mean.bps,
      symbol: isOwn ? 'circle' : 'square',
      r: 5,
      fill: isOwn ? colour : 'var(--paper)',
      stroke: colour,
      strokeWidth: 1.6,
      dx,
    }),
  ];
}

/** Draws maker fills by level: bids on the left, asks on the right, the best level on top. */
export function levelChart(levels: readonly LevelRow[]): Chart {
  const label = ({ level }: LevelRow): string => `level ${level}`;
  const depth = Math.max(1, ...levels.map(({ level }) => level));
  return {
    title: 'Maker fills by level and side',
    description: levels.map((row) => `${row.side} ${row.level}: ${shares(row.shares)} shares`).join(', '),
    options: (plot) => ({
      height: 70 + 26 * depth,
      marginTop: 26,
      marginBottom: 34,
      x: { label: null, tickFormat: (value: number) => String(Math.abs(value)), nice: true },
      y: { domain: Array.from({ length: depth }, (_, index) => `level ${index + 1}`), label: null, padding: 0.3 },
      marks: [
        plot.gridX({ stroke: 'var(--rule)', strokeOpacity: 1 }),
        plot.barX(levels, {
          y: label,
          x: (row: LevelRow) => ((row.side === 'bid' ? -1 : 1) * row.shares) / MICROS_PER_UNIT,
          fill: (row: LevelRow) => (row.side === 'bid' ? 'var(--bid)' : 'var(--ask)'),
        }),
        plot.ruleX([0], { stroke: 'var(--muted)' }),
        plot.text(['own bids: shares bought'], { frameAnchor: 'top-left', dy: -18, fill: 'var(--bid)' }),
        plot.text(['own asks: shares sold'], { frameAnchor: 'top-right', dy: -18, fill: 'var(--ask)' }),
      ],
    }),
  };
}

/** Draws parts of the P&L as bars. Each bar starts at the end of the previous bar. The last bar is the total. */
export function splitChart(split: SplitResult, total: number): Chart {
  const parts: readonly (readonly [string, number])[] = [
    ['spread', split.spreadMicros],
    ['inventory', split.inventoryMicros],
    ['settlement', split.settlementMicros],
    ['fees', split.feesMicros],
    ['rewards', split.rewardsMicros],
    ['rounding', split.roundingMicros],
  ];
  let sum = 0;
  const bars = parts.map(([name, value]) => {
    const from = sum;
    sum += value;
    return { name, from: from / MICROS_PER_UNIT, to: sum / MICROS_PER_UNIT };
  });
  bars.push({ name: 'total', from: 0, to: total / MICROS_PER_UNIT });
  return {
    title: 'From spread to total',
    description: parts.map(([name, value]) => `${name} ${signedUsd(value)}`).join(', '),
    options: (plot, format) => ({
      height: format.name === 'wide' ? 220 : 210,
      marginTop: 26,
      marginBottom: 30,
      x: { ...labelAxis(format.name), domain: bars.map(({ name }) => name), padding: 0.35 },
      y: { label: 'USD', nice: true, labelArrow: 'none' },
      marks: [
        plot.gridY({ stroke: 'var(--rule)', strokeOpacity: 1 }),
        plot.barY(bars, {
          x: 'name',
          y1: 'from',
          y2: 'to',
          fill: (bar: (typeof bars)[number]) => (bar.to >= bar.from ? 'var(--line)' : 'var(--loss)'),
        }),
        plot.ruleY([0], { stroke: 'var(--muted)' }),
      ],
    }),
  };
}
