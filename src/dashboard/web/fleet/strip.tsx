import type { Bot, BotState } from '../../generated/schema-types.ts';
import { change, dollarChange, gainClass, money } from '../format.ts';
import { cssVars, HEALTH_LABELS, Metric } from '../parts.tsx';

export function sumOver(bots: readonly Bot[], read: (state: BotState) => number): number {
  return bots.reduce((sum, { state }) => sum + (state === null ? 0 : read(state)), 0);
}

export function FleetStrip({ bots }: { readonly bots: readonly Bot[] }) {
  const live = bots.filter(({ state }) => state?.kind === 'LIVE');
  const isReal = live.length > 0;
  const shown = isReal ? live : bots;
  const kind = isReal ? 'Live' : 'Simulated';
  const today = sumOver(shown, ({ today: { total } }) => total);
  const spread = sumOver(shown, (state) => state.today.spread);
  const inventory = sumOver(shown, (state) => state.today.inventory);
  const worst = sumOver(shown, ({ worstCase }) => worstCase);
  const limit = worstLimit(shown);
  const quoting = shown.filter(({ health }) => health === 'QUOTING' || health === 'ONE_SIDED').length;
  const urgent = mostUrgent(bots);
  return (
    <dl className="strip">
      <Metric
        label={`${kind} P&L today`}
        isHero
        className={gainClass(today, isReal)}
        context={`spread ${change(spread)} · inventory ${change(inventory)} · other ${change(today - spread - inventory)}`}
      >
        {dollarChange(today)}
      </Metric>
      <Metric label={`${kind} equity`} context={`cash ${money(sumOver(shown, ({ cash }) => cash))}`}>
        ${money(sumOver(shown, ({ equity }) => equity))}
      </Metric>
      <Metric label="Worst case over all markets">
        ${money(worst)} <small>{limit === null ? 'no limit' : `of $${money(limit)}`}</small>
        {limit !== null && (
          <div className="meter" style={cssVars({ '--value': `${Math.min(100, (worst / limit) * 100)}%` })}>
            <i />
          </div>
        )}
      </Metric>
      <Metric label={`${kind} bots quoting`} context={`${sumOver(shown, ({ openOrders }) => openOrders)} orders open`}>
        {quoting} <small>of {shown.length}</small>
      </Metric>
      <Metric
        label="Needs attention"
        className={urgent === undefined ? 'ok' : HEALTH_LABELS[urgent.health].tone}
        context={urgent?.healthReason ?? 'every bot quotes'}
      >
        {urgent === undefined ? 'Nothing' : `${urgent.id}: ${HEALTH_LABELS[urgent.health].text.toLowerCase()}`}
      </Metric>
    </dl>
  );
}

/** Returns the sum of the bots' worst-case limits, micro-USD; null if a bot has no limit. */
function worstLimit(bots: readonly Bot[]): number | null {
  let sum = 0;
  for (const { state } of bots) {
    const limit = state?.limits.find(({ name }) => name === 'max_total_notional_usd')?.limit;
    if (limit === null || limit === undefined) return null;
    sum += limit * 1_000_000;
  }
  return sum === 0 ? null : sum;
}

/** States that need attention, the most urgent first. */
const URGENCY: readonly Bot['health'][] = [
  'KILLED',
  'UNREACHABLE',
  'LINK_DOWN',
  'COMPARING',
  'STALE',
  'PAUSED',
  'REDUCING',
  'ONE_SIDED',
  'IDLE',
];

function mostUrgent(bots: readonly Bot[]): Bot | undefined {
  return bots
    .filter(({ health }) => health !== 'QUOTING')
    .toSorted((a, b) => URGENCY.indexOf(a.health) - URGENCY.indexOf(b.health))[0];
}
