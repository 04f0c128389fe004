/**
 * Converts public trades to rows: each trade once, before the levels that the trade changed. Trades that filled own
 * resting orders get a flag. Trades of own taking orders are omitted.
 *
 * A trade that arrives before its book waits for the book, or for the end of its burst of frames. A trade at the price
 * of an own order may be an own trade. Such a trade waits until the own stream has passed the trade's number, or for
 * `MAX_DOUBT_MS`. Then the trade counts as a trade of others. Strategies do not see own trades
 * (docs/spec/models.md#own-trades-of-a-recording).
 */
import type { Clock } from '../../clock/index.ts';
import type { MarketNo, OrderFilled } from '../../domain/index.ts';
import { FLAG, KIND, SIDE } from '../../tape/index.ts';
import type { OwnLevels } from './own-levels.ts';
import type { RecentKeys } from './recent-keys.ts';
import type { RowWriter } from './row-writer.ts';

/** Longest wait for the own stream to identify a trade as own, ms. */
const MAX_DOUBT_MS = 250;
const MAX_PRINTS = 512;

/** A public trade in YES terms. */
export interface PublicTrade {
  /** Empty if the venue sends no id. */
  readonly id: string;
  /** The venue's number of the event. */
  readonly seq: number;
  /** Side of the taker, as in rows. */
  readonly taker: number;
  readonly price: number;
  readonly shares: number;
  readonly at: number;
}

interface Print extends PublicTrade {
  /** Receive time, by this machine's clock. */
  readonly seenAt: number;
  /** Whether it may be an own trade. */
  isDoubtful: boolean;
}

export interface PrintQueueDeps {
  readonly rows: RowWriter;
  readonly clock: Pick<Clock, 'now'>;
  readonly orders: {
    /** Returns the own order's role in the trade; undefined for a trade of others. */
    ownRoleIn(tradeId: string): OrderFilled['liquidity'] | undefined;
  };
  /** Numbers of the trades received over any socket. */
  readonly trades: RecentKeys<number>;
}

/** Flushes waiting prints at the end of each burst of frames, and on request. */
export class PrintFlusher {
  readonly #waiting = new Set<{ flushPrints(ownSeq: number): boolean }>();
  readonly #orders: { readonly seq: number };
  #isScheduled = false;

  /** @param orders `seq` is the position of the own stream */
  constructor(orders: { readonly seq: number }) {
    this.#orders = orders;
  }

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

export class PrintQueue {
  readonly #market: MarketNo;
  readonly #ownLevels: OwnLevels;
  readonly #deps: PrintQueueDeps;
  #prints: Print[] = [];
  #bookSeq = 0;

  constructor(market: MarketNo, ownLevels: OwnLevels, deps: PrintQueueDeps) {
    this.#market = market;
    this.#ownLevels = ownLevels;
    this.#deps = deps;
  }

  get size(): number {
    return this.#prints.length;
  }

  /** Adds a trade. Returns whether the trade waits for `flush`. */
  add(trade: PublicTrade): boolean {
    const { clock, trades } = this.#deps;
    if (!trades.add(trade.seq)) return false;
    this.#prints.push({ ...trade, seenAt: clock.now(), isDoubtful: this.#mayBeOwn(trade) });
    if (this.#prints.length < MAX_PRINTS) return true;
    this.flush(0);
    return false;
  }

  /** Writes the prints that need not wait. @param ownSeq position of the own stream */
  flush(ownSeq: number): void {
    if (this.#prints.length === 0) return;
    const now = this.#deps.clock.now();
    const at = this.#prints.at(-1)?.at ?? 0;
    this.#writeUnless((print) => {
      const isInDoubt = print.isDoubtful && print.seq > ownSeq && now - print.seenAt < MAX_DOUBT_MS;
      return isInDoubt && this.#roleIn(print) === undefined;
    });
    this.#deps.rows.end(at, now);
  }

  /** Writes the prints up to a book's number, before its levels. Doubtful prints wait, and then get the flag `late`. */
  writeUpTo(seq: number): void {
    if (this.#prints.length > 0)
      this.#writeUnless((print) => print.seq > seq || (print.isDoubtful && this.#roleIn(print) === undefined));
    this.#bookSeq = seq;
  }

  #writeUnless(mustWait: (print: Print) => boolean): void {
    const waiting: Print[] = [];
    for (const print of this.#prints) {
      if (mustWait(print)) waiting.push(print);
      else this.#write(print);
    }
    this.#prints = waiting;
  }

  #roleIn({ id }: Print): OrderFilled['liquidity'] | undefined {
    return this.#deps.orders.ownRoleIn(id);
  }

  #write(print: Print): void {
    const { seq, taker, price, shares } = print;
    const role = this.#roleIn(print);
    if (role === 'taker') return;
    const flags = role === 'maker' ? FLAG.own : seq <= this.#bookSeq ? FLAG.late : 0;
    this.#deps.rows.row(this.#market, KIND.trade, taker, price, shares, flags);
  }

  #mayBeOwn({ taker, price }: PublicTrade): boolean {
    if (this.#ownLevels.isEmpty) return false;
    const maker = taker === SIDE.bid ? SIDE.ask : SIDE.bid;
    return this.#ownLevels.at(maker, price) !== undefined || this.#ownLevels.mayTakeAt(taker, price);
  }
}
