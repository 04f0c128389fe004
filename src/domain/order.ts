/** Orders and commands, in the venue's terms (outcome, side, limit price). */
import type { BotNo, MarketNo, OrderNo } from './ids.ts';
import { complement, type EpochMs, type MicroShares, type PriceBps } from './units.ts';

export type Outcome = 'YES' | 'NO';
export type Side = 'BUY' | 'SELL';
/** GTC rests until cancelled, GTD until `expiration`. FOK fills completely or not at all, FAK as far as possible at once. */
export type TimeInForce = 'GTC' | 'GTD' | 'FOK' | 'FAK';
/** +1 adds YES exposure, -1 removes it (docs/spec/models.md#signs-and-units). */
export type Sign = 1 | -1;

/** A new limit order. `expiration` is a time for GTD, 0 for all others. */
export interface PlaceOrder {
  readonly type: 'place';
  readonly order: OrderNo;
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Limit in the terms of `outcome`. */
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly timeInForce: TimeInForce;
  /** Whether the venue refuses the order if it would trade at once. Only with GTC and GTD. */
  readonly postOnly: boolean;
  readonly expiration: EpochMs | 0;
  /** Tag of the order's quote; absent if the quote has none. It is stored, but not sent to the venue. */
  readonly tag?: string;
}

export interface CancelOrder {
  readonly type: 'cancel';
  readonly order: OrderNo;
  readonly market: MarketNo;
}

/** Reduces the remaining size by `by` and keeps queue priority. Reducing by all of it cancels the order. */
export interface ReduceOrder {
  readonly type: 'reduce';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly by: MicroShares;
}

/** A cancel in a replace, with the expected remaining size. If a fill changed it, the venue refuses the replace. */
export interface CancelExpecting {
  readonly order: OrderNo;
  readonly remaining: MicroShares;
}

/**
 * Cancels and places orders of a market atomically. The venue refuses it if an order to cancel is closed or has filled
 * since (docs/spec/venue.md#replace, `ifNoFillSince`): otherwise a fill in flight and the full new size would add up.
 */
export interface ReplaceOrders {
  readonly type: 'replace';
  readonly market: MarketNo;
  readonly cancels: readonly CancelExpecting[];
  readonly places: readonly PlaceOrder[];
}

/** Converts cash to pairs or pairs to cash, or claims the payout of a final market. `shares` counts pairs; 0 for a claim. */
export interface Conversion {
  readonly type: 'split' | 'merge' | 'claim';
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly shares: MicroShares;
}

/** Cancels every open order that this bot sent. */
interface CancelAll {
  readonly type: 'cancelAll';
  /** Also cancels the account's other orders. If the venue has order epochs, it also invalidates signed orders in flight. */
  readonly everyone?: true;
}

export type OrderCommand = PlaceOrder | CancelOrder | ReduceOrder | ReplaceOrders | Conversion | CancelAll;

/** Direction in which an order moves YES exposure: (YES, BUY) and (NO, SELL) are +1. */
export function yesSign(outcome: Outcome, side: Side): Sign {
  return (outcome === 'YES') === (side === 'BUY') ? 1 : -1;
}

/** An order's price in YES terms: NO prices are complemented. */
export function yesPrice(outcome: Outcome, price: PriceBps): PriceBps {
  return outcome === 'YES' ? price : complement(price);
}

/** Price of the BUY for a price in YES terms: a bid buys YES at it, an ask buys NO at its complement. */
export function legPrice(sign: Sign, price: PriceBps): PriceBps {
  return sign === 1 ? price : complement(price);
}
