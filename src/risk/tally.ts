import {
  column,
  complement,
  costAt,
  type MicroShares,
  type MicroUsd,
  type PriceBps,
  type Sign,
  takerFee,
  ZERO_USD,
} from '../domain/index.ts';
import { askRisk, bidRisk, worstCase } from '../ledger/index.ts';
import type { MarketView } from '../state/index.ts';
import type { SideTotals } from './commitment.ts';
import type { MarketLoad } from './commitments.ts';
import type { Desk } from './desk.ts';
import type { Standing } from './standing.ts';

/** Up to here sums of a few micro-USD amounts stay exact. */
const EXACT = 4_503_599_627_370_496;
/** Stands for what is not reckoned exactly: more than any amount. */
const BEYOND = Number.MAX_SAFE_INTEGER + 1;

/** One line of a quote set, or a taking, in YES terms, with what it comes to. */
export interface Wish {
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

/** What every wish of one intent is compared with. */
export interface Ground {
  readonly desk: Desk;
  readonly market: MarketView;
  readonly standing: Standing;
  /** Cash that the wishes together may hold, micro-USD. */
  readonly funds: number;
  readonly taking: boolean;
}

/** What has been granted of one intent so far, beside what stands. */
export class Tally implements SideTotals {
  readonly ground: Ground;
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

  constructor(ground: Ground) {
    const { standing, market } = ground;
    this.ground = ground;
    this.#highestBid = standing.highestBid;
    this.#lowestAsk = standing.lowestAsk;
    this.#freeYes = Math.max(0, market.position.yes - standing.sellingYes);
    this.#freeNo = Math.max(0, market.position.no - standing.sellingNo);
    const { ifNo, ifYes } = worstCase(market.position, ZERO_USD, ZERO_USD);
    this.#ifNo = ifNo;
    this.#ifYes = ifYes;
    this.#worst = this.worstWith(standing.bidCost, standing.askCost);
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
  /** Worst case of the market with what stands and was granted, micro-USD. */
  get worst(): number {
    return this.#worst;
  }
  /** Cash held by what was granted, micro-USD. */
  get reserve(): number {
    return this.#reserve;
  }

  /** Micro-shares that may fill on a side, standing and granted. */
  open(sign: Sign): number {
    const { standing } = this.ground;
    return sign === 1 ? standing.bidShares + this.#bidShares : standing.askShares + this.#askShares;
  }

  /** Worst-case micro-USD of a side, standing and granted. */
  cost(sign: Sign): number {
    const { standing } = this.ground;
    return sign === 1 ? standing.bidCost + this.#bidCost : standing.askCost + this.#askCost;
  }

  /** The own price that a bid must stay below, or an ask above; in YES terms. */
  facing(sign: Sign): number {
    return sign === 1 ? this.#lowestAsk : this.#highestBid;
  }

  /** The other markets; `fresh` looks at each of them anew, once a check. */
  elsewhere(fresh = false): MarketLoad {
    const { desk, market } = this.ground;
    if (fresh && !this.#refreshed) {
      desk.commitments.refresh(desk.view);
      this.#refreshed = true;
      this.#elsewhere = undefined;
    }
    this.#elsewhere ??= desk.commitments.elsewhere(market.info.market, desk.view);
    return this.#elsewhere;
  }

  /**
   * What a wish comes to. `dearest` is the price at which an order may stand for it (tolerance), at least as dear as
   * `price`: its cost is reckoned there.
   */
  wish(sign: Sign, price: PriceBps, shares: MicroShares, dearest: PriceBps): Wish {
    const { taking, market } = this.ground;
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

  grant(wish: Wish): void {
    const sold = wish.shares - wish.bought;
    if (wish.sign === 1) {
      this.#bidShares += wish.shares;
      this.#bidCost += wish.cost;
      this.#freeNo -= sold;
      this.#highestBid = Math.max(this.#highestBid, wish.price);
    } else {
      this.#askShares += wish.shares;
      this.#askCost += wish.cost;
      this.#freeYes -= sold;
      this.#lowestAsk = Math.min(this.#lowestAsk, wish.price);
    }
    this.#worst = wish.worst;
    this.#reserve += wish.reserve;
    this.#orders += 1;
  }
}
