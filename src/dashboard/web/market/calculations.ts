import type { Level, MarketLine } from '../../generated/schema-types.ts';

export const LEVELS = 10;

export interface BookRow extends Level {
  /** Outside and own shares from the best price to here. */
  readonly cumulative: number;
}

/** Returns the best levels of a side and all levels with own orders, the best first. */
export function bookRows(levels: readonly Level[], count = LEVELS): readonly BookRow[] {
  let cumulative = 0;
  return levels
    .map((level) => {
      cumulative += level.shares + level.own;
      return { ...level, cumulative };
    })
    .filter(({ own }, index) => index < count || own > 0);
}

/** Returns each part as a bar that begins where the previous bar ended: left and width in percent. */
export function computeWaterfall(
  parts: readonly number[],
): readonly { readonly left: number; readonly width: number }[] {
  let sum = 0;
  const ends = parts.map((part) => {
    const from = sum;
    sum += part;
    return { from, until: sum };
  });
  const all = [0, ...ends.flatMap(({ from, until }) => [from, until])];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const span = high - low || 1;
  return ends.map(({ from, until }) => ({
    left: ((Math.min(from, until) - low) / span) * 92 + 4,
    width: (Math.abs(until - from) / span) * 92,
  }));
}

export function rangeText(minimum: number | null, maximum: number | null): string {
  const text = (bound: number): string => bound.toLocaleString('en-US').replace('-', '−');
  if (minimum !== null && maximum !== null) return `${text(minimum)} to ${text(maximum)}`;
  return minimum !== null ? `≥${text(minimum)}` : maximum !== null ? `≤${text(maximum)}` : '';
}

/** Parses a typed parameter as JSON. Returns the text itself if it is not JSON. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the bar of a book's age: its height, percent of the limit, and whether the age is above the limit. */
export function ageBar(ms: number, limit: number): { readonly height: number; readonly isBreached: boolean } {
  return { height: Math.min(100, (ms / limit) * 100), isBreached: ms > limit };
}

/** Returns the book ages of open markets, ms, the oldest first, and the number of open markets without a book yet. */
export function openBooks(markets: readonly MarketLine[]): {
  readonly ages: readonly number[];
  readonly missing: number;
} {
  const open = markets.filter(({ acceptingOrders, strategy }) => acceptingOrders && strategy !== null);
  const ages = open.flatMap(({ bookAgeMs }) => bookAgeMs ?? []).toSorted((a, b) => b - a);
  return { ages, missing: open.length - ages.length };
}
