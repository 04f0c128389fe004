/**
 * State of one market: the outside book from its rows, and the values derived from it at the end of a message.
 *
 * HOT: every row ends here; no allocation for levels and trades. 26 ns for a message of one level, 19 of them the ladder's.
 * Invariants: between messages `mark` is the double mid of the last message that ended with both sides standing and the
 * market accepting orders (docs/spec/models.md#mark), and `exitMicros` is what the holdings are worth at the exit side
 * (docs/spec/models.md#risk-marks). While a market does not accept orders, the exit prices from before the halt stay. A
 * final market counts what it owes. Strategies hold this object and cannot assign its fields.
 */
import { Ladder } from '../book/index.ts';
import {
  column,
  type DoubleMid,
  doubled,
  type EpochMs,
  type FeeConfirmed,
  FULL_BPS,
  isFinal,
  type LimitsChanged,
  LOT,
  type MarketInfo,
  type MarketLimits,
  type MarketState,
  type MicroShares,
  MOST_FEE_BPS,
  type Outcome,
  type PricesUpdated,
  sameGrid,
} from '../domain/index.ts';
import { exitValue, type Ledger, type Position } from '../ledger/index.ts';
import { type Cursor, FLAG, KIND } from '../tape/index.ts';
import { endOf, frozenInfo, type MarketSetup, type MarketSnapshot, OPEN, statusOf } from './market-state.ts';
import type { OwnOrder } from './own-order.ts';
import { TradingState } from './trading-state.ts';
import type { MarketView, RetailPrices } from './view.ts';

/** Kinds of change in a message: bits of `#news`. */
const BOOK = 1;
const MARKET = 2;

export class MarketWorld implements MarketView {
  #info: MarketInfo;
  #book: Ladder;
  readonly #position: Position;
  readonly #orders: OwnOrder[] = [];
  #limits: MarketLimits;
  #acceptedFeeBps: number;
  #prices: RetailPrices | undefined;
  /** Pairs in unanswered merges, micro-shares. */
  #merging = 0;
  /** Micro-shares bought that the venue may take back. */
  readonly #unsettled = { YES: 0, NO: 0 };
  readonly #ledger: Ledger;
  readonly #tradesOnly: boolean;
  readonly #state: TradingState;
  /** YES minus NO in lots: the part of the holdings that prices move. 0 in a final market. */
  #lots = 0;
  #news = 0;
  #message = 0;
  /** Numbers instead of `undefined`, which would cost an allocation at each change; below 0 stands for "not yet". */
  #bookTime = -1;
  #mark = -1;
  #lastTrade = -1;
  #exitBid = 0;
  #exitAsk = FULL_BPS;
  #exitMicros = 0;
  /** At which a lot more than pairs was counted in `#exitMicros`. */
  #exitPrice = 0;

  constructor({ info, limits, state = OPEN, marks = 'book' }: MarketSetup, ledger: Ledger) {
    this.#info = frozenInfo(info);
    this.#limits = Object.freeze({ ...limits });
    // A fee above the contract's most is never accepted, and neither is a later one.
    this.#acceptedFeeBps = limits.feeRateBps <= MOST_FEE_BPS ? limits.feeRateBps : 0;
    this.#book = Ladder.forGrid(info.grid);
    this.#position = ledger.market(info.market);
    this.#ledger = ledger;
    this.#tradesOnly = marks === 'trades';
    this.#state = new TradingState(state);
  }

  get info(): MarketInfo {
    return this.#info;
  }

  get limits(): MarketLimits {
    return this.#limits;
  }

  get acceptedFeeBps(): number {
    return this.#acceptedFeeBps;
  }

  get prices(): RetailPrices | undefined {
    return this.#prices;
  }

  get book(): Ladder {
    return this.#book;
  }

  get position(): Position {
    return this.#position;
  }

