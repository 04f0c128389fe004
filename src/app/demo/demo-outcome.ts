/** The result of a demo as an object, as text, and as an HTML report. */
import type { FillPoint } from '../../analytics/index.ts';
import { type Card, renderDemoReport } from '../../backtest/index.ts';
import { writeAtomically } from '../../backtest/report/index.ts';
import { FULL_BPS, formatMicros, unchecked } from '../../domain/index.ts';
import { type BotFill, countsText, refusedText, rejectedText, runSummary } from '../../ops/index.ts';
import { version } from '../../package-files.ts';
import { signedUsd } from './demo-view.ts';
import type { DemoEnd } from './run-demo.ts';

const MB = 1_048_576;

/** Default units: amounts in micro-USD, sizes in shares (`mostHeld` in micro-shares), times in ms of the wall clock. */
export type DemoOutcome = Readonly<ReturnType<typeof demoOutcome>>;

export function demoOutcome(end: DemoEnd) {
  const { status, counters, state, differences, bot, venue, ended, speed, report, kept } = end;
  const summary = runSummary(status, counters, { openAtVenue: end.open });
  const realized = state.markets.reduce((total, { position }) => total + position.realized, 0);
  return {
    ended,
    speed,
    report,
    kept,
    differences,
    reconcileDifferences: differences.length,
    durations: `wall clock; ${speed} times as fast as the recording`,
    /** Trading time until the orders were cancelled, seconds of the wall clock. */
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
    ['ended', `${END_TEXTS[outcome.ended]}, ${outcome.seconds.toFixed(1)} s of trading (${outcome.durations})`],
    ['p&l', `${pnl.text}: ${signedUsd(pnl.realizedMicros)} realized, ${signedUsd(pnl.unrealizedMicros)} unrealized`],
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

const END_TEXTS: Readonly<Record<DemoEnd['ended'], string>> = {
  duration: 'after the set duration',
  signal: 'on request',
  'match over': 'with the match',
};

const NOTES = [
  'One match is one sample, and recorded traders do not react to the quotes: this shows how the software works, not a profit.',
  'At sixty times the speed, the bot has a sixtieth of the time to react, while the latency to the venue stays the same.',
  'Own orders queue behind all recorded size at their price (queue model risk-averse).',
];

/** @throws FileFault when the report cannot be written */
export async function writeDemoReport(end: DemoEnd, outcome: DemoOutcome): Promise<void> {
  const page = renderDemoReport({
    title: `ladder on a recorded match, ${outcome.speed} times faster`,
    question: end.market?.info.question ?? '',
    lead: `It ${outcome.pnl.totalMicros < 0 ? 'lost' : 'made'} ${signedUsd(Math.abs(outcome.pnl.totalMicros)).slice(1)} in ${outcome.seconds.toFixed(1)} seconds of the wall clock, with ${outcome.fills.count} fills.`,
    cards: toCards(outcome),
    notes: NOTES,
    equity: end.health.equity.line(),
    price: end.health.price.line(),
    inventory: end.health.inventory.line(),
    fills: end.chartFills.map(toFillPoint).toReversed(),
    realizedMicros: outcome.pnl.realizedMicros,
    unrealizedMicros: outcome.pnl.unrealizedMicros,
    facts: toFacts(outcome),
    version: version(),
  });
  await writeAtomically(outcome.report, page, 'the report', 'Name a file that can be written (--report)');
}

function toCards({ pnl, fills, openOrdersAtVenue, reconcileDifferences, health }: DemoOutcome): readonly Card[] {
  return [
    { name: 'Total P&L', value: pnl.text, aside: `${signedUsd(pnl.realizedMicros)} realized` },
    { name: 'Fills', value: `${fills.count}`, aside: `${fills.maker} maker, ${fills.taker} taker` },
    { name: 'Open at the venue', value: `${openOrdersAtVenue ?? 'unknown'}`, aside: 'own orders, after the end' },
    { name: 'Differences', value: `${reconcileDifferences}`, aside: "between the bot's database and the venue" },
    { name: 'Oldest book', value: `${health.oldestBookMs} ms`, aside: 'largest age at a check' },
    { name: 'Largest position', value: `${health.mostHeld / 1_000_000}`, aside: 'shares, |YES − NO|' },
  ];
}

function toFacts(outcome: DemoOutcome): readonly { name: string; value: string }[] {
  const { orders, health, ended, durations, differences } = outcome;
  return [
    { name: 'Durations', value: durations },
    { name: 'Ended by', value: ended },
    { name: 'Orders sent', value: countsText(orders) },
    { name: 'Refused orders', value: refusedText(health.refusedByRisk) },
    { name: 'Rejected orders', value: rejectedText(health.rejectedByVenue) },
    { name: 'Answers lost', value: `${health.answersLost}` },
    {
      name: 'Mode at the end',
      value: health.killReason === null ? health.mode : `${health.mode} (${health.killReason})`,
    },
    { name: 'Venue', value: `${health.venueMode}, link ${health.link}` },
    { name: 'Processor time', value: `${health.cpuMs.bot} ms bot, ${health.cpuMs.venue ?? 'unknown'} ms venue` },
    {
      name: 'Memory at most',
      value: `${health.peakRssMb.bot} MB bot, ${health.peakRssMb.venue ?? 'unknown'} MB venue`,
    },
    ...differences.map(({ what, bot, venue }) => ({
      name: `Difference: ${what}`,
      value: `bot ${bot}, venue ${venue}`,
    })),
  ];
}

/** Returns a fill in YES terms. */
function toFillPoint({ time, outcome, side, priceBps, shares, liquidity }: BotFill): FillPoint {
  const isYes = outcome === 'YES';
  return {
    time,
    shares,
    liquidity,
    basis: 'real',
    inside: false,
    sign: (side === 'BUY') === isYes ? 1 : -1,
    price: isYes ? priceBps : FULL_BPS - priceBps,
  };
}
