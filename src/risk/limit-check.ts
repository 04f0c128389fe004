/**
 * Checks one quote of a set, or one take, together with other orders and the quotes granted before it.
 *
 * A check has no side effects and accepts any input. Account and market limits refuse only quotes and takes that
 * increase the limited amount, so an account beyond a limit can always reduce. Limits on a single order and the price
 * collar also apply to orders that reduce.
 */
import {
  costAt,
  legPrice,
  type MicroShares,
  type PriceBps,
  type Refused,
  type RiskCode,
  type Sign,
  takerFee,
  unchecked,
  ZERO_USD,
} from '../domain/index.ts';
import { venueExposure, worstCase } from '../ledger/index.ts';
import { OrderTotals } from './commitments.ts';
import { type Candidate, type CheckContext, minimumBuy, orderRefusal } from './market-check.ts';
import { refusal } from './policy.ts';

/** Largest cost of a side for which `worstLossWith` is exact, micro-USD: 2^52. */
const MAX_EXACT_COST = 4_503_599_627_370_496;
/** Replaces an inexact sum, and exceeds every amount. */
const INEXACT_SUM = Number.MAX_SAFE_INTEGER + 1;

/** Checks the quotes of one set, or one take, against the limits, and adds up what it granted. */
export class LimitChecker {
  readonly context: CheckContext;
  readonly granted = new OrderTotals();
  readonly refused: Refused[] = [];
  readonly #others: OrderTotals;
  /** Cash that the intent may reserve in total, micro-USD. */
  readonly #funds: number;
  readonly #isTake: boolean;
  /** Loss of the position alone if NO or YES wins, micro-USD; negative for a gain. */
  readonly #ifNo: number;
  readonly #ifYes: number;
  #worstLoss: number;
  #hasRefreshed = false;

  constructor(context: CheckContext, others: OrderTotals, funds: number, intentType: 'quote' | 'take') {
    this.context = context;
    this.#others = others;
    this.#funds = funds;
    this.#isTake = intentType === 'take';
    const { ifNo, ifYes } = worstCase(context.market.position, ZERO_USD, ZERO_USD);
    this.#ifNo = ifNo;
    this.#ifYes = ifYes;
    this.#worstLoss = this.worstLossWith(others.bids.cost, others.asks.cost);
  }

  /** Worst case of the market with the other orders and the granted quotes, micro-USD. */
  get worstLoss(): number {
    return this.#worstLoss;
  }

  /** Returns the micro-shares of a side's other orders and granted quotes. */
  openShares(sign: Sign): number {
    return this.#others.side(sign).shares + this.granted.side(sign).shares;
  }

  /**
   * Computes the market's worst case with open orders of these costs (docs/spec/models.md#worst-case), micro-USD.
   * Returns 2^53 if the sum is not exact.
   */
  worstLossWith(bidCost: number, askCost: number): number {
    if (bidCost > MAX_EXACT_COST || askCost > MAX_EXACT_COST) return INEXACT_SUM;
    return Math.max(0, this.#ifNo + bidCost, this.#ifYes + askCost);
  }

  /**
   * Grants a quote or take if no limit refuses it, and returns whether it was granted. Prices are in YES terms.
   * @param worstRestingPrice worst price at which an order can rest for the quote, for the cost; `price` for a take
   */
  grant(sign: Sign, price: PriceBps, shares: MicroShares, worstRestingPrice: PriceBps): boolean {
    const candidate = this.#toCandidate(sign, price, shares, worstRestingPrice);
    const refused = this.#findRefusal(candidate);
    if (refused !== undefined) {
      this.refused.push(refused);
      return false;
    }
    const { granted } = this;
    granted.side(sign).add(shares, candidate.cost, price);
    if (sign === 1) granted.sellingNo += shares - candidate.bought;
    else granted.sellingYes += shares - candidate.bought;
    granted.reserve += candidate.reserve;
    granted.orders += 1;
    this.#worstLoss = candidate.worstLoss;
    return true;
  }

  #toCandidate(sign: Sign, price: PriceBps, shares: MicroShares, worstRestingPrice: PriceBps): Candidate {
    const { position, limits } = this.context.market;
    const feeRateBps = this.#isTake ? limits.feeRateBps : 0;
    const held = sign === 1 ? position.no - this.#others.sellingNo : position.yes - this.#others.sellingYes;
    const sold = sign === 1 ? this.granted.sellingNo : this.granted.sellingYes;
    const bought = unchecked.shares(Math.max(0, shares - (Math.max(0, held) - sold)));
    const bet = costAt(bought, legPrice(sign, price));
    const cost = costAt(shares, legPrice(sign, worstRestingPrice)) + takerFee(feeRateBps, shares, price);
    const reserve = bet + takerFee(feeRateBps, bought, price);
    const worstLoss = this.worstLossWith(
      this.#cost(1) + (sign === 1 ? cost : 0),
      this.#cost(-1) + (sign === -1 ? cost : 0),
    );
    return { isTake: this.#isTake, sign, price, shares, cost, worstLoss, bought, bet, reserve };
  }

  /** Returns the cost of a side's other orders and granted quotes, micro-USD. */
  #cost(sign: Sign): number {
    return this.#others.side(sign).cost + this.granted.side(sign).cost;
  }

