/** The engine's functions for the lifecycle. All effects are within the current command. */
import type { AccountNo, EpochMs, MarketNo, MicroShares, OrderNo } from '../../domain/index.ts';
import type { ExchangeConfig, VenueMode } from '../config.ts';
import type { CreateMarket } from '../market-command.ts';
import type { MarketEvent } from '../market-event.ts';
import type { Book } from '../matching/book.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { LastQuotes, MarketRecord } from './market-record.ts';

/** Why the lifecycle cancels all orders of a market. */
export type MarketCloseReason = 'MARKET_NOT_OPEN' | 'MARKET_HALTED' | 'TICK_CHANGED';

/** The market of an initial order's checks: it does not exist yet. */
export interface NewMarketTerms {
  readonly tickBps: number;
  readonly feeRateBps: number;
  readonly minOrderShares: MicroShares;
}

/** The engine, as the lifecycle sees it. */
export interface Effects {
  /** Time of the command, or of the deadline that fires. */
  readonly now: EpochMs;
  readonly config: ExchangeConfig;
  readonly mode: VenueMode;
  /** So many markets there may be. */
  readonly mostMarkets: number;
  /** Emits an event with the next `seq`. */
  emit(event: MarketEvent): void;
  /** `Lifecycle.due(market, deadline)` is to be called at that moment. Earlier ones of the market count no more. */
  schedule(market: MarketNo, deadline: EpochMs): void;
  /** An empty book for a new market, or for another tick of one whose orders are all gone. */
  newBook(market: MarketNo, tickBps: number): Book;
  /** A market has got another book: readers of the one before must read again, also where both are empty. */
  bookChanged(market: MarketRecord): void;
  /** Reference and quotes by the policy, from the book as it stands; of an empty one in a market that never opened. */
  quotes(market: MarketRecord): LastQuotes;
  /** Cancels every order of the market, the initial one that waits too, and frees what they held. */
  cancelOrders(market: MarketRecord, reason: MarketCloseReason): void;
  /** Shares are worth their payout from now on, bps for one YES share. */
  settle(market: MarketRecord, yesPayoutBps: number): void;
  /**
   * Net payments into the market come back by the rule of refunds (docs/spec/venue.md#refunds-of-a-cancelled-market),
   * fees with them.
   */
  refund(market: MarketRecord): void;
  /** Whether the account holds YES or NO shares of the market. */
  holdsShares(account: AccountNo, market: MarketRecord): boolean;
  /** Tests an initial order like any other, but with `maxInitialBet` and without a market that must be open. */
  testInitialOrder(command: CreateMarket, terms: OrderTerms, market: NewMarketTerms): Refusal | undefined;
  /** Takes a tested initial order: its number, its cash reserved, `accepted` emitted. It waits outside the book. */
  reserveInitialOrder(market: MarketRecord, asked: AccountCommand, terms: OrderTerms): OrderNo;
  /** The market has opened: the initial order enters the empty book, if it still waits. */
  enterInitialOrder(market: MarketRecord): void;
}
