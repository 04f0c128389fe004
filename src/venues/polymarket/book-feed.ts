/**
 * Keeps the book of one market, and makes rows of what changed.
 *
 * The venue numbers nothing, so a book is checked by what it states: its best prices after each change, on both tokens; that no
 * side crosses the other; and that time does not go back (docs/spec/polymarket.md#market-stream).
 *
 * Phases: waiting (no book) -> shown (the core has it) -> waiting (lost). A book that contradicted itself is `unconfirmed` first,
 * until REST shows the same one.
 * Invariants: events of YES alone make the book; rows are made of a book in the phase `shown`, of nothing else.
 */
import { FULL_BPS, type MarketInfo } from '../../domain/index.ts';
import type {
  PolymarketBook,
  PolymarketPriceChange,
  PolymarketTouch,
  PolymarketTrade,
} from '../../protocol/polymarket/index.ts';
import {
  type ClockOffset,
  type MarketStatusTracker,
  type OwnLevels,
  type OwnOrderBook,
  type Selected,
  seenTime,
} from '../base/index.ts';
import { BookRows, type BookRowsDeps } from './book-rows.ts';
import { EventTimes } from './event-times.ts';
import type { PolymarketMarket } from './market.ts';
import { contradiction, mirroredTouch, sameTouch, TokenBook, type Touch, touchOf } from './token-book.ts';

export interface BookFeedDeps extends BookRowsDeps {
  /** The venue's clock against ours. */
  readonly offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>;
  /** A change that is read later than this is late, ms. */
  readonly staleMs: number;
  readonly owner: BookFeedOwner;
}

export interface BookFeedOwner {
  /**
   * The book is not the venue's.
   * @param isOffGrid a price was off the market's grid: its tick may have changed
   */
  bookLost(feed: BookFeed, problem: string, isOffGrid: boolean): void;
  /** Something does not fit: the book is to be compared with that of REST. */
  checkWanted(feed: BookFeed): void;
}

/** What a comparison with a book of REST says. */
export type Likeness = 'same' | 'sameTouch' | 'different';

type Phase = 'waiting' | 'unconfirmed' | 'shown';

/** One message has at most so many rows (row-writer.ts). */
const MAX_CHANGES = 8_192;

export class BookFeed implements OwnOrderBook {
  readonly info: MarketInfo;
  readonly market: PolymarketMarket;
  readonly #deps: BookFeedDeps;
  readonly #book: TokenBook;
  readonly #rows: BookRows;
  readonly #times: EventTimes;
  #phase: Phase = 'waiting';
  /** It contradicted itself, and was not compared since. */
  #isSuspect = false;
  #seenAt = Number.NEGATIVE_INFINITY;
  /** Since when the book is not the venue's; Infinity while it is. */
  #lostAt: number;
  /** Number of books and changes that came. */
  events = 0;
  resyncs = 0;

  constructor(selected: Selected, market: PolymarketMarket, deps: BookFeedDeps) {
    const { info } = selected.setup;
    this.info = info;
    this.market = market;
    this.#deps = deps;
    this.#times = new EventTimes(deps);
    this.#book = new TokenBook(info.grid);
    this.#rows = new BookRows(selected, this.#book, this.#times, deps);
    this.#lostAt = deps.clock.now();
  }

  get own(): OwnLevels {
    return this.#rows.own;
  }

  get status(): MarketStatusTracker {
    return this.#rows.status;
  }

  /** The book is the venue's, as far as is known. */
  get isSynced(): boolean {
    return this.#phase === 'shown';
  }

  /** It came after a contradiction: REST has to show the same one. */
  get isUnconfirmed(): boolean {
    return this.#phase === 'unconfirmed';
  }

  get times(): Readonly<Pick<EventTimes, 'last' | 'seq'>> {
    return this.#times;
  }

  /** When the book was last known to be right, by our clock; -Infinity before the first. */
  get seenAt(): number {
    return this.#seenAt;
  }

