/** The markets whose data is followed, indexed by number and condition id. */
import type { MarketNo } from '../../domain/index.ts';
import type { BookFeed } from './book-feed.ts';
import type { MarketStream } from './market-stream.ts';

export class FollowedMarkets {
  readonly #byNo = new Map<MarketNo, BookFeed>();
  readonly #conditions = new Map<string, BookFeed>();

  add(feed: BookFeed): void {
    this.#byNo.set(feed.info.market, feed);
    this.#conditions.set(feed.market.condition, feed);
  }

  remove({ info, market }: BookFeed): void {
    this.#byNo.delete(info.market);
    this.#conditions.delete(market.condition);
  }

  all(): readonly BookFeed[] {
    return [...this.#byNo.values()];
  }

  byNumber(no: MarketNo): BookFeed | undefined {
    return this.#byNo.get(no);
  }

  /** @param condition lower case */
  byCondition(condition: string): BookFeed | undefined {
    return this.#conditions.get(condition);
  }

  onStream(stream: MarketStream): readonly BookFeed[] {
    return this.all().filter((each) => each.stream === stream);
  }

  /** Returns the markets of `some` that are still followed, and that should have a book but lack it. */
  withoutBook(some: readonly BookFeed[]): readonly BookFeed[] {
    return some.filter((each) => each.hasBook && !each.isSynced && this.#byNo.get(each.info.market) === each);
  }
}
