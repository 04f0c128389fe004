/**
 * Selects the markets of a run repeatedly, from data known at that time: the venue's list for live and paper bots, or
 * the tape so far in a backtest.
 *
 * A market enters when it passes every filter and is among the best by rank. The market leaves only by an exit rule.
 * Its rank has no effect after it enters.
 */
import { z } from 'zod';
import { type EpochMs, parseTime } from '../domain/index.ts';
import { isoTime } from '../strategy/index.ts';
import { toIdOrSlug } from './market-id-from-name.ts';

const HOUR_MS = 3_600_000;
const MICRO_USD_PER_USD = 1_000_000;

/** Current facts about a market. */
export interface MarketCandidate {
  readonly id: string;
  readonly slug: string;
  /** Whether the market is neither resolved nor pending resolution. A halted market is open. */
  readonly isOpen: boolean;
  readonly acceptsOrders: boolean;
  readonly category: string | undefined;
  readonly tags: readonly string[];
  /** Micro-USD traded so far. */
  readonly volume: number;
  /** Best ask minus best bid, bps; undefined for a one-sided or empty book. */
  readonly spreadBps: number | undefined;
  /** Scheduled resolution; undefined without an announcement. */
  readonly resolvesAt: EpochMs | undefined;
}

const hours = z.number().min(0).max(87_600);

/** The section `markets.select`. */
export const selectionSchema = z
  .strictObject({
    category: z.string().min(1).optional().describe('Slug of a category. Default any.'),
    tags: z
      .array(z.string().min(1))
      .default([])
      .describe('Slugs of topics. A market needs at least one of them. Default any.'),
    min_volume_usd: z.number().min(0).default(0).describe('Minimum volume traded so far, USD. Default 0.'),
    max_spread_bps: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Maximum spread, bps. Default any, including one-sided books.'),
    min_hours_left: hours.default(0).describe('Minimum time to the announced resolution, hours. Default 0.'),
    max_hours_left: hours.optional().describe('Maximum time to the announced resolution, hours. Default any.'),
    rank: z
      .enum(['volume', 'spread', 'resolution'])
      .default('volume')
      .describe('Order of candidates: most volume, tightest spread, or earliest resolution. Default volume.'),
    most: z.int().min(1).max(1_000).default(20).describe('Maximum number of markets at a time. Default 20.'),
    every_s: z.int().min(5).max(86_400).default(300).describe('Time between two selections, s. Default 300.'),
    leave_hours_before_resolution: hours
      .default(0)
      .describe('How long before its announced resolution a market is left, hours. Default 0.'),
    starts_at: z
      .record(z.string().transform(toIdOrSlug), isoTime)
      .default({})
      .describe(
        'Start of play by slug or id, ISO 8601 with Z. Venues and tapes do not contain it. Requires `leave_hours_before_start`. Default none.',
      ),
    leave_hours_before_start: hours
      .optional()
      .describe(
        'How long before the start of play a market of `starts_at` is left, hours. Requires `starts_at`. Default none.',
      ),
  })
  .check(refuseContradictions);

export type SelectionRules = z.output<typeof selectionSchema>;

export interface SelectionChange {
  /** The best market is first. */
  readonly enter: readonly MarketCandidate[];
  readonly leave: readonly { readonly market: MarketCandidate; readonly reason: LeaveReason }[];
}

export type LeaveReason = 'closed' | 'before resolution' | 'before start';

/**
 * Returns the markets that enter and leave now.
 * @param candidates all known markets, including traded ones
 * @param traded ids of the markets that are traded now
 */
export function computeSelectionChange(
  candidates: readonly MarketCandidate[],
  traded: ReadonlySet<string>,
  rules: SelectionRules,
  now: EpochMs,
): SelectionChange {
  const leave = candidates.flatMap((market) => {
    const reason = traded.has(market.id) ? leaveReason(market, rules, now) : undefined;
    return reason === undefined ? [] : [{ market, reason }];
  });
  const room = rules.most - (traded.size - leave.length);
  const enter = candidates
    .filter((market) => !traded.has(market.id) && passesFilters(market, rules, now))
    .toSorted(byRank(rules.rank))
    .slice(0, Math.max(0, room));
  return { enter, leave };
}

