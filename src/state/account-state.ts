/**
 * State of one account: books, open orders and holdings, computed from market rows and own events.
 *
 * HOT: `message` takes every market row; no allocation. 32 ns for a message of one level (2 cores, Node 24), bench/core.ts.
 * Invariants:
 * - Total: late, repeated and unknown events of the venue are folded without a crash (see `own-orders.ts`). An own fill of
 *   an order that was never sent here is booked and counted as `external`. What contradicts the holdings (more sold than
 *   held, a payout that is not owed) is left out and counted as `unexplained`: then compare with the venue.
 * - `exitEquity` is cash plus all exit values, after each event and message. Within `message` a book may be half-applied.
 */
import {
  type BotNo,
  type Conversion,
  column,
  type EpochMs,
  type InputEvent,
  isFinal,
  type MarketAdded,
  type MarketNo,
  type MicroUsd,
  type OrderCommand,
  type OrderNo,
  subUsd,
  ZERO_USD,
} from '../domain/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { type Cursor, FLAG, KIND } from '../tape/index.ts';
import { Conversions, isConversion } from './conversions.ts';
import { namedMarket } from './market-ref.ts';
import type { MarketSetup, MarketSnapshot } from './market-state.ts';
import { MarketWorld } from './market-world.ts';
import { Money, type MoneySnapshot } from './money.ts';
import { OwnOrders, type OwnOrdersSnapshot } from './own-orders.ts';
import type { AccountView, MarketRef, VenueState } from './view.ts';

/** An account without its books: plain data that survives JSON. */
export interface AccountSnapshot {
  readonly now: EpochMs;
  readonly venue: VenueState;
  readonly external: number;
  readonly money: MoneySnapshot;
  readonly markets: readonly MarketSnapshot[];
  readonly orders: OwnOrdersSnapshot;
  readonly conversions: readonly Conversion[];
}

const WELL: VenueState = Object.freeze({ mode: 'NORMAL', link: 'UP' });

export class AccountState implements AccountView {
  /** The frozen list that strategies see. */
  #markets: readonly MarketWorld[];
  /** The same worlds, not frozen: V8 reads frozen arrays slowly, and every row looks here. */
  readonly #worlds: MarketWorld[];
  readonly ledger: Ledger;
  readonly #money: Money;
  readonly #orders: OwnOrders;
  readonly #conversions = new Conversions();
  /** Markets of the present message, or of the last one, in the order of their first rows; valid up to the count. */
  readonly #touched: MarketWorld[] = [];
  #touchedCount = 0;
  #message = 0;
  #now = 0;
  #venue: VenueState = WELL;
  #resolutions = 0;

  /** @param cash at the start, reserves included. @throws RangeError when a market's number is not its place in the list */
  constructor({ cash, markets }: { readonly cash: MicroUsd; readonly markets: readonly MarketSetup[] }) {
    for (const [place, { info }] of markets.entries())
      if (info.market !== place) throw new RangeError(`Invariant: market ${info.market} stands at place ${place}`);
    this.#money = new Money(cash);
    this.ledger = this.#money.ledger;
    this.#worlds = markets.map((market) => new MarketWorld(market, this.#money.ledger));
    this.#markets = Object.freeze([...this.#worlds]);
    this.#orders = new OwnOrders(this.#worlds);
  }

  /**
   * Restores an account from a snapshot. Until the first message of a book, its holdings keep their value.
   * @throws RangeError when the snapshot contradicts itself
   */
  static restore(snapshot: AccountSnapshot): AccountState {
    const { now, venue, external, money, markets, orders, conversions } = snapshot;
    const state = new AccountState({ cash: ZERO_USD, markets });
    state.#now = now;
    state.#venue = Object.freeze({ ...venue });
    state.#money.restore(money, state.#worlds);
    state.#orders.restore(orders, external);
    state.#conversions.restore(conversions);
    for (const [number, world] of state.#worlds.entries()) {
      state.#money.moved(world.restore(markets[number]!));
      state.#countMerging(world.info.market);
    }
    return state;
  }

  get markets(): readonly MarketWorld[] {
    return this.#markets;
  }

