/** Effects of the market lifecycle on orders, books and accounts. */
import {
  type EpochMs,
  FULL_BPS,
  MAX_FEE_BPS,
  type MarketNo,
  type OrderNo,
  unchecked,
  type VenueMode,
  ZERO_USD,
} from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { CreateMarket } from '../market-command.ts';
import type { MarketEvent } from '../market-event.ts';
import type { Effects, MarketCloseReason, NewMarketTerms } from '../markets/effects.ts';
import type { LastQuotes, MarketRecord } from '../markets/market-record.ts';
import type { Book } from '../matching/book.ts';
import { BOOK_RESULT, CLOSE, SELF_TRADE } from '../matching/codes.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import { DEADLINE_RANK } from './deadlines.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { MatchHandler } from './match-handler.ts';
import type { OrderEntry } from './order-entry.ts';
import { forceCode, kindCode } from './order-form.ts';
import type { OrderContext } from './order-validator.ts';
import { computeQuotes } from './public-book.ts';
import type { BookFactory, TapeEffects } from './tape-effects.ts';

interface MarketEffectsDeps extends ExchangeState {
  readonly matchHandler: MatchHandler;
  readonly orderEntry: OrderEntry;
  readonly tape: TapeEffects;
  readonly makeBook: BookFactory;
}

const CLOSE_CODES: { readonly [Reason in MarketCloseReason]: number } = {
  MARKET_NOT_OPEN: CLOSE.marketNotOpen,
  MARKET_HALTED: CLOSE.marketHalted,
  TICK_CHANGED: CLOSE.tickChanged,
};

/**
 * Implements the market lifecycle's effects. An initial order rests in the book before the market opens, so that
 * cancels, expirations and switches work as for any order. Until then it is alone in the book, which is not public.
 */
export class MarketEffects implements Effects {
  readonly #context: MarketEffectsDeps;

  constructor(context: MarketEffectsDeps) {
    this.#context = context;
  }

  get now(): EpochMs {
    return this.#context.conditions.now;
  }

  get config(): ExchangeConfig {
    return this.#context.conditions.config;
  }

  get mode(): VenueMode {
    return this.#context.conditions.mode;
  }

  get maxMarkets(): number {
    return this.#context.limits.markets;
  }

  emit(event: MarketEvent): void {
    this.#context.sequencer.emit(event);
  }

  schedule(market: MarketNo, deadline: EpochMs): void {
    this.#context.deadlines.add(deadline, DEADLINE_RANK.market, market);
  }

  newBook(market: MarketNo, tickBps: number): Book {
    const { slots, matchHandler, tape, makeBook } = this.#context;
    return makeBook({ slots, sink: matchHandler, number: market, tickBps, tape });
  }

  bookChanged(market: MarketRecord): void {
    this.#context.matchHandler.markChanged(market.number);
  }

  quotes(market: MarketRecord): LastQuotes {
    return computeQuotes(market, this.#context.conditions);
  }

  cancelOrders(market: MarketRecord, reason: MarketCloseReason): void {
    market.book.closeAll(CLOSE_CODES[reason]);
  }

  settle(market: MarketRecord, yesPayoutBps: number): void {
    this.#context.clearing.settlement.settle(market.number, yesPayoutBps);
  }

  refund(market: MarketRecord): void {
    this.#context.clearing.settlement.refund(market.number);
  }

  holdsShares(account: number, market: MarketRecord): boolean {
    const { holdings } = this.#context.clearing;
    const holding = holdings.find(account, market.number);
    return holdings.shares(holding, 'YES') > 0 || holdings.shares(holding, 'NO') > 0;
  }

  initialOrderRefusal(command: CreateMarket, terms: OrderTerms, market: NewMarketTerms): Refusal | undefined {
    const { identities, markets, orderEntry } = this.#context;
    const { feeRateBps } = market;
    if (terms.hash !== undefined && identities.orderOfHash(terms.hash) !== 0)
      return refused('CONFLICT', 'initialOrder');
    // The market's own checks refuse this fee rate, so the order need not be checked.
    if (!Number.isInteger(feeRateBps) || feeRateBps < 0 || feeRateBps > MAX_FEE_BPS) return undefined;
    const number = unchecked.market(markets.size);
    const opened = { ...market, number, status: 'OPEN', halted: false, volume: ZERO_USD, book: undefined } as const;
    return orderEntry.refusal(command, terms, opened, initialOrderContext(number));
  }

  reserveInitialOrder(market: MarketRecord, caller: AccountCommand, terms: OrderTerms): OrderNo {
    const validated = { kind: kindCode(terms), force: forceCode(terms), selfTrade: SELF_TRADE.cancelTaker, holding: 0 };
    const order = this.#context.orderEntry.enter(caller, { ...terms, market: market.number }, market, validated);
    return unchecked.order(order);
  }

  showInitialOrder(market: MarketRecord): void {
    if (this.#context.slots.find(market.initialOrder) !== 0) this.#context.matchHandler.markChanged(market.number);
  }
}

function initialOrderContext(market: number): OrderContext {
  return {
    isInitial: true,
    market,
    added: 0,
    mayReplace: (order) => order === 0,
    hasClientId: () => false,
    refusal: () => BOOK_RESULT.done,
    openShares: () => 0,
    opposite: (isBid) => (isBid ? FULL_BPS : 0),
  };
}
