/**
 * One account's world: market rows and own events folded into books, open orders and holdings.
 *
 * HOT: `message` takes every market row. One look-up a row, the market's own work, and at the end a sum; no allocation.
 * 32 ns for a message of one level (2 cores, Node 24); within the core in bench/core.ts.
 *
 * Invariants:
 * - Total: what the venue tells late, twice or about strangers is folded without a crash (`own-orders.ts` says how). An
 *   own fill of an order that was never sent here is booked all the same and counted as `external`. What cannot be
 *   booked because it contradicts the holdings (more sold than held, a payout that is not owed) is left out and counted
 *   as `unexplained`: such an account must be reconciled with the venue.
 * - `exitEquity` is cash plus the sum of the markets' exit values, after each event and each message.
 * - Views are live. Within `message` a book may be half-applied; nobody is to look before it is over.
 */
import {
  type BotNo,
  type ConversionRejected,
  type Converted,
  column,
  type EpochMs,
  type InputEvent,
  isFinal,
  type MarketNo,
  type MicroUsd,
  microUsd,
  type OrderCommand,
  type OrderFilled,
  type OrderNo,
  subUsd,
  ZERO_SHARES,
} from '../domain/index.ts';
import { Ledger } from '../ledger/index.ts';
import { type Block, type Cursor, FLAG, KIND } from '../tape/index.ts';
import { Conversions, isConversion } from './conversions.ts';
import { type MarketSetup, MarketWorld } from './market-world.ts';
import { OwnOrders } from './own-orders.ts';
import type { AccountView } from './view.ts';

export interface AccountOptions {
  /** Cash at the start, reserves included. */
  readonly cash: MicroUsd;
  /** In the order of their numbers: 0, 1, 2 … */
  readonly markets: readonly MarketSetup[];
}

export class AccountState implements AccountView {
  /** What strategies see: frozen. */
  readonly #markets: readonly MarketWorld[];
  /** The same worlds, not frozen: V8 reads frozen arrays slowly, and every row looks here. */
  readonly #worlds: readonly MarketWorld[];
  readonly #ledger = new Ledger();
  readonly #orders: OwnOrders;
  readonly #conversions = new Conversions();
  /** Markets of the present message, or of the last one, in the order of their first rows; valid up to the count. */
  readonly #touched: MarketWorld[] = [];
  #touchedCount = 0;
  /** Number of the present message. */
  #message = 0;
  #now = 0;
  /** Cash and exit values of all markets. */
  #equity = 0;
  #external = 0;
  #unexplained = 0;

  /** @throws RangeError when a market's number is not its place in the list */
  constructor({ cash, markets }: AccountOptions) {
    for (const [place, { info }] of markets.entries()) {
      if (info.market !== place) throw new RangeError(`Invariant: market ${info.market} stands at place ${place}`);
    }
    this.#ledger.deposit(cash);
    this.#equity = cash;
    this.#worlds = markets.map((market) => new MarketWorld(market, this.#ledger));
    this.#markets = Object.freeze([...this.#worlds]);
    this.#orders = new OwnOrders(this.#worlds);
  }

  get markets(): readonly MarketWorld[] {
    return this.#markets;
  }

