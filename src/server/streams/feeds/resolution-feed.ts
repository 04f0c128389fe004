/** `resolutionUpdated`: votes and steps of a market's resolution. A slow consumer gets the newest one. */

import type { ExchangeEvent, ResolutionStepped } from '../../../exchange/index.ts';
import { showStep } from '../../resolvers/public/index.ts';
import type { Feed, Opened } from '../feed.ts';
import type { FeedPorts } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { marketArgument } from './arguments.ts';
import { Topics } from './topics.ts';

export class ResolutionFeed implements Feed {
  readonly #ports: FeedPorts;
  readonly #topics: Topics<number>;
  #steps: ResolutionStepped[] = [];

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#topics = new Topics(ports.clock);
  }

  open(subscription: Subscription): Opened {
    const market = this.#ports.queue.view.marketById(marketArgument(subscription.args));
    if (market === undefined) return undefined;
    subscription.slow = { kind: 'newest' };
    return this.#topics.join(market.no, subscription).leave;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    if (this.#topics.size === 0) return;
    for (const event of events) {
      if (event.type === 'happened' && event.event.type === 'resolutionStepped') this.#steps.push(event.event);
    }
  }

  onTurnEnd(): void {
    const { shows } = this.#ports;
    for (const { market, record, vote } of this.#steps.splice(0)) {
      const topic = this.#topics.get(market);
      if (topic === undefined) continue;
      topic.tell({
        resolution: shows.resolution(market),
        vote: vote === undefined ? null : shows.vote(vote),
        step: showStep(record),
      });
    }
  }
}
