import type { EpochMs } from '../../domain/index.ts';
import type { ChainAsked, ResolutionAsked } from '../market-event.ts';
import type { RareEvent } from '../sink.ts';
import { Agenda } from './agenda.ts';
import type { Chain } from './chain.ts';
import type { MarketRecord } from './market-record.ts';
import type { Resolver } from './resolver.ts';

/** Chain and resolver outside the exchange: takes its requests and schedules their answers in an agenda. */
export class ChainAndResolver {
  readonly agenda = new Agenda();
  readonly #chain: Chain;
  readonly #resolver: Resolver;

  constructor({ chain, resolver }: { readonly chain: Chain; readonly resolver: Resolver }) {
    this.#chain = chain;
    this.#resolver = resolver;
  }

  /** Takes a request of the time `now`; ignores every other event. */
  onEvent(event: RareEvent, now: EpochMs): void {
    if (event.type === 'chainAsked') this.agenda.add(this.#chain.commandsFor(event, now));
    if (event.type === 'resolutionAsked') this.agenda.add(this.#resolver.commandsFor(event, now));
  }

  /** After a start: repeats every request that still waits for an answer, as of its first time. */
  resume(markets: readonly MarketRecord[]): void {
    for (const market of markets) {
      const question = openQuestion(market);
      if (question !== undefined) this.onEvent(question.event, question.at);
    }
  }
}

/** A request to chain or resolver, and its time. */
export interface OpenQuestion {
  readonly event: ChainAsked | ResolutionAsked;
  readonly at: EpochMs;
}

/**
 * The question that a market waits for an answer to, undefined when it waits for none. After a start it is put again:
 * bodies answer the same to the same question, and what was answered already is refused as CONFLICT.
 */
export function openQuestion(market: MarketRecord): OpenQuestion | undefined {
  if (market.askedAt === undefined) return undefined;
  if (market.status === 'PENDING_BLOCKCHAIN') return { event: chainQuestion(market), at: market.askedAt };
  if (market.status === 'PENDING_RESOLUTION') return { event: resolverQuestion(market), at: market.askedAt };
  return undefined;
}

/** The chain is to do the step that the market waits for. */
export function chainQuestion({ no, step, attempts, yesPayoutBps }: MarketRecord): ChainAsked {
  if (step === undefined) throw new RangeError(`Invariant: market ${no} waits for no step of the chain`);
  return { type: 'chainAsked', market: no, step, attempt: attempts, yesPayoutBps };
}

/** The resolver is to decide in the present round. */
export function resolverQuestion({ no, round, quorum, panelSize }: MarketRecord): ResolutionAsked {
  return { type: 'resolutionAsked', market: no, round, quorum, panelSize };
}
