/** `resolutionUpdated`: votes and steps of a market's resolution. A slow consumer gets only the newest. */
import type { ExchangeEvent, ResolutionStepped } from '../../../exchange/index.ts';
import { presentResolution, presentStep, presentVote } from '../../presenters/resolution-presenter.ts';
import { type Feed, marketArgument, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';

import { Topics } from '../topic.ts';

export class ResolutionFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #topics: Topics<number>;
  #steps: ResolutionStepped[] = [];

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    const market = this.#deps.queue.view.marketById(marketArgument(subscription.args));
    if (market === undefined) return undefined;
    subscription.slow = { kind: 'newest' };
    return this.#topics.join(market.no, subscription).leave;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'happened' && event.event.type === 'resolutionStepped') this.#steps.push(event.event);
    }
  }

  onTurnEnd(): void {
    for (const { market, record, vote } of this.#steps.splice(0)) {
      const topic = this.#topics.get(market);
      const decided = this.#deps.queue.view.market(market);
      if (topic === undefined || decided === undefined) continue;
      topic.publish({
        resolution: presentResolution(decided),
        vote: vote === undefined ? null : presentVote(vote),
        step: presentStep(record),
      });
    }
  }
}
