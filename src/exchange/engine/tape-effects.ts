/**
 * Applies a recorded market to the exchange that replays the market. Outside flow fills open orders. `setState` and
 * `settle` ignore the transition table, because the market's state follows the recording.
 *
 * HOT: runs for each fill (bench/replay.ts).
 *
 * Invariants: all traders on the tape are one unlimited account, the *tape account*, so the ledger sums to zero. The
 * tape account has no orders (its order number in a trade is 0) and pays no fees. Instead of selling an outcome, the
 * tape account buys the other outcome, so that its cash stays exact for nine billion dollars of turnover. The calls
 * between `begin` and `end` are one step. A step processes no due deadlines, so recorded rows precede deadlines of the
 * same time.
 */
import {
  type EpochMs,
  FULL_BPS,
  isFinal,
  type MarketStatus,
  type MicroUsd,
  type OrderFilled,
  type Outcome,
  unchecked,
} from '../../domain/index.ts';
import type { Effects } from '../markets/effects.ts';
import { finalStateFor, toMarketStatus } from '../markets/lifecycle-state.ts';
import { acceptsOrders, type MarketRecord } from '../markets/market-record.ts';
import type { Book } from '../matching/book.ts';
import { ORDER_KIND, orderKind } from '../matching/codes.ts';
import type { MatchingBookOptions } from '../matching/matching-book.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { ExchangeSink } from '../sink.ts';
import type { RecordingTerms } from '../tape-command.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { MatchHandler } from './match-handler.ts';

export interface BookOptions extends MatchingBookOptions {
  readonly tape: TapeEffects;
  /** Defined for a market that follows a tape by commands. */
  readonly recording?: RecordingTerms;
}

/** A trade to undo; `price` in the terms of `outcome`. */
type UndoneTrade = Pick<OrderFilled, 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'>;

export type BookFactory = (options: BookOptions) => Book;

type TapeEffectsDeps = ExchangeState & { readonly effects: Effects; readonly matchHandler: MatchHandler };

export class TapeEffects {
  /** The tape account; 0 before any market follows a tape. */
  account = 0;
  readonly #context: TapeEffectsDeps;
  #seqBefore = 0;
  #timeBefore: EpochMs = unchecked.time(0);

  constructor(context: TapeEffectsDeps) {
    this.#context = context;
  }

  get slots(): OrderSlots {
    return this.#context.slots;
  }

  /** Begins a step. @param time at or after the last event */
  begin(time: EpochMs, sink: ExchangeSink): void {
    const { conditions, sequencer } = this.#context;
    sequencer.sink = sink;
    this.#seqBefore = sequencer.seq;
    this.#timeBefore = conditions.now;
    if (time > conditions.now) conditions.now = time;
  }

