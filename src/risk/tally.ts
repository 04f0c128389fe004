import {
  column,
  complement,
  costAt,
  FULL_BPS,
  type MicroShares,
  type MicroUsd,
  type PriceBps,
  type Sign,
  takerFee,
  ZERO_USD,
} from '../domain/index.ts';
import { askRisk, bidRisk, worstCase } from '../ledger/index.ts';
import type { MarketView } from '../state/index.ts';
import type { CheckContext } from './check-context.ts';
import type { Commitment, MarketCommitments, MarketLoad, SideTotals } from './commitments.ts';

/** Up to here sums of a few micro-USD amounts stay exact. */
const EXACT = 4_503_599_627_370_496;
/** For sums that are not exact: more than any amount. */
const BEYOND = Number.MAX_SAFE_INTEGER + 1;

/** One line of a quote set, or a take, in YES terms, with its cost. */
export interface Candidate {
  readonly sign: Sign;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /** What it adds to its side's cost with the fee of a taking, micro-USD. */
  readonly cost: number;
  /**
   * Worst case of the market with it (docs/spec/models.md#worst-case), micro-USD; 2^53 where sums would stop being
   * exact.
   */
  readonly worst: number;
  /** What holdings do not cover, so that a BUY has to carry it out. */
  readonly bought: MicroShares;
  /** That part at its price. */
  readonly bet: MicroUsd;
  /** Cash it holds: `bet` and the fee of a taking. */
  readonly reserve: number;
}

/** What all candidates of one intent are checked against. */
export interface TallyInputs {
  readonly context: CheckContext;
  readonly market: MarketView;
  readonly others: OtherOrders;
  /** Cash that the candidates together may hold, micro-USD. */
  readonly funds: number;
  readonly taking: boolean;
}

/** Totals of what was granted of one intent so far, together with the other orders. */
export class Tally implements SideTotals {
  readonly inputs: TallyInputs;
  /** Loss of the position alone if NO wins, and if YES does; below 0 is a gain. */
  readonly #ifNo: number;
  readonly #ifYes: number;
  #bidShares = 0;
  #askShares = 0;
  #bidCost = 0;
  #askCost = 0;
  #highestBid: number;
  #lowestAsk: number;
  #reserve = 0;
  #freeYes: number;
  #freeNo: number;
  #orders = 0;
  #worst: number;
  #elsewhere: MarketLoad | undefined;
  #refreshed = false;

  constructor(inputs: TallyInputs) {
    const { others, market } = inputs;
    this.inputs = inputs;
    this.#highestBid = others.highestBid;
    this.#lowestAsk = others.lowestAsk;
    this.#freeYes = Math.max(0, market.position.yes - others.sellingYes);
    this.#freeNo = Math.max(0, market.position.no - others.sellingNo);
    const { ifNo, ifYes } = worstCase(market.position, ZERO_USD, ZERO_USD);
    this.#ifNo = ifNo;
    this.#ifYes = ifYes;
    this.#worst = this.worstWith(others.bidCost, others.askCost);
  }

  get bidShares(): number {
    return this.#bidShares;
  }
  get askShares(): number {
    return this.#askShares;
  }
  get bidCost(): number {
    return this.#bidCost;
  }
  get askCost(): number {
    return this.#askCost;
  }
  get orders(): number {
    return this.#orders;
  }
  /** Worst case of the market with other orders and what was granted, micro-USD. */
  get worst(): number {
    return this.#worst;
  }
  /** Cash held by what was granted, micro-USD. */
  get reserve(): number {
    return this.#reserve;
  }

  /** Micro-shares that may fill on a side: other orders and granted ones. */
  open(sign: Sign): number {
    const { others } = this.inputs;
    return sign === 1 ? others.bidShares + this.#bidShares : others.askShares + this.#askShares;
  }

  /** Worst-case micro-USD of a side: other orders and granted ones. */
  cost(sign: Sign): number {
    const { others } = this.inputs;
    return sign === 1 ? others.bidCost + this.#bidCost : others.askCost + this.#askCost;
  }

  /** The own price that a bid must stay below, or an ask above; in YES terms. */
  facing(sign: Sign): number {
    return sign === 1 ? this.#lowestAsk : this.#highestBid;
  }

