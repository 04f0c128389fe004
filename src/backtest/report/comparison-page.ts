/** Renders pages that compare runs, or a run under several models. The pages load no other files. */
import type { ComparedMetrics, Comparison, RunDifference } from '../compare/compare-runs.ts';
import type { SensitivityCell } from '../compare/sensitivity.ts';
import { type Chart, figure, loadChartRenderer } from './drawing.ts';
import { html, longTextColumn, numberColumns, table } from './html.ts';
import { count, shares, signedUsd } from './number-text.ts';
import { pageFrame } from './page-frame.ts';

const MICROS_PER_USD = 1_000_000;

const METRIC_COLUMNS: readonly (readonly [name: string, cell: (run: ComparedMetrics) => string])[] = [
  ['fills', ({ fills }) => count(fills)],
  ['shares', (run) => shares(run.shares)],
  ['P&L', ({ pnlMicros }) => signedUsd(pnlMicros)],
  ['spread', ({ spreadMicros }) => signedUsd(spreadMicros)],
  ['inventory', ({ inventoryMicros }) => signedUsd(inventoryMicros)],
  ['settlement', ({ settlementMicros }) => signedUsd(settlementMicros)],
  ['fees', ({ feesMicros }) => signedUsd(feesMicros)],
  ['drawdown', ({ maxDrawdownMicros }) => signedUsd(-maxDrawdownMicros)],
  ['effective, bps', ({ effectiveBps }) => effectiveBps?.toFixed(1) ?? '–'],
];

/** Renders a comparison. The same comparison gives the same bytes. */
export async function renderComparison({ runs, differences, sameTapes }: Comparison): Promise<string> {
  const first = runs[0]?.name ?? '';
  const warning = 'The runs used different tapes, which cause a part of the differences.';
  return pageFrame({
    title: 'Comparison – halfspread',
    header: html`<h1>Comparison of ${runs.length} runs</h1>
<p class="muted">Each against ${first}</p>`,
    main: html`${sameTapes ? undefined : html`<aside class="notes"><p>${warning}</p></aside>`}
<section><h2 id="differences">Differences of P&#38;L</h2>
${figure(
  await loadChartRenderer(),
  differenceChart(differences),
  'Bars are 95 % intervals of paired differences. A run without a bar has fewer than 20 pairs.',
)}
${table(
  `Each run less ${first}`,
  [longTextColumn('run'), ...numberColumns('fills', 'P&L', '95 % interval', 'pairs')],
  differences.map(({ name, fills, pnlMicros, interval, pairs, pairedBy }) => [
    name,
    `${fills > 0 ? '+' : ''}${count(fills)}`,
    signedUsd(pnlMicros),
    interval === null ? '–' : `${signedUsd(interval[0])} to ${signedUsd(interval[1])}`,
    pairedBy === null ? '–' : `${count(pairs)} ${pairedBy}s`,
  ]),
)}</section>
<section><h2 id="runs">Runs</h2>
${table(
  'Figures of each run',
  [longTextColumn('run'), 'strategy', ...numberColumns(...METRIC_COLUMNS.map(([name]) => name))],
  runs.map((run) => [run.name, run.strategy, ...METRIC_COLUMNS.map(([, cell]) => cell(run))]),
)}</section>`,
    footer: html`The same runs give the same page, byte for byte.`,
  });
}

