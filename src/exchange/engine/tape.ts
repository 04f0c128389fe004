/**
 * Effects of a recorded market on an exchange that replays it: its flow matches open orders, and its states follow the
 * recording instead of the transition table.
 *
 * HOT: once a fill. Timed as part of bench/replay.ts.
 *
 * Invariants: all traders on the tape are one account without limits, the *outside*, so the ledger sums to zero over
 * all accounts; it has no orders, and its number as maker or taker of a trade is 0; it only ever buys, the other
 * outcome where it sells to a buyer, so its cash stays an exact integer for nine billion dollars of turnover; it pays
 * no fees. What happens between `begin` and `end` is one step. At equal time the market moves first: a step processes
 * no due deadlines.
 */
import {
  column,
  type EpochMs,
  FULL_BPS,
  isFinal,
  type MarketStatus,
  type MicroUsd,
  type Outcome,
  type Side,
} from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { Effects } from '../markets/effects.ts';
import { statusOf } from '../markets/life-state.ts';
import { type MarketRecord, takesOrders } from '../markets/market-record.ts';
import { finalStateFor } from '../markets/outcome.ts';
import type { Book } from '../matching/book.ts';
import { ORDER_KIND, orderKind } from '../matching/codes.ts';
import type { MatchingBookOptions } from '../matching/matching-book.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { ExchangeSink } from '../sink.ts';
import type { RecordingTerms } from '../tape-command.ts';
import type { BookKeeper } from './book-keeper.ts';
import type { Conditions } from './conditions.ts';

import type { EventSequencer } from './event-sequencer.ts';

/** Inputs of a market's book; `tape` if it replays a recording. */
export interface BookOptions extends MatchingBookOptions {
  readonly tape: Tape;
  /** Of a market that follows a tape by commands. */
  readonly recording?: RecordingTerms;
}

/** A trade to undo; `price` in the terms of `outcome`. */
interface UndoneTrade {
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: number;
  readonly shares: number;
  readonly fee: number;
}

/** Creates a market's book. */
export type BookFactory = (of: BookOptions) => Book;

export interface TapeDeps {
  readonly accounts: Accounts;
  readonly clearing: Clearing;
  readonly conditions: Conditions;
  readonly effects: Effects;
  readonly keeper: BookKeeper;
  readonly slots: OrderSlots;
  readonly sequencer: EventSequencer;
  /** All markets, by number. */
  readonly records: readonly MarketRecord[];
}

/** The door by which a recording comes in. */
export class Tape {
  /** The account of all traders on tapes: `unlimited`; 0 before anything is recorded. */
  outside = 0;
  readonly #context: TapeDeps;
  #seq = 0;
  #before: EpochMs = column.time(0);

  constructor(context: TapeDeps) {
    this.#context = context;
  }

  /** Open orders of all books. */
  get slots(): OrderSlots {
    return this.#context.slots;
  }

  /** A step begins. @param time not before the last event's */
  begin(time: EpochMs, sink: ExchangeSink): void {
    const { conditions, sequencer } = this.#context;
    sequencer.sink = sink;
    this.#seq = sequencer.seq;
    this.#before = conditions.now;
    if (time > conditions.now) conditions.now = time;
  }

