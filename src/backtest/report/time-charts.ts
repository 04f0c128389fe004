/** Charts over time: equity, drawdown, inventory, price with own fills. All share one time axis. */
import type { Markish } from '@observablehq/plot';
import { ExtremesLine, type FillPoint, type Line } from '../../analytics/index.ts';
import type { Chart, Format, Kit } from './drawing.ts';
import { FILL_CLASSES, symbolPath } from './fill-symbols.ts';
import { count, shares, signedUsd, usd } from './number-text.ts';
import type { TimeAxis } from './time-axis.ts';

const MICRO = 1_000_000;
/** Marks and equity hold until they change. */
const STEPS = 'step-after';
const LINE = 'var(--line)';
const FILL = 'var(--fill)';
const LOSS = 'var(--loss)';
const LOSS_FILL = 'var(--lossfill)';
const OTHER = 'var(--other)';

/** P&L since the start; the area above zero is a gain, below zero a loss. */
export function equityChart(equity: Line, capital: number, axis: TimeAxis): Chart {
  const gains = equity.value.map((value) => value - capital);
  return {
    title: 'Profit and loss over time',
    description: `It ends at ${signedUsd(gains.at(-1) ?? 0)}, lowest ${signedUsd(least(gains))}, highest ${signedUsd(most(gains))}.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 240 : 200,
      ...axes('P&L, USD', room(gains)),
      marks: [
        ...frame(kit, format, axis),
        ...steps(kit, format, axis, { line: scaled(equity.time, gains, 1 / MICRO), stroke: LINE, fill: FILL }),
      ],
    }),
  };
}

/** Drawdown hangs from zero, as peak less equity. */
export function drawdownChart({ time, value }: Line, axis: TimeAxis): Chart {
  return {
    title: 'Drawdown over time',
    description: `At worst ${usd(most(value))} below the peak.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 130 : 120,
      ...axes('drawdown, USD', room(value)),
      marks: [
        ...frame(kit, format, axis),
        ...steps(kit, format, axis, { line: scaled(time, value, -1 / MICRO), stroke: LOSS, fill: LOSS_FILL }),
      ],
    }),
  };
}

/** YES minus NO. */
export function inventoryChart({ time, value }: Line, axis: TimeAxis): Chart {
  return {
    title: 'Inventory over time',
    description: `YES less NO, between ${shares(least([0, ...value]))} and ${shares(most([0, ...value]))} shares.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 190 : 170,
      ...axes('YES − NO, shares', room(value)),
      marks: [
        ...frame(kit, format, axis),
        ...steps(kit, format, axis, { line: scaled(time, value, 1 / MICRO), stroke: LINE, fill: FILL }),
      ],
    }),
  };
}

/** The mid with own fills: up is bought, down is sold, full is maker, hollow is taker. */
export function priceChart(price: Line, fills: readonly FillPoint[], axis: TimeAxis): Chart {
  const { low, high } = priceRange(price, fills);
  return {
    title: 'Price with own fills',
    description: `The mid in cents a YES share and ${count(fills.length)} own fills.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 320 : 260,
      ...axes('mid, cents', [low, high]),
      marks: [
        ...frame(kit, format, axis, false),
        ...steps(kit, format, axis, { line: scaled(price.time, price.value, 1 / 100), stroke: OTHER }),
        ...fillMarks(kit, fills, axis, format),
      ],
    }),
  };
}

type Domain = readonly [number, number];

/** With a domain values beyond it are drawn at its edge. */
function axes(label: string, domain?: Domain) {
  return {
    x: { domain: [0, 1], axis: null },
    y: { label, nice: true, labelArrow: 'none', ...(domain === undefined ? {} : { domain, clamp: true }) },
    marginTop: 26,
    marginBottom: 40,
  } as const;
}

/** Some height for what never moved; else the values make their own. */
function room(values: readonly number[]): Domain | undefined {
  return values.every((value) => value === 0) ? [-1, 1] : undefined;
}

