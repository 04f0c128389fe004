/**
 * State of one account: books, open orders and holdings, computed from market rows and own events.
 *
 * HOT: `applyMessage` applies every market row without allocation, 32 ns for a message of one level (bench/core.ts).
 * Invariants:
 * - Events of the venue never throw, even late, repeated or unknown events (own-orders.ts). A fill of an order that
 *   this bot did not send is booked and counted in `externalFills`. An event that contradicts the holdings (more sold
 *   than held, a payout that is not owed) is skipped and counted in `unexplainedEvents`.
 * - After each event and message, `exitEquity` is cash plus all exit values.
 */
import {
  type Conversion,
  type EpochMs,
  type InputEvent,
  type InstanceNo,
  isFinal,
  type MarketAdded,
  type MarketNo,
  type MicroUsd,
  type OrderCommand,
  type OrderNo,
  subUsd,
  unchecked,
  ZERO_USD,
} from '../domain/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { type Cursor, FLAG, KIND } from '../tape/index.ts';
import { Conversions, isConversion } from './conversions.ts';
import { findMarket } from './market-ref.ts';
import type { MarketSetup, MarketSnapshot } from './market-state.ts';
import { Money, type MoneySnapshot } from './money.ts';
import { OwnOrders, type OwnOrdersSnapshot } from './own-orders.ts';
import { TradedMarket } from './traded-market.ts';
import type { AccountView, MarketRef, VenueState } from './view.ts';

/** An account without its books, as plain data for JSON. */
export interface AccountSnapshot {
  readonly now: EpochMs;
  readonly venue: VenueState;
  readonly external: number;
  readonly money: MoneySnapshot;
  readonly markets: readonly MarketSnapshot[];
  readonly orders: OwnOrdersSnapshot;
  readonly conversions: readonly Conversion[];
}

const NORMAL: VenueState = Object.freeze({ mode: 'NORMAL', link: 'UP' });

export class AccountState implements AccountView {
  /** A frozen list for strategies. */
  #markets: readonly TradedMarket[];
  /** The same list, but not frozen: V8 reads frozen arrays slowly. */
  readonly #traded: TradedMarket[];
  readonly ledger: Ledger;
  readonly #money: Money;
  readonly #orders: OwnOrders;
  readonly #conversions = new Conversions();
  /** Markets of the last message, in the order of their first rows. The first `#messageMarketCount` are valid. */
  readonly #messageMarkets: TradedMarket[] = [];
  #messageMarketCount = 0;
  #messageNumber = 0;
  #now = 0;
  #venue: VenueState = NORMAL;
  #resolutionCount = 0;

  /** @param cash at the start, reserves included @throws RangeError if a market's number is not its index */
  constructor({ cash, markets }: { readonly cash: MicroUsd; readonly markets: readonly MarketSetup[] }) {
    for (const [index, { info }] of markets.entries())
      if (info.market !== index) throw new RangeError(`Invariant: market ${info.market} is at position ${index}`);
    this.#money = new Money(cash);
    this.ledger = this.#money.ledger;
    this.#traded = markets.map((market) => new TradedMarket(market, this.#money.ledger));
    this.#markets = Object.freeze([...this.#traded]);
    this.#orders = new OwnOrders(this.#traded);
  }

  /** Holdings keep their value until the first message about their book. @throws RangeError for an invalid snapshot */
  static restore(snapshot: AccountSnapshot): AccountState {
    const { now, venue, external, money, markets, orders, conversions } = snapshot;
    const state = new AccountState({ cash: ZERO_USD, markets });
    state.#now = now;
    state.#venue = Object.freeze({ ...venue });
    state.#money.restore(money, state.#traded);
    state.#orders.restore(orders, external);
    state.#conversions.restore(conversions);
    for (const [number, tradedMarket] of state.#traded.entries()) {
      state.#money.addExitChange(tradedMarket.restore(markets[number]!));
      state.#updateMerging(tradedMarket.info.market);
    }
    return state;
  }

  get markets(): readonly TradedMarket[] {
    return this.#markets;
  }

