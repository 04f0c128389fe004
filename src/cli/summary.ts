/** A finished backtest in a terminal: a table, the equity as a line, what to mistrust. */
import { plot } from 'asciichart';
import Table from 'cli-table3';
import pc from 'picocolors';
import type { BacktestRun } from '../backtest/index.ts';
import { formatMicros, formatShares, formatUsd, microShares, microUsd } from '../domain/index.ts';
import type { TextOutput } from './terminal.ts';

const CHART_HEIGHT = 6;
const NAME_WIDTH = 28;
const LINES = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
] as const;
const NO_LINES = Object.fromEntries(LINES.map((line) => [line, '']));

/** Whole lines, without the report's path. */
export function summary(
  { result, detail }: BacktestRun,
  { columns, colors }: Pick<TextOutput, 'columns' | 'colors'>,
): string {
  const paint = pc.createColors(colors);
  const { orders, fills, pnl, split } = result;
  const sections: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    [
      `${result.strategy} on ${result.tape.name}`,
      [
        ['recorded', `${result.tape.events.toLocaleString('en-US')} events, ${result.tape.from} to ${result.tape.to}`],
        [
          'orders',
          `${orders.placed} placed, ${orders.cancelled} cancelled, ${orders.reduced} reduced, ${orders.rejected} rejected, ${orders.refused} refused`,
        ],
        [
          'fills',
          `${fills.count} (${fills.maker} maker, ${fills.taker} taker), ${shares(fills.shares)} shares, ${percent(result.volumeShare)} of recorded volume`,
        ],
        ['largest position', `${shares(result.maxInventoryShares)} shares`],
      ],
    ],
    [
      'profit and loss',
      [
        ['total', usd(pnl.totalMicros)],
        ['realised + unrealised', `${usd(pnl.realizedMicros)} + ${usd(pnl.unrealizedMicros)}`],
        ['of it spread', usd(split.spreadMicros)],
        ['inventory', usd(split.inventoryMicros)],
        ['settlement against mark', usd(split.settlementMicros)],
        ['fees', usd(split.feesMicros)],
        ['rewards', usd(split.rewardsMicros)],
        ['rounding', `$${formatMicros(microUsd(split.roundingMicros))}`],
        ['largest drawdown', usd(result.maxDrawdownMicros)],
      ],
    ],
    [
      'fills hang on',
      Object.entries(result.fillsByTag)
        .filter(([, { count }]) => count > 0)
        .map(([tag, { count, inside, shares: size, pnlMicros }]) => [
          tag,
          `${count} (${inside} inside the touch), ${shares(size)} shares, ${usd(pnlMicros)}`,
        ]),
    ],
    [
      'assumed',
      [
        ['latency', result.models.latency],
        ['queue', result.models.queue],
        ['fees', result.models.fees],
        ['liquidity', result.models.liquidity],
      ],
    ],
  ];
  const width = Math.max(40, Math.min(columns, 120));
  const tables = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `${paint.bold(title)}\n${plainTable(rows, width)}\n`);
  const warnings = detail.warnings.map((warning) => `${paint.yellow('mind:')} ${warning}\n`).join('');
  return `${tables.join('')}${equityChart(detail.equity.value, width)}${warnings}`;
}

/** Two columns without lines; the second wraps. */
function plainTable(rows: readonly (readonly [string, string])[], width: number): string {
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: [NAME_WIDTH, width - NAME_WIDTH],
    wordWrap: true,
  });
  table.push(...rows.map(([name, value]) => [`  ${name}`, value]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Equity less capital over the run, in dollars; nothing when it never moved. */
function equityChart(equity: readonly number[], width: number): string {
  if (equity.length < 2 || equity.every((value) => value === equity[0])) return '';
  const points = Math.min(width - 16, equity.length);
  const sampled = Array.from(
    { length: points },
    (_, index) => (equity[Math.round((index * (equity.length - 1)) / (points - 1))] ?? 0) / 1_000_000,
  );
  const chart = plot(sampled, { height: CHART_HEIGHT, format: (value) => value.toFixed(2).padStart(12) });
  return `equity, USD\n${chart}\n`;
}

function usd(micros: number): string {
  return formatUsd(microUsd(micros));
}

function shares(micros: number): string {
  return formatShares(microShares(micros));
}

function percent(part: number | null): string {
  return part === null ? 'unknown share' : `${(part * 100).toFixed(2)} %`;
}