  /** The load of the other markets; `fresh` recomputes it, once a check. */
  elsewhere(fresh = false): MarketLoad {
    const { context, market } = this.inputs;
    if (fresh && !this.#refreshed) {
      context.commitments.refresh(context.view);
      this.#refreshed = true;
      this.#elsewhere = undefined;
    }
    this.#elsewhere ??= context.commitments.elsewhere(market.info.market, context.view);
    return this.#elsewhere;
  }

  /**
   * Computes a candidate's cost. `dearest` is the worst price at which an order may rest for it (tolerance): the cost counts
   * at that price.
   */
  candidate(sign: Sign, price: PriceBps, shares: MicroShares, dearest: PriceBps): Candidate {
    const { taking, market } = this.inputs;
    const leg = sign === 1 ? price : complement(price);
    const free = sign === 1 ? this.#freeNo : this.#freeYes;
    const bought = column.shares(Math.max(0, shares - free));
    const bet = costAt(bought, leg);
    const fee = taking ? takerFee(market.limits.feeRateBps, shares, price) : ZERO_USD;
    const cost = (sign === 1 ? bidRisk(shares, dearest) : askRisk(shares, dearest)) + fee;
    const reserve = bet + (taking ? takerFee(market.limits.feeRateBps, bought, price) : 0);
    const bidCost = this.cost(1) + (sign === 1 ? cost : 0);
    const askCost = this.cost(-1) + (sign === -1 ? cost : 0);
    return { sign, price, shares, cost, worst: this.worstWith(bidCost, askCost), bought, bet, reserve };
  }

  /** Worst case of the market with open orders of this cost by side (docs/spec/models.md#worst-case), micro-USD. */
  worstWith(bidCost: number, askCost: number): number {
    if (bidCost > EXACT || askCost > EXACT) return BEYOND;
    return Math.max(0, this.#ifNo + bidCost, this.#ifYes + askCost);
  }

  grant(candidate: Candidate): void {
    const sold = candidate.shares - candidate.bought;
    if (candidate.sign === 1) {
      this.#bidShares += candidate.shares;
      this.#bidCost += candidate.cost;
      this.#freeNo -= sold;
      this.#highestBid = Math.max(this.#highestBid, candidate.price);
    } else {
      this.#askShares += candidate.shares;
      this.#askCost += candidate.cost;
      this.#freeYes -= sold;
      this.#lowestAsk = Math.min(this.#lowestAsk, candidate.price);
    }
    this.#worst = candidate.worst;
    this.#reserve += candidate.reserve;
    this.#orders += 1;
  }
}

/** Totals of the open orders in a market besides the candidate that is checked. */
export interface OtherOrders extends SideTotals {
  /** Dearest resting bid and cheapest resting ask in YES terms; 0 and 10000 for none. */
  readonly highestBid: number;
  readonly lowestAsk: number;
  /** Cash held by BUY orders, micro-USD. */
  readonly reserve: number;
  /** Micro-shares held by SELL orders, or on their way into cash. */
  readonly sellingYes: number;
  readonly sellingNo: number;
  readonly orders: number;
}

/** Adds up all open orders in a market, with takes in flight and without the resting orders that a quote set replaces. */
export function totalOtherOrders(here: MarketCommitments, replaced: Commitment | undefined): OtherOrders {
  let { bidShares, askShares, bidCost, askCost, reserve, sellingYes, sellingNo } = here.takers;
  sellingYes += here.merging;
  sellingNo += here.merging;
  let highestBid = 0;
  let lowestAsk = FULL_BPS;
  let orders = 0;
  for (const bot of here.bots) {
    if (bot === replaced) continue;
    bidShares += bot.bidShares;
    askShares += bot.askShares;
    bidCost += bot.bidCost;
    askCost += bot.askCost;
    reserve += bot.reserve;
    sellingYes += bot.sellingYes;
    sellingNo += bot.sellingNo;
    orders += bot.orders;
    if (bot.highestBid > highestBid) highestBid = bot.highestBid;
    if (bot.lowestAsk < lowestAsk) lowestAsk = bot.lowestAsk;
  }
  return { bidShares, askShares, bidCost, askCost, highestBid, lowestAsk, reserve, sellingYes, sellingNo, orders };
}
