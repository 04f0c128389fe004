/** `marketStatusChanged`: changes of status, halts, and new markets, for given markets or all. */
import type { MarketId } from '../../../domain/index.ts';
import type { ExchangeEvent, MarketChanged } from '../../../exchange/index.ts';
import { type Feed, marketList, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';

import { Topics } from '../topic.ts';

export class MarketFeed implements Feed {
  readonly #deps: FeedDeps;
  /** By id, because clients may subscribe to a market before it exists. */
  readonly #topics: Topics<MarketId | 'all'>;
  #changes: { readonly event: MarketChanged; readonly at: number }[] = [];

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    subscription.slow = { kind: 'newest' };
    const ids = marketList(subscription.args);
    const leaves = (ids ?? ['all' as const]).map((id) => this.#topics.join(id, subscription).leave);
    return () => {
      for (const leave of leaves) leave();
    };
  }

  onCommitted(events: readonly ExchangeEvent[], at: number): void {
    for (const event of events) {
      if (event.type === 'happened' && event.event.type === 'marketChanged') {
        this.#changes.push({ event: event.event, at });
      }
    }
  }

  onTurnEnd(): void {
    const { queue, marketViews } = this.#deps;
    for (const { event, at } of this.#changes.splice(0)) {
      const { market, previous, status, step, reason } = event;
      const id = queue.view.market(market)?.id;
      if (id === undefined) throw new Error(`Invariant: no market ${market}`);
      if (!this.#topics.has(id) && !this.#topics.has('all')) continue;
      const change = {
        market: marketViews.market(market),
        previousStatus: previous ?? null,
        status,
        blockchainStep: step ?? null,
        reason,
        created: previous === undefined,
        at,
      };
      this.#topics.get(id)?.publish(change, id);
      this.#topics.get('all')?.publish(change, id);
    }
  }
}
