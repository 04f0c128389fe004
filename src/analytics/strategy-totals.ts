/**
 * Fills and P&L by the strategy whose order traded. In each market a strategy's P&L is the cash that its fills moved,
 * less fees, plus what they left at the mark; in a final market at the payout, and nothing in a cancelled one, which
 * pays all back. Splits, merges and claims move no P&L. Commission, rewards and fills of external orders belong to no
 * strategy.
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

/** Of one strategy over all its markets and instances. */
export interface StrategyResult {
  readonly name: string;
  readonly fills: number;
  readonly makerFills: number;
  /** Micro-shares over all fills. */
  readonly shares: number;
  /** Micro-USD that were paid, as a negative number. */
  readonly feesMicros: number;
  /** Micro-USD after fees, rounded **down**. */
  readonly pnlMicros: number;
}

/** What a share of YES is worth now; undefined before the first book. */
export interface MarketValue {
  readonly mark: DoubleMid | undefined;
  /** Payout of a YES share in bps once the market is final. */
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

/** What counts of a fill, or of its reversal. */
type FillTerms = Pick<
  OrderFilled | FillReversed,
  'type' | 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee' | 'liquidity'
>;

/** Plain data, so that JSON keeps it. */
export interface StrategyTotalsSnapshot {
  readonly sums: readonly (Readonly<Sum> & { readonly name: string; readonly market: MarketNo })[];
}

export class StrategyTotals {
  /** By name, then by market. */
  readonly #sums = new Map<string, Map<MarketNo, Sum>>();

  constructor(snapshot?: StrategyTotalsSnapshot) {
    for (const { name, market, ...sum } of snapshot?.sums ?? []) this.#of(name).set(market, sum);
  }

  /** Counts a fill, or takes one back. @param name of the strategy whose order traded */
  fill(name: string, { type, market, outcome, side, price, shares, fee, liquidity }: FillTerms): void {
    const times = type === 'orderFilled' ? 1 : -1;
    const markets = this.#of(name);
    const sum = markets.get(market) ?? { fills: 0, makerFills: 0, shares: 0, yesLots: 0, noLots: 0, cash: 0, fees: 0 };
    markets.set(market, sum);
    const sign = side === 'BUY' ? times : -times;
    sum.fills += times;
    if (liquidity === 'maker') sum.makerFills += times;
    sum.shares += times * shares;
    sum.cash -= sign * costAt(shares, price);
    sum.fees += times * fee;
    if (outcome === 'YES') sum.yesLots += (sign * shares) / LOT;
    else sum.noLots += (sign * shares) / LOT;
  }

  /** In the order of `names`, each of which has a row; then those that traded and are not among them. */
  results(names: readonly string[], valuationOf: (market: MarketNo) => MarketValue): readonly StrategyResult[] {
    return [...new Set([...names, ...this.#sums.keys()])].map((name) => {
      let result = { name, fills: 0, makerFills: 0, shares: 0, feesMicros: 0 };
      let halves = 0;
      for (const [market, sum] of this.#sums.get(name) ?? []) {
        result = {
          name,
          fills: result.fills + sum.fills,
          makerFills: result.makerFills + sum.makerFills,
          shares: result.shares + sum.shares,
          feesMicros: result.feesMicros - sum.fees,
        };
        halves += pnlHalves(sum, valuationOf(market));
      }
      return { ...result, pnlMicros: Math.floor(halves / 2) };
    });
  }

  snapshot(): StrategyTotalsSnapshot {
    return {
      sums: [...this.#sums].flatMap(([name, markets]) =>
        [...markets].map(([market, sum]) => ({ name, market, ...sum })),
      ),
    };
  }

  #of(name: string): Map<MarketNo, Sum> {
    const known = this.#sums.get(name);
    if (known !== undefined) return known;
    const markets = new Map<MarketNo, Sum>();
    this.#sums.set(name, markets);
    return markets;
  }
}

/** Half micro-USD, exact: a lot at a price in bps is that many micro-USD. Nothing while the market has no mark. */
function pnlHalves({ yesLots, noLots, cash, fees }: Sum, { mark, settlement }: MarketValue): number {
  if (settlement === 'CANCELLED') return 0;
  const double = settlement === undefined ? mark : 2 * settlement;
  if (double === undefined) return 0;
  return 2 * (cash - fees) + yesLots * double + noLots * (2 * FULL_BPS - double);
}