function differenceChart(differences: readonly RunDifference[]): Chart {
  const translucent = { stroke: 'var(--line)', strokeOpacity: 0.5 };
  const dots = differences.map(({ name, pnlMicros }) => ({ name, pnl: pnlMicros / MICROS_PER_USD }));
  const bars = differences.flatMap(({ name, interval }) =>
    interval === null ? [] : [{ name, low: interval[0] / MICROS_PER_USD, high: interval[1] / MICROS_PER_USD }],
  );
  return {
    title: 'P&L minus P&L of the first run, $',
    description: dots.map(({ name, pnl }) => `${name} ${pnl.toFixed(2)}`).join(', '),
    options: (plot, { name }) => ({
      height: 60 + 34 * dots.length,
      marginLeft: name === 'wide' ? 220 : 120,
      marginBottom: 36,
      x: { label: null, grid: true, nice: true },
      y: { domain: dots.map((dot) => dot.name), label: null },
      marks: [
        plot.ruleX([0], { stroke: 'var(--muted)' }),
        plot.ruleY(bars, { y: 'name', x1: 'low', x2: 'high', strokeWidth: 3, ...translucent }),
        plot.dot(dots, { x: 'pnl', y: 'name', r: 5, fill: 'var(--line)' }),
      ],
    }),
  };
}

/** Renders a run under every combination of models. @param name the run's name */
export async function renderSensitivity(cells: readonly SensitivityCell[], name: string): Promise<string> {
  const signs = new Set(cells.map(({ pnlMicros }) => Math.sign(pnlMicros)));
  const worst = cells.toSorted((a, b) => a.pnlMicros - b.pnlMicros)[0];
  const verdict =
    signs.has(1) && signs.has(-1)
      ? 'The sign of the P&L depends on the models, so the result decides nothing.'
      : `The worst combination makes ${signedUsd(worst?.pnlMicros ?? 0)}: judge the run by this combination.`;
  const renderChart = await loadChartRenderer();
  const selectCells = (reactive: boolean) => cells.filter((cell) => cell.reactive === reactive);
  return pageFrame({
    title: `${name} – halfspread sensitivity`,
    header: html`<h1>${name} under other models</h1>
<p class="lead">${verdict}</p>`,
    main: html`<section><h2 id="models">P&#38;L by queue model and latency</h2>
${[true, false].map((reactive) => html`${figure(renderChart, heatmap(selectCells(reactive), reactive ? 'Reactive book' : 'Immutable book'), reactive ? 'Own orders remove the liquidity that they take.' : 'The liquidity that own orders take stays in the book.')}`)}
</section>
<section><h2 id="table">All combinations</h2>
${table(
  'A run for each combination',
  ['queue', 'latency', 'book', ...numberColumns('fills', 'shares', 'P&L')],
  cells.map((cell) => [
    cell.queue,
    `x ${cell.latency}`,
    cell.reactive ? 'reactive' : 'immutable',
    count(cell.fills),
    shares(cell.shares),
    signedUsd(cell.pnlMicros),
  ]),
)}</section>`,
    footer: html`The same run gives the same page, byte for byte.`,
  });
}

function heatmap(cells: readonly SensitivityCell[], title: string): Chart {
  const points = cells.map((cell) => ({ ...cell, latency: `x ${cell.latency}`, pnl: cell.pnlMicros / MICROS_PER_USD }));
  const max = Math.max(...points.map(({ pnl }) => Math.abs(pnl)), 1e-9);
  return {
    title,
    description: points
      .map(({ queue, latency, pnl }) => `${queue}, latency ${latency}: ${pnl.toFixed(2)} $`)
      .join('; '),
    options: (plot) => ({
      height: 190,
      marginLeft: 90,
      marginBottom: 36,
      x: { domain: [...new Set(points.map(({ latency }) => latency))], label: 'latency' },
      y: { domain: [...new Set(points.map(({ queue }) => queue))], label: null },
      marks: [
        plot.cell(points, {
          x: 'latency',
          y: 'queue',
          inset: 2,
          fill: ({ pnl }: { pnl: number }) => (pnl < 0 ? 'var(--loss)' : 'var(--line)'),
          fillOpacity: ({ pnl }: { pnl: number }) => 0.08 + (0.3 * Math.abs(pnl)) / max,
        }),
        plot.text(points, {
          x: 'latency',
          y: 'queue',
          text: ({ pnl }: { pnl: number }) => `${pnl < 0 ? '−' : ''}$${Math.abs(pnl).toFixed(2)}`,
          fill: 'var(--ink)',
          fontSize: 13,
        }),
      ],
    }),
  };
}
