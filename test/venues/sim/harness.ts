/** A simulated venue without a clock. Tests write messages and orders, and read events and fills, as short texts. */

import { expect } from 'vitest';
import {
  complement,
  type MarketLimits,
  microShares,
  microUsd,
  type OrderCommand,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type PriceGrid,
  priceBps,
  SHARE,
  type Side,
  unchecked,
  type VenueEvent,
} from '../../../src/domain/index.ts';
import type { QueueModel, TradesOnly } from '../../../src/replay/index.ts';
import { riskAverseQueue } from '../../../src/replay/queue.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { SimEngine } from '../../../src/venues/sim/engine.ts';
import { type FeeModel, noFees } from '../../../src/venues/sim/fees.ts';
import type { SimFill, SimObserver } from '../../../src/venues/sim/index.ts';
import type { SettlementModel } from '../../../src/venues/sim/trade-settlement.ts';
import type { Row } from './naive-sim.ts';
import { blockOf, row } from './rows.ts';

export const LIMITS: MarketLimits = {
  minOrderShares: microShares(SHARE),
  minBet: microUsd(100_000),
  maxBet: microUsd(100_000_000_000),
  maxExposure: microUsd(1_000_000_000_000),
  feeRateBps: 0,
  spreadBps: 0,
};

export interface HarnessOptions {
  readonly grid?: PriceGrid;
  readonly markets?: number;
  readonly queue?: QueueModel;
  readonly fees?: FeeModel;
  readonly liquidity?: 'consumed' | 'immutable';
  readonly tradesOnly?: TradesOnly;
  readonly settlement?: SettlementModel;
  /** Dollars. */
  readonly capital?: number;
  readonly limits?: Partial<MarketLimits>;
  readonly observer?: SimObserver;
}

export type PlaceOptions = Partial<Pick<PlaceOrder, 'timeInForce' | 'postOnly' | 'expiration' | 'market'>>;

export class Harness {
  readonly engine: SimEngine;
  readonly reported: VenueEvent[] = [];
  readonly fillFacts: SimFill[] = [];
  /** Published levels that have no row on the tape: `ask 6200 50`. */
  readonly shown: string[] = [];
  time = 1_000;
  #next = 1;

  constructor(options: HarnessOptions = {}) {
    const { grid = { type: 'tick', tickBps: 10 }, markets = 1, observer, capital = 10_000 } = options;
    this.engine = new SimEngine({
      markets: Array.from({ length: markets }, () => ({ grid })),
      models: {
        queue: options.queue ?? riskAverseQueue(),
        fees: options.fees ?? noFees(),
        liquidity: options.liquidity ?? 'consumed',
        tradesOnly: options.tradesOnly,
        settlement: options.settlement,
      },
      capital: microUsd(capital * 1_000_000),
      limits: { ...LIMITS, ...options.limits },
      output: {
        receiveTime: (venueTime) => venueTime + 40,
        emit: (event) => this.reported.push(event),
        onLevel: (market, side, price, shares) =>
          this.shown.push(
            `${market > 0 ? `${market}: ` : ''}${side === SIDE.bid ? 'bid' : 'ask'} ${price} ${shares / SHARE}`,
          ),
      },
      observer: {
        ...observer,
        onFill: (fill) => {
          this.fillFacts.push(fill);
          observer?.onFill?.(fill);
        },
      },
    });
  }

  /** Applies one message and returns its levels as the public feed shows them. */
  message(...texts: readonly (string | Row)[]): string[] {
    this.time += 10;
    const rows = texts.map((text) => (typeof text === 'string' ? row(text) : text));
    const block = blockOf(this.time, rows);
    block.rx.fill(this.time + 50);
    expect(this.engine.processMessage(block, 0)).toBe(rows.length);
    return rows.flatMap((each, at) => {
      const side = each.side === SIDE.bid ? 'bid' : 'ask';
      return each.kind === KIND.level ? [`${side} ${each.price} ${block.shares[at]! / SHARE}`] : [];
    });
  }

