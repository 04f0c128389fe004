/** `tradeExecuted`: every trade of a market, without loss. */
import type { ExchangeEvent } from '../../../exchange/index.ts';
import { presentTrade } from '../../presenters/market-presenter.ts';
import { type Feed, marketArgument, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';

import { Topics } from '../topic.ts';

export class TradeFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #topics: Topics<number>;
  #trades: { readonly seq: number; readonly market: number }[] = [];

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    const market = this.#deps.queue.view.marketById(marketArgument(subscription.args));
    return market === undefined ? undefined : this.#topics.join(market.no, subscription).leave;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      const trade = tradeIn(event);
      if (trade !== undefined && this.#topics.has(trade.market)) this.#trades.push(trade);
    }
  }

  onTurnEnd(): void {
    const { archive, ids } = this.#deps;
    for (const { seq, market } of this.#trades.splice(0)) {
      const row = archive.fill(takerFill(seq));
      if (row === undefined) throw new Error(`Invariant: trade ${seq} is durable and has no row`);
      this.#topics.get(market)?.publish(presentTrade(row, ids.marketId(market)));
    }
  }
}

/** The trade of an event, also between traders on a tape. */
function tradeIn(event: ExchangeEvent): { readonly seq: number; readonly market: number } | undefined {
  if (event.type === 'traded') return event;
  const isPrint = event.type === 'happened' && event.event.type === 'printed';
  return isPrint ? { seq: event.seq, market: event.event.market } : undefined;
}

/** `FillRow.id` of the taker's side. */
function takerFill(seq: number): number {
  return 2 * seq + 1;
}
