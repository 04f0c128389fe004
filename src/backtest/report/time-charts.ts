/**
 * Markup and data of charts over time: profit and loss, drawdown, inventory, price with own fills. The page's script
 * (page-script.js) draws the charts, so that a reader can zoom in and read each value.
 */
import type { FillPoint, Line } from '../../analytics/index.ts';
import { ByteWriter } from '../../domain/index.ts';
import { type Html, html, trusted } from './html.ts';
import { count, shares, signedUsd, usd } from './number-text.ts';

export interface TimeChart {
  readonly title: string;
  readonly description: string;
  readonly line: Line;
  readonly fills?: readonly FillPoint[];
  readonly style: ChartStyle;
}

/** Settings for the script. */
interface ChartStyle {
  /** Name of the value at the cursor. */
  readonly name: string;
  readonly unit: 'USD' | 'cents' | 'shares';
  /** Units of the chart for one unit of `Line.value`; a negative scale flips the line. */
  readonly scale: number;
  /** Values are stored as whole multiples of this step, in units of `Line.value`. */
  readonly step: number;
  /** CSS variables of the line, and of the area between the line and zero. */
  readonly colour: string;
  readonly fill?: string;
  /** Height in pixels on a wide screen. */
  readonly height: number;
}

const LINE_COLOURS = { colour: '--line', fill: '--fill' } as const;
const LOSS_COLOURS = { colour: '--loss', fill: '--lossfill' } as const;

/** Shows P&L since the start. The area above zero is a gain, below zero a loss. @param capital micro-USD */
export function equityChart({ time, value, totalPoints }: Line, capital: number): TimeChart {
  const gains = value.map((micros) => micros - capital);
  return {
    title: 'Profit and loss over time',
    description: `P&L ends at ${signedUsd(gains.at(-1) ?? 0)}, lowest ${signedUsd(minimum(gains))}, highest ${signedUsd(maximum(gains))}.`,
    line: { time, value: gains, totalPoints },
    style: { name: 'P&L', unit: 'USD', scale: 1e-6, step: 100, ...LINE_COLOURS, height: 240 },
  };
}

/** Shows the distance to the highest equity so far, downwards from zero. */
export function drawdownChart(line: Line): TimeChart {
  return {
    title: 'Drawdown over time',
    description: `At worst ${usd(maximum(line.value))} below the peak.`,
    line,
    style: { name: 'drawdown', unit: 'USD', scale: -1e-6, step: 100, ...LOSS_COLOURS, height: 140 },
  };
}

export function inventoryChart(line: Line): TimeChart {
  const { value } = line;
  return {
    title: 'Inventory over time',
    description: `YES less NO, between ${shares(minimum([0, ...value]))} and ${shares(maximum([0, ...value]))} shares.`,
    line,
    style: { name: 'YES − NO', unit: 'shares', scale: 1e-6, step: 10_000, ...LINE_COLOURS, height: 190 },
  };
}

/** Shows the mid with own fills. Triangles point up for buys and down for sells, and are hollow for takers. */
export function priceChart(line: Line, fills: readonly FillPoint[]): TimeChart {
  return {
    title: 'Price with own fills',
    description: `The mid in cents a YES share and ${count(fills.length)} own fills.`,
    line,
    fills,
    style: { name: 'mid', unit: 'cents', scale: 0.01, step: 0.5, colour: '--other', height: 320 },
  };
}

/** Returns a chart with title and caption. The caption says whether the line omits points. */
export function timeFigure(chart: TimeChart, caption: string, legend?: Html): Html {
  const { title, description, line, style } = chart;
  const { totalPoints } = line;
  const thinned =
    totalPoints === undefined || totalPoints <= line.time.length
      ? ''
      : ` The line has the lowest and the highest of each group of neighbours: ${count(line.time.length)} of ${count(totalPoints)} points.`;
  return html`<h3>${title}</h3>
${legend}<figure class="time">
<div class="chart" tabindex="0" role="group" aria-roledescription="chart" aria-label="${title}. ${description} Arrow keys move the cursor, plus and minus zoom, 0 shows the whole run." style="min-height:${style.height}px"></div>
<p class="readout"><output></output></p>
<script type="application/json">${trusted(chartJson(chart))}</script>
<figcaption>${caption}${thinned}</figcaption></figure>
`;
}