  command(command: OrderCommand, { stale, interrupted } = { stale: false, interrupted: false }): void {
    this.time += 10;
    const market = command.type === 'cancelAll' ? undefined : this.engine.market(command.market);
    const stops = (market?.stopCount ?? 0) - (interrupted ? 1 : 0);
    this.engine.execute(
      { command, epoch: this.engine.epoch - (stale ? 1 : 0), placedAt: undefined, stopCount: stops },
      this.time,
    );
  }

  /**
   * Parses an order: `bid 50 @ 5800` buys YES, `ask 50 @ 6200` buys NO at 3800, `sell yes 50 @ 6200`, `sell no …`;
   * prices in YES terms.
   */
  order(text: string, options: PlaceOptions = {}): PlaceOrder {
    const words = text.split(' ');
    const sells = words[0] === 'sell';
    const outcome: Outcome = sells ? (words[1] === 'yes' ? 'YES' : 'NO') : words[0] === 'bid' ? 'YES' : 'NO';
    const [shares, , price] = words.slice(sells ? 2 : 1).map(Number);
    const yes: PriceBps = priceBps(price ?? 0);
    const order = unchecked.order(this.#next);
    this.#next += 1;
    return {
      type: 'place',
      order,
      bot: unchecked.instance(3),
      market: options.market ?? unchecked.market(0),
      outcome,
      side: (sells ? 'SELL' : 'BUY') satisfies Side,
      price: outcome === 'YES' ? yes : complement(yes),
      shares: unchecked.shares(Math.round((shares ?? 0) * SHARE)),
      timeInForce: options.timeInForce ?? 'GTC',
      postOnly: options.postOnly ?? (options.timeInForce ?? 'GTC') === 'GTC',
      expiration: options.expiration ?? 0,
    };
  }

  place(text: string, options: PlaceOptions = {}): PlaceOrder['order'] {
    const order = this.order(text, options);
    this.command(order);
    return order.order;
  }

  /** Returns the fills since the last call: `#1 50 @ 6050 through`, prices in YES terms. */
  fills(): string[] {
    return this.fillFacts
      .splice(0)
      .map(
        (fill) =>
          `#${fill.order} ${fill.shares / SHARE} @ ${fill.yesPrice} ${fill.basis}${fill.inside ? ' inside' : ''}`,
      );
  }

  /** Returns the events since the last call: `#1 accepted`, `#2 rejected INVALID_TICK`. */
  events(): string[] {
    return this.reported.splice(0).map((event) => {
      if (event.type === 'converted') return `${event.conversion} ${event.paid} fee ${event.fee}`;
      if (event.type === 'conversionRejected') return `${event.conversion} refused ${event.reason}`;
      if (event.type === 'limitsChanged') return `limits of market ${event.market}`;
      if (event.type === 'ordersReplaced')
        return `${event.closed.map(orderLabel)} replaced by ${event.accepted.map(orderLabel)}`;
      if (!('order' in event)) return event.type;
      const type = event.type.replace('order', '').toLowerCase();
      if (event.type === 'fillSettled' || event.type === 'fillReversed')
        return `#${event.order} ${type} ${event.trade}`;
      if (event.type === 'orderReduced') return `#${event.order} ${type} to ${event.remaining / SHARE}`;
      if (event.type === 'orderFilled') return `#${event.order} ${type} ${event.shares / SHARE} @ ${event.price}`;
      return `#${event.order} ${type}${'reason' in event ? ` ${event.reason}` : ''}`;
    });
  }

  /** Returns the outside shares ahead of an order. */
  front(order: number): number {
    const front = this.engine.sharesAheadOf(unchecked.order(order));
    if (front === undefined) throw new Error(`order ${order} is not resting`);
    return front / SHARE;
  }

  /** Returns the available size of a level in shares. */
  available(side: 'bid' | 'ask', price: number): number {
    return (this.engine.market(0)?.outside.available(SIDE[side], price) ?? 0) / SHARE;
  }
}

function orderLabel(order: number): string {
  return `#${order}`;
}

/** A harness whose book has 100 shares at 5800 and at 6200, and the given levels. */
export function harnessWithBook(options: HarnessOptions = {}, ...levels: readonly string[]): Harness {
  const sim = new Harness(options);
  sim.message('bid 5800 100', 'ask 6200 100', ...levels);
  return sim;
}
