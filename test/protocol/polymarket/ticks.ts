/** Polymarket's ticks in bps, with the decimals that its official client rounds to. */
export const POLYMARKET_TICKS: ReadonlyMap<
  number,
  { readonly price: number; readonly size: number; readonly amount: number }
> = new Map([
  [1_000, { price: 1, size: 2, amount: 3 }],
  [100, { price: 2, size: 2, amount: 4 }],
  [50, { price: 3, size: 2, amount: 5 }],
  [25, { price: 4, size: 2, amount: 6 }],
  [10, { price: 3, size: 2, amount: 5 }],
  [1, { price: 4, size: 2, amount: 6 }],
]);
