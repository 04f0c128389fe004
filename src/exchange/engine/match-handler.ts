/**
 * Converts the books' results to moves of money and shares, fills of groups, and events.
 *
 * HOT: every match, rest and close passes here without allocation (bench/exchange.ts).
 *
 * Invariants: an event follows its move, so a sink that reads the state sees the effect. After each fill and before the
 * next fill, the maker's group is checked, then the taker's group (docs/spec/venue.md#order-groups).
 */
import { takerFee, unchecked } from '../../domain/index.ts';
import type { Clearing } from '../accounts/clearing.ts';
import { amountAt } from '../accounts/holding-amounts.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { MatchSink } from '../matching/book.ts';
import { CLOSE } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import { DEADLINE_RANK, type Deadlines } from './deadlines.ts';
import type { EventSequencer } from './event-sequencer.ts';
import type { Conditions, ExchangeState } from './exchange-state.ts';
import type { OrderGroups } from './order-groups.ts';
import type { Reversals } from './reversals.ts';
import { cancelGroupOrders } from './safety.ts';

const { expiration: EXPIRATION_RANK } = DEADLINE_RANK;

/** Sink of all books of an exchange. Set the fields of the incoming order before it enters a book. */
export class MatchHandler implements MatchSink {
  /** Number of the incoming order. The fields from here to `lastFill` describe this order. */
  order = 0;
  market = 0;
  /** A code of `ORDER_KIND`. */
  kind = 0;
  holding = 0;
  credential = 0;
  group = 0;
  /** 0 for none. */
  expiration = 0;
  feeRateBps = 0;
  /** Number of the order's last fill event; 0 for none. */
  lastFill = 0;
  /** Whether a replace that cannot trade has already moved the reserves of its cancelled and new orders. */
  areReservesMoved = false;
  /** Micro-shares by which a book reduces an order. Set this before `Book.reduce`. */
  reduction = 0;
  declare private readonly state: ExchangeState;
  declare private readonly slots: OrderSlots;
  declare private readonly clearing: Clearing;
  declare private readonly groups: OrderGroups;
  declare private readonly reversals: Reversals;
  declare private readonly deadlines: Deadlines;
  declare private readonly conditions: Conditions;
  declare private readonly sequencer: EventSequencer;
  declare private readonly records: readonly MarketRecord[];
  /** The last maker's group if the fill exceeded the group's limit; otherwise 0. */
  #trippedMakerGroup = 0;
  #trippedMakerAccount = 0;
  #isTakerTripped = false;
  /** The last market whose book changed; -1 for none. */
  #changedMarket = -1;
  /** Whether a book changed in this command. */
  #hasChange = false;
  declare private changedRecord: MarketRecord | undefined;
  /** The other markets whose books changed in this command; usually empty. */
  readonly #others: MarketRecord[] = [];

  constructor(context: ExchangeState & { readonly reversals: Reversals }) {
    this.state = context;
    this.slots = context.slots;
    this.clearing = context.clearing;
    this.groups = context.groups;
    this.reversals = context.reversals;
    this.deadlines = context.deadlines;
    this.conditions = context.conditions;
    this.sequencer = context.sequencer;
    this.records = context.records;
  }

  filled(maker: number, yesPrice: number, shares: number, match: number): boolean {
    const slots = this.slots;
    const sequencer = this.sequencer;
    const market = this.records[this.market]!;
    const holding = slots.holding(maker);
    const rate = this.feeRateBps;
    const fee = rate === 0 ? 0 : takerFee(rate, unchecked.shares(shares), unchecked.price(yesPrice));
    if (this.reversals.window === 0) {
      this.clearing.trade(holding, slots.kind(maker), this.holding, this.kind, yesPrice, shares, fee);
    } else this.#reversibleTrade(maker, yesPrice, shares, fee);
    market.lastTrade = yesPrice;
    market.volume = unchecked.usd(market.volume + amountAt(this.kind, yesPrice, shares));
    this.markChanged(this.market);
    const seq = ++sequencer.seq;
    slots.setLastFill(maker, seq);
    this.lastFill = seq;
    sequencer.sink.traded(seq, this.market, slots.order(maker), this.order, yesPrice, shares, match, fee);
    const group = slots.group(maker);
    return (group !== 0 || this.group !== 0) && this.#addToGroups(group, holding, shares);
  }

