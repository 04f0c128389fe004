/** Orders and the commands about them, in the venue's terms (outcome, side, limit price). */
import type { BotNo, MarketNo, OrderNo } from './ids.ts';
import { complement, type EpochMs, type MicroShares, type PriceBps } from './units.ts';

export type Outcome = 'YES' | 'NO';
export type Side = 'BUY' | 'SELL';
/** GTC rests until cancelled, GTD until `expiration`, FOK fills whole or not at all, FAK fills what it can at once. */
export type TimeInForce = 'GTC' | 'GTD' | 'FOK' | 'FAK';
/** +1 adds YES exposure, -1 removes it (docs/spec/models.md#signs-and-units). */
export type Sign = 1 | -1;

/** A new limit order. `expiration` is a moment for GTD, 0 for all others. */
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
  /** Refused when it would take. Only with GTC and GTD. */
  readonly postOnly: boolean;
  readonly expiration: EpochMs | 0;
  /** Of the quote that it was placed for; left out when it had none. It is stored and never sent. */
  readonly tag?: string;
}

export interface CancelOrder {
  readonly type: 'cancel';
  readonly order: OrderNo;
  readonly market: MarketNo;
}

/** Takes `by` off what remains and keeps queue priority; taking all of it cancels the order. */
export interface ReduceOrder {
  readonly type: 'reduce';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly by: MicroShares;
}

/** A cancel inside a replace, with what the bot believes to remain: a fill in flight makes the venue stop the whole. */
export interface CancelExpecting {
  readonly order: OrderNo;
  readonly remaining: MicroShares;
}

/**
 * Cancels and places of one market in one step, or nothing at all. A cancel that is not open any more, or has filled
 * meanwhile, stops it (docs/spec/venue.md#replace, `ifNoFillSince`): a part fill in flight and the full new size would
 * add up.
 */
export interface ReplaceOrders {
  readonly type: 'replace';
  readonly market: MarketNo;
  readonly cancels: readonly CancelExpecting[];
  readonly places: readonly PlaceOrder[];
}

/** Cash into pairs, pairs into cash, or the payout of a final market. `shares` counts pairs; 0 for a claim. */
export interface Conversion {
  readonly type: 'split' | 'merge' | 'claim';
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly shares: MicroShares;
}

/** Cancels every open order that was sent here. */
interface CancelAll {
  readonly type: 'cancelAll';
  /** Cancels all open orders of the account from any source, and signed orders in flight: the epoch increases. */
  readonly everyone?: true;
}

export type OrderCommand = PlaceOrder | CancelOrder | ReduceOrder | ReplaceOrders | Conversion | CancelAll;

/** Which way an order moves YES exposure: (YES, BUY) and (NO, SELL) are +1. */
export function yesSign(outcome: Outcome, side: Side): Sign {
  return (outcome === 'YES') === (side === 'BUY') ? 1 : -1;
}

/** An order's price in YES terms: NO prices are complemented. */
export function yesPrice(outcome: Outcome, price: PriceBps): PriceBps {
  return outcome === 'YES' ? price : complement(price);
}

/** What a BUY pays for a price in YES terms: a bid buys YES at it, an ask buys NO at its complement. */
export function legPrice(sign: Sign, price: PriceBps): PriceBps {
  return sign === 1 ? price : complement(price);
}
