/** A market's book, the sink of its events, and the port for the recorded market of a replayed book (implemented in `replay/`). */
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { TapeRows } from '../tape-command.ts';

/**
 * One market's book. Two implementations: `MatchingBook`, in which orders match each other, and the replayed book of
 * `replay/`, in which they also match a recorded market. Prices except limits are YES bps, sizes micro-shares, other numbers
 * codes and slots. Results go to the book's `MatchSink`.
 */
export interface Book {
  /** Distance of adjacent prices in bps: an order's price is its slot's level times this. */
  readonly tickBps: number;
  /** Highest bid; 0 if there is none. */
  readonly bestBid: number;
  /** Lowest ask; 10000 if there is none. */
  readonly bestAsk: number;
  /** Returns whether such an order may have this limit, which is on the tick and in the terms of its kind's outcome. */
  hasPrice(kind: number, force: number, price: number): boolean;
  /** Returns why the present book refuses an order (`MatchingBook.refusal`), a code of `BOOK_RESULT`. Changes nothing. */
  refusal(kind: number, force: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /**
   * The fast path of a GTC with CANCEL_TAKER: `hasPrice`, `refusal` and the tick in one call.
   * @returns the level for `enterGtc`; -1 for an order that the book refuses or may refuse
   */
  levelFor(kind: number, price: number, shares: number): number;
  /** `enter` for an order that `levelFor` accepts. @param level result of `levelFor`, called directly before */
  enterGtc(order: number, kind: number, level: number, shares: number, holding: number): void;
  /** Returns the micro-shares that an order could fill at once under its self-trade mode. Changes nothing. */
  fillable(kind: number, price: number, shares: number, holding: number, selfTrade: number): number;
  /** Enters an order that `refusal` accepts: it matches what it can, then rests or ends. */
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
  /** Reduces an open order, which keeps its queue position. A reduction to 0 or below closes it. */
  reduce(slot: number, by: number): void;
  /** Removes all orders. */
  closeAll(reason: number): void;
  /** Micro-shares before an open order at its price. */
  queueAhead(slot: number): number;
  /** The part of `queueAhead` from a recorded market. */
  recordedFront(slot: number): number;
  /** The slot of the first order at a price; `OrderSlots.behind` returns the next. 0 if the level is empty. */
  firstAt(price: number): number;
  /**
   * Micro-shares of a recorded market that a bid (else an ask) matches at a price before the order in `slot`; all of them for
   * slot 0.
   */
  recordedBefore(isBid: boolean, price: number, slot: number): number;
  /** Micro-shares of open orders at a price. */
  restingAt(price: number): number;
  /** Micro-shares at a price, including a recorded market's. */
  sharesAt(price: number): number;
  /** Number of open orders at a price. The size of a recorded market counts as one order per side. */
  orderCountAt(price: number): number;
  /** Next price below `price` with orders; 0 if there is none. */
  priceBelow(price: number): number;
  /** Next price above `price` with orders; 10000 if there is none. */
  priceAbove(price: number): number;
  /** Only in a book whose recording arrives in commands. */
  readonly recording?: Recording;
}

/**
 * Receives the events of a book in order, as plain numbers, to avoid allocation.
 *
 * A sink must not throw, and may call books only in `paused`. Orders are identified by their slots, which are valid during
 * the call. A sink may read all columns, but write only by `OrderSlots.setDetails`. Prices are YES bps, sizes micro-shares. An
 * order that does not rest has no slot: the caller of `enter` has its fields.
 *
 * A match calls `filled`, then `closed` if the maker is filled, then `paused` if `filled` requested it. Then follows the next
 * match, or `ended`.
 */
export interface MatchSink {
  /**
   * The incoming order traded with the resting `maker` at the maker's price. The maker's remaining size is already reduced.
   * `match` is a code of `MATCH`.
   * @returns whether the book pauses before the next match
   */
  filled(maker: number, yesPrice: number, shares: number, match: number): boolean;
  /**
   * The pause that `filled` requested. The sink may close and reduce orders in all books, but not enter any.
   * @returns 0 to continue, or the code of `CLOSE` that ends the incoming order; ignored if the order is filled
   */
  paused(): number;
  /**
   * The rest of the incoming order (`shares`) is in the book, behind all others at its price. Set the details of the slot now:
   * they still belong to an earlier order.
   */
  rested(slot: number, shares: number, yesPrice: number): void;
  /** An open order was reduced to `remaining` and keeps its queue position. */
  reduced(slot: number, remaining: number, yesPrice: number): void;
  /** An open order was closed with `unfilled` micro-shares cancelled; its slot is freed after the call. `reason`: a code of `CLOSE`. */
  closed(slot: number, unfilled: number, reason: number, yesPrice: number): void;
  /** The incoming order ended without resting, with `unfilled` micro-shares cancelled. `reason`: a code of `CLOSE`. */
  ended(unfilled: number, reason: number): void;
}

/** Market states on tapes; HALTED is an OPEN market that accepts no orders. */
export type RecordedState = 'OPEN' | 'HALTED' | 'PENDING_RESOLUTION';

/** Receives the state changes of a message, and the prints that filled no order. */
export interface RecordingSink {
  onState(state: RecordedState): void;
  /** @param yesPayoutBps undefined for CANCELLED */
  onResolution(yesPayoutBps: number | undefined): void;
  /** @param ms 0 or more */
  onPlaceDelay(ms: number): void;
  /** The part of a print that filled no order. */
  onPrint(buysYes: boolean, yesPrice: number, shares: number): void;
}

/** The recorded side of a book. */
export interface Recording {
  /** Returns whether the rows are a valid message. */
  isValid(rows: TapeRows): boolean;
  /**
   * Plays a valid message. Fills go to the book's sink.
   * @returns the sizes of levels that may have changed, three numbers each: 1 for a bid, 0 for an ask; price; micro-shares
   */
  play(rows: TapeRows, sink: RecordingSink): readonly number[];
  /** Returns the sizes of all levels in the format of `play`. */
  levels(): readonly number[];
  /** Writes the state except orders: levels, their consumed size, and the queue positions of orders. */
  writeState(writer: StateWriter): void;
  /** Reads the state; the same orders must be in the book. @throws Fault if it is damaged */
  readState(reader: StateReader): void;
}
