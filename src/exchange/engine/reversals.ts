/**
 * Reversible trades, and their reversal (docs/decisions/0035).
 *
 * Invariants: the newest trades, at most `MAX_TRADES`, are stored for the window of `allowReversals`; every other trade
 * is final. A reversal is a double entry, so the ledger still sums to zero.
 */
import { isFinal, type OrderNo, unchecked } from '../../domain/index.ts';
import type { ReversedSide, ReversedTrade } from '../accounts/clearing.ts';
import { amountAt } from '../accounts/holding-amounts.ts';
import type { AllowReversals, ReverseTrade } from '../command.ts';
import { CLOSE, orderKind, outcomeAndSide } from '../matching/codes.ts';
import { type Refusal, refused } from '../refusal.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { ExchangeState } from './exchange-state.ts';

const MAX_TRADES = 1 << 16;
const MAX_WINDOW_MS = 86_400_000;

export interface ReversibleSide extends ReversedSide {
  /** 0 for a trader on a tape. */
  readonly order: OrderNo;
}

/** A reversible trade; price in YES bps, micro-shares, the taker's fee in micro-USD. */
export interface ReversibleTrade extends ReversedTrade {
  readonly seq: number;
  readonly time: number;
  readonly maker: ReversibleSide;
  readonly taker: ReversibleSide;
}

/** Orders and terms of a trade, before it is booked. */
export interface NewTrade extends Omit<ReversibleTrade, 'time' | 'maker' | 'taker'> {
  readonly maker: NewSide;
  readonly taker: NewSide;
}

interface NewSide {
  readonly order: number;
  readonly holding: number;
  /** A code of `ORDER_KIND`. */
  readonly kind: number;
}

export class Reversals {
  readonly #deps: ExchangeState;
  /** Milliseconds during which a trade can be reversed; 0 for never. */
  window = 0;
  /** Oldest first. The next change removes trades that left the window. */
  #trades: ReversibleTrade[] = [];

  constructor(deps: ExchangeState) {
    this.#deps = deps;
  }

  /** Trades that can be reversed now, oldest first. */
  get trades(): readonly ReversibleTrade[] {
    const since = this.#deps.conditions.now - this.window;
    return this.#trades.filter(({ time }) => time > since);
  }

  allow({ window }: AllowReversals): Refusal | undefined {
    if (!Number.isInteger(window) || window < 0 || window > MAX_WINDOW_MS)
      return refused('INVALID_ORDER', 'window', MAX_WINDOW_MS, window, 'MILLISECONDS');
    if (window === this.window) return undefined;
    this.#removeExpired();
    // A host may send -0.
    this.window = window + 0;
    this.#removeExpired();
    this.#deps.sequencer.emit({ type: 'reversalsAllowed', window });
    return undefined;
  }

  reverse({ trade: seq }: ReverseTrade): Refusal | undefined {
    const { clearing, sequencer } = this.#deps;
    const trade = this.trades.find((each) => each.seq === seq);
    const refusal = trade === undefined ? refused('NOT_FOUND', 'trade') : this.#refusal(trade);
    if (trade === undefined || refusal !== undefined) return refusal;
    this.#closeOrdersFor(trade, trade.maker, 0);
    this.#closeOrdersFor(trade, trade.taker, trade.fee);
    clearing.reverse(trade);
    this.#trades = this.#trades.filter((each) => each !== trade);
    const { market, yesPrice, shares, fee, maker, taker } = trade;
    const orders = { maker: maker.order, taker: taker.order };
    sequencer.emit({ type: 'tradeReversed', trade: seq, market, ...orders, yesPrice, shares, fee });
    return undefined;
  }

