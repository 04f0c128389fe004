/** Totals of the account's open orders, by market and bot: what they could cost and fill. */
import {
  type BotNo,
  column,
  costAt,
  counted,
  FULL_BPS,
  isFinal,
  legPrice,
  type MarketInfo,
  type MarketNo,
  type Retained,
  type Sign,
  takerFee,
} from '../domain/index.ts';
import { worstCase } from '../ledger/index.ts';
import type { AccountView, MarketView, OpenOrder } from '../state/index.ts';

/** Totals of orders on one side of a market. */
class SideTotals {
  readonly #sign: Sign;
  /** Micro-shares. */
  shares = 0;
  /** Their part of the worst case (docs/spec/models.md#worst-case), micro-USD. */
  cost = 0;
  /** The highest bid or the lowest ask in YES terms; 0 and 10000 for none. */
  best: number;

  constructor(sign: Sign) {
    this.#sign = sign;
    this.best = sign === 1 ? 0 : FULL_BPS;
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
  /** Cash held by BUY orders that stay, and by those that are leaving, micro-USD. */
  reserve = 0;
  leavingReserve = 0;
  /** Shares held by SELL orders, or being merged into cash, micro-shares. */
  sellingYes = 0;
  sellingNo = 0;
  /** Number of orders that stay. */
  orders = 0;

  side(sign: Sign): SideTotals {
    return sign === 1 ? this.bids : this.asks;
  }

  /**
   * A take is no order that stays, and has no price to be compared with.
   * @param fee what it may pay as a taker, micro-USD
   */
  addOrder({ remaining, yesPrice, sign, phase, side, outcome, rests }: OpenOrder, fee: number): void {
    const cost = costAt(remaining, legPrice(sign, yesPrice)) + fee;
    const totals = this.side(sign);
    totals.add(remaining, cost, rests ? yesPrice : totals.best);
    const isLeaving = phase === 'leaving';
    if (rests && !isLeaving) this.orders += 1;
    // A BUY can lose what it pays, fee included: its cost is its reserve.
    if (side === 'SELL' && outcome === 'YES') this.sellingYes += remaining;
    else if (side === 'SELL') this.sellingNo += remaining;
    else if (isLeaving) this.leavingReserve += cost;
    else this.reserve += cost;
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
    this.leavingReserve = 0;
    this.sellingYes = 0;
    this.sellingNo = 0;
    this.orders = 0;
  }
}

/** Largest totals of one side; none at first. */
class Bound {
  #shares = Number.POSITIVE_INFINITY;
  #cost = Number.POSITIVE_INFINITY;