  sellable(outcome: Outcome): MicroShares {
    const held = outcome === 'YES' ? this.#position.yes : this.#position.no;
    return column.shares(Math.max(0, held - this.#merging - this.#unsettled[outcome]));
  }

  /** Written by `OwnOrders`. */
  get orders(): OwnOrder[] {
    return this.#orders;
  }

  get state(): MarketState {
    return this.#state.current;
  }

  get bookTime(): EpochMs | undefined {
    return this.#bookTime < 0 ? undefined : column.time(this.#bookTime);
  }

  get mark(): DoubleMid | undefined {
    return this.#mark < 0 ? undefined : column.mid(this.#mark);
  }

  /** Whether the present message had levels of this market. */
  get bookChanged(): boolean {
    return (this.#news & BOOK) !== 0;
  }

  /** Whether the present message changed status, halt, placing delay or resolution. */
  get stateChanged(): boolean {
    return (this.#news & MARKET) !== 0;
  }

  /** Applies new terms of the venue, or a fee that an operator accepted. */
  fold(event: LimitsChanged | PricesUpdated | FeeConfirmed): void {
    if (event.type === 'limitsChanged') this.#limits = Object.freeze({ ...event.limits });
    else if (event.type === 'pricesUpdated') this.#prices = Object.freeze({ yes: event.yes, no: event.no });
    else this.#acceptedFeeBps = event.feeRateBps;
  }

  /** Start of a run: the present fee is the one that later rises are compared with. */
  runBegins(): void {
    this.#acceptedFeeBps = Math.min(this.#acceptedFeeBps, this.#limits.feeRateBps);
  }

  /** The market is traded again, perhaps on another grid: then its book is read again. A final market stays final. */
  comesBack({ grid }: Pick<MarketInfo, 'grid'>, limits: MarketLimits, state: MarketState): void {
    this.#limits = Object.freeze({ ...limits });
    if (!sameGrid(grid, this.#info.grid)) {
      this.#info = frozenInfo({ ...this.#info, grid });
      this.#book = Ladder.forGrid(grid);
    }
    if (!isFinal(this.state.status)) this.#turn(state, false);
  }

  countMerging(pairs: number): void {
    this.#merging = pairs;
  }

  /** @param shares negative when the venue cannot take them back any more */
  countUnsettled(outcome: Outcome, shares: number): void {
    this.#unsettled[outcome] += shares;
  }

  /** Whether no row of message `number` has come yet; if so, the news of the one before are forgotten. */
  isNewTo(number: number): boolean {
    if (number === this.#message) return false;
    this.#message = number;
    this.#news = 0;
    return true;
  }

  /** A level row; the size stands in row `row` of the column. */
  level(side: number, price: number, shares: Float64Array, row: number): void {
    this.#news |= BOOK;
    this.#book.setFrom(side, price, shares, row);
  }

  trade(price: number, flags: number): void {
    if (this.#tradesOnly && (flags & FLAG.own) === 0) this.#lastTrade = price;
  }

  /** The message is complete; its receive time stands in row `row` of the column. Answers by how much the exit value changed. */
  messageEnds(rx: Float64Array, row: number): number {
    if ((this.#news & BOOK) !== 0) this.#bookTime = rx[row]!;
    const moved = this.#state.accepts && this.#takePrices();
    if ((this.#news & MARKET) !== 0) return this.revalue();
    return moved && this.#lots !== 0 ? this.#reprice() : 0;
  }

  /** Recalculates the exit value after a change of holdings or state, and returns its change. */
  revalue(): number {
    const { yes, no, settlement, owed } = this.#position;
    const before = this.#exitMicros;
    this.#lots = settlement === undefined ? (yes - no) / LOT : 0;
    this.#exitMicros = settlement === undefined ? exitValue(yes, no, this.#exitBid, this.#exitAsk) : owed;
    this.#exitPrice = this.#priceNow();
    return this.#exitMicros - before;
  }

  /** The same after a change of prices alone, in one product: pairs keep their worth. */
  #reprice(): number {
    const price = this.#priceNow();
    const change = Math.abs(this.#lots) * (price - this.#exitPrice);
    this.#exitPrice = price;
    this.#exitMicros += change;
    if (!Number.isSafeInteger(this.#exitMicros)) {
      throw new RangeError(`Invariant: an exit value of ${this.#exitMicros} micro-USD is not exact`);
    }
    return change;
  }

  /** Exit price of the outcome with the larger holding. */
  #priceNow(): number {
    return this.#lots > 0 ? this.#exitBid : FULL_BPS - this.#exitAsk;
  }

  /** Returns whether they changed. */
  #takePrices(): boolean {
    if (this.#tradesOnly) return this.#takeTrade();
    const { topBid, topAsk } = this.#book;
    if (topBid === this.#exitBid && topAsk === this.#exitAsk) return false;
    this.#exitBid = topBid;
    this.#exitAsk = topAsk;
    if (topBid !== 0 && topAsk !== FULL_BPS) this.#mark = topBid + topAsk;
    return true;
  }

  #takeTrade(): boolean {
    const price = this.#lastTrade;
    if (price < 0 || price === this.#exitAsk) return false;
    this.#mark = doubled(column.price(price));
    this.#exitBid = price;
    this.#exitAsk = price;
    return true;
  }

  /** Any other row. */
  rare(row: Cursor): void {
    switch (row.kind) {
      case KIND.clear:
        this.#news |= BOOK;
        this.#book.clear();
        if (this.#state.isLost) this.#turn({}, false);
        return;
      case KIND.gap:
        this.#turn({}, true);
        return;
      case KIND.status:
        // A tape may continue after the end; the market stays final.
        if (!isFinal(this.state.status)) this.#turn(statusOf(row.price));
        return;
      case KIND.placeDelay:
        this.#turn({ placeDelay: column.duration(row.shares) });
        return;
      case KIND.resolution: {
        const { settlement, status } = endOf(row.price);
        this.#ledger.resolve(this.#info.market, settlement);
        this.#turn({ status, acceptingOrders: false });
        return;
      }
      default:
        throw new Error(`Invariant: a row of kind ${row.kind} means nothing`);
    }
  }

  snapshot(): MarketSnapshot {
    return {
      info: this.#info,
      limits: this.#limits,
      ...this.#state.snapshot(),
      marks: this.#tradesOnly ? 'trades' : 'book',
      mark: this.#mark,
      lastTrade: this.#lastTrade,
      exitBid: this.#exitBid,
      exitAsk: this.#exitAsk,
      acceptedFeeBps: this.#acceptedFeeBps,
    };
  }

  /** Restores these prices; returns the value of the ledger's holdings at them, which holds until the book is read again. */
  restore({ mark, lastTrade, exitBid, exitAsk, acceptedFeeBps, isLost }: MarketSnapshot): number {
    if (isLost === true) this.#state.turn({}, true);
    if (acceptedFeeBps !== undefined) this.#acceptedFeeBps = acceptedFeeBps;
    this.#mark = mark;
    this.#lastTrade = lastTrade;
    this.#exitBid = exitBid;
    this.#exitAsk = exitAsk;
    return this.revalue();
  }

  #turn(change: Partial<MarketState>, isLost?: boolean): void {
    this.#news |= MARKET;
    this.#state.turn(change, isLost);
  }
}
