/**
 * Trades on their way to being rows: each once, before the levels that they changed. Trades that filled
 * our resting orders have a flag, and those in which we took are left out.
 *
 * A trade that comes before its book waits until the book comes, or the burst of frames it came in is over. One that
 * may be ours (an order of ours stands, or is on its way, where it happened) waits until the own stream is as far, or
 * for `DOUBT_MS`: then it is a trade of others. Strategies do not see our own: they are for replays of the recording
 * (docs/spec/models.md#own-trades-of-a-recording).
 */
import type { Clock } from '../../clock/index.ts';
import type { MarketNo, OrderFilled } from '../../domain/index.ts';
import { FLAG, KIND, SIDE } from '../../tape/index.ts';
import type { OwnLevels } from './own-levels.ts';
import type { Recent } from './recent.ts';
import type { RowWriter } from './row-writer.ts';

/** Time in which a trade may turn out to be ours, ms. */
const DOUBT_MS = 250;
const MOST_PRINTS = 512;

/** A public trade in YES terms. */
export interface PublicTrade {
  /** Empty where the venue names none. */
  readonly id: string;
  /** The venue's number of the event. */
  readonly seq: number;
  /** Of the taker, as rows have it. */
  readonly taker: number;
  readonly price: number;
  readonly shares: number;
  readonly at: number;
}

interface Print extends PublicTrade {
  /** When it came, by our clock. */
  readonly seenAt: number;
  /** May be ours. */
  isDoubtful: boolean;
}

/** Trades in which an own order was. */
interface OwnTrades {
  /** Role of the own order in the trade; undefined for a trade of others. */
  ownRoleIn(tradeId: string): OrderFilled['liquidity'] | undefined;
}

export interface PrintQueueDeps {
  readonly rows: RowWriter;
  readonly clock: Pick<Clock, 'now'>;
  readonly orders: OwnTrades;
  /** Numbers of the trades that came over any socket. */
  readonly trades: Recent<number>;
}

/** Flushes prints when a burst of frames is over, and whenever it is called. */
export class PrintFlusher {
  readonly #waiting = new Set<{ flushPrints(ownSeq: number): boolean }>();
  readonly #orders: { readonly seq: number };
  #isScheduled = false;

  /** @param orders with the position of the own stream */
  constructor(orders: { readonly seq: number }) {
    this.#orders = orders;
  }

  /** Prints of this book wait. */
  add(book: { flushPrints(ownSeq: number): boolean }): void {
    this.#waiting.add(book);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  flush(): void {
    for (const book of this.#waiting) if (!book.flushPrints(this.#orders.seq)) this.#waiting.delete(book);
  }
}

/** Prints of one market that wait. */
export class PrintQueue {
  readonly #market: MarketNo;
  readonly #own: OwnLevels;
  readonly #deps: PrintQueueDeps;
  #prints: Print[] = [];
  /** Number of the last book whose levels are rows. */
  #bookSeq = 0;

  constructor(market: MarketNo, own: OwnLevels, deps: PrintQueueDeps) {
    this.#market = market;
    this.#own = own;
    this.#deps = deps;
  }

  get size(): number {
    return this.#prints.length;
  }

  /** @returns whether it waits for `flush` */
  add(trade: PublicTrade): boolean {
    const { clock, trades } = this.#deps;
    if (!trades.add(trade.seq)) return false;
    this.#prints.push({ ...trade, seenAt: clock.now(), isDoubtful: this.#mayBeOurs(trade) });
    if (this.#prints.length < MOST_PRINTS) return true;
    this.flush(0);
    return false;
  }

  /** Writes those that wait no longer. @param ownSeq up to which event the own stream was processed */
  flush(ownSeq: number): void {
    if (this.#prints.length === 0) return;
    const now = this.#deps.clock.now();
    const waiting: Print[] = [];
    for (const print of this.#prints) {
      const isInDoubt = print.isDoubtful && print.seq > ownSeq && now - print.seenAt < DOUBT_MS;
      if (isInDoubt && this.#deps.orders.ownRoleIn(print.id) === undefined) waiting.push(print);
      else this.#write(print);
    }
    const at = this.#prints.at(-1)?.at ?? 0;
    this.#prints = waiting;
    this.#deps.rows.end(at, now);
  }

  /** Writes those that a book with this number has behind it, before its levels. The others of them come late. */
  writeUpTo(seq: number): void {
    if (this.#prints.length > 0) this.#writeSettled(seq);
    this.#bookSeq = seq;
  }

  #writeSettled(seq: number): void {
    const later: Print[] = [];
    for (const print of this.#prints) {
      const isKnown = !print.isDoubtful || this.#deps.orders.ownRoleIn(print.id) !== undefined;
      if (print.seq <= seq && isKnown) this.#write(print);
      else later.push(print);
    }
    this.#prints = later;
  }

  #write({ id, seq, taker, price, shares }: Print): void {
    const role = this.#deps.orders.ownRoleIn(id);
    // A trade that our own order took is no flow of others.
    if (role === 'taker') return;
    const flags = role === 'maker' ? FLAG.own : seq <= this.#bookSeq ? FLAG.late : 0;
    this.#deps.rows.row(this.#market, KIND.trade, taker, price, shares, flags);
  }

  /** An order of ours may have made it: it stands, or is on its way, where it could meet that taker; or took it. */
  #mayBeOurs({ taker, price }: PublicTrade): boolean {
    if (this.#own.isEmpty) return false;
    const made = taker === SIDE.bid ? SIDE.ask : SIDE.bid;
    if (this.#own.at(made, price) !== undefined) return true;
    return this.#own.takesAt(taker, price);
  }
}
