/**
 * Price and size of an order from its two signed amounts, and the reverse (docs/spec/polymarket.md#units).
 *
 * A BUY gives `makerAmount` micro-USD for `takerAmount` micro-shares, a SELL the reverse. `l` lots at `p` bps are exactly
 * `l * p` micro-USD, so an order that is made here is never rounded.
 */
import { FULL_BPS, LOT, lotsOf, type MicroShares, type PriceBps, type Side } from '../../domain/index.ts';

export interface PolymarketAmounts {
  readonly makerAmount: number;
  readonly takerAmount: number;
}

type SignedAmounts = Readonly<Record<keyof PolymarketAmounts, bigint>>;

/** The amounts of a whole number of lots at a price. */
export function polymarketAmounts(side: Side, shares: MicroShares, price: PriceBps): PolymarketAmounts {
  const dollars = lotsOf(shares) * price;
  return side === 'BUY' ? { makerAmount: dollars, takerAmount: shares } : { makerAmount: shares, takerAmount: dollars };
}

/** Price and size of an order's amounts. */
export interface PolymarketTerms {
  /** Limit in bps, rounded to the tick: **down** for a BUY, **up** for a SELL. 0 and 10000 are not valid prices. */
  readonly price: number;
  /** Returns whether the ratio of the amounts is this price. */
  readonly isExactPrice: boolean;
  /** Micro-shares as signed. */
  readonly signedShares: number;
  /** Micro-shares in whole lots, rounded **down**. */
  readonly shares: number;
}

/** @param amounts positive; @param tickBps divides 10000 */
export function polymarketTerms(
  side: Side,
  { makerAmount, takerAmount }: SignedAmounts,
  tickBps: number,
): PolymarketTerms {
  const [dollars, signed] = side === 'BUY' ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  const step = BigInt(tickBps) * signed;
  const scaled = dollars * BigInt(FULL_BPS);
  const down = scaled / step;
  const isExactPrice = down * step === scaled;
  const ticks = side === 'BUY' || isExactPrice ? down : down + 1n;
  const price = ticks > BigInt(FULL_BPS) ? FULL_BPS : Number(ticks) * tickBps;
  const signedShares = Number(signed);
  return { price, isExactPrice, signedShares, shares: signedShares - (signedShares % LOT) };
}

/**
 * Returns whether the amounts of an order that takes at once have valid decimals, independent of the tick: two for the given
 * amount, four for the received one.
 */
export function areTakerDecimals({ makerAmount, takerAmount }: SignedAmounts): boolean {
  return makerAmount % 10_000n === 0n && takerAmount % 100n === 0n;
}

/** A price in dollars: 5200 is `0.52`. @param bps 0..10000 */
export function priceText(bps: number): string {
  return decimalOf(bps, 4);
}

/** Shares: 40500000 is `40.5`. @param micro whole, not negative */
export function sharesText(micro: number): string {
  return decimalOf(micro, 6);
}

/** Dollars: 5200000 is `5.2`. @param micro whole, not negative */
export function dollarsText(micro: number): string {
  return decimalOf(micro, 6);
}

/** No exponent and no trailing zeros, as Polymarket writes decimals. */
function decimalOf(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}
