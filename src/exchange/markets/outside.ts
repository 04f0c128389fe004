import type { EpochMs } from '../../domain/index.ts';
import type { RareEvent } from '../sink.ts';
import { Agenda } from './agenda.ts';
import type { Chain } from './chain.ts';
import type { MarketRecord } from './market-record.ts';
import { openQuestion } from './questions.ts';
import type { Resolver } from './resolver.ts';

/**
 * Chain and resolver, as whoever runs an exchange keeps them: it hears what the exchange tells, and has their answers in
 * its agenda, to be sent at their time.
 */
export class Outside {
  readonly agenda = new Agenda();
  readonly #chain: Chain;
  readonly #resolver: Resolver;

  constructor({ chain, resolver }: { readonly chain: Chain; readonly resolver: Resolver }) {
    this.#chain = chain;
    this.#resolver = resolver;
  }

  /** Takes up a question that was told at `now`; every other event is nothing to it. */
  hear(event: RareEvent, now: EpochMs): void {
    if (event.type === 'chainAsked') this.agenda.add(this.#chain.asked(event, now));
    if (event.type === 'resolutionAsked') this.agenda.add(this.#resolver.asked(event, now));
  }

  /** After a start: puts every question again that still waits for an answer, as of when it was put first. */
  resume(markets: readonly MarketRecord[]): void {
    for (const market of markets) {
      const question = openQuestion(market);
      if (question !== undefined) this.hear(question.event, question.at);
    }
  }
}
