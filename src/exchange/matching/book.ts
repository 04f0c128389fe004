/** Interfaces for a market's book, the sink of its events, and the recorded market of a replayed book. */
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { TapeRows } from '../tape-command.ts';

/**
 * One market's book. In a `MatchingBook`, orders match each other; in the replayed book of `replay/`, they also match a
 * recorded market. The `price` of an incoming order is the price of the order's outcome. All other prices are YES bps.
 * Sizes are micro-shares.
 */
export interface Book {
  /** Distance between adjacent prices, bps. The YES price of a resting order is its slot's level times `tickBps`. */
  readonly tickBps: number;
  /** Highest bid; 0 if there is none. */
  readonly bestBid: number;
  /** Lowest ask; 10000 if there is none. */
  readonly bestAsk: number;
  /** Returns whether a price on the tick is allowed. A replayed book also requires the price grid of the recording. */
  hasPrice(kind: number, force: number, price: number): boolean;
  /** Checks an order against the present book and changes nothing. @returns a code of `BOOK_RESULT` */
  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /** Checks a GTC order with CANCEL_TAKER. @returns the level for `enterGtc`; -1 if the book may refuse the order */
  levelFor(kind: number, price: number, shares: number): number;
  /** Enters an order that `levelFor` accepts. @param level result of `levelFor`, called directly before */
  enterGtc(order: number, kind: number, level: number, shares: number, holding: number): void;
  /** Returns the micro-shares that an order could fill at once under its self-trade mode. Changes nothing. */
  fillable(kind: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /** Enters an order that `refusal` accepts. The order matches as far as possible, then rests or ends. */
  enter(
    order: number,
    kind: number,
    force: number,
    price: number,
    shares: number,
    holding: number,
    selfTrade: number,
  ): void;
  /** Removes an open order from this book. */
  close(slot: number, reason: number): void;
  /** Reduces an open order, which keeps its queue position. A reduction to 0 or below closes the order. */
  reduce(slot: number, by: number): void;
  closeAll(reason: number): void;
  /** Returns the micro-shares before an open order at its price. */
  queueAhead(slot: number): number;
  /** Returns how many micro-shares of `queueAhead` belong to the recorded market. */
  recordedAhead(slot: number): number;
  /** Returns the slot of the first order at a price; 0 if there is none. `OrderSlots.behind` returns the next. */
  firstAt(price: number): number;
  /** Returns the recorded micro-shares that a taker at `price` matches before the order in `slot`. Slot 0 means all. */
  recordedBefore(isTakerBid: boolean, price: number, slot: number): number;
  /** Returns the micro-shares of open orders at a price. */
  restingAt(price: number): number;
  /** Returns the micro-shares at a price, from open orders and from the recorded market. */
  sharesAt(price: number): number;
  /** Returns the number of open orders at a price. A recorded market adds one order for each side. */
  orderCountAt(price: number): number;
  /** Returns the next price below `price` with orders; 0 if there is none. */
  priceBelow(price: number): number;
  /** Returns the next price above `price` with orders; 10000 if there is none. */
  priceAbove(price: number): number;
  /** The recorded market that the book plays; undefined unless commands deliver a recording to the book. */
  readonly recordedMarket?: RecordedMarket;
}

/**
 * Receives the events of a book in order, as plain numbers, to avoid allocation.
 *
 * A sink must not throw, and may call books only in `paused`. A slot identifies a resting order and is valid during the
 * call; the sink may read all its columns, but write only by `OrderSlots.setDetails`. An incoming order has no slot
 * before it rests: the caller of `enter` knows its fields. Prices are YES bps, sizes micro-shares.
 *
 * A match calls `filled`, then `closed` if the maker is filled, then `paused` if `filled` requested the pause. The next
 * match or `ended` follows.
 */
export interface MatchSink {
  /**
   * The incoming order traded with the resting `maker` at the maker's price. The maker's size is already reduced.
   * @param match a code of `MATCH`
   * @returns whether the book pauses before the next match
   */
  filled(maker: number, yesPrice: number, shares: number, match: number): boolean;
  /**
   * Runs the pause that `filled` requested. The sink may close and reduce orders in all books, but not enter orders.
   * @returns 0 to continue, or the code of `CLOSE` that ends the incoming order; ignored if the order is filled
   */
  paused(): number;
  /** `shares` of the incoming order rest, last in their price's queue. The sink must call `OrderSlots.setDetails`. */
  rested(slot: number, shares: number, yesPrice: number): void;
  /** An open order was reduced to `remaining` and keeps its queue position. */
  reduced(slot: number, remaining: number, yesPrice: number): void;
  /** An open order was closed with `unfilled` cancelled. The slot is freed next. @param reason a code of `CLOSE` */
  closed(slot: number, unfilled: number, reason: number, yesPrice: number): void;
  /** An incoming order ended without resting; `unfilled` micro-shares are cancelled. @param reason a code of `CLOSE` */
  ended(unfilled: number, reason: number): void;
}

/** Market states on tapes. A HALTED market is OPEN but accepts no orders. */
export type RecordedState = 'OPEN' | 'HALTED' | 'PENDING_RESOLUTION';

/** Receives a message's state changes and unmatched prints. */
export interface RecordedMarketSink {
  onState(state: RecordedState): void;
  /** @param yesPayoutBps undefined for CANCELLED */
  onResolution(yesPayoutBps: number | undefined): void;
  onPlaceDelay(ms: number): void;
  /** Receives the part of a print that filled no order. */
  onPrint(buysYes: boolean, yesPrice: number, shares: number): void;
}

/** The recorded market that a replayed book plays. */
export interface RecordedMarket {
  /** Returns whether the rows are a valid message. */
  isValid(rows: TapeRows): boolean;
  /**
   * Plays a valid message. Fills go to the book's sink.
   * @returns sizes of levels that may have changed, three numbers each: 1 for a bid, 0 for an ask; price; micro-shares
   */
  play(rows: TapeRows, sink: RecordedMarketSink): readonly number[];
  /** Returns the sizes of all levels in the format of `play`. */
  levels(): readonly number[];
  /** Writes the recording's levels, their consumed sizes, and the queue positions of orders, but not the orders. */
  writeState(writer: StateWriter): void;
  /** Reads the output of `writeState`; the same orders must be in the book. @throws Fault if the state is damaged */
  readState(reader: StateReader): void;
}
