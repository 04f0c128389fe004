/** Sizes: micro-shares inside and in what is signed, `Float` shares in answers. */
import { InputFault, LOT, MAX_ORDER_SHARES, type MicroShares, microShares, SHARE } from '../../domain/index.ts';
import { asArgument } from './argument.ts';

/** Shares of an answer: the double nearest to micro-shares / 10^6. */
export function sharesFloat(shares: MicroShares): number {
  return shares / SHARE;
}

/** Micro-shares of an answer's shares: `round(shares * 10^6)`, exact up to 10^15. @throws InputFault unless whole lots */
export function microSharesOf(field: string, shares: number): MicroShares {
  const micro = Math.round(shares * SHARE);
  if (!Number.isSafeInteger(micro) || micro < 0 || micro % LOT !== 0) {
    throw new InputFault(field, shares, 'a number of shares in whole lots of 0.01, not negative');
  }
  return microShares(micro);
}

/** A `Float` argument of shares. @throws WireFault unless whole lots, at most 10^9 shares */
export function readShares(field: string, shares: number): MicroShares {
  return asArgument(() => {
    const micro = microSharesOf(field, shares);
    if (micro > MAX_ORDER_SHARES) throw new InputFault(field, shares, `at most ${MAX_ORDER_SHARES / SHARE} shares`);
    return micro;
  });
}
