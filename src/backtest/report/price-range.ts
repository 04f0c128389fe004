import type { FillPoint, Line } from '../../analytics/index.ts';

export interface PriceRange {
  readonly low: number;
  readonly high: number;
  /** Whether the mid was beyond it for a moment. */
  readonly cut: boolean;
}

/** A thin book's mid can jump through the whole range for a moment, and would flatten all the rest. */
const TOO_WIDE = 2;

/** All prices; or, where a hundredth of the points at each end takes up more than half of the height, the others and all fills. */
export function priceRange({ value }: Line, fills: readonly FillPoint[]): PriceRange {
  const sorted = value.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 5_000;
  const own = fills.map(({ price }) => price);
  const low = own.reduce((a, b) => Math.min(a, b), at(0.01));
  const high = own.reduce((a, b) => Math.max(a, b), at(0.99));
  const cut = at(1) - at(0) > TOO_WIDE * (high - low) && high > low;
  const [from, to] = cut ? [low, high] : [Math.min(low, at(0)), Math.max(high, at(1))];
  const pad = Math.max((to - from) * 0.04, 10);
  return { low: Math.max(0, from - pad) / 100, high: Math.min(10_000, to + pad) / 100, cut };
}
