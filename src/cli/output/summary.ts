/** Formats a backtest for a terminal: the summary (tables, equity chart, warnings), and lines that strategies log. */
import { plot } from 'asciichart';
import pc from 'picocolors';
import { type BacktestRun, markNote, returnOnUse, splitOrderReasons } from '../../backtest/index.ts';
import {
  type EpochMs,
  FILL_BASES,
  formatCount,
  formatMicros,
  formatShares,
  formatTime,
  LOT,
  microShares,
  microUsd,
} from '../../domain/index.ts';
import { escapeControls, escapeLine } from '../../network/index.ts';
import type { LogSource, StrategyLogLine } from '../../runtime/index.ts';
import { cutMiddle, wrapLines } from './columns-text.ts';
import type { TextOutput } from './terminal.ts';

const CHART_HEIGHT = 6;
const NAME_WIDTH = 28;

type Section = readonly [title: string, rows: readonly (readonly [name: string, value: string])[]];

/** Formats a summary as complete lines, without the path of the report. */
export function summary(
  { result, detail }: BacktestRun,
  { columns, colors }: Pick<TextOutput, 'columns' | 'colors'>,
): string {
  const paint = pc.createColors(colors);
  const { orders, fills, pnl, split } = result;
  const orderReasons = splitOrderReasons(result);
  const note = markNote(result.models);
  const orderText = `${formatCount(orders.placed)} placed, ${formatCount(orders.cancelled)} cancelled, ${formatCount(orders.reduced)} reduced, ${formatCount(orders.rejected)} rejected, ${formatCount(orderReasons.refusedCount)} refused`;
  const fillText = `${formatCount(fills.count)} (${formatCount(fills.maker)} maker, ${formatCount(fills.taker)} taker), ${shares(fills.shares)} shares, ${detail.markets.length > 1 ? 'at most ' : ''}${percent(result.volumeShare)} of recorded volume`;
  const sections: readonly Section[] = [
    [
      `${result.strategy} on ${result.tape.name}`,
      [
        ['recorded', `${formatCount(result.tape.events)} events, ${result.tape.from} to ${result.tape.to}`],
        ['orders', orderText],
        ...reasonRows('rejected by the venue', orderReasons.rejected),
        ...reasonRows('refused by risk', orderReasons.refused),
        ...reasonRows('not sent while stopped', orderReasons.stopped),
        ['fills', fillText],
        ['largest inventory', `${shares(result.maxInventoryShares)} shares, |YES - NO|`],
        ...returnRows(result, detail),
        ['largest drawdown', `$${usd(result.maxDrawdownMicros)} of a capital of $${usd(detail.capitalMicros)}`],
      ],
    ],
    [
      `P&L by cost, USD${note}`,
      amountRows([
        ['realized', pnl.realizedMicros],
        ['unrealized', pnl.unrealizedMicros],
        ['total', pnl.totalMicros],
      ]),
    ],
    [
      `P&L by mark, USD${note}`,
      amountRows([
        ['spread', split.spreadMicros],
        ['inventory', split.inventoryMicros],
        ['settlement against mark', split.settlementMicros],
        ['fees and commission', split.feesMicros],
        ['rewards', split.rewardsMicros],
        ['rounding', split.roundingMicros],
        ['total', pnl.totalMicros],
      ]),
    ],
    [`strategies (P&L in USD, before commission${note})`, strategyRows(result)],
    [marketTitle(result), marketRows(result)],
    [`half-spreads of maker fills, bps of $1 a share${note}`, halfSpreadRows(detail)],
    ['quotes', quoteRows(result)],
    [`fills by the assumption they depend on (P&L in USD, before commission${note})`, fillBasisRows(result)],
    ['assumed', Object.entries(result.models)],
  ];
  const width = Math.max(40, Math.min(columns, 120));
  const tables = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `${paint.bold(escapeControls(title))}\n${escapeControls(plainTable(rows, width))}\n`);
  const warnings = detail.warnings
    .map((warning) => `${paint.yellow('warning:')} ${escapeControls(warning)}\n`)
    .join('');
  return `${tables.join('')}${equityChart(detail.equity.value, width)}${warnings}`;
}

function returnRows({ pnl, tape }: BacktestRun['result'], { capital }: BacktestRun['detail']): Section[1] {
  const usageReturn = returnOnUse(pnl.totalMicros, capital, tape);
  if (usageReturn === undefined) return [];
  const text = `${percent(usageReturn.rate)}${usageReturn.per} of $${usd(Math.round(capital.meanInUseMicros))} on average`;
  return [['return on capital in use', text]];
}

/** Formats counts as `CONFLICT 203, POST_ONLY_WOULD_CROSS 3`. Returns no row without counts. */
function reasonRows(name: string, counts: Readonly<Record<string, number>>): Section[1] {
  const parts = Object.entries(counts).map(([code, count]) => `${code} ${formatCount(count)}`);
  return parts.length === 0 ? [] : [[name, parts.join(', ')]];
}

const MAX_MARKETS = 20;

function marketTitle({ markets, models }: BacktestRun['result']): string {
  const limitNote =
    markets.length > MAX_MARKETS ? `, the ${MAX_MARKETS} with the largest of ${formatCount(markets.length)}` : '';
  return `markets (P&L in USD, after fees and commission${markNote(models)})${limitNote}`;
}

