import { FULL_BPS, gridDown, gridUp, InputFault, LOT, type Outcome } from '../../domain/index.ts';
import { CANCELLED_PAYOUT, KIND, MAX_PLACE_DELAY_MS, SIDE, STATUS_CODES } from '../../tape/index.ts';
import type { ImportCounts } from './counts.ts';
import { ImportedBook } from './imported-book.ts';
import {
  type ImportStatus,
  type LevelChange,
  type MarketRows,
  type MarketRules,
  oppositeSide,
  oppositeTaker,
  type SavedMarket,
  type SizeMeaning,
  sizeProblem,
  snapToBps,
} from './market-rows.ts';
import type { BookSideCode } from './side-levels.ts';

/**
 * One market of an import, made by `TapeImport.addMarket`. Maintains the book and collects the current message's rows.
 *
 * Prices are bps of the row's outcome, 0 to 10000, and may have fractions. Sizes are micro-shares, rounded **down** to
 * integers. Input that a tape cannot hold is dropped and counted.
 */
export class MarketImport implements MarketRows {
  readonly number: number;
  readonly prints: number[] = [];
  readonly rows: number[] = [];
  readonly decreases: number[] = [];
  /** Rows after the levels: status, resolution and placing delay. */
  readonly #lastRows: number[] = [];
  readonly #rules: Required<MarketRules>;
  readonly #counts: ImportCounts;
  readonly #onJoin: (market: MarketImport) => void;
  readonly #book: ImportedBook;
  #isInMessage = false;
  /** Whether the current message has a full book although the book was known. */
  #repeatsBook = false;
  hasFullBook = false;
  #status = 0;
  #placeDelayMs = 0;
  isResolved = false;

  constructor(number: number, rules: MarketRules, counts: ImportCounts, onJoin: (market: MarketImport) => void) {
    this.number = number;
    this.#rules = { noRows: 'mirror', offGrid: 'round', startsEmpty: true, inferPrints: false, ...rules };
    this.#counts = counts;
    this.#onJoin = onJoin;
    this.#book = new ImportedBook(this.#rules.startsEmpty, counts);
  }

  /** Returns the best price after the rows so far, including sizes below one lot; undefined for an empty side. */
  best(side: BookSideCode): number | undefined {
    return this.#book.best(side);
  }

