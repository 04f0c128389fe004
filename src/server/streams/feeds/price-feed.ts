/** `priceUpdated`: present values first, then what is new at the end of each turn. */
import type { ExchangeView } from '../../../exchange/index.ts';
import { badArgument } from '../../../protocol/index.ts';
import type { Feed, Opened } from '../feed.ts';
import type { FeedPorts } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import type { Touched } from '../touched.ts';
import { marketList } from './arguments.ts';
import { Topics } from './topics.ts';

const MOST_MARKETS = 200;

export class PriceFeed implements Feed {
  readonly #ports: FeedPorts;
  readonly #touched: Touched;
  /** By market. */
  readonly #topics: Topics<number>;
  /** What was told last, in one text. */
  readonly #told = new Map<number, string>();

  constructor(ports: FeedPorts, touched: Touched) {
    this.#ports = ports;
    this.#touched = touched;
    this.#topics = new Topics(ports.clock);
  }

  open(subscription: Subscription): Opened {
    const ids = marketList(subscription.args) ?? [];
    if (ids.length > MOST_MARKETS) throw badArgument('marketIds', ids.length, `at most ${MOST_MARKETS} markets`);
    subscription.slow = { kind: 'newest' };
    const { view } = this.#ports.desk;
    const known = ids.flatMap((id) => view.marketById(id)?.no ?? []);
    const leaves = known.map((market) => this.#join(market, subscription));
    return () => {
      for (const leave of leaves) leave();
    };
  }

  settled(): void {
    const { markets, venue } = this.#touched;
    for (const market of venue ? [...this.#topics.keys()] : markets) {
      if (!this.#topics.has(market)) continue;
      const price = priceOf(this.#ports.desk.view, market);
      const mark = markOf(price);
      if (this.#told.get(market) === mark) continue;
      this.#told.set(market, mark);
      this.#topics.get(market)?.tell(price, String(market));
    }
  }

  #join(market: number, subscription: Subscription): () => void {
    const { topic, leave } = this.#topics.join(market, subscription);
    const price = priceOf(this.#ports.desk.view, market);
    this.#told.set(market, markOf(price));
    topic.tellOne(subscription, price, String(market));
    return () => {
      leave();
      if (!this.#topics.has(market)) this.#told.delete(market);
    };
  }
}

/** A `PriceUpdate` as of now. */
function priceOf(view: ExchangeView, market: number) {
  const [record, quotes, book] = [view.market(market), view.quotes(market), view.book(market)];
  if (record === undefined || quotes === undefined || book === undefined) {
    throw new Error(`Invariant: no market ${market}`);
  }
  const bid = book.bestBid === 0 ? null : book.bestBid;
  const ask = book.bestAsk === 10_000 ? null : book.bestAsk;
  return {
    marketId: record.id,
    yesPriceBps: quotes.yes,
    noPriceBps: quotes.no,
    spreadBps: quotes.spreadBps,
    bestBidBps: bid,
    bestAskBps: ask,
    midpointBps: bid === null || ask === null ? null : Math.floor((bid + ask) / 2),
    lastTradePriceBps: record.lastTrade === 0 ? null : record.lastTrade,
    seq: view.seq,
    at: view.now,
  };
}

/** All but when. */
function markOf({ seq: _seq, at: _at, ...price }: ReturnType<typeof priceOf>): string {
  return JSON.stringify(price);
}
