/** The simulated surroundings of the exchange: chain, resolver, house and examples. */
import { durationMs } from '../../domain/index.ts';
import { type Chain, type ExchangeView, manualResolver, type Resolver, SimulatedChain } from '../../exchange/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { ServerOptions } from '../server-options.ts';
import { HouseMarketMaker } from './house-market-maker.ts';
import { pricedPanel, scriptedByName, unlessRecorded } from './market-resolver.ts';
import { ResponseScheduler } from './response-scheduler.ts';
import { seedVenue } from './seed.ts';

export interface SimulationOptions
  extends Pick<ServerOptions, 'clock' | 'log' | 'random' | 'chain' | 'resolver' | 'house' | 'seed'> {
  readonly queue: CommandQueue;
  readonly catalogue: Catalogue;
}

/** Starts and closes the parts in order. */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #agenda: ResponseScheduler;
  readonly #house: HouseMarketMaker | undefined;

  /** @throws InputFault on invalid settings */
  constructor(options: SimulationOptions) {
    const { clock, queue, log, house } = options;
    this.#options = options;
    this.#agenda = new ResponseScheduler({
      clock,
      queue,
      log,
      chain: chainOf(options),
      resolver: unlessRecorded(queue.view, resolverOf(options, queue.view)),
    });
    this.#house = house === undefined ? undefined : new HouseMarketMaker({ clock, queue, log, settings: house });
  }

  /** Repeats open questions, creates the examples and starts the house's quotes. */
  async start(): Promise<void> {
    const { queue, catalogue, log, seed } = this.#options;
    this.#agenda.start();
    if (seed) log.info({ created: await seedVenue(queue, catalogue) }, 'examples: there');
    await this.#house?.start();
  }

  /** Cancels all timers. */
  close(): void {
    this.#agenda.close();
    this.#house?.close();
  }
}

/** A chain that does nothing: operators do its steps. */
const manualChain: Chain = { commandsFor: () => [] };

function chainOf({ chain, random }: SimulationOptions): Chain {
  if (chain === undefined) return manualChain;
  return new SimulatedChain({
    random: random.fork('chain'),
    minDelay: durationMs(chain.minDelayMs),
    maxDelay: durationMs(chain.maxDelayMs),
    failureProbability: chain.failure,
    permanentProbability: chain.permanent,
  });
}

function resolverOf({ resolver, random }: SimulationOptions, view: ExchangeView): Resolver {
  switch (resolver.type) {
    case 'manual':
      return manualResolver;
    case 'panel':
      return pricedPanel(view, random.fork('panel'), resolver.models);
    case 'scripted':
      return scriptedByName(view, resolver.outcomes);
  }
}