  /** Books a trade, and stores it while it can be reversed. */
  bookTrade({ maker, taker, ...terms }: NewTrade): void {
    const { clearing, conditions } = this.#deps;
    const { yesPrice, shares, fee } = terms;
    const costsBefore = [this.#cost(maker), this.#cost(taker)] as const;
    clearing.trade(maker.holding, maker.kind, taker.holding, taker.kind, yesPrice, shares, fee);
    this.#removeExpired();
    const sides = { maker: this.#side(maker, costsBefore[0]), taker: this.#side(taker, costsBefore[1]) };
    this.#trades.push({ ...terms, time: conditions.now, ...sides });
    if (this.#trades.length > MAX_TRADES) this.#trades.shift();
  }

  /** Writes part 12 of the format in engine/state.ts. */
  writeState(writer: StateWriter): void {
    const { trades } = this;
    writer.number(this.window);
    writer.number(trades.length);
    for (const { seq, time, market, yesPrice, shares, fee, maker, taker } of trades) {
      for (const value of [seq, time, market, yesPrice, shares, fee]) writer.number(value);
      for (const { order, account, kind, cost } of [maker, taker]) {
        for (const value of [order, account, kind, cost]) writer.number(value);
      }
    }
  }

  /** Reads the output of `writeState` into an empty instance. */
  readState(reader: StateReader): void {
    const side = (): ReversibleSide => {
      const [order, account, kind, cost] = [reader.number(), reader.number(), reader.number(), reader.number()];
      return { order: unchecked.order(order), account, kind, cost };
    };
    this.window = reader.number();
    for (let left = reader.number(); left > 0; left -= 1) {
      const [seq, time, market] = [reader.number(), reader.number(), reader.number()];
      const [yesPrice, shares, fee] = [reader.number(), reader.number(), reader.number()];
      this.#trades.push({ seq, time, market, yesPrice, shares, fee, maker: side(), taker: side() });
    }
  }

  #removeExpired(): void {
    const since = this.#deps.conditions.now - this.window;
    const firstInWindow = this.#trades.findIndex(({ time }) => time > since);
    if (firstInWindow !== 0) this.#trades.splice(0, firstInWindow < 0 ? this.#trades.length : firstInWindow);
  }

  #cost({ holding, kind }: NewSide): number {
    return this.#deps.clearing.holdings.cost(holding, outcomeAndSide(kind).outcome);
  }

  #side(side: NewSide, before: number): ReversibleSide {
    const { holdings } = this.#deps.clearing;
    const cost = outcomeAndSide(side.kind).side === 'SELL' ? before - this.#cost(side) : 0;
    return { order: unchecked.order(side.order), account: holdings.accountOf(side.holding), kind: side.kind, cost };
  }

  /** Returns why a trade cannot be reversed: its market is final, or a side no longer has the needed shares or cash. */
  #refusal(trade: ReversibleTrade): Refusal | undefined {
    const market = this.#deps.records[trade.market];
    if (market === undefined || isFinal(market.status)) return refused('ALREADY_FINAL', 'trade');
    return this.#sideRefusal(trade, trade.maker, 0) ?? this.#sideRefusal(trade, trade.taker, trade.fee);
  }

  #sideRefusal(trade: ReversibleTrade, { account, kind }: ReversibleSide, fee: number): Refusal | undefined {
    const { holdings, accounts, overflowGuard } = this.#deps.clearing;
    const { market, shares, yesPrice } = trade;
    const holding = holdings.find(account, market);
    const amount = amountAt(kind, yesPrice, shares);
    if (!overflowGuard.fitsBuy(account, holding, amount, 0) || !overflowGuard.fitsSell(holding, kind, shares)) {
      return refused('ABOVE_MAX', 'trade');
    }
    const { outcome, side } = outcomeAndSide(kind);
    if (side === 'BUY') {
      const owned = holdings.shares(holding, outcome);
      return owned < shares ? refused('INSUFFICIENT_SHARES', 'trade', owned, shares, 'MICRO_SHARES') : undefined;
    }
    const cash = (accounts.available[account] ?? 0) + (accounts.reserved[account] ?? 0);
    const isShort = cash < amount - fee && accounts.unlimited[account] === 0;
    return isShort ? refused('INSUFFICIENT_BALANCE', 'trade', cash, amount - fee, 'MICRO_USD') : undefined;
  }

  /** Closes as few open orders as needed, newest first, to free the shares or cash that a side must return. */
  #closeOrdersFor(trade: ReversibleTrade, { account, kind }: ReversibleSide, fee: number): void {
    const { clearing, orderCloser, slots } = this.#deps;
    const { holdings, accounts } = clearing;
    const { market, shares, yesPrice } = trade;
    const holding = holdings.find(account, market);
    const { outcome, side } = outcomeAndSide(kind);
    if (side === 'BUY') {
      for (const slot of orderCloser.slotsOf(holding).toReversed()) {
        if (holdings.freeSharesOfKind(holding, kind) >= shares) return;
        if (slots.kind(slot) === orderKind(outcome, 'SELL')) orderCloser.closeSlot(slot, CLOSE.admin);
      }
      return;
    }
    const returnedCash = amountAt(kind, yesPrice, shares) - fee;
    for (const order of accounts.unlimited[account] === 1 ? [] : orderCloser.ordersOf(account).toReversed()) {
      if ((accounts.available[account] ?? 0) >= returnedCash) return;
      const slot = slots.find(order);
      if (outcomeAndSide(slots.kind(slot)).side === 'BUY') orderCloser.closeSlot(slot, CLOSE.admin);
    }
  }
}