  paused(): number {
    const maker = this.#trippedMakerGroup;
    if (maker !== 0) {
      this.#trippedMakerGroup = 0;
      cancelGroupOrders(this.state, maker, this.#trippedMakerAccount);
    }
    if (!this.#isTakerTripped) return CLOSE.filled;
    this.#isTakerTripped = false;
    cancelGroupOrders(this.state, this.group, this.clearing.holdings.accountOf(this.holding));
    return CLOSE.orderGroupLimit;
  }

  rested(slot: number, shares: number, yesPrice: number): void {
    const slots = this.slots;
    const { expiration } = this;
    slots.setDetails(slot, this.credential, this.group, expiration, this.lastFill);
    if (expiration !== 0) this.deadlines.add(expiration, EXPIRATION_RANK, this.order);
    if (!this.areReservesMoved) this.clearing.reserve(this.holding, this.kind, yesPrice, shares);
    this.markChanged(this.market);
  }

  reduced(slot: number, remaining: number, yesPrice: number): void {
    this.#release(slot, this.reduction, yesPrice);
    this.sequencer.reduced(this.slots.order(slot), remaining);
  }

  closed(slot: number, unfilled: number, reason: number, yesPrice: number): void {
    const slots = this.slots;
    if (unfilled !== 0) this.#release(slot, unfilled, yesPrice);
    this.sequencer.closed(slots.order(slot), unfilled, reason);
  }

  ended(unfilled: number, reason: number): void {
    this.sequencer.closed(this.order, unfilled, reason);
  }

  /** Marks a market's book as changed, or as visible from now on. */
  markChanged(market: number): void {
    if (market !== this.#changedMarket) this.#markOtherChanged(market);
    this.#hasChange = true;
  }

  /** Sets `bookSeq` of each book that the command changed to the command's last event. */
  setBookSeqs(): void {
    if (!this.#hasChange) return;
    this.#hasChange = false;
    const { seq } = this.sequencer;
    this.changedRecord!.bookSeq = seq;
    if (this.#others.length > 0) this.#setOtherBookSeqs(seq);
  }

  #reversibleTrade(maker: number, yesPrice: number, shares: number, fee: number): void {
    const { slots } = this;
    this.reversals.bookTrade({
      seq: this.sequencer.seq + 1,
      market: this.market,
      yesPrice,
      shares,
      fee,
      maker: { order: slots.order(maker), holding: slots.holding(maker), kind: slots.kind(maker) },
      taker: { order: this.order, holding: this.holding, kind: this.kind },
    });
  }

  #markOtherChanged(market: number): void {
    if (this.#hasChange) this.#others.push(this.changedRecord!);
    this.#changedMarket = market;
    this.changedRecord = this.records[market];
  }

  #setOtherBookSeqs(seq: number): void {
    for (const other of this.#others.splice(0)) other.bookSeq = seq;
  }

  #release(slot: number, shares: number, yesPrice: number): void {
    const slots = this.slots;
    if (!this.areReservesMoved) this.clearing.release(slots.holding(slot), slots.kind(slot), yesPrice, shares);
    this.markChanged(slots.book(slot));
  }

  /** Adds a fill to the groups of both orders. @returns whether a limit was exceeded */
  #addToGroups(makerGroup: number, makerHolding: number, shares: number): boolean {
    const { now } = this.conditions;
    if (makerGroup !== 0 && this.groups.addFill(makerGroup, shares, now)) {
      this.#trippedMakerGroup = makerGroup;
      this.#trippedMakerAccount = this.clearing.holdings.accountOf(makerHolding);
    }
    if (this.group !== 0 && this.groups.addFill(this.group, shares, now)) this.#isTakerTripped = true;
    return this.#trippedMakerGroup !== 0 || this.#isTakerTripped;
  }
}
