/** Standard error and interval of a mean over markets (docs/spec/judging.md#error-of-a-mean). */
import type { Random } from '../../clock/index.ts';

export interface MarketPnl {
  readonly event: string;
  /** Number of the day on which the market was decided. */
  readonly day: number;
  /** USD. */
  readonly pnl: number;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the standard error of the mean P&L of a market, USD. Allows for correlation within an event and a day. */
export function meanError(markets: readonly MarketPnl[]): number {
  if (markets.length < 2) return 0;
  const mean = meanOf(markets.map(({ pnl }) => pnl));
  const variance = (getGroup: (market: MarketPnl) => string): number => {
    let squares = 0;
    for (const group of Map.groupBy(markets, getGroup).values()) {
      const sum = group.reduce((total, { pnl }) => total + pnl - mean, 0);
      squares += sum * sum;
    }
    return squares / (markets.length * markets.length);
  };
  const byEvent = variance(({ event }) => event);
  const byDay = variance(({ day }) => `${day}`);
  const byBoth = variance(({ event, day }) => `${day} ${event}`);
  const squared = byEvent + byDay - byBoth;
  return Math.sqrt(squared > 0 ? squared : Math.max(byEvent, byDay));
}

/** A mean passes if it exceeds 0 by this many standard errors: a one-sided 5 % test of a normal distribution. */
export const PASSING_ERRORS = 1.645;

/** Fewer events give no interval and cannot pass. */
export const MIN_EVENTS = 20;
const DRAWS = 2_000;

/**
 * Returns the 95 % interval of the mean P&L of a market, USD, by drawing events and days with replacement. The weight
 * of a market is the product of how often its event and its day were drawn. Draws only days if each event has one day,
 * and only events if each day has one event. Drawing both would then count the same variation twice.
 * @returns undefined for fewer than 20 events
 */
export function meanInterval(markets: readonly MarketPnl[], random: Random): readonly [number, number] | undefined {
  const events = [...new Set(markets.map(({ event }) => event))];
  const days = [...new Set(markets.map(({ day }) => day))];
  if (events.length < MIN_EVENTS) return undefined;
  const pairs = new Set(markets.map(({ event, day }) => `${day} ${event}`)).size;
  const drawsDays = pairs === events.length || pairs > days.length;
  const drawsEvents = pairs > events.length;
  const means: number[] = [];
  while (means.length < DRAWS) {
    const eventCounts = drawsEvents ? drawCounts(events, random) : undefined;
    const dayCounts = drawsDays ? drawCounts(days, random) : undefined;
    let totalWeight = 0;
    let sum = 0;
    for (const { event, day, pnl } of markets) {
      const weight = getCount(eventCounts, event) * getCount(dayCounts, day);
      totalWeight += weight;
      sum += weight * pnl;
    }
    if (totalWeight > 0) means.push(sum / totalWeight);
  }
  means.sort((a, b) => a - b);
  return [means[Math.floor(DRAWS * 0.025)] ?? 0, means[Math.ceil(DRAWS * 0.975) - 1] ?? 0];
}

/** Returns the number of draws of an item; 1 without resampling. */
function getCount<T>(counts: ReadonlyMap<T, number> | undefined, item: T): number {
  return counts === undefined ? 1 : (counts.get(item) ?? 0);
}

function drawCounts<T>(items: readonly T[], random: Random): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (let drawn = 0; drawn < items.length; drawn += 1) {
    const item = items[random.int(items.length)];
    if (item !== undefined) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return counts;
}

/** Returns the P&L of each event, USD, in the order of the events' first markets. */
export function pnlByEvent(markets: readonly MarketPnl[]): readonly number[] {
  const groups = Map.groupBy(markets, ({ event }) => event);
  return [...groups.values()].map((group) => group.reduce((sum, { pnl }) => sum + pnl, 0));
}
