/** The nine streams of exchange events. */
import type { EpochMs } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { BatchChanges } from './batch-changes.ts';
import { BookFeed } from './book/book-feed.ts';
import { BookProjection } from './book/book-projection.ts';
import type { Feed } from './feed.ts';
import { balanceFeed, positionFeed } from './feeds/account-feeds.ts';
import { OrderFeed } from './feeds/order-feed.ts';
import { marketFeed, priceFeed, resolutionFeed, tradeFeed, venueFeed } from './feeds/public-feeds.ts';
import type { FeedDeps } from './options.ts';
import type { Subscription } from './subscription.ts';

interface FeedsHost {
  flush(): void;
  /** Called after a fault in a feed. Sent messages may be incomplete, so all subscribers must start again. */
  onFailed(error: unknown): void;
}

/** A stream. Its feed gets events only while the stream has subscribers. */
interface Stream {
  readonly feed: Feed;
  subscribers: number;
}

export class Feeds {
  readonly #deps: FeedDeps;
  readonly #host: FeedsHost;
  readonly #unwatch: () => void;
  #feedSet: ReturnType<typeof makeFeeds>;
  #fault: { readonly error: unknown } | undefined;

  /** Call this while no batch is running. */
  constructor(deps: FeedDeps, host: FeedsHost) {
    this.#deps = deps;
    this.#host = host;
    this.#feedSet = makeFeeds(deps, () => host.flush());
    this.#unwatch = deps.queue.watch({
      onCommitted: (events, _command, at) => this.#onCommitted(events, at),
      onBatchEnd: () => this.#onBatchEnd(),
    });
  }

  /**
   * Adds a subscriber, and removes the subscriber completely on a fault. Call this while no batch is running.
   * @returns a function that ends the subscription; undefined if no given market exists
   * @throws WireFault for invalid arguments
   */
  open(subscription: Subscription): (() => void) | undefined {
    const { field } = subscription.plan;
    const stream = this.#feedSet.streams.get(field);
    if (stream === undefined) throw new Error(`Invariant: no stream ${field}`);
    try {
      stream.feed.open(subscription);
    } catch (error) {
      subscription.leave?.();
      throw error;
    }
    const { leave } = subscription;
    if (leave === undefined) return undefined;
    stream.subscribers += 1;
    return () => {
      stream.subscribers -= 1;
      leave();
    };
  }

  onAnnouncement(): void {
    this.#feedSet.venue.publish();
    this.#host.flush();
  }

  close(): void {
    this.#unwatch();
  }

  #onCommitted(events: readonly ExchangeEvent[], at: EpochMs): void {
    if (this.#fault !== undefined) return;
    const { changes, projection, streams } = this.#feedSet;
    try {
      const subscribed = [...streams.values()].filter(({ subscribers }) => subscribers > 0);
      if (subscribed.length > 0) changes.onCommitted(events);
      const books = projection.onCommitted(events, at);
      for (const { feed } of subscribed) feed.onCommitted?.(events, at, books);
    } catch (error) {
      this.#fault = { error };
    }
  }

  /** A feed's fault does not stop the exchange. Subscribers start again, because they may have got half a batch. */
  #onBatchEnd(): void {
    try {
      if (this.#fault === undefined) this.#publish();
    } catch (error) {
      this.#fault = { error };
    }
    this.#feedSet.changes.clear();
    if (this.#fault !== undefined) {
      const { error } = this.#fault;
      this.#fault = undefined;
      this.#deps.log.error({ err: error }, 'a stream failed: all subscribers start again');
      this.#host.onFailed(error);
      this.#feedSet = makeFeeds(this.#deps, () => this.#host.flush());
    }
    this.#host.flush();
  }

  #publish(): void {
    const { projection, streams } = this.#feedSet;
    const wrongBooks = projection.onBatchEnd();
    for (const market of wrongBooks)
      this.#deps.log.error({ market }, 'a book differed from its events: the server sends it again');
    for (const { feed, subscribers } of streams.values()) if (subscribers > 0) feed.onBatchEnd?.(wrongBooks);
  }
}

function makeFeeds(deps: FeedDeps, flush: () => void) {
  /** Follows all events, because the first subscriber of a book may resume from an earlier event. */
  const projection = new BookProjection(deps.queue.view);
  const changes = new BatchChanges(deps.queue.view, (order) => projection.findMarket(order));
  const venue = venueFeed(deps, changes);
  // This order is the sending order within a batch. Orders and trades come before the book that they changed.
  const byField = {
    orderEvents: new OrderFeed(deps, changes, flush),
    tradeExecuted: tradeFeed(deps),
    orderBookUpdated: new BookFeed(deps, projection, flush),
    priceUpdated: priceFeed(deps, changes),
    marketStatusChanged: marketFeed(deps),
    resolutionUpdated: resolutionFeed(deps),
    venueStatusChanged: venue,
    positionUpdated: positionFeed(deps, changes),
    balanceUpdated: balanceFeed(deps, changes),
  };
  const streams = new Map(
    Object.entries(byField).map(([field, feed]): [string, Stream] => [field, { feed, subscribers: 0 }]),
  );
  return { changes, projection, venue, streams };
}
