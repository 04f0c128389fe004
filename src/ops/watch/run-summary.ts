import { counted, formatUsd, microUsd, STOPPED_CODES } from '../../domain/index.ts';
import type { BotStatus } from '../control/bot-port.ts';
import { HARMLESS_REJECTIONS } from '../guard/kill-switch.ts';
import type { RunCounters } from './run-counters.ts';

interface RunEnd {
  /** Own orders open at the venue; null when the check failed. */
  readonly openAtVenue: number | null;
  /** Whether trading began. Default true. */
  readonly hasBegun?: boolean;
}

export function runSummary(status: BotStatus, counters: RunCounters, { openAtVenue, hasBegun = true }: RunEnd) {
  return {
    /** Whether trading began. If not, profit and equity are unknown, and 0 here. */
    hasBegun,
    account: status.account,
    venue: status.venue,
    seconds: Math.round((status.now - status.startedAt) / 1_000),
    mode: status.mode,
    killReason: status.killReason,
    markets: status.markets.length,
    commands: counters.commands,
    fills: {
      count: counters.fillCount,
      maker: counters.makerFills,
      external: counters.externalFills,
      /** Reversed fills, which no other count includes. */
      reversed: counters.reversedFills,
      volumeMicros: counters.volume,
    },
    feesMicros: counters.fees,
    pnlMicros: hasBegun ? status.run.pnl : 0,
    equityMicros: hasBegun ? status.equity : 0,
    refused: counters.refused,
    rejected: counters.rejected,
    uncertain: counters.uncertain,
    /** Own orders open at the venue at the end; null when the check failed. */
    openOrdersAtVenue: openAtVenue,
    positions: status.markets
      .filter(({ position }) => position !== 0)
      .map(({ slug, position }) => ({ market: slug, shares: position / 1_000_000 })),
  };
}

/** Amounts in micro-USD, positions in shares. */
export type RunSummary = Readonly<ReturnType<typeof runSummary>>;

export function usdText(micros: number): string {
  return formatUsd(microUsd(micros));
}

export function summaryText(summary: RunSummary): string {
  const { fills, openOrdersAtVenue: open, positions } = summary;
  const lines = [
    ['ran', `${summary.seconds} s on ${counted(summary.markets, 'market')} as ${summary.account}`],
    [
      'orders',
      `${countsText(summary.commands)}${summary.uncertain === 0 ? '' : `; ${summary.uncertain} answers lost`}`,
    ],
    [
      'fills',
      `${fills.count} (${fills.maker} as maker${fills.external === 0 ? '' : `, ${fills.external} external`}${fills.reversed === 0 ? '' : `, ${fills.reversed} taken back`}), volume ${usdText(fills.volumeMicros)}, fees ${usdText(summary.feesMicros)}`,
    ],
    [
      'p&l',
      summary.hasBegun
        ? `${usdText(summary.pnlMicros)} since the start, equity ${usdText(summary.equityMicros)}${positions.length === 0 ? '' : ', holdings at exit prices'}`
        : 'unknown: the run ended before it began to trade',
    ],
    ['refused', refusedText(summary.refused)],
    ['rejected', rejectedText(summary.rejected)],
    [
      'positions',
      positions.length === 0 ? 'none' : positions.map(({ market, shares }) => `${market} ${shares}`).join(', '),
    ],
    ['open', open === null ? 'NOT VERIFIED: the venue did not answer' : `${open} own orders at the venue, verified`],
    ...(summary.mode === 'ACTIVE'
      ? []
      : [['mode', `${summary.mode}${summary.killReason === null ? '' : ` (${summary.killReason})`}`]]),
  ];
  return lines.map(([name = '', text = '']) => `${name.padEnd(11)}${text}\n`).join('');
}

/** Returns `3 by the bot's risk limits: 2 MAX_ORDER, 1 STALE_BOOK; not sent while trading was stopped: 48 PAUSED`. */
export function refusedText(refused: Counts): string {
  const [stopped, others] = splitBy(STOPPED_CODES, refused);
  const text = reasonsText(others, "by the bot's risk limits");
  return sumCounts(stopped) === 0 ? text : `${text}; not sent while trading was stopped: ${countsText(stopped)}`;
}

/** Returns `314 by the venue: 2 BELOW_MIN; because the market had moved: 312 CONFLICT`. `CONFLICT` is not an error. */
export function rejectedText(rejected: Counts): string {
  const [harmless, harmful] = splitBy(HARMLESS_REJECTIONS, rejected);
  if (sumCounts(harmless) === 0) return reasonsText(rejected, 'by the venue');
  const harmfulText = sumCounts(harmful) === 0 ? '' : `${countsText(harmful)}; `;
  return `${sumCounts(rejected)} by the venue: ${harmfulText}because the market had moved: ${countsText(harmless)}`;
}

type Counts = Readonly<Record<string, number>>;

/** Returns the counts of `codes`, and the other counts. */
function splitBy(codes: ReadonlySet<string>, counts: Counts): readonly [Counts, Counts] {
  const entries = Object.entries(counts);
  const [listed, others] = [entries.filter(([code]) => codes.has(code)), entries.filter(([code]) => !codes.has(code))];
  return [Object.fromEntries(listed), Object.fromEntries(others)];
}

function reasonsText(counts: Counts, source: string): string {
  return Object.keys(counts).length === 0 ? `none ${source}` : `${sumCounts(counts)} ${source}: ${countsText(counts)}`;
}

export function sumCounts(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Returns `3 place, 1 cancel`, the largest count first. */
export function countsText(counts: Counts): string {
  const entries = Object.entries(counts).toSorted((a, b) => b[1] - a[1]);
  return entries.length === 0 ? 'none' : entries.map(([name, count]) => `${count} ${name}`).join(', ');
}
