/** The manifest of a Betfair tape: names, question, conversions and grid. */
import { uuidOfName } from '../../runtime/index.ts';
import type { TapeMarket } from '../../tape/index.ts';
import type { Catalogue } from './catalogue.ts';
import { classicOdds, oddsGrid } from './odds.ts';
import type { TapePlan } from './outcome-tape.ts';

/** Name of the tape and its file. A merged market has one tape, otherwise each runner has one. */
export function tapeName({ market, yes, no }: TapePlan): string {
  return no === undefined ? `betfair-${market}-${yes}` : `betfair-${market}`;
}

export function describeMarket(plan: TapePlan, catalogue: Catalogue | undefined): TapeMarket {
  const { definition, market } = plan;
  const isMerged = plan.no !== undefined;
  const name = (runner: number): string => catalogue?.runners.get(runner) ?? `runner ${runner}`;
  const where = [catalogue?.event, catalogue?.market ?? `Betfair ${definition.marketType} ${market}`]
    .filter(Boolean)
    .join(', ');
  const wins = definition.numberOfWinners === 1 ? 'win' : `be one of the ${definition.numberOfWinners} winners`;
  return {
    id: uuidOfName(tapeName(plan)),
    slug: slugOf(`${where} ${name(plan.yes)}`),
    question: `${where}: will ${name(plan.yes)} ${wins}?`,
    outcomes: [name(plan.yes), plan.no === undefined ? `not ${name(plan.yes)}` : name(plan.no)],
    grid: oddsGrid(classicOdds(), isMerged),
    // `marketTime` is the start of the event, not the time of the decision.
    scheduledResolution: undefined,
    commissionBps: definition.marketBaseRate,
  };
}

export function conversions({ no }: TapePlan): string[] {
  return [
    'price = 10^6 / (100 x decimal odds) bps; what can be backed (atb) is the ask side and rounds up, what can be laid (atl) is the bid side and rounds down',
    'shares = stake x odds, one share pays 1 GBP, shown as 1 USD; sizes that fall on one price add up exactly and round down to 0.01 share',
    no === undefined
      ? "trades: growth of the traded totals, halved unless the runner's own level shows the whole decrease; none in messages with a falling total"
      : "both runners' books are one: the second runner's offers are the other side at 10000 - price; trades: growth of the traded totals, halved inside a runner, whole for cross-matches; none in messages with a falling total",
    "SUSPENDED is a halt, betDelay the delay of places, the runner's status at CLOSED the resolution",
    'receive times are missing: rx = tx = publish time',
  ];
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
