/** Fees (docs/spec/models.md#fee-schedules), commission, and refunds of a cancelled market, in exact integers. */
import { unchecked } from './unchecked.ts';
import { lotsOf, type MicroShares, type MicroUsd, mulDivCeil, type PriceBps, ZERO_USD } from './units.ts';

/** The highest taker fee rate that the exchange contract allows (docs/spec/venue.md#reserves), bps. */
export const MAX_FEE_BPS = 1_000;

/** Replaces an invalid fee rate such as null, -1 or 65535. It exceeds every limit, so that no order is signed. */
export const INVALID_FEE_BPS = 10_001;

/** Returns a venue's fee rate if it is an integer from 0 to 10000, otherwise `INVALID_FEE_BPS`. */
export function feeRateBps(value: unknown): number {
  const isRate = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000;
  return isRate ? value : INVALID_FEE_BPS;
}

/**
 * Computes the taker fee of a fill, rounded **down** (docs/spec/venue.md#reserves), micro-USD:
 * `rateBps * lots * p * (10000 - p) / 10^8`. @param rateBps from 0 to 10001 (`INVALID_FEE_BPS`)
 */
export function takerFee(rateBps: number, shares: MicroShares, price: PriceBps): MicroUsd {
  if (rateBps === 0) return ZERO_USD;
  const perLot = rateBps * price * (10_000 - price);
  const product = perLot * lotsOf(shares);
  if (Number.isSafeInteger(product)) return unchecked.usd(Math.floor(product / 100_000_000));
  return unchecked.usd(Number((BigInt(perLot) * BigInt(lotsOf(shares))) / 100_000_000n));
}

/** Computes the commission on a market's net winnings, rounded **up** (docs/spec/models.md#fees-commission-rewards). */
export function commission(rateBps: number, marketPnl: MicroUsd): MicroUsd {
  return marketPnl <= 0 ? ZERO_USD : unchecked.usd(mulDivCeil(marketPnl, rateBps, 10_000));
}

/**
 * Computes the refunds of a cancelled market (docs/spec/venue.md#refunds-of-a-cancelled-market), without fees. Accounts
 * with a positive net payment share the collateral in proportion, rounded **down**. The largest remainders get one of
 * the remaining micro-USD each; ties go to the earlier account.
 * @param netPaid net cash paid in per account, without fees, ordered by address; negative if the account took cash out
 * @returns refunds in the same order. Their sum is the collateral, and no refund exceeds its account's payment
 * @throws RangeError if the payments do not add up to the collateral
 */
export function refunds(collateral: MicroUsd, netPaid: readonly MicroUsd[]): readonly MicroUsd[] {
  const net = netPaid.reduce((sum, paid) => sum + BigInt(paid), 0n);
  if (net !== BigInt(collateral))
    throw new RangeError(`Invariant: accounts paid ${net} micro-USD into a market that holds ${collateral}`);
  const claims = netPaid.map((paid) => (paid > 0 ? BigInt(paid) : 0n));
  const total = claims.reduce((sum, claim) => sum + claim, 0n);
  if (total === 0n) return netPaid.map(() => ZERO_USD);
  const products = claims.map((claim) => claim * BigInt(collateral));
  const floors = products.map((product) => product / total);
  const left = Number(BigInt(collateral) - floors.reduce((sum, floor) => sum + floor, 0n));
  const byRemainder = products
    .map((product, account) => ({ account, remainder: product % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.account - b.account : a.remainder < b.remainder ? 1 : -1));
  const roundedUp = new Set(byRemainder.slice(0, left).map(({ account }) => account));
  return floors.map((floor, account) => unchecked.usd(Number(floor) + (roundedUp.has(account) ? 1 : 0)));
}

/** 10 micro-USD in units of 10^-8 micro-USD, because Polymarket's fees have five decimals. */
const POLYMARKET_STEP = 1_000_000_000n;
/** The square of a dollar in bps, which is the unit of `p * (10000 - p)`. */
const FULL_BPS_SQUARED = 100_000_000n;
/** 100 micro-USD in units of 10^-8 micro-USD, because Kalshi's trade fees have four decimals. */
const KALSHI_STEP = 10_000_000_000n;

/** Returns rate times shares times p(1-p), in 10^-8 micro-USD. @param rateBps an integer from 0 */
export function feeUnits(rateBps: number, shares: MicroShares, price: PriceBps): bigint {
  return BigInt(rateBps) * BigInt(lotsOf(shares)) * BigInt(price) * BigInt(10_000 - price);
}

/**
 * Computes the taker fee of a fill: rate times shares times (p(1-p))^exponent, rounded to the **nearest** $0.00001,
 * halves **up**. A fee below $0.00001 is 0.
 * @param exponent an integer from 0, which the venue states with each market's rate
 */
export function polymarketFee(rateBps: number, shares: MicroShares, price: PriceBps, exponent = 1): MicroUsd {
  let units = BigInt(rateBps) * BigInt(lotsOf(shares));
  let step = POLYMARKET_STEP / FULL_BPS_SQUARED;
  for (let factor = 0; factor < exponent; factor += 1) {
    units *= BigInt(price) * BigInt(10_000 - price);
    step *= FULL_BPS_SQUARED;
  }
  if (units < step) return ZERO_USD;
  return unchecked.usd(Number((units + step / 2n) / step) * 10);
}

/** Computes the trade fee of a fill, rounded **up** to $0.0001, before the rounding of the balance. */
export function kalshiTradeFee(rateBps: number, shares: MicroShares, price: PriceBps): MicroUsd {
  const units = feeUnits(rateBps, shares, price);
  return unchecked.usd(Number((units + KALSHI_STEP - 1n) / KALSHI_STEP) * 100);
}

/**
 * Computes Kalshi's fees for the fills of one order, including the rounding of the balance. A fill changes the balance
 * by its revenue minus its trade fee, rounded **down** to the precision of the account. What is cut off is a
 * rounding fee. When the sum of an order's rounding fees exceeds a cent, Kalshi returns a cent.
 */
export class KalshiRounding {
  readonly #precision: number;
  #roundingSum = 0;

  /** @param precision precision of the balance in micro-USD: 10000, or 100 for members */
  constructor(precision: number) {
    this.#precision = precision;
  }

  /** Returns the total fee of the next fill, at least 0. @param revenue cash before fees: negative for a BUY */
  nextFee(revenue: MicroUsd, tradeFee: MicroUsd): MicroUsd {
    const change = revenue - tradeFee;
    const rounding = change - Math.floor(change / this.#precision) * this.#precision;
    this.#roundingSum += rounding;
    const returned = this.#roundingSum > 10_000 ? 10_000 : 0;
    this.#roundingSum -= returned;
    return unchecked.usd(Math.max(0, tradeFee + rounding - returned));
  }
}
