/**
 * Requests lost books again, and compares silent and suspect books with REST (docs/spec/polymarket.md#market-stream). A
 * book is silent if its open connection sends no event of the book, and suspect after a failed check.
 *
 * A book that keeps differing from REST is withdrawn, and its connection replaced. One difference is not enough,
 * because REST and the stream may each lag behind the other.
 */
import type { Clock } from '../../clock/index.ts';
import { ReportLimiter } from '../../network/index.ts';
import type { PolymarketBook } from '../../protocol/polymarket/index.ts';
import type { Log } from '../base/index.ts';
import type { BookFeed, BookFeedOwner } from './book-feed.ts';
import { type ClobReader, MAX_BOOKS } from './clob-reader.ts';
import type { MarketStream } from './market-stream.ts';

export interface BookRecoveryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly clob: Pick<ClobReader, 'books'>;
  /** Time without an event after which a book is compared, ms. */
  readonly silenceMs: number;
  /** Requests a read of states and terms, because a market seems to have no book, or another tick. */
  readonly requestMarketStates: () => void;
  /** Runs work that writes rows, and handles its errors. */
  readonly guard: (work: () => void) => void;
}

/** Waits, ms: between two requests for a book, between two comparisons of a book, and after a failed comparison. */
const [REQUEST_MS, COMPARE_MS, RETRY_MS] = [3_000, 500, 2_000];
/** Requests without an answer after which the connection is replaced. */
const MAX_REQUESTS = 2;
/** Consecutive differences that withdraw a book: a silent book, and a book that may have changed during the read. */
const [MAX_SILENT, MAX_MOVING] = [2, 10];
/** Shortest time between two replacements of a connection, ms. */
const MIN_RENEW_INTERVAL_MS = 15_000;
const REPORT_INTERVAL_MS = 60_000;

class RecoveryProgress {
  /** Whether the first book after a subscription has not arrived yet. */
  isAwaitingFirstBook = false;
  nextRequestAt = 0;
  requests = 0;
  nextCompareAt = 0;
  differences = 0;
  isCheckRequested = false;
}

export class BookRecovery implements BookFeedOwner {
  readonly #deps: BookRecoveryDeps;
  readonly #progress = new WeakMap<BookFeed, RecoveryProgress>();
  readonly #renewedAt = new WeakMap<MarketStream, number>();
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  #isReading = false;
  #isClosed = false;

  constructor(deps: BookRecoveryDeps) {
    this.#deps = deps;
  }

