/** Simulated services around the exchange: chain, resolver, house market maker and example markets. */
import type { Random } from '../../clock/index.ts';
import { durationMs, FULL_BPS, type MarketNo } from '../../domain/index.ts';
import {
  type Chain,
  ChainAndResolver,
  type Decision,
  type ExchangeEvent,
  type ExchangeView,
  type MarketCommand,
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
import { DeadlineTimer } from '../deadline-timer.ts';
import { requireRecord } from '../presenters/market-presenter.ts';
import type { ServerOptions } from '../server-options.ts';
import { HouseMarketMaker } from './house-market-maker.ts';
import { seedVenue } from './seed.ts';

export type SimulationOptions = Pick<
  ServerOptions,
  'clock' | 'log' | 'random' | 'chain' | 'resolver' | 'house' | 'seed'
>;

/** @throws InputFault on invalid settings */
export function makeSimulation(options: SimulationOptions, queue: CommandQueue, catalogue: Catalogue) {
  const { clock, log, house, seed } = options;
  const chain = makeChain(options);
  const { view } = queue;
  const ownResolver = makeResolver(options, view);
  // A tape or an operator resolves the markets that follow a tape.
  const resolver: Resolver = {
    commandsFor: (event, now) =>
      view.market(event.market)?.following === undefined ? ownResolver.commandsFor(event, now) : [],
  };
  const responses = makeResponseScheduler(options, queue, new ChainAndResolver({ chain, resolver }));
  const maker = house && new HouseMarketMaker({ clock, queue, log, settings: house });
  return {
    /** Repeats open requests, creates the examples and starts the house's quotes. */
    async start(): Promise<void> {
      responses.start();
      if (seed) {
        const created = await seedVenue(queue, catalogue);
        log.info({ created }, 'simulation: the examples exist');
      }
      await maker?.start();
    },
    close(): void {
      responses.close();
      maker?.close();
    },
  };
}

/**
 * Passes the markets' requests to chain and resolver, and sends each response at its scheduled time. Scheduled
 * responses are only in memory. A restart repeats every open request and gets the same responses.
 */
function makeResponseScheduler({ clock, log }: SimulationOptions, queue: CommandQueue, external: ChainAndResolver) {
  const timer = new DeadlineTimer(clock, () => {
    const responses = external.schedule;
    for (let due = responses.removeDue(clock.now()); due !== undefined; due = responses.removeDue(clock.now()))
      send(due);
    setTimer();
  });
  let unwatch: (() => void) | undefined;

  function setTimer(): void {
    if (unwatch !== undefined) timer.set(external.schedule.next);
  }

  /** Sends a response. The exchange refuses a response to a request that is already completed. */
  function send(command: MarketCommand): void {
    queue.execute(command).then(
      (events) => {
        const refusal = events.find((event) => event.type === 'refused')?.refusal;
        if (refusal !== undefined) log.info({ command, refusal }, 'simulation: a response came too late');
      },
      (error: unknown) => log.warn({ err: error, command: command.type }, 'simulation: a response could not be sent'),
    );
  }

  function onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'rareEvent') continue;
      external.onEvent(event.event, queue.view.now);
      setTimer();
    }
  }

  return {
    start(): void {
      unwatch = queue.watch({ onCommitted });
      external.resume(queue.view.markets);
      setTimer();
    },
    close(): void {
      unwatch?.();
      timer.set(undefined);
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
  if (resolver.type === 'manual') return manualResolver;
  if (resolver.type === 'scripted') return makeScriptedResolver(view, resolver.outcomes);
  return makePricedPanel(view, random.fork('panel'), resolver.models);
}

const UNCERTAIN_PROBABILITY = 0.02;
const INVALID_PROBABILITY = 0.01;

/**
 * Makes a panel that decides YES with the last price as its probability, or one half without a trade. The outcome
 * depends on the seed, the market's UUID and the last price.
 */
function makePricedPanel(view: ExchangeView, random: Random, models: readonly PanelModel[]): Resolver {
  const decide = (number: MarketNo): Decision => {
    const market = requireRecord(number, view);
    const draws = random.fork(`truth ${market.id}`);
    const draw = draws.uniform();
    if (draw < INVALID_PROBABILITY) return 'CANCELLED';
    if (draw < INVALID_PROBABILITY + UNCERTAIN_PROBABILITY) return undefined;
    const price = market.lastTrade === 0 ? FULL_BPS / 2 : market.lastTrade;
    return draws.int(FULL_BPS) < price ? 'YES' : 'NO';
  };
  return new PanelResolver({ random, models, decisionOf: decide });
}

/** Decides markets in a list by UUID or slug. Leaves other markets to operators. */
function makeScriptedResolver(view: ExchangeView, outcomes: ReadonlyMap<string, ScriptedOutcome>): Resolver {
  return {
    commandsFor(event, now) {
      const { id = '', slug = '' } = view.market(event.market) ?? {};
      const outcome = outcomes.get(id) ?? outcomes.get(slug);
      return outcome ? new ScriptedResolver(new Map([[event.market, outcome]])).commandsFor(event, now) : [];
    },
  };
}
