/** The markets whose data is followed, indexed by number and condition id. */
import type { MarketLimits, MarketNo, MarketStatus } from '../../domain/index.ts';
import type {
  PolymarketBook,
  PolymarketPriceChange,
  PolymarketTouch,
  PolymarketTrade,
  PolymarketTradingTerms,
} from '../../protocol/polymarket/index.ts';
import type { BookFeed } from './book-feed.ts';
import type { FollowedBook } from './book-recovery.ts';
import { limitsOf, type PolymarketMarket } from './market.ts';
import type { MarketStream } from './market-stream.ts';

export class FollowedMarket implements FollowedBook {
  readonly market: PolymarketMarket;
  readonly feed: BookFeed;
  readonly stream: MarketStream;
  hasBook = true;
  #limits: MarketLimits;

  constructor(market: PolymarketMarket, feed: BookFeed, stream: MarketStream) {
    this.market = market;
    this.feed = feed;
    this.stream = stream;
    this.#limits = market.limits;
  }

  get no(): MarketNo {
    return this.market.info.market;
  }

  /** Hands an event of the market to its book feed. */
  onEvent(event: PolymarketBook | PolymarketPriceChange | PolymarketTrade | PolymarketTouch): void {
    const { feed, market } = this;
    if ('asset' in event && !market.tokens.includes(event.asset))
      feed.malformed(`a ${event.type} of a token of another market`);
    else if (event.type === 'book') feed.book(event);
    else if (event.type === 'price_change') feed.change(event);
    else if (event.type === 'last_trade_price') feed.trade(event);
    else feed.bestPrices(event);
  }

  /** Updates the market's state with one read from the venue. */
  updateState(status: MarketStatus, acceptsOrders: boolean, now: number): void {
    this.hasBook = status === 'OPEN';
    this.feed.status.update(status, acceptsOrders, now);
    this.feed.writeStatus();
  }

  /** Stops quoting before `until`, by our clock. */
  halt(until: number): void {
    this.feed.status.halt(until);
    this.feed.writeStatus();
  }

  /** Updates the limits. @returns them if they changed */
  updateLimits(terms: PolymarketTradingTerms): MarketLimits | undefined {
    const limits = limitsOf(terms);
    const { minOrderShares, feeRateBps } = this.#limits;
    if (limits.minOrderShares === minOrderShares && limits.feeRateBps === feeRateBps) return undefined;
    this.#limits = limits;
    return limits;
  }
}

export class FollowedMarkets {
  readonly #byNo = new Map<MarketNo, FollowedMarket>();
  readonly #conditions = new Map<string, FollowedMarket>();

  add(followed: FollowedMarket): void {
    this.#byNo.set(followed.no, followed);
    this.#conditions.set(followed.market.condition, followed);
  }

  remove({ no, market }: FollowedMarket): void {
    this.#byNo.delete(no);
    this.#conditions.delete(market.condition);
  }

  all(): readonly FollowedMarket[] {
    return [...this.#byNo.values()];
  }

  byNumber(no: MarketNo): FollowedMarket | undefined {
    return this.#byNo.get(no);
  }

  /** @param condition lower case */
  byCondition(condition: string): FollowedMarket | undefined {
    return this.#conditions.get(condition);
  }

  on(stream: MarketStream): readonly FollowedMarket[] {
    return this.all().filter((each) => each.stream === stream);
  }

  /** Those of `some` that are still followed and lack a book although they should have one. */
  withoutBook(some: readonly FollowedMarket[]): readonly FollowedMarket[] {
    return some.filter((each) => each.hasBook && !each.feed.isSynced && this.#byNo.get(each.no) === each);
  }
}
