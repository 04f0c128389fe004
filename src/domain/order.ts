/** Orders and commands, in the venue's terms (outcome, side, limit price). */
import type { InstanceNo, MarketNo, OrderNo } from './ids.ts';
import { complement, type EpochMs, type MicroShares, type PriceBps } from './units.ts';

export type Outcome = 'YES' | 'NO';
export type Side = 'BUY' | 'SELL';
/** GTC rests until cancelled, GTD until `expiration`. FOK fills all or nothing at once. FAK fills what it can. */
export type TimeInForce = 'GTC' | 'GTD' | 'FOK' | 'FAK';
/** +1 adds YES exposure, -1 removes it (docs/spec/models.md#signs-and-units). */
export type Sign = 1 | -1;

export interface PlaceOrder {
  readonly type: 'place';
  readonly order: OrderNo;
  readonly bot: InstanceNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Limit in the terms of `outcome`. */
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly timeInForce: TimeInForce;
  /** Whether the venue refuses the order if it would trade at once. Only with GTC and GTD. */
  readonly postOnly: boolean;
  /** 0 unless GTD. */
  readonly expiration: EpochMs | 0;
  /** Tag of the order's quote, which is stored, but not sent to the venue. */
  readonly tag?: string;
}

export interface CancelOrder {
  readonly type: 'cancel';
  readonly order: OrderNo;
  readonly market: MarketNo;
}

/** Reduces the remaining size by `by` and keeps queue priority. A reduction by the remaining size cancels the order. */
export interface ReduceOrder {
  readonly type: 'reduce';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly by: MicroShares;
}

/** A cancel in a replace. If a fill changed the remaining size, the venue refuses the replace. */
export interface CancelExpecting {
  readonly order: OrderNo;
  readonly remaining: MicroShares;
}

/**
 * Cancels and places orders of a market atomically. The venue refuses it if an order was closed or filled meanwhile
 * (docs/spec/venue.md#replace, `ifNoFillSince`), so that the new size does not add to that fill.
 */
export interface ReplaceOrders {
  readonly type: 'replace';
  readonly market: MarketNo;
  readonly cancels: readonly CancelExpecting[];
  readonly places: readonly PlaceOrder[];
}

/** Converts cash to pairs or pairs to cash, or claims a final market's payout. `shares` counts pairs; 0 for a claim. */
export interface Conversion {
  readonly type: 'split' | 'merge' | 'claim';
  readonly bot: InstanceNo;
  readonly market: MarketNo;
  readonly shares: MicroShares;
}

/** Cancels every open order that this bot sent. */
interface CancelAll {
  readonly type: 'cancelAll';
  /** Also cancels the account's other orders and, if the venue can, signed orders that have not arrived yet. */
  readonly isAccountWide?: true;
}

export type OrderCommand = PlaceOrder | CancelOrder | ReduceOrder | ReplaceOrders | Conversion | CancelAll;

/** Returns the direction in which an order moves YES exposure: +1 for (YES, BUY) and (NO, SELL). */
export function yesSign(outcome: Outcome, side: Side): Sign {
  return (outcome === 'YES') === (side === 'BUY') ? 1 : -1;
}

/** Returns an order's price in YES terms: the complement of a NO price. */
export function yesPrice(outcome: Outcome, price: PriceBps): PriceBps {
  return outcome === 'YES' ? price : complement(price);
}

/** Returns the limit of the BUY that quotes a price in YES terms: a bid buys YES, an ask buys NO at the complement. */
export function legPrice(sign: Sign, price: PriceBps): PriceBps {
  return sign === 1 ? price : complement(price);
}
