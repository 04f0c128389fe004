import {
  type BotNo,
  column,
  counted,
  FULL_BPS,
  isFinal,
  type MarketNo,
  type MicroShares,
  type Retained,
  takerFee,
} from '../domain/index.ts';
import { askRisk, bidRisk, worstCase } from '../ledger/index.ts';
import type { AccountView, MarketView, OpenOrder } from '../state/index.ts';

/** Totals of a set of orders by side in YES terms. */
export interface SideTotals {
  /** Micro-shares. */
  readonly bidShares: number;
  readonly askShares: number;
  /** What they add to the worst case (docs/spec/models.md#worst-case), micro-USD. */
  readonly bidCost: number;
  readonly askCost: number;
}

/**
 * What one bot's orders in one market can come to at most, from what is seen of them and what was approved.
 *
 * While a replace is on its way its old and its new orders are both seen, though only one set can be open; counting both
 * would refuse the quotes of others for no reason. As execution never lets a side hold more than the larger of what
 * stood and what was approved, that bound counts where it is smaller than the sum of all that is seen.
 */
export class Commitment implements SideTotals {
  #boundBidShares = Number.POSITIVE_INFINITY;
  #boundAskShares = Number.POSITIVE_INFINITY;
  #boundBidCost = Number.POSITIVE_INFINITY;
  #boundAskCost = Number.POSITIVE_INFINITY;
  #bidShares = 0;
  #askShares = 0;
  #bidCost = 0;
  #askCost = 0;
  #highestBid = 0;
  #lowestAsk = FULL_BPS;
  #reserve = 0;
  #leavingReserve = 0;
  #sellingYes = 0;
  #sellingNo = 0;
  #orders = 0;

