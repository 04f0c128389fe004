import type { Random } from '../../clock/index.ts';
import { column, costAt, type MarketNo, type MicroUsd, negUsd, type PlaceOrder, subUsd } from '../../domain/index.ts';
import type { FillEffect, Ledger, LedgerFill } from '../../ledger/index.ts';
import type { Replayed } from './replayed-exchange.ts';
import { TimeQueue } from './time-queue.ts';

export interface SettlementModel {
  /** From the fill until it is final or taken back, ms. */
  readonly delay: number;
  /** Part of the fills that is taken back, 0 to 1. */
  readonly reversedShare: number;
  readonly random: Random;
}

/** A fill that is neither final nor taken back. */
export interface UnsettledTrade extends FillEffect {
  readonly trade: string;
  readonly place: PlaceOrder;
  readonly fill: LedgerFill;
  readonly liquidity: 'maker' | 'taker';
  readonly isReversed: boolean;
  /** Part of `fill.fee` that the exchange took; the venue charged the rest. */
  readonly taken: MicroUsd;
  /** Exchange time of the fill. */
  readonly filledAt: number;
  /** Set when the market's end made it final before its time. */
  isSettled: boolean;
}

export type OwnFill = Pick<LedgerFill, 'price' | 'shares' | 'fee'> & Pick<UnsettledTrade, 'liquidity' | 'taken'>;

/** Receives the outcome of an unsettled trade. */
export interface SettlementSink {
  publishSettled(trade: UnsettledTrade): void;
  publishReversed(trade: UnsettledTrade): void;
}

/**
 * A venue that matches first and settles later, and now and then takes a matched trade back. Until a trade is settled,
 * what it bought cannot be sold or merged and what it sold for cannot be spent. A market that ends makes its trades final.
 */
export class TradeSettlement {
  readonly #model: SettlementModel;
  readonly #replayed: Replayed;
  readonly #ledger: Ledger;
  /** All wait equally long, so they come due in order. */
  readonly #waiting = new TimeQueue<UnsettledTrade>();
  #fresh: UnsettledTrade[] = [];
  #count = 0;

  constructor(model: SettlementModel, replayed: Replayed, ledger: Ledger) {
    this.#model = model;
    this.#replayed = replayed;
    this.#ledger = ledger;
  }

  /** Time at which the next trade settles or is taken back; Infinity without one. */
  get next(): number {
    return this.#waiting.next;
  }

  /** Books an own fill, its price in the terms of the order's outcome. @returns the trade's id */
  filled(place: PlaceOrder, { liquidity, taken, ...terms }: OwnFill, now: number): string {
    const { market, outcome, side } = place;
    const fill = { market, outcome, side, ...terms };
    this.#count += 1;
    const trade = `simulated-${this.#count}`;
    const isReversed = this.#model.random.uniform() < this.#model.reversedShare;
    const unsettled = {
      ...this.#ledger.fill(fill),
      trade,
      place,
      fill,
      liquidity,
      isReversed,
      taken,
      filledAt: now,
      isSettled: false,
    };
    this.#fresh.push(unsettled);
    this.#waiting.add(now + this.#model.delay, unsettled);
    return trade;
  }

  /** At the end of a step: holds what its fills brought. The exchange books them during the step. */
  hold(): void {
    for (const trade of this.#fresh) this.#move(trade, 1);
    this.#fresh = [];
  }

  /** Within a step of the tape: settles or takes back what is due. */
  settleDue(now: number, sink: SettlementSink): void {
    while (this.#waiting.next <= now) {
      const trade = this.#waiting.take();
      if (trade.isSettled) continue;
      this.#move(trade, -1);
      if (trade.isReversed) this.#reverse(trade, sink);
      else sink.publishSettled(trade);
    }
  }

  /** Within a step of the tape: the market ends, its trades are final. */
  settleMarket(market: MarketNo, sink: SettlementSink): void {
    this.hold();
    for (const trade of this.#waiting.items()) {
      if (trade.isSettled || trade.fill.market !== market) continue;
      trade.isSettled = true;
      this.#move(trade, -1);
      sink.publishSettled(trade);
    }
  }

  #reverse(trade: UnsettledTrade, sink: SettlementSink): void {
    const { exchange, account } = this.#replayed;
    exchange.tape.undoTrade(account, { ...trade.fill, fee: trade.taken });
    this.#ledger.reverse(trade.fill, trade);
    sink.publishReversed(trade);
  }

  /** Holds back (1) or gives free (-1) the shares bought, or the proceeds of a sale. */
  #move({ fill }: UnsettledTrade, sign: 1 | -1): void {
    const { exchange, account } = this.#replayed;
    const { market, outcome, side, price, shares, fee } = fill;
    if (side === 'BUY') exchange.tape.lock(account, market, outcome, column.shares(sign * shares));
    else {
      const proceeds = subUsd(costAt(shares, price), fee);
      exchange.tape.charge(account, sign === 1 ? proceeds : negUsd(proceeds));
    }
  }
}
