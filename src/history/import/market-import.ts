import { FULL_BPS, gridDown, gridUp, InputFault, LOT } from '../../domain/index.ts';
import { CANCELLED_PAYOUT, FLAG, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';
import type { ImportCounts } from './counts.ts';
import {
  type BookSideCode,
  type ImportStatus,
  type LevelChange,
  LONGEST_DELAY,
  type MarketRows,
  type MarketRules,
  other,
  otherTaker,
  type SavedMarket,
  sizeProblem,
  whole,
} from './market-rows.ts';
import { SideLevels } from './side-levels.ts';

/**
 * One market of a tape that is being imported: follows its book and collects the rows of the open message.
 *
 * Prices are bps in terms of the outcome of the row, 0 to 10000, and may have fractions. Sizes are micro-shares, rounded
 * **down** to integers. What cannot be on a tape is dropped and counted, never bent. Made by `TapeImport.addMarket`, which
 * opens and closes the messages.
 */
export class MarketImport implements MarketRows {
  readonly number: number;
  readonly prints: number[] = [];
  readonly rows: number[] = [];
  readonly falls: number[] = [];
  /** Rows that come after the levels. */
  readonly #tail: number[] = [];
  readonly #rules: Required<MarketRules>;
  readonly #counts: ImportCounts;
  readonly #onTouch: (market: MarketImport) => void;
  readonly #sides = [new SideLevels(true), new SideLevels(false)] as const;
  #isTouched = false;
  #hasBook: boolean;
  #isRepeated = false;
  #isFull = false;
  /** In a gap, which the next full book or top ends. */
  #isGap = false;
  #status = 0;
  #placeDelayMs = 0;
  #isResolved = false;

  constructor(number: number, rules: MarketRules, counts: ImportCounts, onTouch: (market: MarketImport) => void) {
    this.number = number;
    this.#rules = { noRows: 'mirror', offGrid: 'round', startsEmpty: true, inferPrints: false, ...rules };
    this.#counts = counts;
    this.#onTouch = onTouch;
    this.#hasBook = this.#rules.startsEmpty;
  }

  get isResolved(): boolean {
    return this.#isResolved;
  }

  /** Whether the open message holds a full book. */
  get hasFullBook(): boolean {
    return this.#isFull;
  }

  /** The best price of a side after the rows so far, sizes below one lot included; undefined for an empty side. */
  best(side: BookSideCode): number | undefined {
    return this.#sides[side].sourceBest();
  }

  /** A full book follows in this message: what is not set in it is gone. */
  fullBook(): void {
    if (!this.#touch()) return;
    this.#isRepeated = this.#hasBook;
    this.#isFull = true;
    this.#startBook();
    for (const side of this.#sides) side.empty();
  }

  /** A level's new size; 0 removes it. @returns false when it has this size already */
  level(side: BookSideCode, price: number, microShares: number, isNo = false): boolean {
    return !this.#needsBook() || this.#set(side, price, microShares, isNo, false) !== 'unchanged';
  }

  /**
   * A level's size changes by so much. A result below 0 removes the level and is counted.
   * @returns false when it fell below 0: the source lost a message
   */
  levelDelta(side: BookSideCode, price: number, microShares: number, isNo = false): boolean {
    return !this.#needsBook() || this.#set(side, price, microShares, isNo, true) !== 'below 0';
  }

  /** A side has this one level, or none when the price is undefined. */
  top(side: BookSideCode, price: number | undefined, microShares: number, isNo = false): void {
    if (!this.#touch()) return;
    this.#startBook();
    if (isNo && this.#dropsNo()) return;
    this.#sides[isNo ? other(side) : side].empty();
    if (price !== undefined) this.#set(side, price, microShares, isNo, false);
  }

  /**
   * A trade between others. Its price rounds **up** to the grid for a taker that buys YES, else **down**; its size rounds
   * **down** to lots.
   * @param side of the taker: `bid` buys the outcome of the row
   * @throws InputFault when prints are inferred from books
   */
  trade(side: number, price: number, microShares: number, isNo = false, flags = 0): void {
    const counts = this.#counts;
    counts.trades.read += 1;
    const problem = microShares === 0 ? 'trade of 0 shares' : sizeProblem(microShares);
    if (problem !== undefined) {
      counts.drop(problem);
      return;
    }
    counts.trades.shares.add(microShares);
    if (!this.#touch(microShares)) return;
    if (this.#rules.inferPrints) throw new InputFault('trade', price, 'no trade where prints are inferred from books');
    if (isNo && this.#dropsNo(microShares)) return;
    const taker = isNo ? otherTaker(side) : side;
    const at = this.#gridPrice(taker === SIDE.bid ? SIDE.ask : SIDE.bid, isNo ? FULL_BPS - price : price, microShares);
    if (at === undefined) return;
    const rest = microShares % LOT;
    if (rest === microShares) {
      counts.drop('trade below one lot', microShares);
      return;
    }
    counts.print(taker, microShares - rest, rest);
    this.prints.push(KIND.trade, taker, at, microShares - rest, flags);
  }

  status(status: ImportStatus): void {
    const code = STATUS_CODES.indexOf(status);
    if (!this.#touch() || code === this.#status) return;
    this.#status = code;
    this.#tail.push(KIND.status, SIDE.bid, code, 0, 0);
  }

  /** @param payoutBps of a YES share, 0 to 10000; undefined for a market that is void */
  resolution(payoutBps: number | undefined): void {
    if (!this.#touch()) return;
    const payout = payoutBps ?? CANCELLED_PAYOUT;
    if (payoutBps !== undefined && !(Number.isInteger(payoutBps) && payoutBps >= 0 && payoutBps <= FULL_BPS)) {
      this.#counts.drop('payout that is no price');
      return;
    }
    this.#isResolved = true;
    this.#tail.push(KIND.resolution, SIDE.bid, payout, 0, 0);
  }

  /** The delay of new orders from now on, ms, at most a day. */
  placeDelay(ms: number): void {
    if (!this.#touch() || ms === this.#placeDelayMs) return;
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > LONGEST_DELAY) {
      this.#counts.drop('placing delay out of range');
      return;
    }
    this.#placeDelayMs = ms;
    this.#tail.push(KIND.placeDelay, SIDE.bid, 0, ms, 0);
  }

  /** Whether the book is known: it began empty, or a full one came and no gap after it. */
  get hasBook(): boolean {
    return this.#hasBook;
  }

  /** Messages were lost (docs/spec/models.md#gaps): levels are dropped until the next full book or top. */
  gap(): void {
    if (this.#isGap || !this.#touch()) return;
    for (const side of this.#sides) side.clear();
    this.#hasBook = false;
    this.#isGap = true;
    this.rows.push(KIND.gap, SIDE.bid, 0, 0, 0);
  }

  /** Adds the rows of the open message to `prints` and `rows`; the caller writes and then empties them. */
  close(): void {
    this.#isTouched = false;
    if (this.#isRepeated && this.#rules.inferPrints) this.#infer();
    this.#isRepeated = false;
    this.#isFull = false;
    for (const side of [SIDE.bid, SIDE.ask] as const) {
      this.#sides[side].flush((price, before, after) => {
        this.rows.push(KIND.level, side, price, after, 0);
        if (after < before) this.falls.push(side, price, before - after);
      });
    }
    this.rows.push(...this.#tail);
    this.#tail.length = 0;
  }

  /** Plain values between two messages, for `restore`. */
  save(): SavedMarket {
    const [bids, asks] = this.#sides.map((side) => side.save());
    return {
      bids: bids ?? [],
      asks: asks ?? [],
      hasBook: this.#hasBook,
      isGap: this.#isGap,
      status: this.#status,
      placeDelayMs: this.#placeDelayMs,
      isResolved: this.#isResolved,
    };
  }

  restore(saved: SavedMarket): void {
    this.#sides[SIDE.bid].restore(saved.bids);
    this.#sides[SIDE.ask].restore(saved.asks);
    this.#hasBook = saved.hasBook;
    this.#isGap = saved.isGap;
    this.#status = saved.status;
    this.#placeDelayMs = saved.placeDelayMs;
    this.#isResolved = saved.isResolved;
  }

  #set(side: BookSideCode, price: number, microShares: number, isNo: boolean, isDelta: boolean): LevelChange {
    if (isNo && this.#dropsNo()) return 'left out';
    const yesSide = isNo ? other(side) : side;
    const source = whole(isNo ? FULL_BPS - price : price);
    const problem = isDelta ? undefined : sizeProblem(microShares);
    if (problem !== undefined) this.#counts.drop(problem);
    const at = problem === undefined ? this.#gridPrice(yesSide, source, 0) : undefined;
    if (at === undefined) return 'left out';
    const before = this.#sides[yesSide].sizeAt(at, source);
    const size = isDelta ? before + microShares : microShares;
    if (size < 0) this.#counts.change('level below 0 after a change: removed');
    this.#sides[yesSide].set(at, source, Math.max(0, size));
    if (size < 0) return 'below 0';
    return size === before ? 'unchanged' : 'set';
  }

  /** The price of the grid, bids **down** and asks **up**; undefined when the row is dropped. */
  #gridPrice(side: BookSideCode, given: number, traded: number): number | undefined {
    const price = whole(given);
    const { grid, offGrid } = this.#rules;
    if (!(price > 0 && price < FULL_BPS)) {
      this.#counts.drop('price not between 0 and 1', traded);
      return undefined;
    }
    if (grid.type === 'tick' && price % grid.tickBps === 0) return price;
    const at = side === SIDE.bid ? gridDown(grid, price) : gridUp(grid, price);
    if (at === price) return at;
    if (at === undefined || offGrid === 'drop') {
      this.#counts.drop('price off the grid', traded);
      return undefined;
    }
    this.#counts.change('price rounded to the grid');
    return at;
  }

  /** Only what stood at the best price and is gone can have been traded, and only when nothing else explains it. */
  #infer(): void {
    const falls = ([SIDE.bid, SIDE.ask] as const).map((side) => {
      const levels = this.#sides[side];
      const [before, after] = [levels.shownBest(), levels.newBest()];
      const isBetter =
        after !== undefined && (before === undefined || (side === SIDE.bid ? after > before : after < before));
      return { side, price: before ?? 0, isBetter, fall: before === undefined ? 0 : levels.fallAt(before) };
    });
    const fallen = falls.filter(({ fall }) => fall > 0);
    const [only] = fallen;
    if (only === undefined) return;
    if (fallen.length > 1 || falls.some(({ isBetter }) => isBetter)) {
      this.#counts.inferred.unexplained += fallen.length;
      return;
    }
    this.#counts.inferred.prints += 1;
    this.#counts.inferred.shares.add(only.fall);
    this.prints.push(KIND.trade, other(only.side), only.price, only.fall, FLAG.inferred);
  }

  #dropsNo(traded = 0): boolean {
    if (this.#rules.noRows !== 'drop') return false;
    this.#counts.drop('NO row', traded);
    return true;
  }

  #startBook(): void {
    this.#hasBook = true;
    if (!this.#isGap) return;
    this.#isGap = false;
    this.rows.push(KIND.clear, SIDE.bid, 0, 0, 0);
  }

  #needsBook(): boolean {
    if (!this.#touch()) return false;
    if (!this.#hasBook) this.#counts.drop('level before the first full book');
    return this.#hasBook;
  }

  /** False when the market is over, which drops the row. @param traded micro-shares that are lost with it */
  #touch(traded = 0): boolean {
    if (this.#isResolved) {
      this.#counts.drop('row after the resolution', traded);
      return false;
    }
    if (this.#isTouched) return true;
    this.#isTouched = true;
    this.#onTouch(this);
    return true;
  }
}
