/**
 * Receives the exchange's events in order. Each call except `refused` and `duplicate` is one event, with the next
 * `seq`: 1, 2, 3 … (docs/spec/venue.md#streams). Calls about orders pass plain numbers, to avoid allocation; rare
 * events are objects. A sink must not throw or call the exchange. `EventRecorder` makes an object of every call.
 */
import type { CloseReason, EpochMs, MarketNo, MicroUsd } from '../domain/index.ts';
import type { MarketEvent } from './market-event.ts';
import type { OrderTerms } from './order-terms.ts';
import type { Refusal } from './refusal.ts';

/** An event so rare that its allocation does not matter. */
export type RareEvent =
  | MarketEvent
  | TapeEvent
  | { readonly type: 'accountOpened'; readonly account: number; readonly address: string; readonly unlimited: boolean }
  | { readonly type: 'transferred'; readonly account: number; readonly amount: MicroUsd }
  | {
      readonly type: 'converted';
      readonly conversion: 'split' | 'merge';
      readonly account: number;
      readonly market: MarketNo;
      readonly shares: number;
    }
  | {
      readonly type: 'claimed';
      readonly account: number;
      readonly market: MarketNo;
      /** Payout or refund, including `refundedFees`. */
      readonly paid: MicroUsd;
      /** 0 except in a cancelled market. */
      readonly refundedFees: MicroUsd;
    }
  | { readonly type: 'reversalsAllowed'; readonly window: number }
  | {
      /** Both sides got back the cash and shares that they traded. Their orders are not restored. */
      readonly type: 'tradeReversed';
      /** Number of the trade's event. */
      readonly trade: number;
      readonly market: number;
      /** The two orders; 0 for a trader on a tape. */
      readonly maker: number;
      readonly taker: number;
      readonly yesPrice: number;
      readonly shares: number;
      /** The taker's refunded fee. */
      readonly fee: number;
    }
  | { readonly type: 'epochRaised'; readonly account: number; readonly epoch: number }
  | {
      readonly type: 'heartbeatArmed';
      readonly account: number;
      readonly credential: number;
      readonly deadline: EpochMs;
    }
  | { readonly type: 'heartbeatDisarmed'; readonly account: number; readonly credential: number }
  | { readonly type: 'heartbeatLapsed'; readonly account: number; readonly credential: number }
  | { readonly type: 'credentialRevoked'; readonly account: number; readonly credential: number }
  | { readonly type: 'groupChanged'; readonly account: number; readonly group: number; readonly tripped: boolean }
  | { readonly type: 'groupDeleted'; readonly account: number; readonly group: number }
  | { readonly type: 'venueChanged' };

/** Prices are YES bps, sizes micro-shares, fees micro-USD, `match` is a code of `MATCH`. */
export interface ExchangeSink {
  accepted(seq: number, order: number, account: number, terms: OrderTerms): void;
  /** `taker` matched the resting `maker` at the maker's price and paid the fee. This event fills both sides. */
  traded(
    seq: number,
    market: number,
    maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    match: number,
    fee: number,
  ): void;
  /** An open order was reduced and keeps its queue priority. */
  reduced(seq: number, order: number, remaining: number): void;
  /** An order was closed and `unfilled` micro-shares were cancelled. FILLED with 0 follows the last `traded`. */
  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void;
  /** Any other event happened. */
  rareEvent(seq: number, event: RareEvent): void;
  /**
   * Entry `entry` of the command was refused: 0, 1 …, or `WHOLE_COMMAND`. A refusal is no event and changes nothing.
   * The entries of a replace are its listed cancels, then its places; `cancel: 'all'` has no entry. A refused replace
   * reports each failed cancel; if none failed, the first failed place. Then `WHOLE_COMMAND` has the first refusal.
   */
  refused(entry: number, refusal: Refusal): void;
  /** The client sent the signed bytes of the earlier order `order` again, which is no event. */
  duplicate(entry: number, order: number): void;
}

export const IGNORED_EVENTS: ExchangeSink = {
  accepted: () => {},
  traded: () => {},
  reduced: () => {},
  closed: () => {},
  rareEvent: () => {},
  refused: () => {},
  duplicate: () => {},
};

type TapeEvent =
  | {
      /** A message was played, or the market began to follow a tape. */
      readonly type: 'tapePlayed';
      readonly market: MarketNo;
      /** Recorded levels that may have changed, three numbers each: 1 for bid, 0 for ask; YES price; micro-shares. */
      readonly levels: readonly number[];
    }
  | {
      /** The part of a print on the tape that filled no order. No money moved. */
      readonly type: 'printed';
      readonly market: MarketNo;
      /** Whether the taker bought YES; otherwise the taker bought NO. */
      readonly buysYes: boolean;
      readonly yesPrice: number;
      readonly shares: number;
    };
