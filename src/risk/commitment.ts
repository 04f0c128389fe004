import { FULL_BPS, type MicroShares } from '../domain/index.ts';
import { askRisk, bidRisk } from '../ledger/index.ts';
import type { OpenOrder } from '../state/index.ts';

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
