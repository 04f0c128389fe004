/**
 * Keeps the book of one market and writes its changes as rows.
 *
 * The venue sends no sequence numbers. Instead, three checks detect a wrong book
 * (docs/spec/polymarket.md#market-stream). The book must have the best prices that each change states, for both tokens.
 * It must not be crossed. Its time must not go back.
 *
 * Phases: `waiting` (no book) -> `shown` (the core has the book) -> `waiting` (lost). After a failed check, the next
 * book is `unconfirmed` until REST shows the same book. Invariants: only events of the YES token change the book. Only
 * a book in the phase `shown` produces rows of levels.
 */
import type { BookLevel } from '../../book/index.ts';
import { FULL_BPS, LOT, type MarketStatus } from '../../domain/index.ts';
import type {
  PolymarketBook,
  PolymarketPriceChange,
  PolymarketTouch,
  PolymarketTrade,
} from '../../protocol/polymarket/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import { SIDE } from '../../tape/index.ts';
import { type ClockOffset, MarketFeed, type MarketFeedDeps, RecentKeys, seenTime } from '../base/index.ts';
import { EventTimes } from './event-times.ts';
import type { PolymarketMarket } from './market.ts';
import type { MarketStream } from './market-stream.ts';
import type { OwnPrints } from './own-prints.ts';
import { findContradiction, findTouch, isSameTouch, mirroredTouch, TokenBook, type Touch } from './token-book.ts';

export interface BookFeedDeps extends Omit<MarketFeedDeps, 'trades'> {
  readonly orders: OwnPrints;
  readonly offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>;
  /** Delay after which a change is late, ms. */
  readonly staleMs: number;
  readonly recovery: BookFeedOwner;
}

export interface BookFeedOwner {
  /**
   * Called when the book failed a check, and therefore differs from the venue's.
   * @param isOffGrid whether a price was off the market's grid, whose tick may have changed
   */
  onBookLost(feed: BookFeed, problem: string, isOffGrid: boolean): void;
  /** Requests a comparison of the book with REST. */
  requestCheck(feed: BookFeed): void;
}

export type BookMatch = 'same' | 'sameTouch' | 'different';

type Phase = 'waiting' | 'unconfirmed' | 'shown';

/** Largest number of changes in one message, so that its rows fit into a block (row-writer.ts). */
const MAX_CHANGES = 8_192;

export class BookFeed extends MarketFeed {
  readonly market: PolymarketMarket;
  /** The connection that carries the book. */
  readonly stream: MarketStream;
  /** Whether the market is OPEN. The venue has books of open markets only. */
  hasBook = true;
  readonly #deps: BookFeedDeps;
  readonly #book: TokenBook;
  readonly #times: EventTimes;
  #phase: Phase = 'waiting';
  /** Whether a check failed and REST has not confirmed a later book. */
  #isSuspect = false;
  /** Number of books and changes received. */
  eventCount = 0;

  constructor(selected: MarketSetup, market: PolymarketMarket, stream: MarketStream, deps: BookFeedDeps) {
    const book = new TokenBook(selected.info.grid);
    // Trades of this venue have no numbers, so duplicates cannot be recognised.
    super(selected, book.ladder, { ...deps, trades: new RecentKeys(1) });
    this.market = market;
    this.stream = stream;
    this.#deps = deps;
    this.#times = new EventTimes(deps);
    this.#book = book;
  }

  get isSynced(): boolean {
    return this.#phase === 'shown';
  }

  /** Whether the book arrived after a failed check and REST has not confirmed it yet. */
  get isUnconfirmed(): boolean {
    return this.#phase === 'unconfirmed';
  }

  get seq(): number {
    return this.#times.seq;
  }

  /** Time of the last event of the book on this connection by the venue's clock, ms; 0 before the first. */
  get lastEventAt(): number {
    return this.#times.lastAt;
  }

  onEvent(event: PolymarketBook | PolymarketPriceChange | PolymarketTrade | PolymarketTouch): void {
    if ('asset' in event && !this.market.tokens.includes(event.asset))
      this.lose(`a ${event.type} of a token of another market`);
    else if (event.type === 'book') this.#onBook(event);
    else if (event.type === 'price_change') this.#onChange(event);
    else if (event.type === 'last_trade_price') this.#onTrade(event);
    else this.#onBestPrices(event);
  }

  /** Applies a market state that was read from the venue. */
  updateState(status: MarketStatus, acceptingOrders: boolean): void {
    this.hasBook = status === 'OPEN';
    this.status.update({ status, acceptingOrders }, this.clock.now());
    this.writeStatus();
  }

