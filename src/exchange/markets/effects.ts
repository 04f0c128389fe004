/** The engine's functions for the lifecycle, all executed within the current command. */
import type { AccountNo, EpochMs, MarketNo, MicroShares, OrderNo, VenueMode } from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { CreateMarket } from '../market-command.ts';
import type { MarketEvent } from '../market-event.ts';
import type { Book } from '../matching/book.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { LastQuotes, MarketRecord } from './market-record.ts';

/** Why the lifecycle cancels all orders of a market. */
export type MarketCloseReason = 'MARKET_NOT_OPEN' | 'MARKET_HALTED' | 'TICK_CHANGED';

/** Terms of a market that does not exist yet, for the checks of its initial order. */
export interface NewMarketTerms {
  readonly tickBps: number;
  readonly feeRateBps: number;
  readonly minOrderShares: MicroShares;
}

/** The engine's interface to the lifecycle. */
export interface Effects {
  /** Time of the command or of the due deadline. */
  readonly now: EpochMs;
  readonly config: ExchangeConfig;
  readonly mode: VenueMode;
  readonly maxMarkets: number;
  /** Emits an event with the next `seq`. */
  emit(event: MarketEvent): void;
  /** Schedules a call of `Lifecycle.onDeadline(market, deadline)`. It replaces earlier deadlines of the market. */
  schedule(market: MarketNo, deadline: EpochMs): void;
  /** Creates an empty book for a new market, or for a new tick of a market without orders. */
  newBook(market: MarketNo, tickBps: number): Book;
  /** Reports that a market has a new book, so that readers read it again even if both books are empty. */
  bookChanged(market: MarketRecord): void;
  /** Returns reference and quotes from the present book, or from an empty one if the market never opened. */
  quotes(market: MarketRecord): LastQuotes;
  /** Cancels every order of the market, including the initial order of a market that is not open yet. */
  cancelOrders(market: MarketRecord, reason: MarketCloseReason): void;
  /** Settles the market. @param yesPayoutBps bps for one YES share */
  settle(market: MarketRecord, yesPayoutBps: number): void;
  /** Refunds net payments into the market (docs/spec/venue.md#refunds-of-a-cancelled-market), with fees. */
  refund(market: MarketRecord): void;
  holdsShares(account: AccountNo, market: MarketRecord): boolean;
  /** Checks an initial order like any other, but with `maxInitialBet`, and without requiring an open market. */
  testInitialOrder(command: CreateMarket, terms: OrderTerms, market: NewMarketTerms): Refusal | undefined;
  /** Accepts a checked initial order: numbers it, emits `accepted`, reserves its cash. The order rests in a hidden book. */
  reserveInitialOrder(market: MarketRecord, caller: AccountCommand, terms: OrderTerms): OrderNo;
  /** Makes the initial order visible when the market opens, if it is still open. */
  enterInitialOrder(market: MarketRecord): void;
}