  get now(): EpochMs {
    return column.time(this.#now);
  }

  get cash(): MicroUsd {
    return this.#money.ledger.cash;
  }

  /** Cash that no open order and no unanswered split reserves, micro-USD. */
  get available(): MicroUsd {
    return subUsd(subUsd(this.#money.ledger.cash, this.#orders.held), this.#conversions.splitting);
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

  get openOrders(): number {
    return this.#orders.count;
  }

  /** Number of fills of orders that this bot never sent. */
  get external(): number {
    return this.#orders.external;
  }

  /** Whether the last fill was of an order that was not open here: external, or believed closed. */
  get wasStray(): boolean {
    return this.#orders.wasStray;
  }

  get resolutions(): number {
    return this.#resolutions;
  }

  get unexplained(): number {
    return this.#money.unexplained;
  }

  market(market: MarketRef): MarketWorld {
    return (typeof market === 'number' ? this.#worlds[market] : undefined) ?? namedMarket(this.#worlds, market);
  }

  /** Number of markets in the current or last message. */
  get touched(): number {
    return this.#touchedCount;
  }

  /** Those markets in the order of their first rows, 0..touched-1; valid until the next row. */
  touchedAt(place: number): MarketWorld {
    return this.#touched[place]!;
  }

  botOf(order: OrderNo): BotNo | undefined {
    return this.#orders.botOf(order);
  }

  tagOf(order: OrderNo): string | undefined {
    return this.#orders.tagOf(order);
  }

  /** Whether a final market has an unclaimed payout. */
  claimable(market: MarketNo): boolean {
    const { state, position } = this.market(market);
    if (!isFinal(state.status) || this.claiming(market)) return false;
    return position.owed > 0 || position.yes > 0 || position.no > 0;
  }

  converting(market: MarketNo): boolean {
    return this.#conversions.waitingIn(market);
  }

  claiming(market: MarketNo): boolean {
    return this.#conversions.claiming(market);
  }

  /** @param cursor at the first row, left at the last. @throws RangeError for half a message, or a market not in this run */
  message(cursor: Cursor): void {
    const { block, row: first } = cursor;
    const { market, kind, side, price, shares, flags, rx, count } = block;
    const message = this.#message + 1;
    this.#message = message;
    // Not by setting the list's length: that gives its memory away, to be allocated again for each message.
    this.#touchedCount = 0;
    for (let row = first; row < count; row += 1) {
      const world = this.#worlds[market[row]!];
      if (world === undefined) {
        throw new RangeError(`Invariant: a row of market ${market[row]}, which is not in this run`);
      }
      if (world.isNewTo(message)) this.#touched[this.#touchedCount++] = world;
      const what = kind[row];
      if (what === KIND.level) world.level(side[row]!, price[row]!, shares, row);
      else if (what === KIND.trade) world.trade(price[row]!, flags[row]!);
      else if (what !== KIND.ahead) {
        if (what === KIND.resolution) this.#resolutions += 1;
        cursor.row = row;
        world.rare(cursor);
      }
      if ((flags[row]! & FLAG.last) !== 0) {
        cursor.row = row;
        this.#now = rx[row]!;
        for (let place = 0; place < this.#touchedCount; place += 1) {
          const change = this.#touched[place]!.messageEnds(rx, row);
          if (change !== 0) this.#money.moved(change);
        }
        return;
      }
    }
    throw new RangeError(`Invariant: a block ends inside of the message at ${block.tx[first]}`);
  }

  /** Applies an own event. Of any other event it takes the time. */
  fold(event: InputEvent): void {
    this.#now = event.time;
    switch (event.type) {
      case 'orderFilled':
        this.#orders.filled(event.order, event.remaining);
        this.#money.filled(this.#worlds[event.market], event);
        return;
      case 'fillSettled':
      case 'fillReversed':
        this.#money.decided(event, this.#worlds);
        return;
      case 'converted':
      case 'conversionRejected':
        this.#conversions.answered(event);
        this.#countMerging(event.market);
        if (event.type === 'converted') this.#money.converted(this.#worlds[event.market], event);
        return;
      case 'cashAdjusted':
      case 'holdingAdjusted':
        this.#money.adjusted(event, this.#worlds);
        return;
      case 'makerPaid':
        this.#money.paid(this.#worlds[event.market], event);
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
        if (event.type === 'limitsChanged' && this.#worlds[event.market] === undefined) this.#money.leaveOut();
        this.#worlds[event.market]?.fold(event);
        return;
      case 'started':
        for (const world of this.#worlds) world.runBegins();
        return;
      default:
        this.#orders.fold(event);
    }
  }

  /** Applies a command when it is journalled, before it is sent. */
  sent(command: OrderCommand, time: EpochMs): void {
    if (!isConversion(command)) this.#orders.sent(command, time);
    else {
      this.#conversions.sent(command);
      this.#countMerging(command.market);
    }
  }

  snapshot(): AccountSnapshot {
    return {
      now: this.now,
      venue: this.#venue,
      external: this.#orders.external,
      money: this.#money.snapshot(),
      markets: this.#worlds.map((world) => world.snapshot()),
      orders: this.#orders.snapshot(),
      conversions: this.#conversions.snapshot(),
    };
  }

  /** Under the next number; or again under the number that it had, with the terms of now. */
  #add({ info, limits, state }: MarketAdded): void {
    const known = this.#worlds[info.market];
    if (known?.info.id === info.id) known.comesBack(info, limits, state);
    else if (info.market !== this.#worlds.length) this.#money.leaveOut();
    else {
      this.#worlds.push(new MarketWorld({ info, limits, state }, this.#money.ledger));
      this.#markets = Object.freeze([...this.#worlds]);
    }
  }

  #countMerging(market: MarketNo): void {
    const world = this.#worlds[market];
    if (world !== undefined) world.countMerging(this.#conversions.merging(market));
  }
}