  /** Delays requests for the books of a new subscription, because the first books arrive without a request. */
  onSubscribed(feeds: Iterable<BookFeed>): void {
    const nextRequestAt = this.#deps.clock.now() + REQUEST_MS;
    for (const feed of feeds)
      Object.assign(this.#getProgress(feed), { isAwaitingFirstBook: true, nextRequestAt, requests: 0, differences: 0 });
  }

  onBookLost({ info }: BookFeed, problem: string, isOffGrid: boolean): void {
    const { clock, log, requestMarketStates } = this.#deps;
    const suppressed = this.#reports.count('lost', clock.now());
    if (suppressed !== undefined)
      log.warn({ market: info.slug, problem, suppressed }, 'polymarket: a book is withdrawn');
    if (isOffGrid) requestMarketStates();
  }

  requestCheck(feed: BookFeed): void {
    this.#getProgress(feed).isCheckRequested = true;
  }

  /** Requests lost books and starts the next comparison, each after its wait. */
  recover(books: readonly BookFeed[], now: number): void {
    const open = books.filter(({ stream, hasBook }) => hasBook && stream.isOpen);
    for (const feed of open) {
      const progress = this.#getProgress(feed);
      if (!feed.isSynced || !progress.isAwaitingFirstBook) continue;
      // A later loss causes a request at once.
      progress.nextRequestAt = 0;
      progress.isAwaitingFirstBook = false;
    }
    const lost = open.filter(({ isSynced, isUnconfirmed }) => !isSynced && !isUnconfirmed);
    this.#request(lost, now);
    const due = open.filter((feed) => this.#shouldCompare(feed, now)).slice(0, MAX_BOOKS);
    if (due.length > 0 && !this.#isReading) void this.#compare(due);
  }

  /** Replaces a connection, at most once in `MIN_RENEW_INTERVAL_MS`. */
  renew(stream: MarketStream, problem: string): void {
    const now = this.#deps.clock.now();
    const renewedAt = this.#renewedAt.get(stream) ?? Number.NEGATIVE_INFINITY;
    if (!stream.isOpen || now - renewedAt < MIN_RENEW_INTERVAL_MS) return;
    this.#renewedAt.set(stream, now);
    stream.renew(problem);
  }

  close(): void {
    this.#isClosed = true;
  }

  #request(lost: readonly BookFeed[], now: number): void {
    const tokens = new Map<MarketStream, string[]>();
    for (const feed of lost) {
      const { stream } = feed;
      const progress = this.#getProgress(feed);
      if (now < progress.nextRequestAt) continue;
      progress.nextRequestAt = now + REQUEST_MS;
      progress.requests += 1;
      if (progress.requests > MAX_REQUESTS) this.renew(stream, `the book of ${feed.info.slug} does not arrive`);
      else tokens.set(stream, [...(tokens.get(stream) ?? []), feed.market.tokens[0]]);
    }
    for (const [stream, lostTokens] of tokens) stream.resubscribe(lostTokens);
  }

  #shouldCompare(feed: BookFeed, now: number): boolean {
    const { nextCompareAt, isCheckRequested } = this.#getProgress(feed);
    if (now < nextCompareAt) return false;
    return feed.isUnconfirmed || (feed.isSynced && (isCheckRequested || now - feed.seenAt > this.#deps.silenceMs));
  }

  /** Compares books with REST. Never rejects. */
  async #compare(feeds: readonly BookFeed[]): Promise<void> {
    const { clob, clock, log, requestMarketStates, guard } = this.#deps;
    this.#isReading = true;
    const countsBefore = feeds.map(({ eventCount }) => eventCount);
    try {
      const books = await clob.books(feeds.map(({ market }) => market.tokens[0]));
      if (this.#isClosed) return;
      const missing = feeds.filter(({ market }) => !books.has(market.tokens[0]));
      for (const feed of missing) this.#getProgress(feed).nextCompareAt = clock.now() + RETRY_MS;
      if (missing.length > 0) requestMarketStates();
      for (const [at, feed] of feeds.entries()) {
        const book = books.get(feed.market.tokens[0]);
        if (book !== undefined) guard(() => this.#onCompared(feed, book, feed.eventCount !== countsBefore[at]));
      }
    } catch (error) {
      for (const feed of feeds) this.#getProgress(feed).nextCompareAt = clock.now() + RETRY_MS;
      const suppressed = this.#reports.count('compare', clock.now());
      if (suppressed !== undefined && !this.#isClosed)
        log.warn({ err: error, suppressed }, 'polymarket: books could not be compared with those of REST');
    } finally {
      this.#isReading = false;
    }
  }

  /** @param hasMoved whether an event of the book arrived during the read */
  #onCompared(feed: BookFeed, book: PolymarketBook, hasMoved: boolean): void {
    const { clock, log } = this.#deps;
    const progress = this.#getProgress(feed);
    progress.nextCompareAt = clock.now() + COMPARE_MS;
    const match = feed.compare(book);
    if (match === 'same' || (hasMoved && match === 'sameTouch')) {
      Object.assign(progress, { requests: 0, differences: 0, isCheckRequested: false });
      feed.confirm();
      return;
    }
    progress.differences += 1;
    const isMoving = hasMoved || feed.isUnconfirmed || book.at < feed.lastEventAt;
    if (progress.differences < (isMoving ? MAX_MOVING : MAX_SILENT)) return;
    progress.differences = 0;
    log.warn({ market: feed.info.slug }, 'polymarket: a book differs from that of REST and is withdrawn');
    feed.onDisconnected({ isSuspect: true });
    this.renew(feed.stream, `the book of ${feed.info.slug} differs from that of REST`);
  }

  #getProgress(feed: BookFeed): RecoveryProgress {
    const progress = this.#progress.get(feed) ?? new RecoveryProgress();
    this.#progress.set(feed, progress);
    return progress;
  }
}
