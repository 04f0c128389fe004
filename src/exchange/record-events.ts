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

/** A sink that hands each call on as an object. */
export function recordEvents(take: (event: ExchangeEvent) => void): ExchangeSink {
  return {
    accepted: (seq, order, account, terms) =>
      take({ type: 'accepted', seq, order: counted.order(order), account, terms: { ...terms } }),
    traded: (seq, market, maker, taker, yesPrice, shares, match, fee) =>
      take({
        type: 'traded',
        seq,
        market: counted.market(market),
        maker: counted.order(maker),
        taker: counted.order(taker),
        yesPrice: column.price(yesPrice),
        shares: column.shares(shares),
        match: MATCH_TYPES[match] ?? 'NORMAL',
        fee: column.usd(fee),
      }),
    reduced: (seq, order, remaining) =>
      take({ type: 'reduced', seq, order: counted.order(order), remaining: column.shares(remaining) }),
    closed: (seq, order, unfilled, reason) =>
      take({ type: 'closed', seq, order: counted.order(order), unfilled: column.shares(unfilled), reason }),
    happened: (seq, event) => take({ type: 'happened', seq, event }),
    refused: (entry, refusal) => take({ type: 'refused', entry, refusal }),
    duplicate: (entry, order) => take({ type: 'duplicate', entry, order: counted.order(order) }),
  };
}
