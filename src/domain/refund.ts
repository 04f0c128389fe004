import { column, type MicroUsd, ZERO_USD } from './units.ts';

/**
 * What each account of a cancelled market gets back (docs/spec/venue.md#refunds-of-a-cancelled-market): who paid in on
 * balance shares the collateral in proportion, rounded **down**, and the micro-USD left over go one each to the largest
 * remainders, ties to the earlier in the list. Fees are not in it.
 * @param netPaid net cash paid in per account, without fees, in the order of their addresses; negative took cash out
 * @returns refunds in the same order; together they are the collateral, and nobody's is more than he paid
 * @throws RangeError when the payments do not add up to the collateral
 */
export function refunds(collateral: MicroUsd, netPaid: readonly MicroUsd[]): readonly MicroUsd[] {
  const net = netPaid.reduce((sum, paid) => sum + BigInt(paid), 0n);
  if (net !== BigInt(collateral)) {
    throw new RangeError(`Invariant: accounts paid ${net} micro-USD into a market that holds ${collateral}`);
  }
  const claims = netPaid.map((paid) => (paid > 0 ? BigInt(paid) : 0n));
  const total = claims.reduce((sum, claim) => sum + claim, 0n);
  if (total === 0n) return netPaid.map(() => ZERO_USD);
  const products = claims.map((claim) => claim * BigInt(collateral));
  const shares = products.map((product) => product / total);
  const left = Number(BigInt(collateral) - shares.reduce((sum, share) => sum + share, 0n));
  const byRemainder = products
    .map((product, account) => ({ account, remainder: product % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.account - b.account : a.remainder < b.remainder ? 1 : -1));
  const lucky = new Set(byRemainder.slice(0, left).map(({ account }) => account));
  return shares.map((share, account) => column.usd(Number(share) + (lucky.has(account) ? 1 : 0)));
}