function frame(kit: Kit, format: Format, axis: TimeAxis, zero = true): Markish[] {
  const ticks = axis.ticks(format.tickGap, format.tickEdge);
  const positions = ticks.map(({ position }) => position);
  return [
    kit.plot.gridY({ stroke: 'var(--rule)', strokeOpacity: 1 }),
    kit.plot.gridX(positions, { stroke: 'var(--rule)', strokeOpacity: 0.6 }),
    kit.plot.axisX(positions, {
      tickFormat: (_: unknown, index: number) => ticks[index]?.label ?? '',
      label: null,
      tickSize: 4,
    }),
    ...(zero ? [kit.plot.ruleY([0], { stroke: 'var(--muted)', strokeWidth: 1 })] : []),
  ];
}

interface Stroke {
  readonly line: Line;
  readonly stroke: string;
  /** Colour of the area between the line and zero; none for no area. */
  readonly fill?: string;
}

function steps(kit: Kit, format: Format, axis: TimeAxis, { line, stroke, fill }: Stroke): Markish[] {
  const { time, value } = format.name === 'wide' ? line : thinned(line);
  if (time.length === 0) return [];
  const x = time.map(axis.position);
  const drawn = kit.plot.lineY(value, { x, curve: STEPS, stroke, strokeWidth: fill === undefined ? 1 : 1.4 });
  if (fill === undefined) return [drawn];
  return [kit.plot.areaY(value, { x, y1: 0, y2: [...value], curve: STEPS, fill }), drawn];
}

/** A phone has no room for more; extremes stay. */
function thinned({ time, value }: Line): Line {
  const line = new ExtremesLine(256);
  time.forEach((at, index) => {
    line.add(at, value[index] ?? 0);
  });
  return line.line();
}

function scaled(time: readonly number[], value: readonly number[], factor: number): Line {
  return { time, value: value.map((one) => one * factor) };
}

/** A mark makes the scale reach the fills; the symbols are one path a class, which keeps the page small. */
function fillMarks(kit: Kit, fills: readonly FillPoint[], axis: TimeAxis, format: Format): Markish[] {
  if (fills.length === 0) return [];
  const x = fills.map(({ time }) => axis.position(time));
  const y = fills.map(({ price }) => price / 100);
  const size = (format.name === 'wide' ? 4 : 3) * (fills.length > 500 ? 0.7 : 1);
  return [
    kit.plot.dot(fills, {
      x,
      y,
      r: 0,
      stroke: 'none',
      render: (index, _scales, values) => {
        const group = kit.element('g');
        for (const { matches, style, up } of FILL_CLASSES) {
          const path = kit.element('path');
          const chosen = [...index].filter((at) => fills[at] !== undefined && matches(fills[at]));
          if (chosen.length === 0) continue;
          path.setAttribute('d', chosen.map((at) => symbolPath(values.x?.[at], values.y?.[at], size, up)).join(''));
          for (const [name, value] of Object.entries(style)) path.setAttribute(name, value);
          group.append(path);
        }
        return group;
      },
    }),
  ];
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);
}

interface PriceRange {
  readonly low: number;
  readonly high: number;
  /** Whether the mid was beyond it for a moment. */
  readonly cut: boolean;
}

/** A thin book's mid can jump through the whole range for a moment, and would flatten all the rest. */
const TOO_WIDE = 2;

/**
 * All prices; or, where a hundredth of the points at each end takes up more than half of the height, the others and all
 * fills.
 */
export function priceRange({ value }: Line, fills: readonly FillPoint[]): PriceRange {
  const sorted = value.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 5_000;
  const own = fills.map(({ price }) => price);
  const low = own.reduce((a, b) => Math.min(a, b), at(0.01));
  const high = own.reduce((a, b) => Math.max(a, b), at(0.99));
  const cut = at(1) - at(0) > TOO_WIDE * (high - low) && high > low;
  const [from, to] = cut ? [low, high] : [Math.min(low, at(0)), Math.max(high, at(1))];
  const pad = Math.max((to - from) * 0.04, 10);
  return { low: Math.max(0, from - pad) / 100, high: Math.min(10_000, to + pad) / 100, cut };
}
