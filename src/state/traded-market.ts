/**
 * State of one market: the book from its rows, and the values derived from the book at the end of a message.
 *
 * HOT: applies every row without allocation for levels and trades. A message of one level takes 26 ns, 19 in `Ladder`.
 * Invariants: between messages, `mark` is the double mid of the last message that ended with two non-empty sides while
 * orders were accepted (docs/spec/models.md#mark). `#exitMicros` is the holdings' value at the exit side, or the amount
 * owed in a final market (docs/spec/models.md#risk-marks). Exit prices do not change while no orders are accepted.
 */
import { Ladder } from '../book/index.ts';
import {
  type DoubleMid,
  doubled,
  type EpochMs,
  type FeeConfirmed,
  FULL_BPS,
  isFinal,
  type LimitsChanged,
  LOT,
  MAX_FEE_BPS,
  type MarketInfo,
  type MarketLimits,
  type MarketState,
  type MicroShares,
  type Outcome,
  type PricesUpdated,
  sameGrid,
  unchecked,
} from '../domain/index.ts';
import { exitValue, type Ledger, type Position } from '../ledger/index.ts';
import { type Cursor, FLAG, KIND } from '../tape/index.ts';
import type { MarketSetup, MarketSnapshot, StateChange } from './market-state.ts';
import { freezeInfo, TradingState, toResolution, toStatus } from './market-state.ts';
import type { OwnOrder } from './own-order.ts';
import type { MarketView, RetailPrices } from './view.ts';

/** Bits of `#changes`, the parts that the current message changes. */
const BOOK = 1;
const STATE = 2;

export class TradedMarket implements MarketView {
  #info: MarketInfo;
  #book: Ladder;
  readonly #position: Position;
  readonly #orders: OwnOrder[] = [];
  #limits: MarketLimits;
  #acceptedFeeBps: number;
  #prices: RetailPrices | undefined;
  /** Pairs in unanswered merges, micro-shares. */
  #merging = 0;
  /** Bought micro-shares whose trades the venue may still reverse. */
  #unsettledYes = 0;
  #unsettledNo = 0;
  readonly #ledger: Ledger;
  readonly #tradesOnly: boolean;
  readonly #state: TradingState;
  /** YES minus NO in lots, the unpaired holdings, whose value depends on prices; 0 in a final market. */
  #lots = 0;
  #changes = 0;
  #message = 0;
  // Negative before the first value, because fields that may be `undefined` would allocate at each change.
  #bookTime = -1;
  #mark = -1;
  #lastTrade = -1;
  #exitBid = 0;
  #exitAsk = FULL_BPS;
  #exitMicros = 0;
  /** Price of the unpaired lots in `#exitMicros`. */
  #exitPrice = 0;