/** Returns no rows for a single market, because its numbers are those of the run. */
function marketRows({ markets }: BacktestRun['result']): Section[1] {
  if (markets.length < 2) return [];
  const largest = markets.toSorted((a, b) => Math.abs(b.pnlMicros) - Math.abs(a.pnlMicros)).slice(0, MAX_MARKETS);
  return largest.map(({ slug, pnlMicros, fills, payout }) => {
    const end = payout === null ? 'not resolved' : payout === 'CANCELLED' ? 'cancelled' : `pays ${payout / 100} cents`;
    return [slug, `${usd(pnlMicros)}, ${formatCount(fills)} fills, ${end}`];
  });
}

/** Aligns amounts. They add up to the total exactly, to the micro-dollar. */
function amountRows(rows: readonly (readonly [string, number])[]): Section[1] {
  const texts = rows.map(([, micros]) => usd(micros));
  const width = Math.max(...texts.map((text) => text.length));
  return rows.map(([name], index) => [name, (texts[index] ?? '').padStart(width)]);
}

/** Formats earnings of own and recorded maker fills, at the fill and at later marks. Returns no rows without fills. */
function halfSpreadRows({ effective, horizons }: BacktestRun['detail']): Section[1] {
  if (effective.own === undefined) return [];
  const bps = (mean: { readonly bps: number } | undefined): string => (mean === undefined ? '-' : mean.bps.toFixed(1));
  return [{ label: 'at the fill', ...effective }, ...horizons].map(({ label, own, recorded }) => [
    label === 'at the fill' || label === 'resolution' ? label : `after ${label}`,
    // Without a resolution this markout is unknown, because the last mark does not replace a payout.
    label === 'resolution' && own === undefined && recorded === undefined
      ? 'no resolution on the tape'
      : `${bps(own).padStart(8)}   recorded makers ${bps(recorded).padStart(8)}`,
  ]);
}

function quoteRows({ quoting }: BacktestRun['result']): Section[1] {
  if (quoting === null || quoting.levels.length === 0) return [];
  const { levels, queueAhead, markets } = quoting;
  const [only] = markets;
  const rows: (readonly [string, string])[] = [];
  if (only !== undefined && markets.length === 1) {
    rows.push(
      ['two-sided', `${percent(only.twoSided)} of the open time`],
      ['at the best price', `bid ${percent(only.atBestBid)}, ask ${percent(only.atBestAsk)} of the open time`],
      ['worst case', `$${usd(only.worstCaseMicros)} at most, with open orders`],
      ['mergeable pairs', `${shares(only.mergeableShares)} at the end`],
    );
    if (only.halfLifeMs !== null) rows.push(['half-life of inventory', `${(only.halfLifeMs / 1_000).toFixed(1)} s`]);
  }
  for (const { side, level, orders, placedShares, filledShares } of levels.filter(({ level }) => level <= 3)) {
    const placed = `${shares(placedShares)} shares in ${formatCount(orders)} orders`;
    rows.push([`${side}s of level ${level}`, `${percent(filledShares / placedShares)} filled of ${placed}`]);
  }
  if (queueAhead !== null) {
    const fill = queueAhead.atFill === null ? '' : `, ${shares(toLots(queueAhead.atFill))} at the fill`;
    rows.push(['shares ahead', `${shares(toLots(queueAhead.atPlacing))} when accepted${fill}, of orders that filled`]);
  }
  return rows;
}

function toLots(micros: number): number {
  return Math.round(micros / LOT) * LOT;
}

/** Returns no rows for a single strategy, because its numbers are those of the run. */
function strategyRows({ strategies }: BacktestRun['result']): Section[1] {
  if (strategies.length < 2) return [];
  return strategies.map(({ name, pnlMicros, fills, makerFills, shares: size }) => [
    name,
    `${usd(pnlMicros)}, ${formatCount(fills)} fills (${formatCount(makerFills)} maker), ${shares(size)} shares`,
  ]);
}

function fillBasisRows({ fillsByTag }: BacktestRun['result']): Section[1] {
  return FILL_BASES.flatMap((tag) => {
    const { count = 0, inside = 0, shares: size = 0, pnlMicros = 0 } = fillsByTag[tag] ?? {};
    if (count === 0) return [];
    const fills = `${formatCount(count)} fills (${formatCount(inside)} inside the touch)`;
    return [[tag, `${usd(pnlMicros)}, ${fills}, ${shares(size)} shares`]];
  });
}

function plainTable(rows: readonly (readonly [string, string])[], width: number): string {
  const lines = rows.map(([name, value]) => `  ${cutMiddle(name, NAME_WIDTH - 3)}`.padEnd(NAME_WIDTH) + value);
  return wrapLines(lines.join('\n'), NAME_WIDTH, width);
}

/** Draws equity less capital over the run, in dollars. Returns an empty text if equity never changed. */
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

/** Formats micro-dollars as `-1,234.567891`. */
function usd(micros: number): string {
  const [digits = '', decimals = ''] = formatMicros(microUsd(micros)).split('.');
  return `${digits.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}

function shares(micros: number): string {
  return formatShares(microShares(micros));
}

function percent(part: number | null): string {
  return part === null ? 'an unknown part' : `${(part * 100).toFixed(2)} %`;
}

/** Formats a line that a strategy logs in a backtest: simulated time, level, strategy and market, text, fields. */
export function strategyLogLine(line: StrategyLogLine & { readonly source: LogSource }, time: EpochMs): string {
  const { level, text, fields, source } = line;
  const name = source.market === undefined ? source.strategy : `${source.strategy} on ${source.market}`;
  const fieldTexts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const head = `${formatTime(time)} ${level === 'info' ? '' : `${level.toUpperCase()} `}${name}: ${text}`;
  return `${escapeLine([head, ...fieldTexts].join(' '))}\n`;
}
