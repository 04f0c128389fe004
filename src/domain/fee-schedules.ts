/**
 * Fees of venues with other rules than the built-in exchange, in exact integers (docs/spec/models.md#fee-schedules).
 *
 * With `N = rateBps * lots * p * (10000 - p)`, a fee without rounding is `N / 10^8` micro-USD.
 */
import { column, lotsOf, type MicroShares, type MicroUsd, type PriceBps, ZERO_USD } from './units.ts';

/** Polymarket's fees have five decimals: steps of 10 micro-USD. */
const POLYMARKET_STEP = 1_000_000_000n;
/** A dollar in bps, squared: 1 in units of p(1-p). */
const ONE_SQUARED = 100_000_000n;
/** Kalshi's trade fees have four: steps of 100 micro-USD. */
const KALSHI_STEP = 10_000_000_000n;

/** Rate times shares times p(1-p), in 10^-8 micro-USD. @param rateBps whole, not negative */
export function feeUnits(rateBps: number, shares: MicroShares, price: PriceBps): bigint {
  return BigInt(rateBps) * BigInt(lotsOf(shares)) * BigInt(price) * BigInt(10_000 - price);
}

/**
 * Taker fee of one fill, rate times shares times (p(1-p))^exponent: rounded to the **nearest** $0.00001, halves **up**; 0 for
 * less than $0.00001.
 * @param exponent whole, from 0; the venue states it with the rate of each market
 */
export function polymarketFee(rateBps: number, shares: MicroShares, price: PriceBps, exponent = 1): MicroUsd {
  let units = BigInt(rateBps) * BigInt(lotsOf(shares));
  let step = POLYMARKET_STEP / ONE_SQUARED;
  for (let factor = 0; factor < exponent; factor += 1) {
    units *= BigInt(price) * BigInt(10_000 - price);
    step *= ONE_SQUARED;
  }
  if (units < step) return ZERO_USD;
  return column.usd(Number((units + step / 2n) / step) * 10);
}

/** Trade fee of one fill, rounded **up** to $0.0001, before the rounding of the balance. */
export function kalshiTradeFee(rateBps: number, shares: MicroShares, price: PriceBps): MicroUsd {
  const units = feeUnits(rateBps, shares, price);
  return column.usd(Number((units + KALSHI_STEP - 1n) / KALSHI_STEP) * 100);
}

/**
 * Kalshi's rounding of the balance, for the fills of one order. A fill changes the balance by its revenue minus its trade
 * fee, rounded **down** to the precision of the account. The difference is a rounding fee. When the sum of an order's
 * rounding fees exceeds a cent, a cent is returned.
 */
export class KalshiRounding {
  readonly #precision: number;
  #sum = 0;

  /** @param precision micro-USD: 10000, or 100 for members */
  constructor(precision: number) {
    this.#precision = precision;
  }

  /** Total fee of a fill, not negative. @param revenue cash before fees: negative for a BUY, positive for a SELL */
  feeOf(revenue: MicroUsd, tradeFee: MicroUsd): MicroUsd {
    const change = revenue - tradeFee;
    const rounding = change - Math.floor(change / this.#precision) * this.#precision;
    this.#sum += rounding;
    const back = this.#sum > 10_000 ? 10_000 : 0;
    this.#sum -= back;
    return column.usd(Math.max(0, tradeFee + rounding - back));
  }
}
