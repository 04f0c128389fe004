/** `priceUpdated`: the current prices first, then changed prices at the end of each turn. */
import type { ExchangeView } from '../../../exchange/index.ts';
import { badArgument } from '../../../protocol/index.ts';
import { presentPriceUpdate } from '../../presenters/market-presenter.ts';
import { type Feed, marketList, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { Topics } from '../topic.ts';
import type { TurnChanges } from '../turn-changes.ts';

const MAX_MARKETS = 200;

export class PriceFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #changes: TurnChanges;
  /** By market. */
  readonly #topics: Topics<number>;
  /** The last published price of each market as text. */
  readonly #sent = new Map<number, string>();

  constructor(deps: FeedDeps, changes: TurnChanges) {
    this.#deps = deps;
    this.#changes = changes;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    const ids = marketList(subscription.args) ?? [];
    if (ids.length > MAX_MARKETS) throw badArgument('marketIds', ids.length, `at most ${MAX_MARKETS} markets`);
    subscription.slow = { kind: 'newest' };
    const { view } = this.#deps.queue;
    const known = ids.flatMap((id) => view.marketById(id)?.no ?? []);
    if (known.length === 0) return undefined;
    const leaves = known.map((market) => this.#join(market, subscription));
    return () => {
      for (const leave of leaves) leave();
    };
  }

  onTurnEnd(): void {
    const { markets, venue } = this.#changes;
    for (const market of venue ? [...this.#topics.keys()] : markets) {
      if (!this.#topics.has(market)) continue;
      const { value, text } = priceOf(this.#deps.queue.view, market);
      if (this.#sent.get(market) === text) continue;
      this.#sent.set(market, text);
      this.#topics.get(market)?.publish(value, String(market));
    }
  }

  #join(market: number, subscription: Subscription): () => void {
    const { topic, leave } = this.#topics.join(market, subscription);
    const { value, text } = priceOf(this.#deps.queue.view, market);
    this.#sent.set(market, text);
    topic.sendTo(subscription, value, String(market));
    return () => {
      leave();
      if (!this.#topics.has(market)) this.#sent.delete(market);
    };
  }
}

/** The current `PriceUpdate`, and its prices as text for comparison. */
function priceOf(view: ExchangeView, market: number) {
  const record = view.market(market);
  if (record === undefined) throw new Error(`Invariant: no market ${market}`);
  const value = presentPriceUpdate(record, view);
  const { seq: _seq, at: _at, ...price } = value;
  return { value, text: JSON.stringify(price) };
}
