/** A live, read-only view of an exchange, for servers, quotes and tests. */
import { type EpochMs, type MarketId, type Outcome, unchecked, type VenueMode } from '../../domain/index.ts';
import type { ExchangeConfig } from '../config.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { inYesTerms, outcomeAndSide } from '../matching/codes.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { RetailQuote } from '../quotes/retail-quote.ts';
import { type CredentialState, isAccount } from './credentials.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { OrderGroup } from './order-groups.ts';
import { queuesAhead, type VisibleBook, visibleBook, visibleQuotes } from './public-book.ts';
import type { Reversals } from './reversals.ts';

/** Money in micro-USD. An `unlimited` account may owe cash. New orders must be signed for the current `epoch`. */
export interface AccountView {
  readonly address: string;
  readonly unlimited: boolean;
  readonly available: number;
  /** Reserved for open BUY orders. */
  readonly reserved: number;
  readonly epoch: number;
}

/** Money in micro-USD, sizes in micro-shares. */
export interface HoldingView {
  readonly account: number;
  readonly market: number;
  readonly yes: OutcomePosition;
  readonly no: OutcomePosition;
  /** Reserved by open BUY orders in the market. */
  readonly reserved: number;
  /** Cash paid for buys and splits minus cash from sales and merges, without fees. */
  readonly netPaid: number;
  readonly fees: number;
  /** The exposure that the venue limits (docs/spec/venue.md#limits). */
  readonly exposure: number;
  /** Unclaimed payout of a final market, including the refunded fees of a cancelled one. */
  readonly owed: number;
  /** Claimed payout. */
  readonly paid: number;
  readonly claimed: boolean;
}

/** Shares of one outcome. */
export interface OutcomePosition {
  readonly shares: number;
  /** In open SELL orders. */
  readonly reservedShares: number;
  readonly cost: number;
  /** After fees. */
  readonly realized: number;
}

export interface OpenOrderView extends Pick<OrderTerms, 'outcome' | 'side'> {
  readonly order: number;
  readonly account: number;
  readonly market: number;
  /** Bps in the terms of the outcome. */
  readonly price: number;
  readonly remaining: number;
  /** Epoch ms; 0 for none. */
  readonly expiration: number;
  /** 0 for none, like `group`. */
  readonly credential: number;
  readonly group: number;
  /** `seq` of the last fill; 0 for none. */
  readonly lastFill: number;
  /** Whether the order is in a public book; false for an initial order before its market opens. */
  readonly isShown: boolean;
}

export class ExchangeView {
  readonly #context: ExchangeContext;

  constructor(context: ExchangeContext) {
    this.#context = context;
  }

  /** Number of the last event. */
  get seq(): number {
    return this.#context.sequencer.seq;
  }

  /** Time of the last event; 0 before the first. */
  get now(): EpochMs {
    return this.#context.conditions.now;
  }

  get mode(): VenueMode {
    return this.#context.conditions.mode;
  }

  get config(): ExchangeConfig {
    return this.#context.conditions.config;
  }

  /** Time of the next deadline, at which the host must send a command, such as `tick`; undefined for none. */
  get nextDeadline(): EpochMs | undefined {
    const { next } = this.#context.deadlines;
    return next === Number.POSITIVE_INFINITY ? undefined : unchecked.time(next);
  }

  /** All markets, by number. Read books by `book`, because a record's own book may be hidden from the public. */
  get markets(): readonly Readonly<MarketRecord>[] {
    return this.#context.records;
  }

  market(market: number): Readonly<MarketRecord> | undefined {
    return this.#context.markets.get(market);
  }

  marketById(id: MarketId): Readonly<MarketRecord> | undefined {
    return this.#context.markets.byId(id);
  }

  marketBySlug(slug: string): Readonly<MarketRecord> | undefined {
    return this.#context.markets.bySlug(slug);
  }

  /** Returns the public book of a market; an empty book unless the market is open. */
  book(market: number): VisibleBook | undefined {
    const record = this.#context.markets.get(market);
    return record === undefined ? undefined : visibleBook(record);
  }

  /** Returns the levels of a replayed tape, three numbers each: 1 for a bid, 0 for an ask; price; micro-shares. */
  recordedLevels(market: number): readonly number[] {
    return this.#context.markets.get(market)?.book.recordedMarket?.levels() ?? [];
  }

