/** Resolvers that depend only on the market's data, so that they answer the same after a restart. */
import type { Random } from '../../clock/index.ts';
import { FULL_BPS, type MarketNo } from '../../domain/index.ts';
import {
  type Decision,
  type ExchangeView,
  type PanelModel,
  PanelResolver,
  type Resolver,
  type ScriptedOutcome,
  ScriptedResolver,
} from '../../exchange/index.ts';

/** Shares of markets whose outcome is UNCERTAIN, and whose question is invalid. */
const UNCERTAIN = 0.02;
const INVALID = 0.01;

/**
 * A panel that decides YES with the probability of the last price, or one half without a trade. The outcome depends on the
 * seed, the market's UUID and that price.
 */
export function pricedPanel(view: ExchangeView, random: Random, models: readonly PanelModel[]): Resolver {
  const decisionOf = (no: MarketNo): Decision => {
    const market = view.market(no);
    if (market === undefined) throw new RangeError(`Invariant: there is no market ${no}`);
    const draws = random.fork(`truth ${market.id}`);
    const draw = draws.uniform();
    if (draw < INVALID) return 'CANCELLED';
    if (draw < INVALID + UNCERTAIN) return undefined;
    const price = market.lastTrade === 0 ? FULL_BPS / 2 : market.lastTrade;
    return draws.int(FULL_BPS) < price ? 'YES' : 'NO';
  };
  return new PanelResolver({ random, models, decisionOf });
}

/** Decides markets in a list by UUID or slug. Leaves other markets to operators. */
export function scriptedByName(view: ExchangeView, outcomes: ReadonlyMap<string, ScriptedOutcome>): Resolver {
  return {
    commandsFor(event, now) {
      const market = view.market(event.market);
      const outcome = outcomes.get(market?.id ?? '') ?? outcomes.get(market?.slug ?? '');
      return outcome === undefined
        ? []
        : new ScriptedResolver(new Map([[event.market, outcome]])).commandsFor(event, now);
    },
  };
}

/** Ignores markets that follow a tape, which end as recorded or by operators. */
export function unlessRecorded(view: ExchangeView, resolver: Resolver): Resolver {
  return {
    commandsFor: (event, now) =>
      view.market(event.market)?.following === undefined ? resolver.commandsFor(event, now) : [],
  };
}
