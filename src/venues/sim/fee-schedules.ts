/** Fee models of Polymarket and Kalshi (docs/spec/models.md#fee-schedules). */
import {
  column,
  costAt,
  KalshiRounding,
  kalshiTradeFee,
  type MicroUsd,
  negUsd,
  type OrderNo,
  polymarketFee,
  ZERO_USD,
} from '../../domain/index.ts';
import type { FeeModel } from './fees.ts';

/**
 * Polymarket's fees: takers pay `rate * shares * p(1-p)`, to the nearest $0.00001. Each UTC day the venue pays makers a
 * part of the taker fees on their fills.
 *
 * Assumes one rate for all markets and days, and that every taker of our quotes pays the fee.
 * @param rateBps 0..1000 @param rebateBps part of the fees that makers get, 0..10000
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
 * Kalshi's fees: trade fees are rounded up to $0.0001, and the balance is rounded down to its precision.
 *
 * Assumes one rate for all markets, without waivers.
 * @param takerBps 0..1000 @param makerBps 0..1000 @param precision of the balance, micro-USD
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
      return rounding.feeOf(column.usd(revenue), kalshiTradeFee(rate, shares, price));
    },
  };
}
