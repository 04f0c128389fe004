/** Totals of the account's open orders by market and strategy instance: their possible costs and fills. */
import {
  costAt,
  FULL_BPS,
  type InstanceNo,
  isFinal,
  legPrice,
  type MarketInfo,
  type MarketNo,
  type Retained,
  type Sign,
  takerFee,
  unchecked,
} from '../domain/index.ts';
import { worstCase } from '../ledger/index.ts';
import type { AccountView, MarketView, OpenOrder } from '../state/index.ts';

/** Totals of orders on one side of a market. */
class SideTotals {
  readonly #sign: Sign;
  /** Micro-shares. */
  shares = 0;
  /** Part of the worst case (docs/spec/models.md#worst-case), micro-USD. */
  cost = 0;
  /** The highest bid or the lowest ask in YES terms; 0 or 10000 without orders. */
  best: number;

  constructor(sign: Sign) {
    this.#sign = sign;
    this.best = sign === 1 ? 0 : FULL_BPS;
  }

  lowerTo({ shares, cost }: SideTotals): void {
    this.shares = Math.min(this.shares, shares);
    this.cost = Math.min(this.cost, cost);
  }

  raiseTo({ shares, cost }: SideTotals): void {
    this.shares = Math.max(this.shares, shares);
    this.cost = Math.max(this.cost, cost);
  }

  add(shares: number, cost: number, price: number): void {
    this.shares += shares;
    this.cost += cost;
    if (this.#sign * (price - this.best) > 0) this.best = price;
  }

  clear(): void {
    this.shares = 0;
    this.cost = 0;
    this.best = this.#sign === 1 ? 0 : FULL_BPS;
  }
}

export class OrderTotals {
  readonly bids = new SideTotals(1);
  readonly asks = new SideTotals(-1);
  /** Cash reserved by BUY orders that are not being cancelled, micro-USD. */
  reserve = 0;
  /** Cash reserved by BUY orders that are being cancelled, micro-USD. */
  cancellingReserve = 0;
  /** Shares that SELL orders hold or that cannot be sold now (`MarketView.sellable`), micro-shares. */
  sellingYes = 0;
  sellingNo = 0;
  /** Number of resting orders that are not being cancelled. */
  orders = 0;

  side(sign: Sign): SideTotals {
    return sign === 1 ? this.bids : this.asks;
  }

  /**
   * Adds an order. A take is not an open order, and does not change the best price.
   * @param fee highest taker fee, micro-USD
   */
  addOrder({ remaining, yesPrice, sign, phase, side, outcome, rests }: OpenOrder, fee: number): void {
    const cost = costAt(remaining, legPrice(sign, yesPrice)) + fee;
    const totals = this.side(sign);
    totals.add(remaining, cost, rests ? yesPrice : totals.best);
    const isCancelling = phase === 'cancelling';
    if (rests && !isCancelling) this.orders += 1;
    // A BUY can lose all that it pays, including the fee, so its cost is its reserve.
    if (side === 'SELL' && outcome === 'YES') this.sellingYes += remaining;
    else if (side === 'SELL') this.sellingNo += remaining;
    else if (isCancelling) this.cancellingReserve += cost;
    else this.reserve += cost;
  }

  /** Lowers shares and costs of each side to those of `other`. */
  lowerTo(other: OrderTotals): void {
    this.bids.lowerTo(other.bids);
    this.asks.lowerTo(other.asks);
  }

  /** Raises shares and costs of each side to those of `other`. */
  raiseTo(other: OrderTotals): void {
    this.bids.raiseTo(other.bids);
    this.asks.raiseTo(other.asks);
  }

  addAll({ bids, asks, reserve, sellingYes, sellingNo, orders }: OrderTotals): void {
    this.bids.add(bids.shares, bids.cost, bids.best);
    this.asks.add(asks.shares, asks.cost, asks.best);
    this.reserve += reserve;
    this.sellingYes += sellingYes;
    this.sellingNo += sellingNo;
    this.orders += orders;
  }

  clear(): void {
    this.bids.clear();
    this.asks.clear();
    this.reserve = 0;
    this.cancellingReserve = 0;
    this.sellingYes = 0;
    this.sellingNo = 0;
    this.orders = 0;
  }
}

/**
 * Largest totals that each strategy instance's orders in one market can reach.
 *
 * While a replace is in flight, the view contains its old and its new orders, but only one set can be open. Counting
 * both would refuse quotes of other instances without reason. Execution never lets a side hold more than the larger of
 * the open and the approved orders. The totals are therefore limited to that bound (`approve`).
 */
class MarketCommitments {
  /** By instance number; undefined for an instance that has not traded here. */
  readonly #totals: (OrderTotals | undefined)[] = [];
  /** Upper bounds of the shares and costs in `#totals`, by instance number; undefined before the first approval. */
  readonly #bounds: (OrderTotals | undefined)[] = [];

  forInstance(instance: InstanceNo): OrderTotals {
    this.#totals[instance] ??= new OrderTotals();
    return this.#totals[instance];
  }

