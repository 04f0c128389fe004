/** Makes an object of every call of a sink: for tests, logs and whatever is not hot. */

import type { CloseReason, MarketNo, MicroShares, MicroUsd, OrderNo, PriceBps } from '../domain/index.ts';
import { column, counted } from '../domain/index.ts';
import { MATCH_TYPES } from './matching/codes.ts';
import type { OrderTerms } from './order-terms.ts';
import type { Refusal } from './refusal.ts';
import type { ExchangeSink, RareEvent } from './sink.ts';

/** A call of `ExchangeSink` as an object. */
export type ExchangeEvent =
  | {
      readonly type: 'accepted';
      readonly seq: number;
      readonly order: OrderNo;
      readonly account: number;
      readonly terms: OrderTerms;
    }
  | {
      readonly type: 'traded';
      readonly seq: number;
      readonly market: MarketNo;
      readonly maker: OrderNo;
      readonly taker: OrderNo;
      readonly yesPrice: PriceBps;
      readonly shares: MicroShares;
      readonly match: (typeof MATCH_TYPES)[number];
      readonly fee: MicroUsd;
    }
  | { readonly type: 'reduced'; readonly seq: number; readonly order: OrderNo; readonly remaining: MicroShares }
  | {
      readonly type: 'closed';
      readonly seq: number;
      readonly order: OrderNo;
      readonly unfilled: MicroShares;
      readonly reason: CloseReason;
    }
  | { readonly type: 'happened'; readonly seq: number; readonly event: RareEvent }
  | { readonly type: 'refused'; readonly entry: number; readonly refusal: Refusal }
  | { readonly type: 'duplicate'; readonly entry: number; readonly order: OrderNo };

/** A sink that keeps each call as an object. Terms are those it was told, not a copy: they must not change any more. */
export class EventList implements ExchangeSink {
  readonly events: ExchangeEvent[] = [];

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    this.events.push({ type: 'accepted', seq, order: counted.order(order), account, terms });
  }

  traded(
    seq: number,
    market: number,
    maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    match: number,
    fee: number,
  ): void {
    this.events.push({
      type: 'traded',
      seq,
      market: counted.market(market),
      maker: counted.order(maker),
      taker: counted.order(taker),
      yesPrice: column.price(yesPrice),
      shares: column.shares(shares),
      match: MATCH_TYPES[match] ?? 'NORMAL',
      fee: column.usd(fee),
    });
  }

  reduced(seq: number, order: number, remaining: number): void {
    this.events.push({ type: 'reduced', seq, order: counted.order(order), remaining: column.shares(remaining) });
  }

  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void {
    this.events.push({ type: 'closed', seq, order: counted.order(order), unfilled: column.shares(unfilled), reason });
  }

  happened(seq: number, event: RareEvent): void {
    this.events.push({ type: 'happened', seq, event });
  }

  refused(entry: number, refusal: Refusal): void {
    this.events.push({ type: 'refused', entry, refusal });
  }

  duplicate(entry: number, order: number): void {
    this.events.push({ type: 'duplicate', entry, order: counted.order(order) });
  }
}

/** A sink that hands each call on as an object, terms as a copy. */
export function recordEvents(take: (event: ExchangeEvent) => void): ExchangeSink {
  const list = new EventList();
  const hand = (): void => {
    for (const event of list.events.splice(0)) {
      take(event.type === 'accepted' ? { ...event, terms: { ...event.terms } } : event);
    }
  };
  return {
    accepted: (...call) => {
      list.accepted(...call);
      hand();
    },
    traded: (...call) => {
      list.traded(...call);
      hand();
    },
    reduced: (...call) => {
      list.reduced(...call);
      hand();
    },
    closed: (...call) => {
      list.closed(...call);
      hand();
    },
    happened: (...call) => {
      list.happened(...call);
      hand();
    },
    refused: (...call) => {
      list.refused(...call);
      hand();
    },
    duplicate: (...call) => {
      list.duplicate(...call);
      hand();
    },
  };
}