  /** Ends the step. A step without events changes nothing. */
  end(): void {
    const { conditions, matchHandler, sequencer } = this.#context;
    if (sequencer.seq === this.#seqBefore) conditions.now = this.#timeBefore;
    else matchHandler.setBookSeqs();
  }

  /** Makes the tape account the taker in the next calls of the book. */
  beginTaker(market: number, buysYes: boolean): void {
    const { clearing, matchHandler } = this.#context;
    matchHandler.order = 0;
    matchHandler.market = market;
    matchHandler.kind = buysYes ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
    matchHandler.holding = clearing.open(this.account, market);
    matchHandler.credential = 0;
    matchHandler.group = 0;
    matchHandler.expiration = 0;
    matchHandler.feeRateBps = 0;
    matchHandler.lastFill = 0;
  }

  /** Fills the incoming bid or ask from the tape account. @returns whether the book pauses, as in `MatchSink.filled` */
  fillFromTape(market: number, isBid: boolean, yesPrice: number, shares: number): boolean {
    const { clearing, matchHandler, slots } = this.#context;
    const kind = isBid ? ORDER_KIND.buyNo : ORDER_KIND.buyYes;
    const holding = clearing.open(this.account, market);
    clearing.reserve(holding, kind, yesPrice, shares);
    // A temporary order for this trade.
    const slot = slots.open(0, holding, market, 0, kind, 0, 0);
    slots.setDetails(slot, 0, 0, 0, 0);
    const mustPause = matchHandler.filled(slot, yesPrice, shares, matchHandler.kind & 1);
    slots.close(slot);
    return mustPause;
  }

  /** Sets a recorded state that is not final. A market that is halted or not OPEN cancels its orders. */
  setState(market: number, { status, halted }: Pick<MarketRecord, 'status' | 'halted'>): void {
    const { effects } = this.#context;
    const record = this.#context.records[market]!;
    const previous = record.status;
    if (status === 'OPEN') record.lastQuotes = undefined;
    else record.lastQuotes ??= effects.quotes(record);
    record.status = status;
    record.halted = halted;
    this.#changed(record, previous);
  }

  /** Makes the market final. @param yesPayoutBps undefined for CANCELLED @throws RangeError if it is already final */
  settle(market: number, yesPayoutBps: number | undefined): void {
    const { conditions, effects } = this.#context;
    const record = this.#context.records[market]!;
    const previous = record.status;
    record.lastQuotes ??= effects.quotes(record);
    record.status = yesPayoutBps === undefined ? 'CANCELLED' : toMarketStatus(finalStateFor(yesPayoutBps));
    record.yesPayoutBps = yesPayoutBps;
    record.decidedAt = conditions.now;
    record.finalAt = conditions.now;
    this.#changed(record, previous);
  }

  /** Executes a command as if the market were halted. Used for orders whose market was halted during their delay. */
  withMarketHalted(market: number, execute: () => void): void {
    const record = this.#context.records[market]!;
    const { halted } = record;
    record.halted = true;
    execute();
    record.halted = halted;
  }

  /** Transfers a commission to the tape account. Only the recorded venue charges commissions. */
  charge(account: number, amount: MicroUsd): void {
    const { clearing, sequencer } = this.#context;
    for (const [party, paid] of [
      [account, unchecked.usd(-amount)],
      [this.account, amount],
    ] as const) {
      clearing.transfer(party, paid);
      sequencer.emit({ type: 'transferred', account: party, amount: paid });
    }
  }

  /** Locks shares of an unsettled trade against sales and merges, or unlocks them if `shares` is negative. */
  lock(account: number, market: number, outcome: Outcome, shares: number): void {
    const { clearing } = this.#context;
    const holding = clearing.open(account, market);
    const kind = orderKind(outcome, 'SELL');
    if (shares > 0) clearing.reserve(holding, kind, 0, shares);
    else clearing.release(holding, kind, 0, -shares);
  }

  /** Undoes an account's trade with the tape account, and refunds the fee. */
  undoTrade(account: number, { market, outcome, side, price, shares, fee }: UndoneTrade): void {
    const { clearing } = this.#context;
    const [taker, maker] = [clearing.open(account, market), clearing.open(this.account, market)];
    const yesPrice = outcome === 'YES' ? price : FULL_BPS - price;
    // The tape account buys the outcome that the trader bought, or the other outcome if the trader sold.
    const bought = side === 'BUY' ? outcome : outcome === 'YES' ? 'NO' : 'YES';
    const kind = orderKind(bought, 'BUY');
    clearing.reserve(maker, kind, yesPrice, shares);
    clearing.trade(maker, kind, taker, orderKind(outcome, side === 'BUY' ? 'SELL' : 'BUY'), yesPrice, shares, -fee);
  }

  #changed(record: MarketRecord, previous: MarketStatus): void {
    const { conditions, effects, sequencer } = this.#context;
    if (!acceptsOrders(record)) {
      effects.cancelOrders(record, record.status === 'OPEN' ? 'MARKET_HALTED' : 'MARKET_NOT_OPEN');
    }
    record.updatedAt = conditions.now;
    record.deadline = undefined;
    if (record.status === 'CANCELLED') effects.refund(record);
    else if (isFinal(record.status)) effects.settle(record, record.yesPayoutBps ?? 0);
    const { number, status, chainStep: step, halted } = record;
    sequencer.emit({ type: 'marketChanged', market: number, previous, status, step, halted, reason: 'as recorded' });
  }
}
