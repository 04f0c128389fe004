/**
 * Converts between an order's price and size and its two signed amounts (docs/spec/polymarket.md#units).
 *
 * A BUY gives `makerAmount` micro-USD for `takerAmount` micro-shares. A SELL gives `makerAmount` micro-shares for
 * `takerAmount` micro-USD. `l` lots at `p` bps cost exactly `l * p` micro-USD, so `polymarketAmounts` never rounds.
 */
import { FULL_BPS, LOT, lotsOf, type MicroShares, type PriceBps, type Side } from '../../domain/index.ts';

type Amounts<Value> = Readonly<Record<'makerAmount' | 'takerAmount', Value>>;

/** Returns the amounts to sign. @param shares whole lots */
export function polymarketAmounts(side: Side, shares: MicroShares, price: PriceBps): Amounts<number> {
  const microUsd = lotsOf(shares) * price;
  if (side === 'BUY') return { makerAmount: microUsd, takerAmount: shares };
  return { makerAmount: shares, takerAmount: microUsd };
}

export interface PolymarketTerms {
  /** Limit in bps, rounded to the tick: **down** for a BUY, **up** for a SELL. Only 1 to 9999 are valid prices. */
  readonly price: number;
  readonly isExactPrice: boolean;
  /** The signed micro-shares, not always whole lots. */
  readonly signedShares: number;
  /** Micro-shares, rounded **down** to whole lots. */
  readonly shares: number;
}

/** Converts positive signed amounts to price and size. @param tickBps a divisor of 10000 */
export function polymarketTerms(
  side: Side,
  { makerAmount, takerAmount }: Amounts<bigint>,
  tickBps: number,
): PolymarketTerms {
  const [microUsd, microShares] = side === 'BUY' ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  const divisor = BigInt(tickBps) * microShares;
  const dividend = microUsd * BigInt(FULL_BPS);
  const ticksDown = dividend / divisor;
  const isExactPrice = ticksDown * divisor === dividend;
  const ticks = side === 'BUY' || isExactPrice ? ticksDown : ticksDown + 1n;
  const price = ticks > BigInt(FULL_BPS) ? FULL_BPS : Number(ticks) * tickBps;
  const signedShares = Number(microShares);
  return { price, isExactPrice, signedShares, shares: signedShares - (signedShares % LOT) };
}

/** Checks a FOK or FAK order's amounts: the given amount may have two decimals, the received amount four. */
export function areTakerDecimalsValid({ makerAmount, takerAmount }: Amounts<bigint>): boolean {
  return makerAmount % 10_000n === 0n && takerAmount % 100n === 0n;
}

/** Formats a price in dollars: 5200 becomes `0.52`. @param bps 0..10000 */
export function priceText(bps: number): string {
  return formatDecimal(bps, 4);
}

/** Formats shares: 40500000 becomes `40.5`. @param micro whole, not negative */
export function sharesText(micro: number): string {
  return formatDecimal(micro, 6);
}

/** Formats dollars: 5200000 becomes `5.2`. @param micro whole, not negative */
export function dollarsText(micro: number): string {
  return formatDecimal(micro, 6);
}

/** Writes no exponent and no trailing zeros, like Polymarket. */
function formatDecimal(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}
