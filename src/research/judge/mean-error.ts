/** How certain a mean over markets is (docs/spec/judging.md#error-of-a-mean). */
import type { Random } from '../../clock/index.ts';

/** P&L of one market. */
export interface MarketPnl {
  readonly market: string;
  readonly event: string;
  /** Day on which it was decided; any number that is the same for the same day. */
  readonly day: number;
  /** USD. */
  readonly pnl: number;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Standard error of the mean P&L of a market, USD. Markets of one event and markets of one day may move together.
 * 0 for fewer than two markets.
 */
export function meanError(markets: readonly MarketPnl[]): number {
  if (markets.length < 2) return 0;
  const mean = meanOf(markets.map(({ pnl }) => pnl));
  const variance = (groupOf: (market: MarketPnl) => string): number => {
    const sums = new Map<string, number>();
    for (const market of markets) {
      const group = groupOf(market);
      sums.set(group, (sums.get(group) ?? 0) + market.pnl - mean);
    }
    let squares = 0;
    for (const sum of sums.values()) squares += sum * sum;
    return squares / (markets.length * markets.length);
  };
  const byEvent = variance(({ event }) => event);
  const byDay = variance(({ day }) => `${day}`);
  const byBoth = variance(({ event, day }) => `${day} ${event}`);
  const squared = byEvent + byDay - byBoth;
  return Math.sqrt(squared > 0 ? squared : Math.max(byEvent, byDay));
}

/** With fewer events no interval is shown. */
export const LEAST_EVENTS = 20;
const DRAWS = 2_000;

/**
 * 95 % interval of the mean P&L of a market, USD, by drawing events and days again with replacement: a market weighs the
 * product of how often its event and its day were drawn. Where each event has one day, days alone are drawn, and where
 * each day has one event, events alone: drawing both would count the same chance twice.
 * @returns undefined for fewer than 20 events
 */
export function meanInterval(markets: readonly MarketPnl[], random: Random): readonly [number, number] | undefined {
  const events = [...new Set(markets.map(({ event }) => event))];
  const days = [...new Set(markets.map(({ day }) => day))];
  if (events.length < LEAST_EVENTS) return undefined;
  const pairs = new Set(markets.map(({ event, day }) => `${day} ${event}`)).size;
  const drawsDays = pairs === events.length || pairs > days.length;
  const drawsEvents = pairs > events.length;
  const means: number[] = [];
  while (means.length < DRAWS) {
    const eventCounts = drawsEvents ? drawCounts(events, random) : undefined;
    const dayCounts = drawsDays ? drawCounts(days, random) : undefined;
    let weights = 0;
    let sum = 0;
    for (const { event, day, pnl } of markets) {
      const weight = countOf(eventCounts, event) * countOf(dayCounts, day);
      weights += weight;
      sum += weight * pnl;
    }
    if (weights > 0) means.push(sum / weights);
  }
  means.sort((a, b) => a - b);
  return [means[Math.floor(DRAWS * 0.025)] ?? 0, means[Math.ceil(DRAWS * 0.975) - 1] ?? 0];
}

/** 1 where nothing is drawn. */
function countOf<T>(counts: ReadonlyMap<T, number> | undefined, one: T): number {
  return counts === undefined ? 1 : (counts.get(one) ?? 0);
}

function drawCounts<T>(from: readonly T[], random: Random): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (let drawn = 0; drawn < from.length; drawn += 1) {
    const one = from[random.int(from.length)];
    if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

/** P&L of each event, USD: the unit of every statement about a strategy. In the order of their first markets. */
export function pnlByEvent(markets: readonly MarketPnl[]): readonly number[] {
  const sums = new Map<string, number>();
  for (const { event, pnl } of markets) sums.set(event, (sums.get(event) ?? 0) + pnl);
  return [...sums.values()];
}
