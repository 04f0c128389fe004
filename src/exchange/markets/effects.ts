/** Port through which the market lifecycle changes the rest of the exchange. */
import type { AccountNo, EpochMs, MarketNo, MicroShares, OrderNo, VenueMode } from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { CreateMarket } from '../market-command.ts';
import type { MarketEvent } from '../market-event.ts';
import type { Book } from '../matching/book.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { LastQuotes, MarketRecord } from './market-record.ts';

export type MarketCloseReason = 'MARKET_NOT_OPEN' | 'MARKET_HALTED' | 'TICK_CHANGED';

/** Terms of a market that does not exist yet, for the checks of its initial order. */
export interface NewMarketTerms {
  readonly tickBps: number;
  readonly feeRateBps: number;
  readonly minOrderShares: MicroShares;
}

/** All functions execute within the current command. */
export interface Effects {
  /** Time of the command or the due deadline. */
  readonly now: EpochMs;
  readonly config: ExchangeConfig;
  readonly mode: VenueMode;
  readonly maxMarkets: number;
  emit(event: MarketEvent): void;
  /** Schedules a call of `Lifecycle.onDeadline(market, deadline)`. The market's earlier deadlines become obsolete. */
  schedule(market: MarketNo, deadline: EpochMs): void;
  /** Creates an empty book for a new market, or for a new tick of a market without orders. */
  newBook(market: MarketNo, tickBps: number): Book;
  /** Reports that a market has a new book, so that readers read the book again even if both books are empty. */
  bookChanged(market: MarketRecord): void;
  /** Computes reference price and quotes from the present book, or from an empty book if the market never opened. */
  quotes(market: MarketRecord): LastQuotes;
  /** Cancels every order of the market, including the initial order of a market that is not open yet. */
  cancelOrders(market: MarketRecord, reason: MarketCloseReason): void;
  /** @param yesPayoutBps payout of one YES share */
  settle(market: MarketRecord, yesPayoutBps: number): void;
  /** Refunds net payments into the market, and fees (docs/spec/venue.md#refunds-of-a-cancelled-market). */
  refund(market: MarketRecord): void;
  holdsShares(account: AccountNo, market: MarketRecord): boolean;
  /** Checks an initial order like any other, but with `maxInitialBet` as limit and in a market that is not open. */
  initialOrderRefusal(command: CreateMarket, terms: OrderTerms, market: NewMarketTerms): Refusal | undefined;
  /** Accepts a checked initial order, which rests in the hidden book. @returns the order's number */
  reserveInitialOrder(market: MarketRecord, caller: AccountCommand, terms: OrderTerms): OrderNo;
  /** Shows the book with an initial order that is still open. Called when the market opens. */
  showInitialOrder(market: MarketRecord): void;
}