  /**
   * Recalculates the totals of all open orders of the market.
   * @param replaced an instance whose resting orders are left out, because its new quotes replace them
   * @returns totals of all other orders, takes in flight and shares that cannot be sold now
   */
  recalculate(market: MarketView, replaced?: InstanceNo): OrderTotals {
    const others = new OrderTotals();
    for (const totals of this.#totals) totals?.clear();
    const { limits, orders, position } = market;
    for (const order of orders) {
      if (order.rests) this.forInstance(order.bot).addOrder(order, 0);
      else others.addOrder(order, takerFee(limits.feeRateBps, order.remaining, order.price));
    }
    others.sellingYes += position.yes - market.sellable('YES');
    others.sellingNo += position.no - market.sellable('NO');
    for (let bot = 0; bot < this.#totals.length; bot += 1) {
      const totals = this.#totals[bot];
      const bounds = this.#bounds[bot];
      if (bounds !== undefined) totals?.lowerTo(bounds);
      if (totals !== undefined && bot !== replaced) others.addAll(totals);
    }
    return others;
  }

  /** Bounds the instance's totals by the larger of its open orders and `quotes`. Changes and keeps `quotes`. */
  approve(instance: InstanceNo, quotes: OrderTotals): void {
    quotes.raiseTo(this.forInstance(instance));
    this.#bounds[instance] = quotes;
  }
}

/** A market's losses if NO or YES wins, after all fills that increase the loss; micro-USD, negative for a gain. */
export interface OutcomeLosses {
  readonly ifNo: number;
  readonly ifYes: number;
}

/** What a market uses of the account's limits. */
interface LimitUsage {
  /** Worst-case loss, micro-USD; 0 for a final market. */
  readonly worstLoss: number;
  /** Number of open orders or of approved quotes, whichever is larger. The planner counts the orders of each quote. */
  readonly orders: number;
}

const NO_USAGE: LimitUsage = { worstLoss: 0, orders: 0 };

/**
 * Commitments of all markets. The sums date from each market's last recalculation. Own fills, cancels and merges only
 * reduce the true sums, so an old sum can only be too large. Call `refresh` before a sum refuses an order. Call
 * `invalidate` after a fill of an external order, or of an order believed closed.
 */
export class Commitments {
  /** By market number, as are the usages. */
  readonly #markets: MarketCommitments[] = [];
  readonly #usages: LimitUsage[] = [];
  #worstLoss = 0;
  #orders = 0;
  #isCalculated = false;
  /** Markets to recalculate before the next check. */
  readonly #invalidated = new Set<MarketNo>();
  readonly retained: Retained = { last: undefined }; // The last `LimitChecker` (see `Retained`).

  forMarket(market: MarketNo): MarketCommitments {
    this.#markets[market] ??= new MarketCommitments();
    return this.#markets[market];
  }

  /** Sums the usage of all markets except `market`. */
  sumOtherMarkets(market: MarketNo, view: AccountView): LimitUsage {
    if (!this.#isCalculated) this.refresh(view);
    // `clear` allocates even in an empty set, and this runs for each quote.
    if (this.#invalidated.size > 0) {
      for (const number of this.#invalidated) if (view.markets[number] !== undefined) this.#recalculate(number, view);
      this.#invalidated.clear();
    }
    const usage = this.#usages[market] ?? NO_USAGE;
    return { worstLoss: this.#worstLoss - usage.worstLoss, orders: this.#orders - usage.orders };
  }

  /**
   * Computes the worst case over the markets of an event (docs/risk.md#events), micro-USD.
   * @param marketLosses losses of `market`, including the checked order
   */
  eventWorstLoss({ market, eventId, exclusive }: MarketInfo, marketLosses: OutcomeLosses, view: AccountView): number {
    const losses = view.markets
      .filter(({ info, state }) => info.eventId === eventId && !isFinal(state.status))
      .map(({ info }) => (info.market === market ? marketLosses : this.recalculateExposure(info.market, view).losses));
    if (exclusive !== true) return losses.reduce((sum, { ifNo, ifYes }) => sum + Math.max(0, ifNo, ifYes), 0);
    const noneWins = losses.reduce((sum, { ifNo }) => sum + ifNo, 0);
    return losses.reduce((worst, { ifNo, ifYes }) => Math.max(worst, noneWins - ifNo + ifYes), Math.max(0, noneWins));
  }

  invalidate(market: MarketNo): void {
    this.#invalidated.add(market);
  }

  setUsage(market: MarketNo, worstLoss: number, orders: number): void {
    const before = this.#usages[market] ?? NO_USAGE;
    this.#worstLoss += worstLoss - before.worstLoss;
    this.#orders += orders - before.orders;
    this.#usages[market] = { worstLoss, orders };
  }

  refresh(view: AccountView): void {
    this.#isCalculated = true;
    this.#invalidated.clear();
    for (const { info } of view.markets) this.#recalculate(info.market, view);
  }

  /** Recalculates all markets, and returns the first market with the largest worst case. */
  largestMarket(view: AccountView): MarketNo {
    this.refresh(view);
    const getWorstLoss = (market: MarketNo): number => this.#usages[market]?.worstLoss ?? 0;
    const markets = view.markets.map(({ info }) => info.market);
    return markets.reduce(
      (first, next) => (getWorstLoss(next) > getWorstLoss(first) ? next : first),
      unchecked.market(0),
    );
  }

  /** Returns the losses of a market, and the shares and number of its open orders. */
  recalculateExposure(number: MarketNo, view: AccountView) {
    const market = view.market(number);
    const { bids, asks, orders } = this.forMarket(number).recalculate(market);
    const losses = worstCase(market.position, unchecked.usd(bids.cost), unchecked.usd(asks.cost));
    return { losses, bids: bids.shares, asks: asks.shares, orders };
  }

  #recalculate(number: MarketNo, view: AccountView): void {
    const { losses, orders } = this.recalculateExposure(number, view);
    this.setUsage(number, isFinal(view.market(number).state.status) ? 0 : losses.worstLoss, orders);
  }
}
