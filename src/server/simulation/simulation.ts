/** The simulated surroundings of the exchange: chain, resolver, house and examples. */
import type { Random } from '../../clock/index.ts';
import { durationMs, FULL_BPS, type MarketNo } from '../../domain/index.ts';
import {
  type Chain,
  type Decision,
  type ExchangeView,
  manualResolver,
  type PanelModel,
  PanelResolver,
  type Resolver,
  type ScriptedOutcome,
  ScriptedResolver,
  SimulatedChain,
} from '../../exchange/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { ServerOptions } from '../server-options.ts';
import { HouseMarketMaker } from './house-market-maker.ts';
import { makeResponseScheduler } from './response-scheduler.ts';
import { seedVenue } from './seed.ts';

export type SimulationOptions = Pick<
  ServerOptions,
  'clock' | 'log' | 'random' | 'chain' | 'resolver' | 'house' | 'seed'
>;

/** @throws InputFault on invalid settings */
export function makeSimulation(options: SimulationOptions, queue: CommandQueue, catalogue: Catalogue) {
  const { clock, log, house, seed } = options;
  const chain = makeChain(options);
  const resolver = ignoreRecordedMarkets(queue.view, makeResolver(options, queue.view));
  const responses = makeResponseScheduler({ clock, queue, log, chain, resolver });
  const maker = house && new HouseMarketMaker({ clock, queue, log, settings: house });
  return {
    /** Repeats open requests, creates the examples and starts the house's quotes. */
    async start(): Promise<void> {
      responses.start();
      if (seed) log.info({ created: await seedVenue(queue, catalogue) }, 'simulation: the examples exist');
      await maker?.start();
    },
    close(): void {
      responses.close();
      maker?.close();
    },
  };
}

/** Without settings, makes a chain that does nothing, because operators do the chain's steps. */
function makeChain({ chain, random }: SimulationOptions): Chain {
  if (chain === undefined) return { commandsFor: () => [] };
  return new SimulatedChain({
    random: random.fork('chain'),
    minDelay: durationMs(chain.minDelayMs),
    maxDelay: durationMs(chain.maxDelayMs),
    failureProbability: chain.failure,
    permanentProbability: chain.permanent,
  });
}

function makeResolver({ resolver, random }: SimulationOptions, view: ExchangeView): Resolver {
  switch (resolver.type) {
    case 'manual':
      return manualResolver;
    case 'panel':
      return pricedPanel(view, random.fork('panel'), resolver.models);
    case 'scripted':
      return scriptedByName(view, resolver.outcomes);
  }
}

const UNCERTAIN_PROBABILITY = 0.02;
const INVALID_PROBABILITY = 0.01;

/**
 * Makes a panel that decides YES with the last price as its probability, or one half without a trade. The outcome
 * depends on the seed, the market's UUID and the last price.
 */
function pricedPanel(view: ExchangeView, random: Random, models: readonly PanelModel[]): Resolver {
  const decisionOf = (no: MarketNo): Decision => {
    const market = view.market(no);
    if (market === undefined) throw new RangeError(`Invariant: there is no market ${no}`);
    const draws = random.fork(`truth ${market.id}`);
    const draw = draws.uniform();
    if (draw < INVALID_PROBABILITY) return 'CANCELLED';
    if (draw < INVALID_PROBABILITY + UNCERTAIN_PROBABILITY) return undefined;
    const price = market.lastTrade === 0 ? FULL_BPS / 2 : market.lastTrade;
    return draws.int(FULL_BPS) < price ? 'YES' : 'NO';
  };
  return new PanelResolver({ random, models, decisionOf });
}

/** Decides markets in a list by UUID or slug. Leaves other markets to operators. */
function scriptedByName(view: ExchangeView, outcomes: ReadonlyMap<string, ScriptedOutcome>): Resolver {
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

/** Ignores markets that follow a tape, because the tape or an operator resolves them. */
function ignoreRecordedMarkets(view: ExchangeView, resolver: Resolver): Resolver {
  return {
    commandsFor: (event, now) =>
      view.market(event.market)?.following === undefined ? resolver.commandsFor(event, now) : [],
  };
}