  constructor({ info, limits, state, marks = 'book' }: MarketSetup, ledger: Ledger) {
    this.#info = freezeInfo(info);
    this.#limits = Object.freeze({ ...limits });
    // A fee above the exchange contract's maximum is never accepted.
    this.#acceptedFeeBps = limits.feeRateBps <= MAX_FEE_BPS ? limits.feeRateBps : 0;
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
    const { yes, no } = this.#position;
    const settled = outcome === 'YES' ? yes - this.#unsettledYes : no - this.#unsettledNo;
    return unchecked.shares(Math.max(0, settled - this.#merging));
  }

  /** Only `OwnOrders` writes this list. */
  get orders(): OwnOrder[] {
    return this.#orders;
  }

  get state(): MarketState {
    return this.#state.current;
  }

  get bookTime(): EpochMs | undefined {
    return this.#bookTime < 0 ? undefined : unchecked.time(this.#bookTime);
  }

  get mark(): DoubleMid | undefined {
    return this.#mark < 0 ? undefined : unchecked.mid(this.#mark);
  }

  /** Whether the last message has levels of this market. */
  get bookChanged(): boolean {
    return (this.#changes & BOOK) !== 0;
  }

  /** Whether the last message changes status, halt, placing delay or resolution. */
  get stateChanged(): boolean {
    return (this.#changes & STATE) !== 0;
  }

  /** Applies new terms or retail prices of the venue, or a fee that an operator accepted. */
  apply(event: LimitsChanged | PricesUpdated | FeeConfirmed): void {
    if (event.type === 'limitsChanged') this.#limits = Object.freeze({ ...event.limits });
    else if (event.type === 'pricesUpdated') this.#prices = Object.freeze({ yes: event.yes, no: event.no });
    else this.#acceptedFeeBps = event.feeRateBps;
  }

  /** Starts a run. Lowers the accepted fee to the present fee, so that the risk check refuses any later rise. */
  beginRun(): void {
    this.#acceptedFeeBps = Math.min(this.#acceptedFeeBps, this.#limits.feeRateBps);
  }

  /** Applies the new terms of a relisted market. A new grid empties the book. A final market stays final. */
  relist({ grid }: Pick<MarketInfo, 'grid'>, limits: MarketLimits, state: MarketState): void {
    this.#limits = Object.freeze({ ...limits });
    if (!sameGrid(grid, this.#info.grid)) {
      this.#info = freezeInfo({ ...this.#info, grid });
      this.#book = Ladder.forGrid(grid);
    }
    if (!isFinal(this.state.status)) this.#update({ ...state, isInGap: false });
  }

  setMerging(pairs: number): void {
    this.#merging = pairs;
  }

  /** @param shares change of the unsettled purchases, micro-shares; negative after a settlement or reversal */
  addUnsettled(outcome: Outcome, shares: number): void {
    if (outcome === 'YES') this.#unsettledYes += shares;
    else this.#unsettledNo += shares;
  }

  /** Resets the changes if message `number` is new in this market. @returns whether the message is new */
  beginMessage(number: number): boolean {
    if (number === this.#message) return false;
    this.#message = number;
    this.#changes = 0;
    return true;
  }

  /** @param row the row of `shares` with the size */
  applyLevel(side: number, price: number, shares: Float64Array, row: number): void {
    this.#changes |= BOOK;
    this.#book.setFrom(side, price, shares, row);
  }

  applyTrade(price: number, flags: number): void {
    if (this.#tradesOnly && (flags & FLAG.own) === 0) this.#lastTrade = price;
  }

  /** Completes a message. @param row the row of `rx` with the receive time @returns the change of the exit value */
  endMessage(rx: Float64Array, row: number): number {
    if ((this.#changes & BOOK) !== 0) this.#bookTime = rx[row]!;
    const havePricesChanged = this.#state.acceptsOrders && this.#updatePrices();
    if ((this.#changes & STATE) !== 0) return this.revalue();
    return havePricesChanged && this.#lots !== 0 ? this.#reprice() : 0;
  }

  /** Recalculates the exit value after a change of holdings or state, and returns its change. */
  revalue(): number {
    const { yes, no, settlement, owed } = this.#position;
    const before = this.#exitMicros;
    this.#lots = settlement === undefined ? (yes - no) / LOT : 0;
    this.#exitMicros = settlement === undefined ? exitValue(yes, no, this.#exitBid, this.#exitAsk) : owed;
    this.#exitPrice = this.#currentExitPrice();
    return this.#exitMicros - before;
  }

  /** Recalculates the exit value after a change of prices alone, which changes only the value of unpaired lots. */
  #reprice(): number {
    const price = this.#currentExitPrice();
    const change = Math.abs(this.#lots) * (price - this.#exitPrice);
    this.#exitPrice = price;
    this.#exitMicros += change;
    if (!Number.isSafeInteger(this.#exitMicros)) {
      throw new RangeError(`Invariant: an exit value of ${this.#exitMicros} micro-USD is not exact`);
    }
    return change;
  }

  /** Returns the exit price of the outcome with the larger holding. */
  #currentExitPrice(): number {
    return this.#lots > 0 ? this.#exitBid : FULL_BPS - this.#exitAsk;
  }

  /** Updates mark and exit prices. @returns whether the exit prices changed */
  #updatePrices(): boolean {
    if (this.#tradesOnly) return this.#updateFromTrade();
    const { topBid, topAsk } = this.#book;
    if (topBid === this.#exitBid && topAsk === this.#exitAsk) return false;
    this.#exitBid = topBid;
    this.#exitAsk = topAsk;
    if (topBid !== 0 && topAsk !== FULL_BPS) this.#mark = topBid + topAsk;
    return true;
  }

  #updateFromTrade(): boolean {
    const price = this.#lastTrade;
    if (price < 0 || price === this.#exitAsk) return false;
    this.#mark = doubled(unchecked.price(price));
    [this.#exitBid, this.#exitAsk] = [price, price];
    return true;
  }

  /** Applies a row that is neither a level nor a trade. */
  applyOtherRow(cursor: Cursor): void {
    switch (cursor.kind) {
      case KIND.clear:
        this.#changes |= BOOK;
        this.#book.clear();
        if (this.#state.isInGap) this.#update({ isInGap: false });
        return;
      case KIND.gap:
        this.#update({ isInGap: true });
        return;
      case KIND.status:
        // A tape may continue after the resolution.
        if (!isFinal(this.state.status)) this.#update(toStatus(cursor.price));
        return;
      case KIND.placeDelay:
        this.#update({ placeDelay: unchecked.duration(cursor.shares) });
        return;
      case KIND.resolution: {
        const { settlement, status } = toResolution(cursor.price);
        this.#ledger.resolve(this.#info.market, settlement);
        this.#update({ status, acceptingOrders: false });
        return;
      }
      default:
        throw new Error(`Invariant: row kind ${cursor.kind} is unknown`);
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

  /** Restores a snapshot. @returns the value of the holdings at the snapshot's prices, until the book is read again */
  restore({ mark, lastTrade, exitBid, exitAsk, acceptedFeeBps, isLost }: MarketSnapshot): number {
    if (isLost === true) this.#state.update({ isInGap: true });
    if (acceptedFeeBps !== undefined) this.#acceptedFeeBps = acceptedFeeBps;
    this.#mark = mark;
    this.#lastTrade = lastTrade;
    [this.#exitBid, this.#exitAsk] = [exitBid, exitAsk];
    return this.revalue();
  }

  #update(change: StateChange): void {
    this.#changes |= STATE;
    this.#state.update(change);
  }
}
