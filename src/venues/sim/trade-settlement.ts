import type { Random } from '../../clock/index.ts';
import {
  costAt,
  type MarketNo,
  type MicroUsd,
  negUsd,
  type PlaceOrder,
  subUsd,
  unchecked,
} from '../../domain/index.ts';
import type { FillEffect, Ledger, LedgerFill } from '../../ledger/index.ts';
import type { ReplayedExchange } from './replayed-exchange.ts';
import { TimeQueue } from './time-queue.ts';

export interface SettlementModel {
  /** Time from the fill until it is final or reversed, ms. */
  readonly delay: number;
  /** Share of the fills that are reversed, 0 to 1. */
  readonly reversedShare: number;
  readonly random: Random;
}

/** A fill that is neither final nor reversed. */
export interface UnsettledTrade extends FillEffect {
  readonly trade: string;
  readonly place: PlaceOrder;
  readonly fill: LedgerFill;
  readonly liquidity: 'maker' | 'taker';
  readonly willBeReversed: boolean;
  /** Fee that the exchange charged. `VenueCharges` charges or refunds the difference from `fill.fee`. */
  readonly exchangeFee: MicroUsd;
  readonly filledAt: number;
  /** Whether the market's end made the trade final early. */
  isSettled: boolean;
}

type FillTerms = Pick<LedgerFill, 'price' | 'shares' | 'fee'> & Pick<UnsettledTrade, 'liquidity' | 'exchangeFee'>;

interface SettlementSink {
  publishSettled(trade: UnsettledTrade): void;
  publishReversed(trade: UnsettledTrade): void;
}

/**
 * Simulates a venue that settles trades some time after the match, and reverses some of them. Before settlement, bought
 * shares cannot be sold or merged, and proceeds of a sale cannot be spent. The end of a market makes its trades final.
 */
export class TradeSettlement {
  readonly #model: SettlementModel;
  readonly #replayed: ReplayedExchange;
  readonly #ledger: Ledger;
  /** In order, because all trades have the same delay. */
  readonly #waiting = new TimeQueue<UnsettledTrade>();
  #newTrades: UnsettledTrade[] = [];
  #tradeCount = 0;

  constructor(model: SettlementModel, replayed: ReplayedExchange, ledger: Ledger) {
    this.#model = model;
    this.#replayed = replayed;
    this.#ledger = ledger;
  }

  /** Time at which the next trade settles or is reversed; Infinity without one. */
  get nextTime(): number {
    return this.#waiting.nextTime;
  }

  /** Books an own fill, with the price in terms of the order's outcome. Returns the trade's id. */
  bookFill(place: PlaceOrder, { liquidity, exchangeFee, ...terms }: FillTerms, now: number): string {
    const { market, outcome, side } = place;
    const fill = { market, outcome, side, ...terms };
    this.#tradeCount += 1;
    const trade = `simulated-${this.#tradeCount}`;
    const willBeReversed = this.#model.random.uniform() < this.#model.reversedShare;
    const state = { willBeReversed, exchangeFee, filledAt: now, isSettled: false };
    const unsettled = { ...this.#ledger.fill(fill), trade, place, fill, liquidity, ...state };
    this.#newTrades.push(unsettled);
    this.#waiting.add(now + this.#model.delay, unsettled);
    return trade;
  }

  /** Locks the shares and proceeds of the step's fills. Call this after the exchange has booked the fills. */
  lockNewTrades(): void {
    for (const trade of this.#newTrades) this.#setLock(trade, 'lock');
    this.#newTrades = [];
  }

  /** Settles or reverses the due trades. Call this within a step of the tape. */
  settleDue(now: number, sink: SettlementSink): void {
    while (this.#waiting.nextTime <= now) {
      const trade = this.#waiting.shift();
      if (trade.isSettled) continue;
      this.#setLock(trade, 'unlock');
      if (trade.willBeReversed) this.#reverse(trade, sink);
      else sink.publishSettled(trade);
    }
  }

  /** Settles all trades of a market that ends. Call this within a step of the tape. */
  settleMarket(market: MarketNo, sink: SettlementSink): void {
    this.lockNewTrades();
    for (const trade of this.#waiting.items()) {
      if (trade.isSettled || trade.fill.market !== market) continue;
      trade.isSettled = true;
      this.#setLock(trade, 'unlock');
      sink.publishSettled(trade);
    }
  }

  #reverse(trade: UnsettledTrade, sink: SettlementSink): void {
    const { exchange, account } = this.#replayed;
    exchange.tape.undoTrade(account, { ...trade.fill, fee: trade.exchangeFee });
    this.#ledger.reverse(trade.fill, trade);
    sink.publishReversed(trade);
  }

  /** Locks or unlocks the bought shares, or the proceeds of a sale. */
  #setLock({ fill }: UnsettledTrade, action: 'lock' | 'unlock'): void {
    const { exchange, account } = this.#replayed;
    const { market, outcome, side, price, shares, fee } = fill;
    if (side === 'BUY')
      exchange.tape.lock(account, market, outcome, unchecked.shares(action === 'lock' ? shares : -shares));
    else {
      const proceeds = subUsd(costAt(shares, price), fee);
      exchange.tape.charge(account, action === 'lock' ? proceeds : negUsd(proceeds));
    }
  }
}