  /** Since when the book is not the venue's; Infinity while it is. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /** The whole book of one of the tokens. */
  book(event: PolymarketBook): void {
    if (event.asset !== this.market.tokens[0]) {
      this.#compare(mirroredTouch(touchOf(event)));
      return;
    }
    if (!this.#isInTime(event.at)) return;
    const levels = [...event.bids, ...event.asks];
    if (levels.some(({ price }) => !this.#book.isOnGrid(price))) {
      this.#lose('a price of the book is off the grid', true);
      return;
    }
    this.#book.replace(event.bids, event.asks);
    if (this.#isCrossed()) {
      this.#lose('its book is crossed');
      return;
    }
    if (this.#isSuspect) {
      this.#phase = 'unconfirmed';
      this.#deps.owner.checkWanted(this);
    } else {
      this.#show();
    }
  }

  /** Levels of both tokens from now on: those of YES are applied, those of NO compared. */
  change(event: PolymarketPriceChange): void {
    const [yes, no] = this.market.tokens;
    const { clock, offset, staleMs } = this.#deps;
    const { changes } = event;
    if (changes.length > MAX_CHANGES || changes.some(({ asset }) => asset !== yes && asset !== no)) {
      this.malformed(`a change of ${changes.length} levels, or of a token of another market`);
      return;
    }
    if (!this.#isInTime(event.at) || this.#phase === 'waiting') return;
    const mine = changes.filter(({ asset }) => asset === yes);
    if (mine.some(({ price }) => !this.#book.isOnGrid(price))) {
      this.#lose('a price is off the grid', true);
      return;
    }
    const sides = ['BUY', 'SELL'].map((wanted, side) =>
      mine
        .filter((each) => each.side === wanted)
        .map(({ price, size }) => this.#book.set(side === 0 ? 0 : 1, price, size)),
    );
    const problem = this.#isCrossed()
      ? 'its book is crossed'
      : contradiction(changes, this.market.tokens, this.#book.touch);
    if (problem !== undefined) this.#lose(problem);
    else if (this.#phase === 'shown') {
      this.#seenAt = seenTime(event.at, clock.now(), offset, staleMs);
      this.#rows.change(sides[0] ?? [], sides[1] ?? []);
    }
  }

  /** Best prices of one of the tokens. They may come before the change that made them. */
  bestPrices({ asset, bestBid, bestAsk }: PolymarketTouch): void {
    const touch = { bid: bestBid ?? 0, ask: bestAsk ?? FULL_BPS };
    this.#compare(asset === this.market.tokens[0] ? touch : mirroredTouch(touch));
  }

  /** A public trade in one of the tokens. */
  trade(event: PolymarketTrade): void {
    this.#rows.trade(event, event.asset === this.market.tokens[0]);
  }

  /** An event of this market cannot be read. */
  malformed(problem: string): void {
    this.#lose(problem);
  }

  /** The connection that carried the book is gone. @param isSuspect the next book has to be confirmed */
  disconnected(isSuspect: boolean): void {
    this.#times.restart();
    this.#isSuspect ||= isSuspect;
    this.#withdraw();
  }

  /** Compares the book with one of REST. */
  compare(book: PolymarketBook): Likeness {
    if (this.#book.equals(book)) return 'same';
    return sameTouch(this.#book.touch, touchOf(book)) ? 'sameTouch' : 'different';
  }

  /** REST has shown the same book just now. */
  confirmed(): void {
    this.#isSuspect = false;
    if (this.#phase === 'unconfirmed') {
      this.#show();
      return;
    }
    if (this.#phase !== 'shown') return;
    this.#seenAt = this.#deps.clock.now();
    if (!this.regain()) this.#rows.again();
  }

  /** Trusts a book again that is right and was not trusted for a time. @returns whether it was so */
  regain(): boolean {
    const now = this.#deps.clock.now();
    if (this.#phase !== 'shown' || this.status.isTrusted || !this.status.mayTrust(now)) return false;
    if (now - this.#seenAt > this.#deps.staleMs) return false;
    this.#show(this.#seenAt);
    return true;
  }

  /** Nothing is quoted on the book until it is known to be right again. */
  distrust(): void {
    this.status.trust(false);
    this.writeStanding();
  }

  /** Stops: the core has an outdated book. */
  leave(): void {
    this.#withdraw();
    this.#rows.end();
  }

  /** Own orders changed: levels that show another outside size now are handed on. */
  reveal(): void {
    if (this.#phase === 'shown') this.#rows.reveal();
  }

  flushPrints(ownSeq = 0): boolean {
    return this.#rows.flushPrints(ownSeq);
  }

  /** Writes the market's state where it changed. */
  writeStanding(): void {
    this.#rows.standing();
  }

  #isInTime(at: number): boolean {
    const problem = this.#times.take(at);
    if (problem !== undefined) this.#lose(problem);
    else this.events += 1;
    return problem === undefined;
  }

  #isCrossed(): boolean {
    const { bid, ask } = this.#book.touch;
    return bid >= ask;
  }

  #compare(touch: Touch): void {
    if (this.#phase === 'shown' && !sameTouch(touch, this.#book.touch)) this.#deps.owner.checkWanted(this);
  }

  /** The book contradicts itself: nothing is quoted until the venue has sent another one that REST confirms. */
  #lose(problem: string, isOffGrid = false): void {
    this.#isSuspect = true;
    this.resyncs += 1;
    // Where that happens again and again, the market halts.
    this.status.malformed(this.#deps.clock.now());
    this.#withdraw();
    this.#deps.owner.bookLost(this, problem, isOffGrid);
  }

  #withdraw(): void {
    this.#phase = 'waiting';
    if (this.#lostAt === Number.POSITIVE_INFINITY) this.#lostAt = this.#deps.clock.now();
    this.status.loseBook();
    this.writeStanding();
  }

  /** The book is the venue's. @param seenAt when it was last known to be so; default now */
  #show(seenAt: number = this.#deps.clock.now()): void {
    this.#phase = 'shown';
    this.#lostAt = Number.POSITIVE_INFINITY;
    this.#seenAt = seenAt;
    this.#rows.whole();
  }
}
