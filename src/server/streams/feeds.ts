/** The nine streams, and whoever listens to the exchange for them. */
import type { EpochMs } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { BookFeed } from './book/book-feed.ts';
import { BookProjection } from './book/book-projection.ts';
import type { Feed, Opened } from './feed.ts';
import { BalanceFeed } from './feeds/balance-feed.ts';
import { MarketFeed } from './feeds/market-feed.ts';
import { OrderFeed } from './feeds/order-feed.ts';
import { PositionFeed } from './feeds/position-feed.ts';
import { PriceFeed } from './feeds/price-feed.ts';
import { ResolutionFeed } from './feeds/resolution-feed.ts';
import { TradeFeed } from './feeds/trade-feed.ts';
import { VenueFeed } from './feeds/venue-feed.ts';
import type { FeedDeps } from './options.ts';
import type { Subscription } from './subscription.ts';
import { TurnChanges } from './turn-changes.ts';

/** What feeds do besides telling. */
export interface FeedsHost {
  /** Writes out what was told. */
  flush(): void;
  /** A feed failed: nobody may count on what he was told, so all subscribers are to begin anew. */
  failed(error: unknown): void;
}

interface Made {
  readonly changes: TurnChanges;
  readonly byField: Readonly<Record<string, Feed>>;
  readonly venue: VenueFeed;
  readonly all: readonly Feed[];
}

export class Feeds {
  readonly #deps: FeedDeps;
  readonly #host: FeedsHost;
  readonly #unwatch: () => void;
  #made: Made;
  #fault: { readonly error: unknown } | undefined;

  /** To be made while the exchange is at rest. */
  constructor(deps: FeedDeps, host: FeedsHost) {
    this.#deps = deps;
    this.#host = host;
    this.#made = makeFeeds(deps, () => host.flush());
    this.#unwatch = deps.queue.watch({
      onCommitted: (events, _command, at) => this.#onCommitted(events, at),
      onTurnEnd: () => this.#onTurnEnd(),
    });
  }

  /** Takes a subscriber in; while the exchange is at rest. @throws WireFault for arguments that cannot be taken */
  open(subscription: Subscription): Opened {
    const { field } = subscription.plan;
    const feed = Object.hasOwn(this.#made.byField, field) ? this.#made.byField[field] : undefined;
    if (feed === undefined) throw new Error(`Invariant: no stream ${field}`);
    return feed.open(subscription);
  }

  /** The operator's announcement changed. */
  onAnnouncement(): void {
    this.#made.venue.tell();
    this.#host.flush();
  }

  close(): void {
    this.#unwatch();
  }

  #onCommitted(events: readonly ExchangeEvent[], at: EpochMs): void {
    if (this.#fault !== undefined) return;
    const { changes, all } = this.#made;
    try {
      changes.onCommitted(events);
      for (const feed of all) feed.onCommitted?.(events, at);
    } catch (error) {
      this.#fault = { error };
    }
  }

  /** A fault here is no reason for the exchange to stop, but those who were told half of something have to know. */
  #onTurnEnd(): void {
    const { changes, all } = this.#made;
    try {
      if (this.#fault === undefined) for (const feed of all) feed.onTurnEnd?.();
    } catch (error) {
      this.#fault = { error };
    }
    changes.clear();
    if (this.#fault !== undefined) {
      const { error } = this.#fault;
      this.#fault = undefined;
      this.#deps.log.error({ err: error }, 'a stream failed: all subscribers begin anew');
      this.#host.failed(error);
      this.#made = makeFeeds(this.#deps, () => this.#host.flush());
    }
    this.#host.flush();
  }
}

function makeFeeds(deps: FeedDeps, flush: () => void): Made {
  const projection = new BookProjection(deps.queue.view);
  const changes = new TurnChanges(deps.queue.view, (order) => projection.marketOf(order));
  const venue = new VenueFeed(deps, changes);
  // In the order in which a turn is told: whoever takes his own orders out of a book, and prints before the levels that they
  // changed, has heard of both when the book comes.
  const byField = {
    orderEvents: new OrderFeed(deps, changes, flush),
    tradeExecuted: new TradeFeed(deps),
    orderBookUpdated: new BookFeed(deps, projection, flush),
    priceUpdated: new PriceFeed(deps, changes),
    marketStatusChanged: new MarketFeed(deps),
    resolutionUpdated: new ResolutionFeed(deps),
    venueStatusChanged: venue,
    positionUpdated: new PositionFeed(deps, changes),
    balanceUpdated: new BalanceFeed(deps, changes),
  };
  return { changes, byField, venue, all: Object.values(byField) };
}
