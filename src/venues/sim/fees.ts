/** Fee models. `simOptionsSchema` has checked their rates. */
import {
  commission,
  costAt,
  KalshiRounding,
  kalshiTradeFee,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  negUsd,
  type OrderFilled,
  type OrderNo,
  polymarketFee,
  unchecked,
  ZERO_USD,
} from '../../domain/index.ts';

/** A venue's trading fees and its commission on winnings (docs/spec/models.md#fees-commission-rewards). */
export interface FeeModel {
  readonly assumption: string;
  /** Taker fee rate by the exchange's rule, 0..1000 bps. */
  readonly rateBps: number;
  /** Returns the commission on a market's net winnings at settlement. */
  commission(marketPnl: MicroUsd, market: MarketNo): MicroUsd;
  /** Returns an own fill's fee, not negative; absent if the exchange's rule applies. Called once per fill, in order. */
  fillFee?(fill: FeeFill): MicroUsd;
  /** Makers get `shareBps` of the taker fees on their fills, which follow from `rateBps`. Absent without a rebate. */
  readonly rebate?: { readonly rateBps: number; readonly shareBps: number };
}

/** Inputs of a fee. `price` is in the terms of the order's outcome. */
export interface FeeFill extends Pick<OrderFilled, 'order' | 'market' | 'side' | 'liquidity' | 'price' | 'shares'> {
  /** Remaining size of the order after the fill. */
  readonly remaining: MicroShares;
}

/** Creates a model without fees on trades. `withCommission` can add a commission on winnings. */
export function noFees(): FeeModel {
  return { assumption: 'Fees: none on trades.', rateBps: 0, commission: () => ZERO_USD };
}

/**
 * Creates a model in which takers pay `floor(rateBps * lots * p * (10000 - p) / 10^8)` micro-USD a fill, and makers
 * nothing (docs/spec/venue.md#reserves). Assumes one rate for the whole run.
 * @param rateBps 0..1000
 */
export function takerFees(rateBps: number): FeeModel {
  return {
    assumption: `Fees: takers pay ${rateBps} bps of p(1-p) a share, makers nothing.`,
    rateBps,
    commission: () => ZERO_USD,
  };
}

/**
 * Creates a model of Polymarket's fees (docs/spec/models.md#fee-schedules). Takers pay `rate * shares * p(1-p)`,
 * rounded to the nearest $0.00001. Each UTC day, the venue pays makers a part of the taker fees on their fills.
 *
 * Assumes one rate for all markets and days, and that every taker of own quotes pays the fee.
 * @param rateBps 0..1000
 * @param rebateBps part of the fees that makers get, 0..10000
 */
export function polymarketFees(rateBps: number, rebateBps: number): FeeModel {
  return {
    assumption: `Fees: as Polymarket, takers pay ${rateBps} bps of p(1-p) a share, makers nothing; makers get ${rebateBps / 100} % of the fees on their fills, by the day.`,
    rateBps,
    commission: () => ZERO_USD,
    fillFee: ({ liquidity, shares, price }) =>
      liquidity === 'taker' ? polymarketFee(rateBps, shares, price) : ZERO_USD,
    ...(rebateBps > 0 && { rebate: { rateBps, shareBps: rebateBps } }),
  };
}

/**
 * Creates a model of Kalshi's fees (docs/spec/models.md#fee-schedules). Trade fees are rounded up to $0.0001. The
 * balance is rounded down to its precision. Assumes one rate for all markets, without waivers.
 * @param takerBps 0..1000
 * @param makerBps 0..1000
 * @param precision unit of the balance, micro-USD
 */
export function kalshiFees(takerBps: number, makerBps: number, precision: number): FeeModel {
  const orders = new Map<OrderNo, KalshiRounding>();
  return {
    assumption: `Fees: as Kalshi, takers pay ${takerBps} bps of p(1-p) a share, makers ${makerBps}, rounded up to $0.0001 and by fill to $${precision / 1_000_000}.`,
    rateBps: takerBps,
    commission: () => ZERO_USD,
    fillFee: ({ order, side, liquidity, price, shares, remaining }) => {
      const rate = liquidity === 'taker' ? takerBps : makerBps;
      if (rate === 0) return ZERO_USD;
      const rounding = orders.get(order) ?? new KalshiRounding(precision);
      if (remaining === 0) orders.delete(order);
      else orders.set(order, rounding);
      const cost = costAt(shares, price);
      const revenue: MicroUsd = side === 'BUY' ? negUsd(cost) : cost;
      return rounding.nextFee(unchecked.usd(revenue), kalshiTradeFee(rate, shares, price));
    },
  };
}

/**
 * Adds commission on a market's net winnings at settlement (Betfair; docs/spec/models.md#fees-commission-rewards).
 * Assumes the market's base rate, without discounts and premium charges.
 * @param rates 0..10000 bps: one rate for all markets, or a rate per market in the order of their numbers
 */
export function withCommission(fees: FeeModel, rates: number | readonly number[]): FeeModel {
  const shownRates = typeof rates === 'number' ? [rates] : rates;
  const findRate = (market: MarketNo): number => (typeof rates === 'number' ? rates : (rates[market] ?? 0));
  return {
    ...fees,
    assumption: `${fees.assumption} Commission: ${formatRates(shownRates)} of a market's net winnings at settlement, no discounts.`,
    commission: (marketPnl, market) => commission(findRate(market), marketPnl),
  };
}

function formatRates(rates: readonly number[]): string {
  const min = Math.min(...rates) / 100;
  const max = Math.max(...rates) / 100;
  return min === max ? `${max} %` : `${min} to ${max} %`;
}
