/** Writes the rows of one market: its outside book, public trades and status. */
import { FULL_BPS, LOT } from '../../domain/index.ts';
import type { PolymarketTrade } from '../../protocol/polymarket/index.ts';
import { KIND, SIDE } from '../../tape/index.ts';
import {
  MarketStatusTracker,
  OutsideRows,
  OwnLevels,
  type PrintFlusher,
  PrintQueue,
  type PrintQueueDeps,
  Recent,
  type Selected,
} from '../base/index.ts';
import type { EventTimes } from './event-times.ts';
import type { OwnPrints } from './own-prints.ts';
import type { TokenBook } from './token-book.ts';

export interface BookRowsDeps extends Omit<PrintQueueDeps, 'trades'> {
  readonly orders: OwnPrints;
  readonly flusher: PrintFlusher;
}

type Levels = Parameters<OutsideRows['applyChanges']>[1];

export class BookRows {
  readonly own: OwnLevels;
  readonly status: MarketStatusTracker;
  readonly #market: Selected['setup']['info']['market'];
  readonly #deps: BookRowsDeps;
  readonly #book: TokenBook;
  readonly #times: EventTimes;
  readonly #outside: OutsideRows;
  readonly #prints: PrintQueue;
  #hasEnded = false;

  constructor({ setup: { info, state } }: Selected, book: TokenBook, times: EventTimes, deps: BookRowsDeps) {
    this.#market = info.market;
    this.#deps = deps;
    this.#book = book;
    this.#times = times;
    const { ladder } = book;
    this.own = new OwnLevels(ladder);
    this.#outside = new OutsideRows(info.market, { ladder, own: this.own, rows: deps.rows });
    // Trades of this venue have no numbers, so no duplicates need to be remembered.
    this.#prints = new PrintQueue(info.market, this.own, { ...deps, trades: new Recent(1) });
    this.status = new MarketStatusTracker(info.market, state ?? { status: 'OPEN', acceptingOrders: true });
  }

  change(bids: Levels, asks: Levels): void {
    const { seq } = this.#times;
    this.#prints.writeUpTo(seq);
    this.#outside.applyChanges(SIDE.bid, bids);
    this.#outside.applyChanges(SIDE.ask, asks);
    if (!this.own.isEmpty) this.own.write(this.#deps.rows, this.#market, seq);
    this.#end(this.#times.last);
  }

  /** Writes the whole book, and trusts it unless the market is halted. */
  whole(): void {
    const { rows, clock } = this.#deps;
    const { seq } = this.#times;
    const { ladder } = this.#book;
    this.#prints.writeUpTo(seq);
    this.status.regainBook();
    if (this.status.mayTrust(clock.now())) this.status.trust(true);
    this.status.write(rows);
    rows.row(this.#market, KIND.clear, 0, 0, 0);
    this.own.restart(seq);
    this.#outside.levels(SIDE.bid, ladder.depth('bid', FULL_BPS));
    this.#outside.levels(SIDE.ask, ladder.depth('ask', FULL_BPS));
    this.own.write(rows, this.#market, seq);
    this.#end(this.#times.last);
  }

  /** Writes a row without a change, because the core measures the age of a book by its rows. */
  again(): void {
    this.#outside.touch();
    this.#end(0);
  }

  /** Writes the levels whose outside size changed because own orders changed. */
  reveal(): void {
    this.own.write(this.#deps.rows, this.#market, this.#times.seq);
    this.#end(0);
  }

  /** Writes no more rows. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Writes the market's state if it changed. */
  writeStatus(): void {
    if (this.#hasEnded) return;
    this.status.write(this.#deps.rows);
    this.#end(0);
  }

  /** Queues a public trade. @param isYes whether it was in the YES token */
  trade({ side, price, size, at }: PolymarketTrade, isYes: boolean): void {
    const shares = size - (size % LOT);
    if (shares === 0 || this.#times.isAhead(at)) return;
    const taker = isYes === (side === 'BUY') ? SIDE.bid : SIDE.ask;
    const trade = { taker, price: isYes ? price : FULL_BPS - price, shares, at };
    const id = this.#deps.orders.idOf(this.#market, trade);
    if (this.#prints.add({ ...trade, id, seq: this.#times.numberOfTrade(at) })) this.#deps.flusher.add(this);
  }

  /** Writes due trades. @param ownSeq the last processed own event. @returns whether trades still wait */
  flushPrints(ownSeq = 0): boolean {
    if (this.#hasEnded) return false;
    this.#prints.flush(ownSeq);
    return this.#prints.size > 0;
  }

  /** @param at time of the event by the venue's clock; 0 for a change without an event */
  #end(at: number): void {
    this.#deps.rows.end(at, this.#deps.clock.now());
  }
}
