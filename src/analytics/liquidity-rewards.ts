/** Estimates rewards for orders near the mid, once a minute (docs/spec/models.md#fees-commission-rewards). */
import { DAY_MS, SHARE } from '../domain/index.ts';
import type { MeasuredOrder } from './measure-types.ts';

export interface RewardTerms {
  /** Micro-USD per day for all makers of one market. */
  readonly microsPerDay: number;
  /** Distance from the mid, bps, at and beyond which an order scores 0. */
  readonly maxSpreadBps: number;
  /** Micro-shares. Smaller orders score nothing and do not affect the mid. */
  readonly minShares: number;
  /** Factor of every score, which does not affect a maker's share of the rewards. Usually 1. */
  readonly multiplier: number;
}

/** Price in bps in YES terms, size in micro-shares. */
export interface RewardLevel {
  readonly price: number;
  readonly shares: number;
}

interface RewardLevels {
  readonly bids: readonly RewardLevel[];
  readonly asks: readonly RewardLevel[];
}

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1_440;
/** Divides the score of one-sided quotes, which score only while the mid is between 10 and 90 cents. */
const ONE_SIDED_DIVISOR = 3;
const [MIN_ONE_SIDED_MID, MAX_ONE_SIDED_MID] = [1_000, 9_000];
/** A day with a smaller total, in micro-USD, pays nothing. */
const MIN_PAID = 1_000_000;

/** Computes one maker's score. @param mid bps */
export function rewardScore({ bids, asks }: RewardLevels, mid: number, terms: RewardTerms): number {
  const [bid, ask] = [sideScore(bids, mid, terms), sideScore(asks, mid, terms)];
  const twoSided = Math.min(bid, ask);
  return mid < MIN_ONE_SIDED_MID || mid > MAX_ONE_SIDED_MID
    ? twoSided
    : Math.max(twoSided, Math.max(bid, ask) / ONE_SIDED_DIVISOR);
}

function sideScore(levels: readonly RewardLevel[], mid: number, terms: RewardTerms): number {
  const { maxSpreadBps, minShares, multiplier } = terms;
  let score = 0;
  for (const { price, shares } of levels) {
    const distance = Math.abs(price - mid);
    if (shares < minShares || distance >= maxSpreadBps) continue;
    const proximity = (maxSpreadBps - distance) / maxSpreadBps;
    score += proximity * proximity * multiplier * (shares / SHARE);
  }
  return score;
}

export class LiquidityRewards {
  readonly #terms: RewardTerms;
  #minute = Number.NaN;
  #rewardShare = 0;
  /** Sum of the sampled reward shares, by UTC day. */
  readonly #days = new Map<number, number>();

  constructor(terms: RewardTerms) {
    this.#terms = terms;
  }

  isDue(time: number): boolean {
    return Math.floor(time / MINUTE_MS) !== this.#minute;
  }

  /**
   * Call this when orders or the book changed, or a sample is due. Minutes without a call repeat the last reward share.
   * @param isOpen whether the market accepts orders
   * @param others levels of all other makers, best first
   */
  update(time: number, isOpen: boolean, others: RewardLevels, orders: readonly MeasuredOrder[]): void {
    const isDue = this.isDue(time);
    this.addUntil(time);
    this.#rewardShare = isOpen ? this.#computeRewardShare(others, orders) : 0;
    if (isDue) this.#add(time);
  }

  /** Returns micro-USD by UTC day (days since 1970), rounded **down**. */
  byDay(): ReadonlyMap<number, number> {
    const { microsPerDay } = this.#terms;
    return new Map([...this.#days].map(([day, sum]) => [day, Math.floor((sum / MINUTES_PER_DAY) * microsPerDay)]));
  }

  /** Adds the samples of the minutes before `time`. */
  addUntil(time: number): void {
    const minute = Math.floor(time / MINUTE_MS);
    for (let missed = this.#minute + 1; missed < minute; missed += 1) this.#add(missed * MINUTE_MS);
    this.#minute = minute;
  }

  #add(time: number): void {
    const day = Math.floor(time / DAY_MS);
    this.#days.set(day, (this.#days.get(day) ?? 0) + this.#rewardShare);
  }

  #computeRewardShare(others: RewardLevels, orders: readonly MeasuredOrder[]): number {
    const resting = orders.filter(({ phase, rests }) => phase !== 'new' && rests);
    const toLevels = (sign: number): readonly RewardLevel[] =>
      resting
        .filter((order) => order.sign === sign)
        .map(({ yesPrice, remaining }) => ({ price: yesPrice, shares: remaining }));
    const [bids, asks] = [toLevels(1), toLevels(-1)];
    const mid = this.#mid([...others.bids, ...bids], [...others.asks, ...asks]);
    if (mid === undefined) return 0;
    const own = rewardScore({ bids, asks }, mid, this.#terms);
    const other = rewardScore(others, mid, this.#terms);
    return own === 0 ? 0 : own / (own + other);
  }

  /** Returns the mid of the best bid and ask of sufficient size in bps; undefined without such a bid or ask. */
  #mid(bids: readonly RewardLevel[], asks: readonly RewardLevel[]): number | undefined {
    const { minShares } = this.#terms;
    const isLargeEnough = ({ shares }: RewardLevel): boolean => shares >= minShares;
    const bid = bids.filter(isLargeEnough).reduce((best, { price }) => Math.max(best, price), 0);
    const ask = asks.filter(isLargeEnough).reduce((best, { price }) => Math.min(best, price), Number.POSITIVE_INFINITY);
    return bid > 0 && Number.isFinite(ask) ? (bid + ask) / 2 : undefined;
  }
}

/** Returns each market's rewards in micro-USD. A day on which all markets together earn less than $1 pays nothing. */
export function paidRewards(markets: readonly LiquidityRewards[]): readonly number[] {
  const byMarket = markets.map((market) => market.byDay());
  const totals = new Map<number, number>();
  for (const days of byMarket) for (const [day, micros] of days) totals.set(day, (totals.get(day) ?? 0) + micros);
  return byMarket.map((days) =>
    [...days].reduce((sum, [day, micros]) => sum + ((totals.get(day) ?? 0) >= MIN_PAID ? micros : 0), 0),
  );
}