  /** Returns the public quote for a share of each outcome (docs/spec/venue.md#quoted-prices). */
  quotes(market: number): RetailQuote | undefined {
    const record = this.#context.markets.get(market);
    return record === undefined ? undefined : visibleQuotes(record, this.#context.conditions);
  }

  /** Number of accounts, which are numbered 1, 2, 3 … */
  get accountCount(): number {
    return this.#context.accounts.count;
  }

  /** Returns the account of an address; 0 if there is none. */
  accountOf(address: string): number {
    return this.#context.accounts.find(address);
  }

  account(account: number): AccountView | undefined {
    const { accounts } = this.#context;
    if (!isAccount(accounts, account)) return undefined;
    return {
      address: accounts.address(account),
      unlimited: accounts.unlimited[account] === 1,
      available: accounts.available[account] ?? 0,
      reserved: accounts.reserved[account] ?? 0,
      epoch: accounts.epoch[account] ?? 0,
    };
  }

  /** Returns undefined if the account never had an order or shares in the market. */
  holding(account: number, market: number): HoldingView | undefined {
    const holding = this.#context.clearing.holdings.find(account, market);
    return holding === 0 ? undefined : this.#holdingView(holding);
  }

  /** Returns the holdings of an account, sorted by market. */
  holdingsOf(account: number): readonly HoldingView[] {
    return this.#context.clearing.holdings.ofAccount(account).map((holding) => this.#holdingView(holding));
  }

  /** Returns the holdings in a market, sorted by account. */
  holdingsIn(market: number): readonly HoldingView[] {
    return this.#context.clearing.holdings.ofMarket(market).map((holding) => this.#holdingView(holding));
  }

  /** Number of accepted orders, which are numbered 1, 2, 3 … */
  get orderCount(): number {
    return this.#context.owners.count;
  }

  get openOrderCount(): number {
    return this.#context.slots.size;
  }

  /** Returns the account of an order, open or not; 0 for an unknown order. */
  ownerOf(order: number): number {
    return this.#context.owners.accountOf(order);
  }

  openOrder(order: number): OpenOrderView | undefined {
    const slot = this.#context.slots.find(order);
    return slot === 0 ? undefined : this.#orderView(slot);
  }

  /** Returns an account's open orders in one or all markets, in order of arrival. */
  openOrders(account: number, market?: number): readonly OpenOrderView[] {
    const { orderCloser, clearing, slots } = this.#context;
    const list =
      market === undefined
        ? orderCloser.ordersOf(account).map((order) => slots.find(order))
        : orderCloser.slotsOf(clearing.holdings.find(account, market));
    return list.map((slot) => this.#orderView(slot));
  }

  /** Returns the micro-shares before an open order at its price; undefined if the order is in no public book. */
  queueAhead(order: number): number | undefined {
    const slot = this.#context.slots.find(order);
    const market = slot === 0 ? undefined : this.#context.orderCloser.marketOf(slot);
    return market?.status === 'OPEN' ? market.book.queueAhead(slot) : undefined;
  }

  /** Returns `queueAhead` of many orders, by order. */
  queuesAhead(orders: Iterable<number>): ReadonlyMap<number, number> {
    return queuesAhead(this.#context, orders);
  }

  /** Returns the state of a credential's dead-man's switch or its revocation; undefined for neither. */
  credentialState(credential: number): CredentialState | undefined {
    return this.#context.credentials.find(credential);
  }

  group(group: number, account: number): OrderGroup | undefined {
    return this.#context.groups.find(group, account);
  }

  /** Returns the numbers of an account's groups, oldest first. */
  groupsOf(account: number): readonly number[] {
    return this.#context.groups.ofAccount(account);
  }

  /** Returns the micro-shares filled in a group's window that ends at `time`. */
  filledInWindow(group: number, time: number): number {
    return this.#context.groups.filledInWindow(group, time);
  }

  /** Returns the micro-USD that a market has locked, or owes after its end. */
  collateral(market: number): number {
    return this.#context.clearing.collateralLedger.collateral[market] ?? 0;
  }

  /** Taker fees minus refunded fees, in micro-USD. */
  get fees(): number {
    return this.#context.clearing.collateralLedger.fees;
  }

  /** The reversal window, and the trades that can be reversed now. */
  get reversals(): Pick<Reversals, 'window' | 'trades'> {
    return this.#context.reversals;
  }

  #holdingView(holding: number): HoldingView {
    const { clearing } = this.#context;
    const { holdings, settlement } = clearing;
    return {
      account: holdings.accountOf(holding),
      market: holdings.marketOf(holding),
      yes: this.#positionView(holding, 'YES'),
      no: this.#positionView(holding, 'NO'),
      reserved: holdings.reservedCash(holding),
      netPaid: holdings.netPaid(holding),
      fees: holdings.fees(holding),
      exposure: clearing.exposure(holding),
      owed: settlement.owed(holding),
      paid: settlement.paid(holding),
      claimed: holdings.claimed[holding] === 1,
    };
  }

  #positionView(holding: number, outcome: Outcome): OutcomePosition {
    const { holdings } = this.#context.clearing;
    return {
      shares: holdings.shares(holding, outcome),
      reservedShares: holdings.reservedShares(holding, outcome),
      cost: holdings.cost(holding, outcome),
      realized: holdings.realized(holding, outcome),
    };
  }

  #orderView(slot: number): OpenOrderView {
    const { slots, clearing, orderCloser } = this.#context;
    const market = orderCloser.marketOf(slot);
    const kind = slots.kind(slot);
    return {
      order: slots.order(slot),
      account: clearing.holdings.accountOf(slots.holding(slot)),
      market: unchecked.market(market.number),
      ...outcomeAndSide(kind),
      price: inYesTerms(kind, slots.level(slot) * market.book.tickBps),
      remaining: slots.remaining(slot),
      expiration: slots.expiration(slot),
      credential: slots.credential(slot),
      group: slots.group(slot),
      lastFill: slots.lastFill(slot),
      isShown: market.status === 'OPEN',
    };
  }
}