  /** Returns the first refusal. This order decides the code, not the order of `LIMITS`. */
  #findRefusal(candidate: Candidate): Refused | undefined {
    const { market, limits } = this.context;
    return (
      orderRefusal(candidate, market, limits) ??
      this.#checkSelfTrade(candidate) ??
      this.#checkMaxPosition(candidate) ??
      this.#checkMaxNotional(candidate) ??
      this.#checkMaxTotalNotional(candidate) ??
      this.#checkMaxEventNotional(candidate) ??
      this.#checkExposureLimit(candidate) ??
      this.#checkFunds(candidate) ??
      this.#checkMaxOpenOrders(candidate)
    );
  }

  /**
   * Refuses a quote or take that could trade with an own order or a granted quote of any strategy and outcome; bps in
   * YES terms. A take is compared with every own order, including the orders of the strategy that takes.
   */
  #checkSelfTrade({ sign, price }: Candidate): Refused | undefined {
    const opposite = sign === 1 ? -1 : 1;
    const others = this.#others.side(opposite).best;
    const granted = this.granted.side(opposite).best;
    const oppositePrice = sign === 1 ? Math.min(others, granted) : Math.max(others, granted);
    return sign * (oppositePrice - price) > 0 ? undefined : this.#refuse('SELF_TRADE', oppositePrice, price);
  }

  /** Checks `max_position`: |YES - NO| in micro-shares after all orders of the side fill. */
  #checkMaxPosition({ sign, shares }: Candidate): Refused | undefined {
    const { limits, market } = this.context;
    return this.#refuseAbove(
      'MAX_POSITION',
      limits.maxPosition,
      sign * market.position.net + this.openShares(sign) + shares,
    );
  }

  /** Checks `max_notional_usd`: the market's worst-case loss in micro-USD. An inexact value exceeds every limit. */
  #checkMaxNotional({ worstLoss }: Candidate): Refused | undefined {
    const limit = Math.min(this.context.limits.maxNotional, Number.MAX_SAFE_INTEGER);
    return worstLoss > this.#worstLoss ? this.#refuseAbove('MAX_MARKET_NOTIONAL', limit, worstLoss) : undefined;
  }

  /** Checks `max_total_notional_usd`: the sum of the worst cases of all markets, micro-USD. */
  #checkMaxTotalNotional({ worstLoss }: Candidate): Refused | undefined {
    const limit = this.context.limits.maxTotalNotional;
    if (worstLoss <= this.#worstLoss || worstLoss + this.#sumOtherMarkets().worstLoss <= limit) return undefined;
    return this.#refuseAbove('MAX_TOTAL_NOTIONAL', limit, worstLoss + this.#sumOtherMarkets('refreshed').worstLoss);
  }

  /** Checks `max_event_notional_usd`: the worst case over the markets of the event, micro-USD. */
  #checkMaxEventNotional(candidate: Candidate): Refused | undefined {
    const limit = this.context.limits.maxEventNotional;
    if (limit === Number.POSITIVE_INFINITY || this.context.market.info.eventId === undefined) return undefined;
    if (this.#eventWorstLoss(candidate) <= limit) return undefined;
    this.#sumOtherMarkets('refreshed');
    const loss = this.#eventWorstLoss(candidate);
    return loss > this.#eventWorstLoss(undefined) ? this.#refuseAbove('MAX_EVENT_NOTIONAL', limit, loss) : undefined;
  }

  /** Returns the event's worst case with a candidate, or without one if `candidate` is undefined; micro-USD. */
  #eventWorstLoss(candidate: Candidate | undefined): number {
    const { commitments, market, view } = this.context;
    const [bid, ask] =
      candidate === undefined ? [0, 0] : candidate.sign === 1 ? [candidate.cost, 0] : [0, candidate.cost];
    const marketLosses = { ifNo: this.#ifNo + this.#cost(1) + bid, ifYes: this.#ifYes + this.#cost(-1) + ask };
    return commitments.eventWorstLoss(market.info, marketLosses, view);
  }

  /**
   * Checks the venue's limit on the account's exposure in the market (docs/spec/venue.md#limits), micro-USD. The
   * exposure is coarser than the worst case.
   */
  #checkExposureLimit({ bought, reserve }: Candidate): Refused | undefined {
    if (bought === 0) return undefined;
    const { position, limits } = this.context.market;
    const reserves = unchecked.usd(this.#others.reserve + this.granted.reserve + reserve);
    return this.#refuseAbove('EXPOSURE_LIMIT', limits.maxExposure, venueExposure(position, reserves));
  }

  /**
   * Checks the cash for the shares to buy, micro-USD. A take needs cash for all shares. A quote needs only the cash for
   * the venue's smallest BUY, because execution distributes the cash among the quotes and keeps resting orders.
   * Refusing the whole quote would cancel its resting orders. Instances that share cash would then cancel each other's
   * orders again and again.
   */
  #checkFunds(candidate: Candidate): Refused | undefined {
    const { isTake, sign, price, bought, shares, reserve } = candidate;
    if (bought === 0 || (!isTake && bought < shares)) return undefined;
    const { market } = this.context;
    const needed = isTake ? reserve : costAt(minimumBuy(candidate, market), legPrice(sign, price));
    return this.#refuseAbove('INSUFFICIENT_BALANCE', this.#funds, needed);
  }

  /**
   * Checks `max_open_orders` of the account, except for takes. This check counts one order per quote. The planner
   * counts the orders that a quote needs.
   */
  #checkMaxOpenOrders({ isTake }: Candidate): Refused | undefined {
    const { maxOpenOrders } = this.context.limits;
    const orders = this.#others.orders + this.granted.orders + 1;
    if (isTake || orders + this.#sumOtherMarkets().orders <= maxOpenOrders) return undefined;
    return this.#refuseAbove('MAX_OPEN_ORDERS', maxOpenOrders, orders + this.#sumOtherMarkets('refreshed').orders);
  }

  /** Returns the usage of the other markets. `refreshed` first recalculates all markets, at most once per intent. */
  #sumOtherMarkets(sums: 'current' | 'refreshed' = 'current') {
    const { commitments, market, view } = this.context;
    if (sums === 'refreshed' && !this.#hasRefreshed) commitments.refresh(view);
    this.#hasRefreshed ||= sums === 'refreshed';
    return commitments.sumOtherMarkets(market.info.market, view);
  }

  #refuseAbove(code: RiskCode, limit: number, actual: number): Refused | undefined {
    return actual > limit ? this.#refuse(code, limit, actual) : undefined;
  }

  #refuse(code: RiskCode, limit: number, actual: number): Refused {
    return refusal(this.context.market.info.market, code, limit, actual);
  }
}
