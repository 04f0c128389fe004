/** The report of a demo: one HTML file. */
import type { FillPoint } from '../../analytics/index.ts';
import { type Card, renderLiveReport } from '../../backtest/index.ts';
import { writeAtomically } from '../../backtest/report/index.ts';
import { FULL_BPS } from '../../domain/index.ts';
import { type BotFill, countsText, refusedText, rejectedText } from '../../ops/index.ts';
import { version } from '../../package-files.ts';
import type { DemoOutcome } from './demo-outcome.ts';
import { signedUsd } from './demo-view.ts';
import type { DemoEnd } from './run-demo.ts';

const NOTES = [
  'One match is one sample, and recorded traders do not react to the quotes: this shows how the software works, not a profit.',
  'At sixty times the speed, the bot has a sixtieth of the time to react, while the latency to the venue stays the same.',
  'Own orders queue behind all recorded size at their price (queue model risk-averse).',
];

/** @throws FileFault when it cannot be written */
export async function writeDemoReport(end: DemoEnd, outcome: DemoOutcome): Promise<void> {
  const page = renderLiveReport({
    title: `ladder on a recorded match, ${outcome.speed} times faster`,
    question: end.market?.info.question ?? '',
    lead: `It ${outcome.pnl.totalMicros < 0 ? 'lost' : 'made'} ${signedUsd(Math.abs(outcome.pnl.totalMicros)).slice(1)} in ${outcome.seconds.toFixed(1)} seconds of the wall clock, with ${outcome.fills.count} fills.`,
    cards: cardsOf(outcome),
    notes: NOTES,
    equity: end.health.equity.line(),
    price: end.health.price.line(),
    inventory: end.health.inventory.line(),
    fills: end.chartFills.map(pointOf).toReversed(),
    realizedMicros: outcome.pnl.realizedMicros,
    unrealizedMicros: outcome.pnl.unrealizedMicros,
    facts: factsOf(outcome),
    version: version(),
  });
  await writeAtomically(outcome.report, page, 'the report', 'Name a file that can be written (--report)');
}

function cardsOf({ pnl, fills, openOrdersAtVenue, reconcileDifferences, health }: DemoOutcome): readonly Card[] {
  return [
    { name: 'Total P&L', value: pnl.text, aside: `${signedUsd(pnl.realizedMicros)} realised` },
    { name: 'Fills', value: `${fills.count}`, aside: `${fills.maker} maker, ${fills.taker} taker` },
    { name: 'Open at the venue', value: `${openOrdersAtVenue ?? 'unknown'}`, aside: 'own orders, after the end' },
    { name: 'Differences', value: `${reconcileDifferences}`, aside: "between the bot's database and the venue" },
    { name: 'Oldest book', value: `${health.oldestBookMs} ms`, aside: 'when it was looked at' },
    { name: 'Largest position', value: `${health.mostHeld / 1_000_000}`, aside: 'shares, |YES − NO|' },
  ];
}

function factsOf({
  orders,
  health,
  ended,
  durations,
  differences,
}: DemoOutcome): readonly { name: string; value: string }[] {
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

/** In YES terms. */
function pointOf({ time, outcome, side, priceBps, shares, liquidity }: BotFill): FillPoint {
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