/** Time ranges, epoch ms: the zoomed range, which the page shows first, and the whole run. */
export interface View {
  readonly from: number;
  readonly to: number;
  readonly zoomFrom: number;
  readonly zoomTo: number;
}

/**
 * Returns the time ranges of a page. Markets are quiet for days and then move for hours. The page first zooms to
 * the busy part if this has nine tenths of all points in less than half of the time.
 */
export function computeView(lines: readonly Line[]): View {
  const times = Float64Array.from(lines.flatMap(({ time }) => [...time])).sort();
  const quantile = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;
  const [from, to] = [quantile(0), Math.max(quantile(1), quantile(0) + 1)];
  const [zoomFrom, zoomTo] = [quantile(0.05), quantile(0.95)];
  const pad = (zoomTo - zoomFrom) / 18;
  if (zoomTo - zoomFrom >= 0.5 * (to - from) || pad <= 0) return { from, to, zoomFrom: from, zoomTo: to };
  return { from, to, zoomFrom: Math.max(from, zoomFrom - pad), zoomTo: Math.min(to, zoomTo + pad) };
}

/** Returns JSON without `<`, so that no text can end the `script` element. */
function chartJson({ line, fills, style }: TimeChart): string {
  const { time, value } = line;
  const data = {
    ...style,
    times: encodeColumn(time, 1),
    values: encodeColumn(value, style.step),
    ...(fills === undefined ? {} : { fills: encodeFills(fills) }),
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** Encodes fills by column, because columns compress better than rows. */
function encodeFills(fills: readonly FillPoint[]) {
  const inOrder = fills.toSorted((a, b) => a.time - b.time);
  const column = (toValue: (fill: FillPoint) => number, step = 1): string => encodeColumn(inOrder.map(toValue), step);
  return {
    times: column(({ time }) => time),
    prices: column(({ price }) => price),
    lots: column((fill) => fill.shares, 10_000),
    kinds: column(({ sign, liquidity }) => (sign === 1 ? 0 : 1) + (liquidity === 'maker' ? 0 : 2)),
  };
}

/** Encodes the differences of neighbours in whole steps as base64 (`ByteWriter.number`). */
function encodeColumn(values: readonly number[], step: number): string {
  const writer = new ByteWriter(2 * values.length + 16);
  let previous = 0;
  for (const value of values) {
    const steps = Math.round(value / step);
    // Adding 0 turns a negative zero, which would take nine bytes, into 0.
    writer.number(steps - previous + 0);
    previous = steps;
  }
  return Buffer.from(writer.written()).toString('base64');
}

function minimum(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
}

function maximum(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);
}

/** Triangles point up or down by side, and are solid or hollow by liquidity, so that they differ without colour. */
function fillKind(sign: 1 | -1, liquidity: 'maker' | 'taker') {
  const colour = sign === 1 ? 'var(--bid)' : 'var(--ask)';
  const trade = sign === 1 ? 'bought YES' : 'sold YES';
  const path = sign === 1 ? 'M7 2l5 10h-10z' : 'M7 12l5 -10h-10z';
  const isMaker = liquidity === 'maker';
  return {
    label: `${trade}, ${liquidity}${isMaker ? ` (own ${sign === 1 ? 'bid' : 'ask'})` : ''}`,
    symbol: isMaker
      ? html`<path d="${path}" fill="${colour}" stroke="var(--paper)" stroke-width="0.4"/>`
      : html`<path d="${path}" fill="var(--paper)" stroke="${colour}" stroke-width="1.3"/>`,
    matches: (fill: FillPoint): boolean => fill.sign === sign && fill.liquidity === liquidity,
  };
}

const FILL_KINDS = (['maker', 'taker'] as const).flatMap((kind) => [fillKind(1, kind), fillKind(-1, kind)]);

/** Returns the legend of a price chart, without kinds that have no fill. */
export function fillLegend(fills: readonly FillPoint[]): Html {
  const shown = FILL_KINDS.filter(({ matches }) => fills.some(matches));
  return html`<ul class="legend">${shown.map(({ label, symbol }) => html`<li><svg width="14" height="14" aria-hidden="true">${symbol}</svg>${label}</li>`)}</ul>`;
}