  get now(): EpochMs {
    return column.time(this.#now);
  }

  get cash(): MicroUsd {
    return this.#ledger.cash;
  }

  /** Cash that neither an open order nor a split on its way holds. */
  get available(): MicroUsd {
    return subUsd(subUsd(this.#ledger.cash, this.#orders.held), this.#conversions.splitting);
  }

  get exitEquity(): MicroUsd {
    return column.usd(this.#equity);
  }

  /** How many orders are open, over all markets. */
  get openOrders(): number {
    return this.#orders.count;
  }

  /** How many fills came of orders that were never sent here. */
  get external(): number {
    return this.#external;
  }

  /** How many events contradicted the holdings and were left out. */
  get unexplained(): number {
    return this.#unexplained;
  }

  market(market: MarketNo): MarketWorld {
    const world = this.#worlds[market];
    if (world === undefined) throw new RangeError(`market ${market} is not in this run of ${this.#worlds.length}`);
    return world;
  }

  /** How many markets the message at hand, or the last one, has told of. */
  get touched(): number {
    return this.#touchedCount;
  }

  /** Those markets in the order of their first rows, 0..touched-1; valid until the next row. */
  touchedAt(place: number): MarketWorld {
    return this.#touched[place]!;
  }

  /** Who sent an order, open or not. */
  botOf(order: OrderNo): BotNo | undefined {
    return this.#orders.botOf(order);
  }

  /** Whether a final market owes something that was not asked for yet. */
  claimable(market: MarketNo): boolean {
    const { state, position } = this.market(market);
    if (!isFinal(state.status) || this.claiming(market)) return false;
    return position.owed > 0 || position.yes > 0 || position.no > 0;
  }

  /** Whether a split, merge or claim is on its way. */
  converting(market: MarketNo): boolean {
    return this.#conversions.waitingIn(market);
  }

  /** Whether a claim is on its way. */
  claiming(market: MarketNo): boolean {
    return this.#conversions.claiming(market);
  }

  /**
   * Takes in one message. The cursor stands at its first row, and afterwards at its last.
   * @throws RangeError when the block ends within the message, or names a market that is not in this run
   */
  message(cursor: Cursor): void {
    const { block, row: first } = cursor;
    const { market, kind, side, price, shares, flags, count } = block;
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
      else if (what === KIND.trade) world.trade(price[row]!);
      else this.#rareRow(world, cursor, row);
      if ((flags[row]! & FLAG.last) !== 0) {
        cursor.row = row;
        this.#messageEnds(block, row);
        return;
      }
    }
    throw new RangeError(`Invariant: a block ends inside of the message at ${block.tx[first]}`);
  }

  /** Takes in an own event, and of any other its time. */
  fold(event: InputEvent): void {
    this.#now = event.time;
    switch (event.type) {
      case 'orderAccepted':
        this.#orders.accepted(event.order);
        return;
      case 'orderRejected':
        this.#orders.rejected(event.order);
        return;
      case 'orderFilled':
        this.#filled(event);
        return;
      case 'orderReduced':
        this.#orders.reduced(event);
        return;
      case 'orderClosed':
        this.#orders.closed(event.order);
        return;
      case 'ordersReplaced':
        this.#orders.replaced(event);
        return;
      case 'cancelRejected':
        this.#orders.cancelRejected(event);
        return;
      case 'converted':
        this.#answered(event);
        this.#converted(event);
        return;
      case 'conversionRejected':
        this.#answered(event);
        return;
      case 'limitsChanged': {
        const world = this.#worlds[event.market];
        if (world === undefined) this.#unexplained += 1;
        else world.changeLimits(event.limits);
        return;
      }
      default:
        return;
    }
  }

  /** Marks what a command is about to do, at the moment at which it is journalled. */
  sent(command: OrderCommand, time: EpochMs): void {
    if (!isConversion(command)) this.#orders.sent(command, time);
    else {
      this.#conversions.sent(command);
      this.#countMerging(command.market);
    }
  }

  #rareRow(world: MarketWorld, cursor: Cursor, row: number): void {
    cursor.row = row;
    world.rare(cursor);
  }

  #messageEnds({ rx }: Block, last: number): void {
    this.#now = rx[last]!;
    for (let place = 0; place < this.#touchedCount; place += 1) {
      const change = this.#touched[place]!.messageEnds(rx, last);
      if (change !== 0) this.#equity += change;
    }
  }

  #answered(event: Converted | ConversionRejected): void {
    this.#conversions.answered(event);
    this.#countMerging(event.market);
  }

  #countMerging(market: MarketNo): void {
    const world = this.#worlds[market];
    if (world !== undefined) world.countMerging(this.#conversions.merging(market));
  }

  #filled(event: OrderFilled): void {
    if (this.#orders.botOf(event.order) === undefined) this.#external += 1;
    this.#orders.filled(event.order, event.remaining);
    const world = this.#worlds[event.market];
    if (world === undefined || !this.#canFill(event)) this.#unexplained += 1;
    else this.#book(world, () => this.#ledger.fill(event));
  }

  #converted(event: Converted): void {
    const world = this.#worlds[event.market];
    if (world === undefined || !this.#canConvert(world, event)) this.#unexplained += 1;
    else this.#book(world, () => this.#convert(event));
  }

  /** What is given up must be held; a cancelled market whose refund was booked takes nothing any more. */
  #canFill({ market, outcome, side, shares }: OrderFilled): boolean {
    return this.#ledger.canGiveUp(market, outcome, side === 'SELL' ? shares : ZERO_SHARES);
  }

  #canConvert({ position }: MarketWorld, { conversion, market, shares, paid, fee }: Converted): boolean {
    const given = conversion === 'merge' ? shares : ZERO_SHARES;
    if (!this.#ledger.canGiveUp(market, 'YES', given) || !this.#ledger.canGiveUp(market, 'NO', given)) return false;
    if (conversion !== 'claim' || position.settlement === 'CANCELLED') return true;
    return position.settlement !== undefined && position.owed === paid + fee;
  }

  #convert({ conversion, market, shares, paid, fee }: Converted): void {
    if (conversion === 'split') this.#ledger.split(market, shares);
    else if (conversion === 'merge') this.#ledger.merge(market, shares);
    else {
      this.#ledger.claim(market, microUsd(paid + fee));
      if (fee !== 0) this.#ledger.commission(market, fee);
    }
  }

  /** Changes holdings and keeps the exit value in step. */
  #book(world: MarketWorld, change: () => void): void {
    const before = this.#ledger.cash;
    change();
    this.#equity += this.#ledger.cash - before + world.revalue();
  }
}