function leaveReason(market: MarketCandidate, rules: SelectionRules, now: EpochMs): LeaveReason | undefined {
  const { resolvesAt } = market;
  const startsAt = findStart(market, rules);
  const { leave_hours_before_resolution: beforeResolution, leave_hours_before_start: beforeStart } = rules;
  if (!market.isOpen) return 'closed';
  if (beforeResolution > 0 && resolvesAt !== undefined && resolvesAt - now <= beforeResolution * HOUR_MS) {
    return 'before resolution';
  }
  if (beforeStart !== undefined && startsAt !== undefined && startsAt - now <= beforeStart * HOUR_MS) {
    return 'before start';
  }
  return undefined;
}

function findStart({ id, slug }: MarketCandidate, { starts_at: starts }: SelectionRules): EpochMs | undefined {
  const name = [slug, id].find((key) => Object.hasOwn(starts, key));
  const start = name === undefined ? undefined : starts[name];
  return start === undefined ? undefined : parseTime('starts_at', start);
}

/** Returns whether a market passes every filter and would not leave at once. */
function passesFilters(market: MarketCandidate, rules: SelectionRules, now: EpochMs): boolean {
  const { category, tags, max_spread_bps: spread, min_hours_left: minHours, max_hours_left: maxHours } = rules;
  if (!market.acceptsOrders || leaveReason(market, rules, now) !== undefined) return false;
  if (category !== undefined && market.category !== category) return false;
  if (tags.length > 0 && !tags.some((tag) => market.tags.includes(tag))) return false;
  if (market.volume < rules.min_volume_usd * MICRO_USD_PER_USD) return false;
  if (spread !== undefined && (market.spreadBps === undefined || market.spreadBps > spread)) return false;
  if (minHours === 0 && maxHours === undefined) return true;
  if (market.resolvesAt === undefined) return false;
  const leftMs = market.resolvesAt - now;
  return leftMs >= minHours * HOUR_MS && (maxHours === undefined || leftMs <= maxHours * HOUR_MS);
}

/** Returns a comparator. It compares equal ranks by id, so that the order of the candidates has no effect. */
function byRank(rank: SelectionRules['rank']): (a: MarketCandidate, b: MarketCandidate) => number {
  const sortKey = ({ volume, spreadBps, resolvesAt }: MarketCandidate): number => {
    if (rank === 'volume') return -volume;
    return (rank === 'spread' ? spreadBps : resolvesAt) ?? Number.MAX_SAFE_INTEGER;
  };
  return (a, b) => sortKey(a) - sortKey(b) || (a.id < b.id ? -1 : 1);
}

/** Refuses rules by which no market can enter, and a rule without effect. */
function refuseContradictions({ value, issues }: z.core.ParsePayload<SelectionRules>): void {
  const refuse = (path: keyof SelectionRules, message: string): void => {
    issues.push({ code: 'custom', message, path: [path], input: value[path] });
  };
  const { min_hours_left: minHours, max_hours_left: maxHours, leave_hours_before_resolution: leave } = value;
  if (maxHours !== undefined && maxHours < minHours) refuse('max_hours_left', `at least min_hours_left (${minHours})`);
  if (maxHours !== undefined && leave > 0 && maxHours <= leave) {
    refuse('max_hours_left', `more than leave_hours_before_resolution (${leave}), or every market is left at once`);
  }
  const [hasStarts, leavesBeforeStart] = [
    Object.keys(value.starts_at).length > 0,
    value.leave_hours_before_start !== undefined,
  ];
  if (leavesBeforeStart && !hasStarts) {
    refuse('leave_hours_before_start', 'times in starts_at, as venues and tapes do not contain the start of play');
  }
  if (hasStarts && !leavesBeforeStart) {
    refuse('starts_at', 'leave_hours_before_start beside it, or no market is left before its start of play');
  }
}
