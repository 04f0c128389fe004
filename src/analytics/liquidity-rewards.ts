/**
 * What a venue would pay for resting orders near the mid (docs/spec/models.md#fees-commission-rewards). An estimate: all
 * others count as one maker, and a sample is taken at the first event of each minute instead of at a random moment.
 */
import { SHARE } from '../domain/index.ts';
import type { MeasuredOrder } from './figures.ts';

export interface RewardTerms {
  /** What the venue pays all makers of one market in a day, micro-USD. */
  readonly microsPerDay: number;
  /** Orders this far from the mid score nothing, bps. */
  readonly maxSpreadBps: number;
  /** Smaller orders score nothing and do not count for the mid, micro-shares. */
  readonly minShares: number;
  /** Multiplies every score, which leaves shares as they are; 1 unless the venue names another one. */
  readonly multiplier: number;
}

/** Price in bps in YES terms, size in micro-shares. */
export interface RewardLevel {
  readonly price: number;
  readonly shares: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_A_DAY = 1_440;
/** Quotes on one side only count for a third, while the mid is between 10 and 90 cents. */
const ONE_SIDED = 3;
const [LOWEST_MID, HIGHEST_MID] = [1_000, 9_000];
/** A day below it is not paid, micro-USD. */
const MIN_PAID = 1_000_000;

/** Score of one maker. @param mid bps */
export function rewardScore(
  bids: readonly RewardLevel[],
  asks: readonly RewardLevel[],
  mid: number,
  terms: RewardTerms,
): number {
  const [bid, ask] = [sideScore(bids, mid, terms), sideScore(asks, mid, terms)];
  const less = Math.min(bid, ask);
  return mid < LOWEST_MID || mid > HIGHEST_MID ? less : Math.max(less, Math.max(bid, ask) / ONE_SIDED);
}

function sideScore(levels: readonly RewardLevel[], mid: number, terms: RewardTerms): number {
  const { maxSpreadBps, minShares, multiplier } = terms;
  let score = 0;
  for (const { price, shares } of levels) {
    const distance = Math.abs(price - mid);
    if (shares < minShares || distance >= maxSpreadBps) continue;
    const near = (maxSpreadBps - distance) / maxSpreadBps;
    score += near * near * multiplier * (shares / SHARE);
  }
  return score;
}

/** Rewards of one market. */
export class LiquidityRewards {
  readonly #terms: RewardTerms;
  #minute = Number.NaN;
  #share = 0;
  /** Sum of the shares of a UTC day's samples, by day. */
  readonly #days = new Map<number, number>();

  constructor(terms: RewardTerms) {
    this.#terms = terms;
  }

  /** Whether a sample is due. Cheap: once an event. */
  isDue(time: number): boolean {
    return Math.floor(time / MINUTE_MS) !== this.#minute;
  }

  /**
   * Orders or book changed, or a sample is due. Minutes since the last call count like it: nothing happened in them.
   * @param others levels of all others, best first
   * @param open whether the market accepts orders
   */
  update(
    time: number,
    open: boolean,
    others: { readonly bids: readonly RewardLevel[]; readonly asks: readonly RewardLevel[] },
    orders: readonly MeasuredOrder[],
  ): void {
    const isDue = this.isDue(time);
    this.#addUntil(time);
    this.#share = open ? this.#shareOf(others, orders) : 0;
    if (isDue) this.#add(time);
  }

  /** The run is over. */
  finish(time: number): void {
    this.#addUntil(time);
  }

  /** Micro-USD by UTC day (days since 1970), rounded **down**. */
  byDay(): ReadonlyMap<number, number> {
    const { microsPerDay } = this.#terms;
    return new Map([...this.#days].map(([day, sum]) => [day, Math.floor((sum / MINUTES_A_DAY) * microsPerDay)]));
  }

  #addUntil(time: number): void {
    const minute = Math.floor(time / MINUTE_MS);
    for (let quiet = this.#minute + 1; quiet < minute; quiet += 1) this.#add(quiet * MINUTE_MS);
    this.#minute = minute;
  }

  #add(time: number): void {
    const day = Math.floor(time / DAY_MS);
    this.#days.set(day, (this.#days.get(day) ?? 0) + this.#share);
  }

  #shareOf(
    others: { readonly bids: readonly RewardLevel[]; readonly asks: readonly RewardLevel[] },
    orders: readonly MeasuredOrder[],
  ): number {
    const resting = orders.filter(({ phase, rests }) => phase !== 'new' && rests);
    const ofSide = (sign: number): readonly RewardLevel[] =>
      resting
        .filter((order) => order.sign === sign)
        .map(({ yesPrice, remaining }) => ({ price: yesPrice, shares: remaining }));
    const [bids, asks] = [ofSide(1), ofSide(-1)];
    const mid = this.#mid([...others.bids, ...bids], [...others.asks, ...asks]);
    if (mid === undefined) return 0;
    const own = rewardScore(bids, asks, mid, this.#terms);
    const rest = rewardScore(others.bids, others.asks, mid, this.#terms);
    return own === 0 ? 0 : own / (own + rest);
  }

  /** Half-way between the best bid and the best ask of sufficient size, bps. */
  #mid(bids: readonly RewardLevel[], asks: readonly RewardLevel[]): number | undefined {
    const { minShares } = this.#terms;
    const large = ({ shares }: RewardLevel): boolean => shares >= minShares;
    const bid = bids.filter(large).reduce((best, { price }) => Math.max(best, price), 0);
    const ask = asks.filter(large).reduce((best, { price }) => Math.min(best, price), Number.POSITIVE_INFINITY);
    return bid > 0 && Number.isFinite(ask) ? (bid + ask) / 2 : undefined;
  }
}

/** What days pay by market: a day on which all markets together are below $1 pays nothing. */
export function paidRewards(markets: readonly LiquidityRewards[]): readonly number[] {
  const byMarket = markets.map((market) => market.byDay());
  const ofDay = new Map<number, number>();
  for (const days of byMarket) for (const [day, micros] of days) ofDay.set(day, (ofDay.get(day) ?? 0) + micros);
  return byMarket.map((days) =>
    [...days].reduce((sum, [day, micros]) => sum + ((ofDay.get(day) ?? 0) >= MIN_PAID ? micros : 0), 0),
  );
}