  /** The step has ended; an empty step changes nothing. */
  end(): void {
    const { conditions, keeper, sequencer } = this.#context;
    if (sequencer.seq === this.#seq) conditions.now = this.#before;
    else keeper.settleSeq();
  }

  /** The outside comes as a taker, who buys YES or sells it: the book's next calls are about it. */
  comes(market: number, buys: boolean): void {
    const { clearing, keeper } = this.#context;
    keeper.order = 0;
    keeper.market = market;
    keeper.kind = buys ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
    keeper.holding = clearing.open(this.outside, market);
    keeper.credential = 0;
    keeper.group = 0;
    keeper.expiration = 0;
    keeper.feeRateBps = 0;
    keeper.lastFill = 0;
  }

  /**
   * The incoming order takes `shares` from the outside.
   * @param buys whether the incoming order is a bid
   * @returns whether the book shall pause, as `MatchSink.filled`
   */
  gives(market: number, buys: boolean, yesPrice: number, shares: number): boolean {
    const { clearing, keeper, slots } = this.#context;
    const kind = buys ? ORDER_KIND.buyNo : ORDER_KIND.buyYes;
    const holding = clearing.open(this.outside, market);
    clearing.hold(holding, kind, yesPrice, shares);
    // An order of this one trade.
    const slot = slots.open(0, holding, market, 0, kind, 0, 0);
    slots.note(slot, 0, 0, 0, 0);
    const pause = keeper.filled(slot, yesPrice, shares, keeper.kind & 1);
    slots.close(slot);
    return pause;
  }

  /** The market goes into a recorded state that is not final; what is not OPEN, or halted, cancels its orders. */
  turns(market: number, status: MarketStatus, halted: boolean): void {
    const { effects } = this.#context;
    const record = this.#context.records[market]!;
    const previous = record.status;
    if (status === 'OPEN') record.lastQuotes = undefined;
    else record.lastQuotes ??= effects.quotes(record);
    record.status = status;
    record.halted = halted;
    this.#changed(record, previous);
  }

  /** The market is final. @param yesPayoutBps undefined for CANCELLED @throws RangeError when it is already */
  settles(market: number, yesPayoutBps: number | undefined): void {
    const { conditions, effects } = this.#context;
    const record = this.#context.records[market]!;
    const previous = record.status;
    record.lastQuotes ??= effects.quotes(record);
    record.status = yesPayoutBps === undefined ? 'CANCELLED' : statusOf(finalStateFor(yesPayoutBps));
    record.yesPayoutBps = yesPayoutBps;
    record.decidedAt = conditions.now;
    record.finalAt = conditions.now;
    this.#changed(record, previous);
  }

  /** Carries a command out as if a market were halted: for orders that were held back while it was. */
  asIfHalted(market: number, carryOut: () => void): void {
    const record = this.#context.records[market]!;
    const { halted } = record;
    record.halted = true;
    carryOut();
    record.halted = halted;
  }

  /** An account pays the outside a commission that is not a rule of this exchange. */
  charge(account: number, amount: MicroUsd): void {
    const { clearing, sequencer } = this.#context;
    for (const [who, paid] of [
      [account, column.usd(-amount)],
      [this.outside, amount],
    ] as const) {
      clearing.transfer(who, paid);
      sequencer.happened({ type: 'transferred', account: who, amount: paid });
    }
  }

  /** Shares of an account cannot be sold or merged: a trade of theirs is not settled. Negative shares are free again. */
  locks(account: number, market: number, outcome: Outcome, shares: number): void {
    const { clearing } = this.#context;
    const holding = clearing.open(account, market);
    const kind = orderKind(outcome, 'SELL');
    if (shares > 0) clearing.hold(holding, kind, 0, shares);
    else clearing.release(holding, kind, 0, -shares);
  }

  /** A trade of an account with the outside is undone at its price, its fee comes back. */
  takesBack(account: number, { market, outcome, side, price, shares, fee }: UndoneTrade): void {
    const { clearing } = this.#context;
    const [own, outside] = [clearing.open(account, market), clearing.open(this.outside, market)];
    const yes = outcome === 'YES' ? price : FULL_BPS - price;
    // The outside buys: back what it sold, or the other outcome where it bought.
    const bought = side === 'BUY' ? outcome : outcome === 'YES' ? 'NO' : 'YES';
    const kind = orderKind(bought, 'BUY');
    clearing.hold(outside, kind, yes, shares);
    clearing.trade(outside, kind, own, orderKind(outcome, side === 'BUY' ? 'SELL' : 'BUY'), yes, shares, -fee);
  }

  #changed(record: MarketRecord, previous: MarketStatus): void {
    const { conditions, effects, sequencer } = this.#context;
    if (!takesOrders(record)) {
      effects.cancelOrders(record, record.status === 'OPEN' ? 'MARKET_HALTED' : 'MARKET_NOT_OPEN');
    }
    record.updatedAt = conditions.now;
    record.deadline = undefined;
    if (record.status === 'CANCELLED') effects.refund(record);
    else if (isFinal(record.status)) effects.settle(record, record.yesPayoutBps ?? 0);
    const { no, status, step, halted } = record;
    sequencer.happened({ type: 'marketChanged', market: no, previous, status, step, halted, reason: 'as recorded' });
  }
}
