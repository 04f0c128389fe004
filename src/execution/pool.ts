import {
  column,
  complement,
  costAt,
  LOT,
  MAX_ORDER_SHARES,
  type MarketLimits,
  type MarketNo,
  type MicroShares,
  minShares,
  mulDivCeil,
  type PriceBps,
  type Refused,
  type Sign,
  sharesOfLots,
  subShares,
  takerFee,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { AccountView, MarketView, OpenOrder } from '../state/index.ts';

const MOST_LOTS = MAX_ORDER_SHARES / LOT;

/** What legs are made for. */
export interface LegTerms {
  readonly sign: Sign;
  /** YES terms. */
  readonly price: PriceBps;
  /** Most that one order may have, micro-shares. */
  readonly largest: MicroShares;
}

/** The two legs of a line: what is sold out of holdings, and what is bought of the other outcome. */
export interface Legs {
  readonly sold: MicroShares;
  readonly bought: MicroShares;
  /** Why not all of it is there. */
  readonly lacking: Refused | undefined;
}

/**
 * Cash and shares that a plan can still use (docs/spec/models.md#legs): a bid sells free NO first and buys YES for the
 * rest, an ask sells free YES first and buys NO.
 */
export class Pool {
  readonly #limits: MarketLimits;
  readonly #market: MarketNo;
  readonly #feeRateBps: number;
  #cash: number;
  #yes: number;
  #no: number;

  /** @param taking whether what is bought pays the taker fee */
  constructor(view: AccountView, market: MarketView, taking: boolean) {
    this.#limits = market.limits;
    this.#market = market.info.market;
    this.#feeRateBps = taking ? market.limits.feeRateBps : 0;
    let yes: number = market.position.yes - market.merging;
    let no: number = market.position.no - market.merging;
    for (const order of market.orders) {
      if (order.side === 'BUY') continue;
      if (order.outcome === 'YES') yes -= order.remaining;
      else no -= order.remaining;
    }
    // Replaces in flight hold cash and shares twice for a moment; that is no debt.
    this.#cash = Math.max(0, view.available);
    this.#yes = Math.max(0, yes);
    this.#no = Math.max(0, no);
  }

  /** Micro-shares that a line of this side could sell. */
  free(sign: Sign): number {
    return sign === 1 ? this.#no : this.#yes;
  }

  /** What an order holds is free again, as it is cancelled in the same step. */
  release(order: OpenOrder): void {
    this.#hold(order, 1);
  }

  /** Takes a release back. */
  keep(order: OpenOrder): void {
    this.#hold(order, -1);
  }

  /** How `shares` of a line can be carried out; changes nothing. */
  legs({ sign, price, largest }: LegTerms, shares: MicroShares): Legs {
    const free = this.free(sign);
    const sold = free >= shares ? shares : sharesOfLots(Math.floor(free / LOT));
    const rest = subShares(shares, sold);
    if (rest === 0) return { sold, bought: ZERO_SHARES, lacking: undefined };
    const limit = legPrice(sign, price);
    const bought = minShares(rest, this.#affordable(limit));
    const least = Math.max(this.#limits.minOrderShares, mulDivCeil(this.#limits.minBet, 1, limit) * LOT);
    if (rest < least || largest < least)
      return { sold, bought: ZERO_SHARES, lacking: this.#lacking('BELOW_MIN', least, rest) };
    // The last of several orders must not be too small either.
    const last = bought % largest;
    const whole = column.shares(last < least ? bought - last : bought);
    if (bought < rest) {
      return {
        sold,
        bought: whole,
        lacking: this.#lacking('INSUFFICIENT_BALANCE', this.#cash, this.#costOf(rest, limit)),
      };
    }
    return { sold, bought: whole, lacking: whole < rest ? this.#lacking('BELOW_MIN', least, last) : undefined };
  }

  /** Uses what the legs need. */
  spend({ sign, price }: LegTerms, { sold, bought }: Legs): void {
    if (sign === 1) this.#no -= sold;
    else this.#yes -= sold;
    this.#cash -= this.#costOf(bought, legPrice(sign, price));
  }

  #hold(order: OpenOrder, sign: Sign): void {
    const { remaining, outcome, side, price } = order;
    if (side === 'BUY') this.#cash += sign * costAt(remaining, price);
    else if (outcome === 'YES') this.#yes += sign * remaining;
    else this.#no += sign * remaining;
  }

  /** How much the cash can buy, fee included, rounded **down** to lots. */
  #affordable(limit: PriceBps): MicroShares {
    const perLot = limit + (this.#feeRateBps * limit * (10_000 - limit)) / 100_000_000;
    let lots = Math.min(Math.floor(this.#cash / perLot), MOST_LOTS);
    // The quotient is a double: one lot too many can come out of it.
    while (lots > 0 && this.#costOf(sharesOfLots(lots), limit) > this.#cash) lots -= 1;
    return sharesOfLots(Math.max(0, lots));
  }

  #costOf(shares: MicroShares, limit: PriceBps): number {
    return costAt(shares, limit) + takerFee(this.#feeRateBps, shares, limit);
  }

  #lacking(code: Refused['code'], limit: number, was: number): Refused {
    return { ok: false, market: this.#market, code, limit, was };
  }
}

/** What the BUY leg pays a share. */
export function legPrice(sign: Sign, price: PriceBps): PriceBps {
  return sign === 1 ? price : complement(price);
}
