import {
  commission,
  InputFault,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  type OrderFilled,
  ZERO_USD,
} from '../../domain/index.ts';

/** Fees of takers and commission of winners (docs/spec/models.md#fees-commission-rewards). */
export interface FeeModel {
  readonly assumption: string;
  /** Taker fee rate by the exchange's rule, 0..1000 bps. */
  readonly rateBps: number;
  /** Commission on net winnings of a market at settlement. */
  commission(marketPnl: MicroUsd, market: MarketNo): MicroUsd;
  /** Fee of one own fill, not negative; absent if the exchange's rule applies. Called once a fill, in order. */
  fillFee?(fill: FeeFill): MicroUsd;
  /** Makers' share of the taker fees on their fills: fee rate and share, bps. Absent for none. */
  readonly rebate?: { readonly rateBps: number; readonly shareBps: number };
}

/** Inputs of a fee. `price` is in the terms of the order's outcome. */
export interface FeeFill extends Pick<OrderFilled, 'order' | 'market' | 'side' | 'liquidity' | 'price' | 'shares'> {
  /** Remaining size of the order after the fill. */
  readonly remaining: MicroShares;
}

/** No trading fees: assumes a venue with other income. `withCommission` adds the commission of winners. */
export function noFees(): FeeModel {
  return {
    assumption: 'Fees: none on trades.',
    rateBps: 0,
    commission: () => ZERO_USD,
  };
}

/**
 * Takers pay `floor(rateBps * lots * p * (10000 - p) / 10^8)` micro-USD a fill, makers nothing
 * (docs/spec/venue.md#reserves, docs/spec/models.md#fees-commission-rewards). Assumes one rate for the whole
 * run.
 * @param rateBps 0..1000
 * @throws InputFault for a rate outside that range
 */
export function takerFees(rateBps: number): FeeModel {
  checkRate('taker fee rate', rateBps, 1_000);
  return {
    assumption: `Fees: takers pay ${rateBps} bps of p(1-p) a share, makers nothing.`,
    rateBps,
    commission: () => ZERO_USD,
  };
}

/**
 * Adds commission on net winnings of a market, once, at its settlement (Betfair;
 * docs/spec/models.md#fees-commission-rewards).
 *
 * Assumes the base rate of the market: no discounts, no premium charges.
 * @param rates 0..10000 bps, one for all markets or one a market in the order of their numbers
 * @throws InputFault for a rate outside that range
 */
export function withCommission(fees: FeeModel, rates: number | readonly number[]): FeeModel {
  const list = typeof rates === 'number' ? [rates] : rates;
  for (const each of list) checkRate('commission', each, 10_000);
  const rateOf = (market: MarketNo): number => (typeof rates === 'number' ? rates : (rates[market] ?? 0));
  return {
    ...fees,
    assumption: `${fees.assumption} Commission: ${formatRates(list)} of a market's net winnings at settlement, no discounts.`,
    commission: (marketPnl, market) => commission(rateOf(market), marketPnl),
  };
}

function checkRate(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new InputFault(name, value, `whole basis points from 0 to ${max}`);
  }
}

function formatRates(rates: readonly number[]): string {
  const min = Math.min(...rates) / 100;
  const max = Math.max(...rates) / 100;
  return min === max ? `${max} %` : `${min} to ${max} %`;
}
