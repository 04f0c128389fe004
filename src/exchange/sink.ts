/**
 * Receives what the exchange does, in the order in which it does it. Each call but `refused` and `duplicate` is one
 * event of the engine, with the next `seq`: 1, 2, 3 … (docs/spec/venue.md#streams).
 *
 * The calls about orders carry bare numbers, so that nothing is allocated for them; what happens seldom is an object. A
 * sink neither throws nor calls the exchange. `EventRecorder` makes an object of every call.
 */
import type { CloseReason, EpochMs, MarketNo, MicroUsd } from '../domain/index.ts';
import type { MarketEvent } from './market-event.ts';
import type { OrderTerms } from './order-terms.ts';
import type { Refusal } from './refusal.ts';

/** Something that happens seldom, as an object. */
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
      /** Payout or refund, with `feesBack`. */
      readonly paid: MicroUsd;
      /** Fees of a cancelled market that came back, part of `paid`. */
      readonly feesBack: MicroUsd;
    }
  | { readonly type: 'reversalsAllowed'; readonly window: number }
  | {
      /** Both sides have what they had before the trade. The orders do not come back. */
      readonly type: 'tradeReversed';
      /** Number of the trade's event. */
      readonly trade: number;
      readonly market: number;
      /** 0 for a trader on a tape, likewise `taker`. */
      readonly maker: number;
      readonly taker: number;
      readonly yesPrice: number;
      readonly shares: number;
      /** The taker's fee that came back. */
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

/** Receives the exchange's events. Prices in YES bps, sizes in micro-shares, `match` a code of `MATCH`, fees in micro-USD. */
export interface ExchangeSink {
  /** An order came in; it has its number from now on. */
  accepted(seq: number, order: number, account: number, terms: OrderTerms): void;
  /** `taker` met the resting `maker`, at the maker's price; the fee is the taker's. Both sides fill with this event. */
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
  /** An open order is smaller now and keeps its place. */
  reduced(seq: number, order: number, remaining: number): void;
  /** An order ended with `unfilled` of it given up; FILLED with 0 follows the last `traded`. */
  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void;
  /** Everything else. */
  happened(seq: number, event: RareEvent): void;
  /**
   * The command, or the entry `entry` (0, 1 …) of it, was refused: no event, nothing changed. -1 is the whole of a list:
   * of a batch that is too long, a cancel of many, a replace. In a replace entries are the cancels, then the places (with
   * `all` the places alone): each cancel that fails is reported, or else the first place; then -1 with the first of these.
   */
  refused(entry: number, refusal: Refusal): void;
  /** Known signed bytes came again: `order` is the first one. No event. */
  duplicate(entry: number, order: number): void;
}

/** Ignores everything. */
export const SILENT: ExchangeSink = {
  accepted: () => {},
  traded: () => {},
  reduced: () => {},
  closed: () => {},
  happened: () => {},
  refused: () => {},
  duplicate: () => {},
};

/** An event of a market that follows a tape. */
type TapeEvent =
  | {
      /** A message was played, or the first place taken. */
      readonly type: 'tapePlayed';
      readonly market: MarketNo;
      /** Outside sizes at levels that may have changed: 1 for a bid, 0 for an ask; YES price; micro-shares. */
      readonly levels: readonly number[];
    }
  | {
      /** A trade among those on the tape: the part of a print that met no order. No money moved. */
      readonly type: 'printed';
      readonly market: MarketNo;
      /** Whether the taker bought YES; else NO. */
      readonly buysYes: boolean;
      readonly yesPrice: number;
      readonly shares: number;
    };