  /**
   * Begins a full book in this message, and removes all levels that the message does not set.
   * @returns false if the book is dropped, because it is of NO or after the resolution
   */
  fullBook(outcome: Outcome = 'YES'): boolean {
    if (!this.#joinMessage() || (outcome === 'NO' && this.#dropNoRow())) return false;
    this.#repeatsBook = this.#book.isKnown;
    this.hasFullBook = true;
    this.#startBook();
    this.#book.empty(SIDE.bid);
    this.#book.empty(SIDE.ask);
    return true;
  }

  /** Sets the size of a level; 0 removes it. Returns false if the level has this size already. */
  level(side: BookSideCode, price: number, microShares: number, outcome: Outcome = 'YES'): boolean {
    return !this.#acceptsLevel() || this.#set(side, price, microShares, outcome, 'size') !== 'unchanged';
  }

  /** Changes the size of a level, and removes a level below 0. @returns false below 0: the source lost a message */
  levelDelta(side: BookSideCode, price: number, microShares: number, outcome: Outcome = 'YES'): boolean {
    return !this.#acceptsLevel() || this.#set(side, price, microShares, outcome, 'change') !== 'below 0';
  }

  /**
   * Adds an order behind all others at its price. With order ids, the tape shows which orders were cancelled
   * (docs/spec/models.md#recorded-order-ids).
   * @throws InputFault for too many orders
   */
  insertOrder(id: string, side: BookSideCode, price: number, microShares: number, outcome: Outcome = 'YES'): void {
    if (!this.#acceptsLevel() || (outcome === 'NO' && this.#dropNoRow())) return;
    const problem = microShares === 0 ? 'order of 0 shares' : sizeProblem(microShares);
    const yesSide = outcome === 'NO' ? oppositeSide(side) : side;
    const sourcePrice = snapToBps(outcome === 'NO' ? FULL_BPS - price : price);
    if (problem !== undefined) this.#counts.countDropped(problem);
    const gridPrice = problem === undefined ? this.#toGridPrice(yesSide, sourcePrice, 0) : undefined;
    if (gridPrice === undefined || this.#book.insert(id, yesSide, gridPrice, sourcePrice, microShares)) return;
    this.#counts.countDropped('order with the id of an open order');
  }

  /** Reduces an order, or removes it if `microShares` is undefined. @returns false for an unknown order */
  cancelOrder(id: string, microShares?: number): boolean {
    if (!this.#joinMessage()) return true;
    const problem = microShares === undefined ? undefined : sizeProblem(microShares);
    if (problem !== undefined) {
      this.#counts.countDropped(problem);
      return true;
    }
    const sizeBefore = this.#book.cancel(id, microShares);
    if (sizeBefore === undefined) return false;
    if ((microShares ?? 0) > sizeBefore) this.#counts.countChanged('cancel of more than the rest of its order');
    return true;
  }

  /** Replaces a side by one level, or empties the side if the price is undefined. */
  top(side: BookSideCode, price: number | undefined, microShares: number, outcome: Outcome = 'YES'): void {
    if (!this.#joinMessage() || (outcome === 'NO' && this.#dropNoRow())) return;
    this.#startBook();
    this.#book.empty(outcome === 'NO' ? oppositeSide(side) : side);
    if (price !== undefined) this.#set(side, price, microShares, outcome, 'size');
  }

  /**
   * Adds a trade. The price rounds **up** to the grid if the taker buys YES, and **down** otherwise. The size rounds
   * **down** to lots.
   * @param side side of the taker; `bid` buys the outcome of the row
   * @throws InputFault when prints are inferred from books
   */
  trade(side: number, price: number, microShares: number, outcome: Outcome = 'YES', flags = 0): void {
    const counts = this.#counts;
    counts.trades.read += 1;
    const problem = microShares === 0 ? 'trade of 0 shares' : sizeProblem(microShares);
    if (problem !== undefined) {
      counts.countDropped(problem);
      return;
    }
    counts.trades.shares.add(microShares);
    if (!this.#joinMessage(microShares)) return;
    if (this.#rules.inferPrints) throw new InputFault('trade', price, 'no trade where prints are inferred from books');
    if (outcome === 'NO' && this.#dropNoRow(microShares)) return;
    const taker = outcome === 'NO' ? oppositeTaker(side) : side;
    const makerSide = taker === SIDE.bid ? SIDE.ask : SIDE.bid;
    const gridPrice = this.#toGridPrice(makerSide, outcome === 'NO' ? FULL_BPS - price : price, microShares);
    if (gridPrice === undefined) return;
    const belowLot = microShares % LOT;
    if (belowLot === microShares) {
      counts.countDropped('trade below one lot', microShares);
      return;
    }
    counts.countPrint(taker, microShares - belowLot, belowLot);
    this.prints.push(KIND.trade, taker, gridPrice, microShares - belowLot, flags);
    if (taker !== SIDE.unknown) this.#book.addTrade(makerSide, gridPrice, microShares);
  }

  /** Counts a trade whose side is an unknown word. */
  countUnknownSide(): void {
    this.#counts.countChanged('trade with an unknown word for its side: its taker counts as unknown');
  }

  status(status: ImportStatus): void {
    const code = STATUS_CODES.indexOf(status);
    if (!this.#joinMessage() || code === this.#status) return;
    this.#status = code;
    this.#lastRows.push(KIND.status, SIDE.bid, code, 0, 0);
  }

  /** @param payoutBps payout of a YES share, 0 to 10000; undefined for a void market */
  resolution(payoutBps: number | undefined): void {
    if (!this.#joinMessage()) return;
    const payout = payoutBps ?? CANCELLED_PAYOUT;
    if (payoutBps !== undefined && !(Number.isInteger(payoutBps) && payoutBps >= 0 && payoutBps <= FULL_BPS)) {
      this.#counts.countDropped('payout that is not a price');
      return;
    }
    this.isResolved = true;
    this.#lastRows.push(KIND.resolution, SIDE.bid, payout, 0, 0);
  }

  /** Sets the delay of new orders, ms, at most a day. */
  placeDelay(ms: number): void {
    if (!this.#joinMessage() || ms === this.#placeDelayMs) return;
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > MAX_PLACE_DELAY_MS) {
      this.#counts.countDropped('placing delay out of range');
      return;
    }
    this.#placeDelayMs = ms;
    this.#lastRows.push(KIND.placeDelay, SIDE.bid, 0, ms, 0);
  }

  /** Whether the book is known: it began empty or with a full book, and no gap followed. */
  get hasBook(): boolean {
    return this.#book.isKnown;
  }

  /** Begins a gap (docs/spec/models.md#gaps): levels are dropped until the next full book or top. */
  gap(): void {
    if (this.#book.isInGap || !this.#joinMessage()) return;
    this.#book.startGap();
    this.rows.push(KIND.gap, SIDE.bid, 0, 0, 0);
  }

  /** Ends the message. Adds its rows to `prints`, `rows` and `decreases`; the caller reads and empties the lists. */
  endMessage(): void {
    this.#isInMessage = false;
    if (this.#repeatsBook && this.#rules.inferPrints) this.#book.inferPrint(this.prints);
    this.#repeatsBook = false;
    this.hasFullBook = false;
    this.#book.flush(this.rows, this.decreases);
    this.rows.push(...this.#lastRows);
    this.#lastRows.length = 0;
  }

  /** Returns the state between two messages as plain values, for `restore`. */
  save(): SavedMarket {
    const { isResolved } = this;
    return { ...this.#book.save(), status: this.#status, placeDelayMs: this.#placeDelayMs, isResolved };
  }

  restore(saved: SavedMarket): void {
    this.#book.restore(saved);
    this.#status = saved.status;
    this.#placeDelayMs = saved.placeDelayMs;
    this.isResolved = saved.isResolved;
  }

  #set(side: BookSideCode, price: number, microShares: number, outcome: Outcome, means: SizeMeaning): LevelChange {
    if (outcome === 'NO' && this.#dropNoRow()) return 'left out';
    const yesSide = outcome === 'NO' ? oppositeSide(side) : side;
    const sourcePrice = snapToBps(outcome === 'NO' ? FULL_BPS - price : price);
    const problem = means === 'change' ? undefined : sizeProblem(microShares);
    if (problem !== undefined) this.#counts.countDropped(problem);
    const gridPrice = problem === undefined ? this.#toGridPrice(yesSide, sourcePrice, 0) : undefined;
    if (gridPrice === undefined) return 'left out';
    return this.#book.set(yesSide, gridPrice, sourcePrice, microShares, means);
  }

  /** Rounds a price to the grid, bids **down** and asks **up**. Returns undefined if the row is dropped. */
  #toGridPrice(side: BookSideCode, sourcePrice: number, traded: number): number | undefined {
    const price = snapToBps(sourcePrice);
    const { grid, offGrid } = this.#rules;
    if (!(price > 0 && price < FULL_BPS)) {
      this.#counts.countDropped('price not between 0 and 1', traded);
      return undefined;
    }
    if (grid.type === 'tick' && price % grid.tickBps === 0) return price;
    const gridPrice = side === SIDE.bid ? gridDown(grid, price) : gridUp(grid, price);
    if (gridPrice === price) return gridPrice;
    if (gridPrice === undefined || offGrid === 'drop') {
      this.#counts.countDropped(
        offGrid === 'drop' ? 'price off the grid' : 'price beyond the last price of the grid',
        traded,
      );
      return undefined;
    }
    this.#counts.countChanged('price rounded to the grid');
    return gridPrice;
  }

  /** Drops and counts a NO row if the rules say so. Returns whether the row is dropped. */
  #dropNoRow(traded = 0): boolean {
    if (this.#rules.noRows !== 'drop') return false;
    this.#counts.countDropped('NO row', traded);
    return true;
  }

  #startBook(): void {
    if (this.#book.startFullBook()) this.rows.push(KIND.clear, SIDE.bid, 0, 0, 0);
  }

  /** Returns whether the book is known. If not, drops the row. */
  #acceptsLevel(): boolean {
    if (!this.#joinMessage()) return false;
    if (!this.#book.isKnown) this.#counts.countDropped('level before the first full book');
    return this.#book.isKnown;
  }

  /** Adds the market to the current message. After the resolution, drops the row and returns false. */
  #joinMessage(traded = 0): boolean {
    if (this.isResolved) {
      this.#counts.countDropped('row after the resolution', traded);
      return false;
    }
    if (this.#isInMessage) return true;
    this.#isInMessage = true;
    this.#onJoin(this);
    return true;
  }
}
