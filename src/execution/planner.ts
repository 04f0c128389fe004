/**
 * Computes the fewest commands that turn the open orders into an approved intent. Keeps only the next order number.
 *
 * Invariant: a side adds orders only in a step after which every possible open order belongs to a quoted level and no
 * level is exceeded. Until then, the side only removes orders. The side thus never exceeds the larger of the open and
 * the approved size, whatever fills, is refused or arrives late. A side that cannot add yet is *blocked*, and its
 * quotes are deferred.
 *
 * HOT: a requote passes here (bench/peers.ts). Loops use indexes, because V8 iterates slowly over a shared empty list.
 */
import {
  type Approved,
  type CancelExpecting,
  complement,
  type InstanceNo,
  isFinal,
  LOT,
  legPrice,
  type MarketNo,
  type MicroShares,
  type OrderCommand,
  type OrderNo,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  type QuoteIntent,
  type Refused,
  type Retained,
  type Side,
  type TakeIntent,
  unchecked,
  withAdded,
  yesPrice,
  yesSign,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import { type Legs, SideDraft } from './side-draft.ts';
import { AvailableFunds, type LegTerms, Sizing, type SizingOptions } from './sizing.ts';

export interface PlannerOptions {
  readonly firstOrder: OrderNo;
  /**
   * A level that is smaller than quoted by at most this percentage stays unchanged. A small fill thus does not cost the
   * rest of the order its place in the queue. 0 or more. Default 10.
   */
  readonly sizeTolerancePct?: number;
  /** `mergePairs` merges all idle pairs once the pairs exceed this size. Default: never. */
  readonly mergeThreshold?: MicroShares;
  /** `max_open_orders` of the risk limits, applied here because a level may need several orders. Default: no limit. */
  readonly maxOpenOrders?: number;
  /** Whether to cancel a changed order before its replacement is placed, for venues without replace. Default false. */
  readonly cancelsFirst?: boolean;
}

/** Commands for one approved intent. */
export interface Plan {
  /** In sending order: cancels, reduces, then places. */
  readonly commands: readonly OrderCommand[];
  /**
   * Whether a part waits for the answer to a request in flight. If so, check and plan the same intent again after the
   * next event about this bot's orders in this market. Also plan the latest intent again after a refused cancel,
   * because the refusal may have stopped a replace. The old orders of the replace are then still open.
   */
  readonly isDeferred: boolean;
  /**
   * Parts that cannot be executed now, although risk approved them: a leg below the venue's minimum (`BELOW_MIN`,
   * micro-shares), cash that ran out (`INSUFFICIENT_BALANCE`, micro-USD), or more orders than the account may have
   * (`MAX_OPEN_ORDERS`).
   */
  readonly dropped: readonly Refused[];
}

/** Creates the planner of an account, shared by its strategies because order numbers are unique per account. */
export function createPlanner(options: PlannerOptions): Planner {
  return new OrderPlanner(options);
}

export type Planner = Pick<OrderPlanner, 'plan' | 'mergePairs' | 'nextOrder'>;

const NONE: readonly never[] = [];
const NOTHING_TO_DO: Plan = { commands: NONE, isDeferred: false, dropped: NONE };

/**
 * Maximum number of resting orders for which a replace cannot exceed the venue's limits (docs/spec/venue.md#batches).
 * With more orders, separate cancels are sent first.
 */
const MAX_REPLACE_CANCELS = 200;

/**
 * Keeps own bids below own asks, and at most one request in flight per order. Apply the commands to the view before the
 * next plan.
 */
class OrderPlanner {
  readonly #sizeTolerancePct: number;
  readonly #mergeThreshold: number;
  readonly #maxOpenOrders: number;
  readonly #cancelsFirst: boolean;
  #next: number;
  /** Keeps the last sizing alive, so that V8 keeps compiled code; see `Retained`. */
  readonly #retained: Retained = { last: undefined };

  constructor({
    firstOrder,
    sizeTolerancePct = 10,
    mergeThreshold,
    maxOpenOrders,
    cancelsFirst = false,
  }: PlannerOptions) {
    this.#cancelsFirst = cancelsFirst;
    this.#next = firstOrder;
    this.#sizeTolerancePct = sizeTolerancePct;
    this.#mergeThreshold = mergeThreshold ?? Number.POSITIVE_INFINITY;
    this.#maxOpenOrders = maxOpenOrders ?? Number.POSITIVE_INFINITY;
  }

  /** The next order's number, which snapshots store. */
  get nextOrder(): OrderNo {
    return unchecked.order(this.#next);
  }

  plan(intent: Approved, instance: InstanceNo, view: AccountView): Plan {
    if (intent.type === 'quote') return this.#planQuotes(intent, instance, view);
    if (intent.type === 'take') return this.#planTake(intent, instance, view);
    const { type, market } = intent;
    const shares = type === 'claim' ? ZERO_SHARES : intent.shares;
    return { commands: [{ type, bot: instance, market, shares }], isDeferred: false, dropped: NONE };
  }

  /**
   * Merges all idle pairs once the pairs exceed the merge threshold. Call this after fills, but not while a conversion
   * in this market is in flight.
   */
  mergePairs(instance: InstanceNo, market: MarketNo, view: AccountView): readonly OrderCommand[] {
    if (this.#mergeThreshold === Number.POSITIVE_INFINITY) return NONE;
    const marketView = view.market(market);
    if (isFinal(marketView.state.status)) return NONE;
    const funds = new AvailableFunds(view, marketView, 'maker');
    const pairs = Math.min(funds.sellableShares(1), funds.sellableShares(-1));
    if (pairs <= this.#mergeThreshold) return NONE;
    return [{ type: 'merge', bot: instance, market, shares: unchecked.shares(pairs - (pairs % LOT)) }];
  }

  /** Moves the open orders towards the quotes, as far as possible now. */
  #planQuotes(intent: Approved<QuoteIntent>, instance: InstanceNo, view: AccountView): Plan {
    const market = view.market(intent.market);
    const bids = new SideDraft(1, intent, market, this.#sizeTolerancePct, !this.#cancelsFirst);
    const asks = new SideDraft(-1, intent, market, this.#sizeTolerancePct, !this.#cancelsFirst);
    for (const order of market.orders) {
      if (order.bot === instance && order.rests) (order.sign === 1 ? bids : asks).addResting(order);
    }
    bids.removeUnquoted(asks.innermost, intent.tolerance, view.now);
    asks.removeUnquoted(bids.innermost, intent.tolerance, view.now);
    if (bids.isSettled && asks.isSettled) return NOTHING_TO_DO;
    const resting = bids.resting.length + asks.resting.length;
    const canReplaceAtOnce = !this.#cancelsFirst && market.state.placeDelay === 0;
    const isAtomic = canReplaceAtOnce && resting <= MAX_REPLACE_CANCELS;
    const sides: readonly [SideDraft, SideDraft] = market.position.net > 0 ? [asks, bids] : [bids, asks];
    const options = { view, market, bot: instance, sides, isAtomic, maxOpenOrders: this.#maxOpenOrders };
    let sizing = new Sizing(options);
    if (sizing.isCashShort && cancelBuyLegs(bids, sizing) + cancelBuyLegs(asks, sizing) > 0)
      sizing = new Sizing(options);
    this.#retained.last = sizing;
    return this.#compose(options, sizing);
  }

  /** Builds the commands of a sized plan: cancels, reduces, then one replace, or places if nothing is replaced. */
  #compose(options: SizingOptions, sizing: Sizing): Plan {
    const { market, sides, isAtomic } = options;
    const marketNo = market.info.market;
    let commands: OrderCommand[] | undefined;
    let replaced: CancelExpecting[] | undefined;
    let isDeferred = sizing.isDeferred;
    let isWaiting = false;
    for (let index = 0; index < sides.length; index += 1) {
      const side = sides[index]!;
      let hasUnansweredOrder = false;
      let hasSeparateCancel = false;
      const canAdd = side.canAdd(isAtomic);
      const { resting } = side;
      for (let at = 0; at < resting.length; at += 1) {
        const { order, isCancelled } = resting[at]!;
        if (order.phase !== 'live') isWaiting = true;
        if (order.phase === 'new') hasUnansweredOrder = true;
        if (!isCancelled) continue;
        if (canAdd && sizing.placeCount > 0) {
          replaced = withAdded(replaced, { order: order.order, remaining: order.remaining });
        } else {
          commands = withAdded(commands, { type: 'cancel', order: order.order, market: marketNo });
          hasSeparateCancel = true;
        }
      }
      if (side.isDeferred || (side.hasMissingShares && !canAdd)) isDeferred = true;
      // A stopped replace reports one refusal at a time. The next refusal may concern the unanswered order.
      if (hasSeparateCancel && hasUnansweredOrder) isDeferred = true;
    }
    for (let index = 0; index < sides.length; index += 1) {
      const { reduces } = sides[index]!;
      for (let at = 0; at < reduces.length; at += 1) commands = withAdded(commands, reduces[at]!);
    }
    // Orders that are cancelled now or in flight may free cash and room.
    if ((sizing.isCashShort || sizing.isOrderLimitReached) && (isWaiting || commands !== undefined)) isDeferred = true;
    for (let at = 0; at < sizing.toReplace.length; at += 1) {
      const { order, remaining } = sizing.toReplace[at]!.order;
      replaced = withAdded(replaced, { order, remaining });
    }
    const places = sizing.placeCount > 0 ? this.#placedOrders(options) : NONE;
    if (replaced !== undefined) {
      commands = withAdded(commands, { type: 'replace', market: marketNo, cancels: replaced, places });
    } else for (let at = 0; at < places.length; at += 1) commands = withAdded(commands, places[at]!);
    return { commands: commands ?? NONE, isDeferred, dropped: sizing.dropped };
  }

  /** Returns the orders of the sized levels, in the order of sizing. */
  #placedOrders({ market, bot, sides }: SizingOptions): readonly PlaceOrder[] {
    const fields: SharedFields = { bot, market: market.info.market, timeInForce: 'GTC' };
    const levelCount = Math.max(sides[0].levels.length, sides[1].levels.length);
    let places: PlaceOrder[] | undefined;
    for (let rank = 0; rank < levelCount; rank += 1) {
      for (let index = 0; index < sides.length; index += 1) {
        const level = sides[index]!.levels[rank];
        if (level?.legs !== undefined) places = this.#placeLegs(fields, level, level.legs, places);
      }
    }
    return places ?? NONE;
  }

  /** Plans FAK orders that sell held shares, and buy the rest in the other outcome at the complement. */
  #planTake(intent: Approved<TakeIntent>, instance: InstanceNo, view: AccountView): Plan {
    const market = view.market(intent.market);
    const sign = yesSign(intent.outcome, intent.side);
    const terms = { sign, price: yesPrice(intent.outcome, intent.limit), largest: intent.shares, tag: intent.tag };
    const legs = new AvailableFunds(view, market, 'taker').computeLegs(terms, intent.shares);
    const commands = this.#placeLegs(
      { bot: instance, market: intent.market, timeInForce: 'FAK' },
      terms,
      legs,
      undefined,
    );
    const dropped = legs.lacking === undefined ? NONE : [legs.lacking];
    return { commands: commands ?? NONE, isDeferred: false, dropped };
  }

  /** Appends the orders of a level, sales first, each as large as allowed. */
  #placeLegs(
    fields: SharedFields,
    { sign, price, largest, tag }: LegTerms,
    { sold, bought }: Legs,
    earlier: PlaceOrder[] | undefined,
  ): PlaceOrder[] | undefined {
    const buyAt = legPrice(sign, price);
    let orders = earlier;
    for (let left: number = sold; left > 0; left -= largest) {
      const order = this.#place(fields, sign === 1 ? 'NO' : 'YES', 'SELL', complement(buyAt), Math.min(left, largest));
      orders = withAdded(orders, withTag(order, tag));
    }
    for (let left: number = bought; left > 0; left -= largest) {
      const order = this.#place(fields, sign === 1 ? 'YES' : 'NO', 'BUY', buyAt, Math.min(left, largest));
      orders = withAdded(orders, withTag(order, tag));
    }
    return orders;
  }

  #place(fields: SharedFields, outcome: Outcome, side: Side, price: PriceBps, size: number): PlaceOrder {
    const { bot, market, timeInForce } = fields;
    const order = this.nextOrder;
    this.#next += 1;
    const shares = unchecked.shares(size);
    const postOnly = timeInForce === 'GTC';
    return { type: 'place', order, bot, market, outcome, side, price, shares, timeInForce, postOnly, expiration: 0 };
  }
}

function withTag(order: PlaceOrder, tag: string | undefined): PlaceOrder {
  return tag === undefined ? order : { ...order, tag };
}

/** Fields that all orders of a plan share. Quotes are GTC and post-only, takes are FAK. */
type SharedFields = Pick<PlaceOrder, 'bot' | 'market'> & { readonly timeInForce: 'GTC' | 'FAK' };

/**
 * Cancels BUY orders, the last order first, while there are shares to sell instead. Call this only when cash runs
 * short, because the SELL orders start at the end of the queue. Returns the number of cancelled orders.
 */
function cancelBuyLegs(side: SideDraft, sizing: Sizing): number {
  let free = sizing.sellableShares(side.sign);
  let cancelled = 0;
  if (side.isBlocked) return 0;
  for (const each of side.resting.toReversed()) {
    const { order, level, isCancelled } = each;
    if (free < LOT || level === undefined || isCancelled || order.side === 'SELL' || order.phase !== 'live') continue;
    if (sizing.toReplace.includes(each)) continue;
    side.cancel(each);
    free -= order.remaining;
    cancelled += 1;
  }
  return cancelled;
}