  get now(): EpochMs {
    return unchecked.time(this.#now);
  }

  get cash(): MicroUsd {
    return this.#money.ledger.cash;
  }

  /** Micro-USD that no open order and no unanswered split reserves. */
  get available(): MicroUsd {
    return subUsd(subUsd(this.#money.ledger.cash, this.#orders.reserved), this.#conversions.reserved);
  }

  get exitEquity(): MicroUsd {
    return this.#money.exitEquity;
  }

  get venue(): VenueState {
    return this.#venue;
  }

  get contributed(): MicroUsd {
    return this.#money.contributed;
  }

  /** Number of sent orders that have not ended, including takes, and all orders of an unanswered replace. */
  get openOrderCount(): number {
    return this.#orders.count;
  }

  /** Number of fills of external orders: orders of the account that this bot did not send. */
  get externalFills(): number {
    return this.#orders.externalFills;
  }

  /** Whether the last fill's order was not open here: an order of another program, or one that seemed closed. */
  get wasLastFillUnexpected(): boolean {
    return this.#orders.wasLastFillUnexpected;
  }

  /** Number of resolved markets. */
  get resolutionCount(): number {
    return this.#resolutionCount;
  }

  get unexplainedEvents(): number {
    return this.#money.unexplainedEvents;
  }

  market(market: MarketRef): TradedMarket {
    return (typeof market === 'number' ? this.#traded[market] : undefined) ?? findMarket(this.#traded, market);
  }

  /** Number of markets in the last message. */
  get messageMarketCount(): number {
    return this.#messageMarketCount;
  }

  /** Returns a market of the last message. @param index 0 to `messageMarketCount - 1`, in the order of first rows */
  messageMarketAt(index: number): TradedMarket {
    return this.#messageMarkets[index]!;
  }

  findInstance(order: OrderNo): InstanceNo | undefined {
    return this.#orders.findInstance(order);
  }

  findTag(order: OrderNo): string | undefined {
    return this.#orders.findTag(order);
  }

  /** Returns whether a final market has an unclaimed payout. */
  isClaimable(market: MarketNo): boolean {
    const { state, position } = this.market(market);
    if (!isFinal(state.status) || this.isClaiming(market)) return false;
    return position.owed > 0 || position.yes > 0 || position.no > 0;
  }

  isConverting(market: MarketNo): boolean {
    return this.#conversions.isWaitingIn(market);
  }

  isClaiming(market: MarketNo): boolean {
    return this.#conversions.isClaiming(market);
  }

  /** Applies a message; the cursor moves to its last row. @throws RangeError for a partial message or unknown market */
  applyMessage(cursor: Cursor): void {
    const { block, row: first } = cursor;
    const { market, kind, side, price, shares, flags, rx, count } = block;
    const message = this.#messageNumber + 1;
    this.#messageNumber = message;
    // Setting the array's length to 0 would free its memory, and each message would allocate the memory again.
    this.#messageMarketCount = 0;
    for (let row = first; row < count; row += 1) {
      const tradedMarket = this.#traded[market[row]!];
      if (tradedMarket === undefined) {
        throw new RangeError(`Invariant: a row of market ${market[row]}, which is not in this run`);
      }
      if (tradedMarket.beginMessage(message)) this.#messageMarkets[this.#messageMarketCount++] = tradedMarket;
      const rowKind = kind[row];
      if (rowKind === KIND.level) tradedMarket.applyLevel(side[row]!, price[row]!, shares, row);
      else if (rowKind === KIND.trade) tradedMarket.applyTrade(price[row]!, flags[row]!);
      // Rows of the kind `ahead` concern only queue models.
      else if (rowKind !== KIND.ahead) {
        if (rowKind === KIND.resolution) this.#resolutionCount += 1;
        cursor.row = row;
        tradedMarket.applyOtherRow(cursor);
      }
      if ((flags[row]! & FLAG.last) !== 0) {
        cursor.row = row;
        this.#now = rx[row]!;
        for (let index = 0; index < this.#messageMarketCount; index += 1) {
          const change = this.#messageMarkets[index]!.endMessage(rx, row);
          if (change !== 0) this.#money.addExitChange(change, this.#messageMarkets[index]!.info.market);
        }
        return;
      }
    }
    throw new RangeError(`Invariant: a block ends within the message at ${block.tx[first]}`);
  }

  /** Applies an event. An event that does not concern the account sets only the time. */
  apply(event: InputEvent): void {
    this.#now = event.time;
    switch (event.type) {
      case 'orderFilled':
        this.#orders.onFilled(event.order, event.remaining);
        this.#money.onFilled(this.#traded[event.market], event);
        return;
      case 'fillSettled':
      case 'fillReversed':
        this.#money.onFillSettledOrReversed(event, this.#traded);
        return;
      case 'converted':
      case 'conversionRejected':
        this.#conversions.onAnswered(event);
        this.#updateMerging(event.market);
        if (event.type === 'converted') this.#money.onConverted(this.#traded[event.market], event);
        return;
      case 'cashAdjusted':
      case 'holdingAdjusted':
        this.#money.onAdjusted(event, this.#traded);
        return;
      case 'makerPaid':
        this.#money.onMakerPaid(this.#traded[event.market], event);
        return;
      case 'venueChanged':
        this.#venue = Object.freeze({ mode: event.mode, link: event.link });
        return;
      case 'marketAdded':
        this.#add(event);
        return;
      case 'limitsChanged':
      case 'pricesUpdated':
      case 'feeConfirmed':
        if (event.type === 'limitsChanged' && this.#traded[event.market] === undefined) this.#money.countUnexplained();
        this.#traded[event.market]?.apply(event);
        return;
      case 'started':
        for (const tradedMarket of this.#traded) tradedMarket.beginRun();
        return;
      default:
        this.#orders.apply(event);
    }
  }

  /** Applies a decided command. The run stores and sends the command later. */
  applyCommand(command: OrderCommand, time: EpochMs): void {
    if (!isConversion(command)) this.#orders.onSent(command, time);
    else {
      this.#conversions.onSent(command);
      this.#updateMerging(command.market);
    }
  }

  snapshot(): AccountSnapshot {
    return {
      now: this.now,
      venue: this.#venue,
      external: this.#orders.externalFills,
      money: this.#money.snapshot(),
      markets: this.#traded.map((tradedMarket) => tradedMarket.snapshot()),
      orders: this.#orders.snapshot(),
      conversions: this.#conversions.snapshot(),
    };
  }

  /** Adds a market under the next number, or relists a known market under its old number with new terms. */
  #add({ info, limits, state }: MarketAdded): void {
    const known = this.#traded[info.market];
    if (known?.info.id === info.id) known.relist(info, limits, state);
    else if (info.market !== this.#traded.length) this.#money.countUnexplained();
    else {
      this.#traded.push(new TradedMarket({ info, limits, state }, this.#money.ledger));
      this.#markets = Object.freeze([...this.#traded]);
    }
  }

  #updateMerging(market: MarketNo): void {
    const tradedMarket = this.#traded[market];
    if (tradedMarket !== undefined) tradedMarket.setMerging(this.#conversions.mergingShares(market));
  }
}
