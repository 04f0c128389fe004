/**
 * Fills and P&L by strategy. P&L in a market is the cash flow of the strategy's fills, minus fees, plus the position's
 * value at the mark or the payout. A cancelled market refunds everything, so its P&L is 0. Splits, merges and claims
 * have no P&L. Commission, rewards and fills of external orders belong to no strategy.
 */
import {
  costAt,
  type DoubleMid,
  type FillReversed,
  FULL_BPS,
  LOT,
  type MarketNo,
  type OrderFilled,
} from '../domain/index.ts';

/** The result of a strategy's instances in all markets. `shares` counts micro-shares. */
export interface StrategyResult {
  readonly name: string;
  readonly fills: number;
  readonly makerFills: number;
  readonly shares: number;
  /** 0 or negative. */
  readonly feesMicros: number;
  /** P&L after fees, rounded **down**. */
  readonly pnlMicros: number;
}

/** The value of a YES share. */
export interface MarketValue {
  /** Undefined before the first book. */
  readonly mark: DoubleMid | undefined;
  /** Payout of a YES share in bps; undefined until the market is final. */
  readonly settlement: number | 'CANCELLED' | undefined;
}

interface Sum {
  fills: number;
  makerFills: number;
  shares: number;
  yesLots: number;
  noLots: number;
  /** Micro-USD, before fees. */
  cash: number;
  fees: number;
}

type FillTerms = Pick<
  OrderFilled | FillReversed,
  'type' | 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee' | 'liquidity'
>;

/** Plain data for JSON. */
export interface StrategyTotalsSnapshot {
  readonly sums: readonly (Readonly<Sum> & { readonly name: string; readonly market: MarketNo })[];
}

export class StrategyTotals {
  /** By name, then by market. */
  readonly #sums = new Map<string, Map<MarketNo, Sum>>();

  constructor(snapshot?: StrategyTotalsSnapshot) {
    for (const { name, market, ...sum } of snapshot?.sums ?? []) this.#getMarkets(name).set(market, sum);
  }

  /** Adds a fill or a reversal. @param name the order's strategy */
  addFill(name: string, { type, market, outcome, side, price, shares, fee, liquidity }: FillTerms): void {
    const factor = type === 'orderFilled' ? 1 : -1;
    const markets = this.#getMarkets(name);
    const sum = markets.get(market) ?? { fills: 0, makerFills: 0, shares: 0, yesLots: 0, noLots: 0, cash: 0, fees: 0 };
    markets.set(market, sum);
    const sign = side === 'BUY' ? factor : -factor;
    sum.fills += factor;
    if (liquidity === 'maker') sum.makerFills += factor;
    sum.shares += factor * shares;
    sum.cash -= sign * costAt(shares, price);
    sum.fees += factor * fee;
    if (outcome === 'YES') sum.yesLots += (sign * shares) / LOT;
    else sum.noLots += (sign * shares) / LOT;
  }

  /** Returns a row for each of `names`, then a row for each other strategy that traded. */
  results(names: readonly string[], getValue: (market: MarketNo) => MarketValue): readonly StrategyResult[] {
    return [...new Set([...names, ...this.#sums.keys()])].map((name) => {
      const result = { name, fills: 0, makerFills: 0, shares: 0, feesMicros: 0 };
      let halfMicros = 0;
      for (const [market, sum] of this.#sums.get(name) ?? []) {
        result.fills += sum.fills;
        result.makerFills += sum.makerFills;
        result.shares += sum.shares;
        result.feesMicros -= sum.fees;
        halfMicros += computePnlHalfMicros(sum, getValue(market));
      }
      return { ...result, pnlMicros: Math.floor(halfMicros / 2) };
    });
  }

  snapshot(): StrategyTotalsSnapshot {
    return {
      sums: [...this.#sums].flatMap(([name, sums]) => [...sums].map(([market, sum]) => ({ name, market, ...sum }))),
    };
  }

  #getMarkets(name: string): Map<MarketNo, Sum> {
    const existing = this.#sums.get(name);
    if (existing !== undefined) return existing;
    const markets = new Map<MarketNo, Sum>();
    this.#sums.set(name, markets);
    return markets;
  }
}

/** Returns the exact P&L in half micro-USD: a lot costs 1 micro-USD per bp. Returns 0 while there is no mark. */
function computePnlHalfMicros({ yesLots, noLots, cash, fees }: Sum, { mark, settlement }: MarketValue): number {
  if (settlement === 'CANCELLED') return 0;
  const doublePrice = settlement === undefined ? mark : 2 * settlement;
  if (doublePrice === undefined) return 0;
  return 2 * (cash - fees) + yesLots * doublePrice + noLots * (2 * FULL_BPS - doublePrice);
}