  cut(side: SideTotals): void {
    side.shares = Math.min(side.shares, this.#shares);
    side.cost = Math.min(side.cost, this.#cost);
  }

  /** The larger of what may be open now and what is approved. */
  set(open: SideTotals, approved: SideTotals): void {
    this.#shares = Math.max(open.shares, approved.shares);
    this.#cost = Math.max(open.cost, approved.cost);
  }
}

/**
 * Largest totals that one bot's orders in one market can reach.
 *
 * While a replace is in flight, its old and new orders are both in the view, though only one set can be open. Counting
 * both would refuse the quotes of others for no reason. As execution never lets a side hold more than the larger of
 * what stood and what was approved, that bound counts where it is smaller than the sum of all that is seen.
 */
class Commitment {
  readonly bot: BotNo;
  readonly totals = new OrderTotals();
  readonly #bids = new Bound();
  readonly #asks = new Bound();

  constructor(bot: BotNo) {
    this.bot = bot;
  }

  /** Cuts the totals of all open orders to the bound. */
  cut(): void {
    this.#bids.cut(this.totals.bids);
    this.#asks.cut(this.totals.asks);
  }

  /** Call it for an approved quote set: the sides then hold at most that, or what they may hold now. */
  approve({ bids, asks }: OrderTotals): void {
    this.#bids.set(this.totals.bids, bids);
    this.#asks.set(this.totals.asks, asks);
  }
}

/** One market's commitments by bot. */
class MarketCommitments {
  /** Of bots that trade here: mostly one, while the account may have one for each of its markets. */
  readonly #bots: Commitment[] = [];

  of(bot: BotNo): Commitment {
    for (const known of this.#bots) if (known.bot === bot) return known;
    const own = new Commitment(bot);
    this.#bots.push(own);
    return own;
  }

  /**
   * Recalculates the totals of all open orders of the market.
   * @param replaced a bot whose resting orders are left out, as its new quotes replace them
   * @returns totals of the others, takes in flight and shares that cannot be sold now included
   */
  look(market: MarketView, replaced?: BotNo): OrderTotals {
    const others = new OrderTotals();
    for (const bot of this.#bots) bot.totals.clear();
    const { limits, orders, position } = market;
    for (const order of orders) {
      if (order.rests) this.of(order.bot).totals.addOrder(order, 0);
      else others.addOrder(order, takerFee(limits.feeRateBps, order.remaining, order.price));
    }
    others.sellingYes += position.yes - market.sellable('YES');
    others.sellingNo += position.no - market.sellable('NO');
    for (const commitment of this.#bots) {
      commitment.cut();
      if (commitment.bot !== replaced) others.addAll(commitment.totals);
    }
    return others;
  }
}

/** Losses of a market with all own orders filled that make them larger, micro-USD; below 0 is a gain. */
export interface Ends {
  readonly ifNo: number;
  readonly ifYes: number;
}

/** Contribution of a market to the account's limits. */
interface MarketLoad {
  /** Worst-case loss, micro-USD; 0 for a final market. */
  worst: number;
  /** Number of open orders, or of approved lines if that is larger. A line may need several orders: the planner counts them. */
  orders: number;
}

/**
 * All markets. The sums are of the last recalculation of each market. Own fills, cancels and merges never increase
 * them, so old sums err on the safe side, and `refresh` recalculates all markets before an order is refused for them. A
 * fill that increases them (of an external order, or of one that was believed closed) drops the market's sums.
 */
export class Commitments {
  readonly #markets: MarketCommitments[] = [];
  readonly #loads: MarketLoad[] = [];
  #worst = 0;
  #orders = 0;
  #looked = false;
  /** Markets whose totals must be recalculated before they count again. */
  readonly #forgotten = new Set<MarketNo>();
  readonly retained: Retained = { last: undefined };

  of(market: MarketNo): MarketCommitments {
    while (this.#markets.length < market) this.#markets.push(new MarketCommitments());
    const here = this.#markets[market] ?? new MarketCommitments();
    this.#markets[market] = here;
    return here;
  }

  /** Sum over all markets but one. */
  elsewhere(market: MarketNo, view: AccountView): Readonly<MarketLoad> {
    if (!this.#looked) this.refresh(view);
    else if (this.#forgotten.size > 0) this.#lookAgain(view);
    const here = this.#loads[market];
    return { worst: this.#worst - (here?.worst ?? 0), orders: this.#orders - (here?.orders ?? 0) };
  }

  /**
   * Worst case over the markets of an event (docs/risk.md#events), micro-USD.
   * @param here the market at hand, as it would be
   */
  eventWorst({ market: at, eventId, exclusive }: MarketInfo, here: Ends, view: AccountView): number {
    const ends = view.markets
      .filter(({ info, state }) => info.eventId === eventId && !isFinal(state.status))
      .map(({ info }) => (info.market === at ? here : this.exposureIn(info.market, view).ends));
    if (exclusive !== true) return ends.reduce((sum, { ifNo, ifYes }) => sum + Math.max(0, ifNo, ifYes), 0);
    const noneWins = ends.reduce((sum, { ifNo }) => sum + ifNo, 0);
    return ends.reduce((worst, { ifNo, ifYes }) => Math.max(worst, noneWins - ifNo + ifYes), Math.max(0, noneWins));
  }

  /** Drops the totals of a market whose holdings changed without an order of this account. */
  forget(market: MarketNo): void {
    this.#forgotten.add(market);
  }

  /** Stores the contribution of a market. */
  note(market: MarketNo, worst: number, orders: number): void {
    while (this.#loads.length < market) this.#loads.push({ worst: 0, orders: 0 });
    const load = this.#loads[market] ?? { worst: 0, orders: 0 };
    this.#loads[market] = load;
    this.#worst += worst - load.worst;
    this.#orders += orders - load.orders;
    load.worst = worst;
    load.orders = orders;
  }

  /** Recalculates all markets; the time is proportional to their number. */
  refresh(view: AccountView): void {
    this.#looked = true;
    this.#forgotten.clear();
    for (const market of view.markets) this.#look(market);
  }

  /** The market with the largest worst case, the first of equals; undefined without markets. */
  heaviest(): MarketNo | undefined {
    let [heaviest, most] = [-1, -1];
    for (const [market, { worst }] of this.#loads.entries()) if (worst > most) [heaviest, most] = [market, worst];
    return heaviest < 0 ? undefined : counted.market(heaviest);
  }

  #lookAgain(view: AccountView): void {
    for (const number of this.#forgotten) {
      const market = view.markets[number];
      if (market !== undefined) this.#look(market);
    }
    this.#forgotten.clear();
  }

  /** Losses of a market now, and the shares of its open orders. */
  exposureIn(number: MarketNo, view: AccountView) {
    const market = view.market(number);
    const { bids, asks } = this.of(number).look(market);
    const ends = worstCase(market.position, column.usd(bids.cost), column.usd(asks.cost));
    return { ends, bids: bids.shares, asks: asks.shares };
  }

  #look(market: MarketView): void {
    const { info, position, state } = market;
    const { bids, asks, orders } = this.of(info.market).look(market);
    const worst = isFinal(state.status) ? 0 : worstCase(position, column.usd(bids.cost), column.usd(asks.cost)).worst;
    this.note(info.market, worst, orders);
  }
}
