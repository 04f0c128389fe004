/** The result of a demo, as an object and as text. */
import { formatMicros, unchecked } from '../../domain/index.ts';
import { countsText, refusedText, rejectedText, runSummary } from '../../ops/index.ts';
import { signedUsd } from './demo-view.ts';
import type { DemoEnd } from './run-demo.ts';

const MB = 1_048_576;

/** Amounts in micro-USD, sizes in shares, times in ms of the wall clock unless a name says otherwise. */
export type DemoOutcome = Readonly<ReturnType<typeof demoOutcome>>;

export function demoOutcome(end: DemoEnd) {
  const { status, tally, state, differences, bot, venue, ended, speed, report, kept } = end;
  const summary = runSummary(status, tally, end.open);
  const realized = state.markets.reduce((total, { position }) => total + position.realized, 0);
  return {
    ended,
    speed,
    report,
    kept,
    differences,
    reconcileDifferences: differences.length,
    durations: `wall clock; ${speed} times as fast as the recording`,
    /** Trading time until orders were cancelled. */
    seconds: end.health.tradedMs / 1_000,
    fills: { ...summary.fills, taker: summary.fills.count - summary.fills.maker },
    pnl: {
      totalMicros: summary.pnlMicros,
      realizedMicros: realized,
      unrealizedMicros: summary.pnlMicros - realized,
      feesMicros: summary.feesMicros,
      equityMicros: summary.equityMicros,
      text: signedUsd(summary.pnlMicros),
    },
    orders: summary.commands,
    positions: summary.positions,
    openOrdersAtVenue: summary.openOrdersAtVenue,
    health: {
      ...end.health.worst,
      mode: status.mode,
      killReason: status.killReason,
      venueMode: status.venueMode,
      link: status.link,
      refusedByRisk: summary.refused,
      rejectedByVenue: summary.rejected,
      answersLost: summary.uncertain,
      externalFills: summary.fills.external,
      cpuMs: { bot: Math.round(bot.cpuMs), venue: venue === undefined ? null : Math.round(venue.cpuMs) },
      peakRssMb: {
        bot: Math.round(bot.peakRss / MB),
        venue: venue === undefined ? null : Math.round(venue.peakRss / MB),
      },
    },
  };
}

export function outcomeText(outcome: DemoOutcome): string {
  const { fills, pnl, health, differences, openOrdersAtVenue: open } = outcome;
  const usd = (micros: number): string => `$${formatMicros(unchecked.usd(micros))}`;
  const lines = [
    ['ended', `${ENDED[outcome.ended]}, ${outcome.seconds.toFixed(1)} s of trading (${outcome.durations})`],
    ['p&l', `${pnl.text}: ${signedUsd(pnl.realizedMicros)} realised, ${signedUsd(pnl.unrealizedMicros)} unrealised`],
    [
      'equity',
      `${usd(pnl.equityMicros)}, with positions at the price that would close them now; fees ${usd(pnl.feesMicros)}`,
    ],
    ['fills', `${fills.count} (${fills.maker} as maker), volume ${usd(fills.volumeMicros)}`],
    ['orders', countsText(outcome.orders)],
    ['refused', refusedText(health.refusedByRisk)],
    ['rejected', rejectedText(health.rejectedByVenue)],
    ['held', outcome.positions.map(({ shares }) => `${shares} shares, YES less NO`).join(', ') || 'nothing'],
    ['open', open === null ? 'NOT VERIFIED: the venue did not answer' : `${open} own orders at the venue, verified`],
    [
      'compared',
      differences.length === 0
        ? "no difference between the bot's database and the venue: orders, shares, cash, fills, fees"
        : differences.map(({ what, bot, venue }) => `${what}: bot ${bot}, venue ${venue}`).join('; '),
    ],
    [
      'health',
      `${health.mode}, oldest book ${health.oldestBookMs} ms, ${health.answersLost} answers lost, processor ${health.cpuMs.bot} ms bot, ${health.cpuMs.venue ?? 'unknown'} ms venue`,
    ],
    ['report', outcome.report],
    ...(outcome.kept === null ? [] : [['kept', outcome.kept]]),
  ];
  return lines.map(([name = '', text = '']) => `${name.padEnd(10)}${text}\n`).join('');
}

const ENDED: Readonly<Record<DemoEnd['ended'], string>> = {
  duration: 'after the set duration',
  signal: 'on request',
  'match over': 'with the match',
};