  /** Applies a whole book of the YES token, or compares a book of the NO token. */
  #onBook(event: PolymarketBook): void {
    if (event.asset !== this.market.tokens[0]) {
      this.#checkTouch(mirroredTouch(findTouch(event)));
      return;
    }
    if (!this.#acceptTimeOrLose(event.at)) return;
    if ([...event.bids, ...event.asks].some(({ price }) => !this.#book.isOnGrid(price))) {
      this.lose('a price of the book is off the grid', { isOffGrid: true });
      return;
    }
    this.#book.replace(event.bids, event.asks);
    if (this.#isCrossed()) {
      this.lose('its book is crossed');
      return;
    }
    if (this.#isSuspect) {
      this.#phase = 'unconfirmed';
      this.#deps.recovery.requestCheck(this);
    } else this.#show();
  }

  /** Applies changed levels of the YES token and checks the best prices that both tokens state. */
  #onChange(event: PolymarketPriceChange): void {
    const [yes, no] = this.market.tokens;
    const { clock, offset, staleMs } = this.#deps;
    const { changes } = event;
    if (changes.length > MAX_CHANGES || changes.some(({ asset }) => asset !== yes && asset !== no)) {
      this.lose(`a change has ${changes.length} levels, or a token of another market`);
      return;
    }
    if (!this.#acceptTimeOrLose(event.at) || this.#phase === 'waiting') return;
    const yesChanges = changes.filter(({ asset }) => asset === yes);
    if (yesChanges.some(({ price }) => !this.#book.isOnGrid(price))) {
      this.lose('a price is off the grid', { isOffGrid: true });
      return;
    }
    const applySide = (orderSide: 'BUY' | 'SELL', side: 0 | 1): readonly BookLevel[] => {
      const sideChanges = yesChanges.filter((each) => each.side === orderSide);
      return sideChanges.map(({ price, size }) => this.#book.set(side, price, size));
    };
    const [bids, asks] = [applySide('BUY', SIDE.bid), applySide('SELL', SIDE.ask)];
    const contradiction = findContradiction(changes, this.market.tokens, this.#book.touch);
    const problem = this.#isCrossed() ? 'its book is crossed' : contradiction;
    if (problem !== undefined) this.lose(problem);
    else if (this.#phase === 'shown') {
      this.seenAt = seenTime(event.at, clock.now(), offset, staleMs);
      this.prints.writeUpTo(this.seq);
      this.writeLevels(bids, asks, this.seq);
      this.rows.end(this.#times.lastAt, clock.now());
    }
  }

  /** Compares the best prices of a token, which may arrive before the change that caused them. */
  #onBestPrices({ asset, bestBid, bestAsk }: PolymarketTouch): void {
    const touch = { bid: bestBid ?? 0, ask: bestAsk ?? FULL_BPS };
    this.#checkTouch(asset === this.market.tokens[0] ? touch : mirroredTouch(touch));
  }

  #onTrade({ asset, side, price, size, at }: PolymarketTrade): void {
    const isYes = asset === this.market.tokens[0];
    const shares = size - (size % LOT);
    if (shares === 0 || this.#times.isAhead(at)) return;
    const taker = isYes === (side === 'BUY') ? SIDE.bid : SIDE.ask;
    const trade = { taker, price: isYes ? price : FULL_BPS - price, shares, at };
    const id = this.#deps.orders.makeId(this.info.market, trade);
    if (this.prints.add({ ...trade, id, seq: this.#times.nextTradeSeq(at) })) this.#deps.flusher.add(this);
  }

  /** Withdraws a book after a failed check or an unreadable event. Quoting resumes with a book that REST confirms. */
  lose(problem: string, { isOffGrid = false } = {}): void {
    this.#isSuspect = true;
    this.resyncs += 1;
    // The status halts a market whose book fails repeatedly.
    this.status.onMalformedFrame(this.clock.now());
    this.#withdraw();
    this.#deps.recovery.onBookLost(this, problem, isOffGrid);
  }

  /** Withdraws the book, because its connection ends. @param isSuspect whether REST must confirm the next */
  onDisconnected({ isSuspect }: { readonly isSuspect: boolean }): void {
    // A new connection may begin with an older book.
    this.#times.lastAt = 0;
    this.#isSuspect ||= isSuspect;
    this.#withdraw();
  }

  compare(book: PolymarketBook): BookMatch {
    if (this.#book.equals(book)) return 'same';
    return isSameTouch(this.#book.touch, findTouch(book)) ? 'sameTouch' : 'different';
  }

  /** Confirms the book, because REST has shown the same levels. */
  confirm(): void {
    this.#isSuspect = false;
    if (this.#phase === 'unconfirmed') {
      this.#show();
      return;
    }
    if (this.#phase !== 'shown') return;
    this.seenAt = this.clock.now();
    if (this.trustAgain()) return;
    // The core measures the age of a book by its rows.
    this.rewriteBest();
    this.rows.end(0, this.clock.now());
  }

  /** Trusts a distrusted book again if the book is in sync and not stale. Returns whether trust was restored. */
  trustAgain(): boolean {
    const now = this.clock.now();
    if (this.#phase !== 'shown' || this.status.isTrusted || !this.status.mayTrust(now)) return false;
    if (now - this.seenAt > this.#deps.staleMs) return false;
    this.#show(this.seenAt);
    return true;
  }

  override endInGap(): void {
    this.#phase = 'waiting';
    super.endInGap();
  }

  publishWithoutOwnOrders(): void {
    if (this.#phase === 'shown') this.writeOwnLevels();
  }

  flushPrints(ownSeq = 0): boolean {
    if (this.hasEnded) return false;
    this.prints.flush(ownSeq);
    return this.prints.size > 0;
  }

  #acceptTimeOrLose(at: number): boolean {
    const problem = this.#times.record(at);
    if (problem !== undefined) this.lose(problem);
    else this.eventCount += 1;
    return problem === undefined;
  }

  #isCrossed(): boolean {
    const { bid, ask } = this.#book.touch;
    return bid >= ask;
  }

  #checkTouch(touch: Touch): void {
    if (this.#phase === 'shown' && !isSameTouch(touch, this.#book.touch)) this.#deps.recovery.requestCheck(this);
  }

  #withdraw(): void {
    this.#phase = 'waiting';
    this.markDiffering();
    this.status.beginGap();
    this.writeStatus();
  }

  /** Passes the whole book to the core. @param seenAt time at which the book was last correct; default now */
  #show(seenAt: number = this.clock.now()): void {
    const { ladder } = this.#book;
    this.#phase = 'shown';
    this.differsSince = Number.POSITIVE_INFINITY;
    this.seenAt = seenAt;
    this.writeBook(ladder.depth('bid', FULL_BPS), ladder.depth('ask', FULL_BPS), this.#times.lastAt, this.clock.now());
  }
}
