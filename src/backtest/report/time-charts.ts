/** Charts over time: equity, drawdown, inventory, price with own fills. All share one time axis. */
import type { Markish } from '@observablehq/plot';
import type { FillPoint, Line } from '../run-detail.ts';
import type { Chart, Format, Kit } from './drawing.ts';
import { FILL_CLASSES, symbolPath } from './fill-symbols.ts';
import { count, shares, signedUsd, usd } from './number-text.ts';
import type { TimeAxis } from './time-axis.ts';

const MICRO = 1_000_000;
/** Marks and equity hold until they change. */
const STEPS = 'step-after';

/** P&L since the start; the area tells gain from loss by its side of zero. */
export function equityChart(equity: Line, capital: number, axis: TimeAxis): Chart {
  const gains = equity.value.map((value) => value - capital);
  return {
    title: 'Profit and loss over time',
    description: `It ends at ${signedUsd(gains.at(-1) ?? 0)}, lowest ${signedUsd(least(gains))}, highest ${signedUsd(most(gains))}.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 240 : 200,
      ...axes('P&L, USD'),
      marks: [
        ...frame(kit, format, axis),
        ...steps(
          kit,
          axis,
          equity.time,
          gains.map((gain) => gain / MICRO),
          'var(--line)',
          'var(--fill)',
        ),
      ],
    }),
  };
}

/** Drawdown hangs from zero, as peak less equity. */
export function drawdownChart(drawdown: Line, axis: TimeAxis): Chart {
  return {
    title: 'Drawdown over time',
    description: `At worst ${usd(most(drawdown.value))} below the peak.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 130 : 120,
      ...axes('drawdown, USD'),
      marks: [
        ...frame(kit, format, axis),
        ...steps(
          kit,
          axis,
          drawdown.time,
          drawdown.value.map((value) => -value / MICRO),
          'var(--loss)',
          'var(--lossfill)',
        ),
      ],
    }),
  };
}

/** YES minus NO. */
export function inventoryChart(inventory: Line, axis: TimeAxis): Chart {
  const { value } = inventory;
  return {
    title: 'Inventory over time',
    description: `YES less NO, between ${shares(least([0, ...value]))} and ${shares(most([0, ...value]))} shares.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 190 : 170,
      ...axes('YES − NO, shares'),
      marks: [
        ...frame(kit, format, axis),
        ...steps(
          kit,
          axis,
          inventory.time,
          value.map((held) => held / MICRO),
          'var(--line)',
          'var(--fill)',
        ),
      ],
    }),
  };
}

/** The mid with own fills: up is bought, down is sold, full is maker, hollow is taker. */
export function priceChart(price: Line, fills: readonly FillPoint[], axis: TimeAxis): Chart {
  return {
    title: 'Price with own fills',
    description: `The mid in cents a YES share and ${count(fills.length)} own fills.`,
    options: (kit, format) => ({
      height: format.name === 'wide' ? 320 : 260,
      ...axes('mid, cents'),
      marks: [
        ...frame(kit, format, axis, false),
        ...(price.time.length === 0
          ? []
          : [
              kit.plot.lineY(
                price.value.map((bps) => bps / 100),
                {
                  x: price.time.map(axis.position),
                  stroke: 'var(--other)',
                  strokeWidth: 1,
                  curve: STEPS,
                },
              ),
            ]),
        ...fillMarks(kit, fills, axis, format),
      ],
    }),
  };
}

function axes(label: string) {
  return {
    x: { domain: [0, 1], axis: null },
    y: { label, nice: true, labelArrow: 'none' },
    marginTop: 26,
    marginBottom: 40,
  } as const;
}

/** Grid, zero line and the time axis. */
function frame(kit: Kit, format: Format, axis: TimeAxis, zero = true): Markish[] {
  const ticks = axis.ticks(format.tickGap);
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

function steps(
  kit: Kit,
  axis: TimeAxis,
  time: readonly number[],
  values: readonly number[],
  stroke: string,
  fill: string,
): Markish[] {
  if (time.length === 0) return [];
  const options = { x: time.map(axis.position), curve: STEPS } as const;
  return [
    kit.plot.areaY(values, { ...options, fill }),
    kit.plot.lineY(values, { ...options, stroke, strokeWidth: 1.4 }),
  ];
}

/** A mark makes the scale reach the fills; the symbols are one path a class, which keeps the page small. */
function fillMarks(kit: Kit, fills: readonly FillPoint[], axis: TimeAxis, format: Format): Markish[] {
  if (fills.length === 0) return [];
  const x = fills.map(({ time }) => axis.position(time));
  const y = fills.map(({ price }) => price / 100);
  const size = format.name === 'wide' ? 4 : 3;
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
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