  get bidShares(): number {
    return Math.min(this.#bidShares, this.#boundBidShares);
  }
  get askShares(): number {
    return Math.min(this.#askShares, this.#boundAskShares);
  }
  get bidCost(): number {
    return Math.min(this.#bidCost, this.#boundBidCost);
  }
  get askCost(): number {
    return Math.min(this.#askCost, this.#boundAskCost);
  }
  /** Dearest bid in YES terms, 0 for none. */
  get highestBid(): number {
    return this.#highestBid;
  }
  /** Cheapest ask in YES terms, 10000 for none. */
  get lowestAsk(): number {
    return this.#lowestAsk;
  }
  /** Cash held by BUY orders that stay, micro-USD. */
  get reserve(): number {
    return this.#reserve;
  }
  /** Cash held by BUY orders that are leaving, micro-USD. */
  get leavingReserve(): number {
    return this.#leavingReserve;
  }
  /** Shares held by SELL orders, micro-shares. */
  get sellingYes(): number {
    return this.#sellingYes;
  }
  get sellingNo(): number {
    return this.#sellingNo;
  }
  /** How many orders stay. */
  get orders(): number {
    return this.#orders;
  }

  /** Forgets what was seen, not what was approved. */
  clear(): void {
    this.#bidShares = 0;
    this.#askShares = 0;
    this.#bidCost = 0;
    this.#askCost = 0;
    this.#highestBid = 0;
    this.#lowestAsk = FULL_BPS;
    this.#reserve = 0;
    this.#leavingReserve = 0;
    this.#sellingYes = 0;
    this.#sellingNo = 0;
    this.#orders = 0;
  }

  /** @param fee what it may pay as a taker, micro-USD */
  see(order: OpenOrder, fee = 0): void {
    const { remaining, yesPrice } = order;
    const cost = (order.sign === 1 ? bidRisk(remaining, yesPrice) : askRisk(remaining, yesPrice)) + fee;
    if (order.sign === 1) {
      this.#bidShares += remaining;
      this.#bidCost += cost;
      if (yesPrice > this.#highestBid) this.#highestBid = yesPrice;
    } else {
      this.#askShares += remaining;
      this.#askCost += cost;
      if (yesPrice < this.#lowestAsk) this.#lowestAsk = yesPrice;
    }
    const leaving = order.phase === 'leaving';
    if (!leaving) this.#orders += 1;
    // What a BUY can lose is what it pays, fee included: its cost is its reserve.
    if (order.side === 'SELL') this.#sell(order.outcome === 'YES', remaining);
    else if (leaving) this.#leavingReserve += cost;
    else this.#reserve += cost;
  }

  /** A quote set with these totals was approved: from now on the sides hold at most that, or what they may hold now. */
  approve(totals: SideTotals): void {
    this.#boundBidShares = Math.max(this.bidShares, totals.bidShares);
    this.#boundAskShares = Math.max(this.askShares, totals.askShares);
    this.#boundBidCost = Math.max(this.bidCost, totals.bidCost);
    this.#boundAskCost = Math.max(this.askCost, totals.askCost);
  }

  #sell(yes: boolean, shares: MicroShares): void {
    if (yes) this.#sellingYes += shares;
    else this.#sellingNo += shares;
  }
}

/** Everything the account is committed to, market by market, and the sums over all markets. */

/** One market's commitments by bot. Takers in flight stand apart: no quote set replaces them. */
export class MarketCommitments {
  readonly takers = new Commitment();
  /** Pairs on their way into cash, micro-shares. */
  merging = 0;
  readonly #bots: Commitment[] = [];

  /** By bot number. */
  get bots(): readonly Commitment[] {
    return this.#bots;
  }

  of(bot: BotNo): Commitment {
    const known = this.#bots[bot];
    if (known !== undefined) return known;
    const fresh = new Commitment();
    while (this.#bots.length < bot) this.#bots.push(new Commitment());
    this.#bots[bot] = fresh;
    return fresh;
  }

  /** Looks at all open orders of the market anew. */
  gather(market: MarketView): void {
    this.takers.clear();
    this.merging = market.merging;
    for (const bot of this.#bots) bot.clear();
    const { feeRateBps } = market.limits;
    for (const order of market.orders) {
      if (order.rests) this.of(order.bot).see(order);
      else this.takers.see(order, takerFee(feeRateBps, order.remaining, order.price));
    }
  }
}

/** What a market adds to the account's limits. */
export interface MarketLoad {
  /** Worst-case loss, micro-USD; 0 for a final market, where nothing can be lost any more. */
  readonly worst: number;
  readonly orders: number;
}

const NO_LOAD: MarketLoad = { worst: 0, orders: 0 };

/**
 * All markets. The sums are of the last look at each market: own fills, cancels and merges never make them larger, so an
 * old look errs on the safe side, and `refresh` looks at all markets anew before anything is refused for it. What does make
 * them larger (a fill of somebody else's order, or of one that was held for over) has the market forgotten.
 */
export class Commitments {
  readonly #markets: MarketCommitments[] = [];
  readonly #loads: { worst: number; orders: number }[] = [];
  #worst = 0;
  #orders = 0;
  #looked = false;
  /** Markets that have to be looked at before their last look counts again. */
  readonly #forgotten = new Set<MarketNo>();
  /** The last tally. */
  readonly retained: Retained = { last: undefined };

  of(market: MarketNo): MarketCommitments {
    while (this.#markets.length <= market) this.#markets.push(new MarketCommitments());
    const known = this.#markets[market];
    if (known === undefined) throw new RangeError(`Invariant: ${market} is not a market's number`);
    return known;
  }

  /** Sum over all markets but one. */
  elsewhere(market: MarketNo, view: AccountView): MarketLoad {
    if (!this.#looked) this.refresh(view);
    else if (this.#forgotten.size > 0) this.#lookAgain(view);
    const here = this.#loads[market] ?? NO_LOAD;
    return { worst: this.#worst - here.worst, orders: this.#orders - here.orders };
  }

  /** The last look at a market says too little: its holdings changed by no order of this account. */
  forget(market: MarketNo): void {
    this.#forgotten.add(market);
  }

  /** Notes what a market adds from now on. */
  note(market: MarketNo, worst: number, orders: number): void {
    while (this.#loads.length <= market) this.#loads.push({ worst: 0, orders: 0 });
    const load = this.#loads[market];
    if (load === undefined) throw new RangeError(`Invariant: ${market} is not a market's number`);
    this.#worst += worst - load.worst;
    this.#orders += orders - load.orders;
    load.worst = worst;
    load.orders = orders;
  }

  /** Looks at all markets anew. Takes time by their number. */
  refresh(view: AccountView): void {
    this.#looked = true;
    this.#forgotten.clear();
    for (const market of view.markets) this.#look(market);
  }

  /** The market with the largest worst case, the first of equals; undefined when there is none. */
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

  #look(market: MarketView): void {
    const number = market.info.market;
    const here = this.of(number);
    here.gather(market);
    let { bidCost, askCost, orders } = here.takers;
    for (const bot of here.bots) {
      bidCost += bot.bidCost;
      askCost += bot.askCost;
      orders += bot.orders;
    }
    const final = isFinal(market.state.status);
    const worst = final ? 0 : worstCase(market.position, column.usd(bidCost), column.usd(askCost)).worst;
    this.note(number, worst, orders);
  }
}
