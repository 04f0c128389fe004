/** Resolvers that use only the market's own data, so that they answer the same after a restart. */
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

/** Of markets, 0 … 1: cannot be decided, and the question is invalid. */
const UNCERTAIN = 0.02;
const INVALID = 0.01;

/**
 * A panel that decides YES with the probability of the last price: at 6000 bps in six of ten cases. A market without a
 * trade is even. The outcome depends on the stream's seed, the market's UUID and that price.
 */
export function pricedPanel(view: ExchangeView, random: Random, models: readonly PanelModel[]): Resolver {
  const truth = (no: MarketNo): Decision => {
    const market = view.market(no);
    if (market === undefined) throw new RangeError(`Invariant: there is no market ${no}`);
    const draws = random.fork(`truth ${market.id}`);
    const draw = draws.uniform();
    if (draw < INVALID) return 'CANCELLED';
    if (draw < INVALID + UNCERTAIN) return undefined;
    const price = market.lastTrade === 0 ? FULL_BPS / 2 : market.lastTrade;
    return draws.int(FULL_BPS) < price ? 'YES' : 'NO';
  };
  return new PanelResolver({ random, models, truth });
}

/** Decides from a list by UUID or slug; other markets are left to the operators. */
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

/** Leaves markets that follow a tape alone: they end as recorded, or by operators. */
export function unlessRecorded(view: ExchangeView, resolver: Resolver): Resolver {
  return {
    commandsFor: (event, now) =>
      view.market(event.market)?.following === undefined ? resolver.commandsFor(event, now) : [],
  };
}
