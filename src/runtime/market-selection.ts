/**
 * Which markets a run trades, asked again every so often from what is known at that time: live from the venue's list, in a
 * backtest from the tape so far.
 *
 * A market enters when it passes every filter and is among the best by rank. It leaves by an exit rule alone, so that a rank
 * that changes back and forth moves nothing.
 */
import { z } from 'zod';
import type { EpochMs } from '../domain/index.ts';

const HOUR_MS = 3_600_000;
const DOLLAR = 1_000_000;

/** What is known of a market now. */
export interface MarketCandidate {
  readonly id: string;
  readonly slug: string;
  /** Whether it takes orders. */
  readonly isOpen: boolean;
  readonly category: string | undefined;
  readonly tags: readonly string[];
  /** Micro-USD traded so far. */
  readonly volume: number;
  /** Best ask less best bid; undefined unless both sides stand. */
  readonly spreadBps: number | undefined;
  /** When it is to resolve; undefined where that is not announced. */
  readonly resolvesAt: EpochMs | undefined;
  /** When play starts; undefined where there is none, or it is not announced. */
  readonly startsAt: EpochMs | undefined;
}

const hours = z.number().min(0).max(87_600);

/** The section `markets.select`. */
export const selectionSchema = z.strictObject({
  category: z.string().min(1).optional().describe('Slug of a category. Default any.'),
  tags: z.array(z.string().min(1)).default([]).describe('Tags of which a market has at least one. Default any.'),
  min_volume_usd: z.number().min(0).default(0).describe('Least volume traded so far, USD. Default 0.'),
  max_spread_bps: z.int().min(1).max(10_000).optional().describe('Widest book, bps. Default any, also one-sided.'),
  min_hours_left: hours.default(0).describe('Least time to the announced resolution, hours. Default 0.'),
  max_hours_left: hours.optional().describe('Longest time to the announced resolution, hours. Default any.'),
  rank: z
    .enum(['volume', 'spread', 'resolution'])
    .default('volume')
    .describe('Which markets come first: most volume, tightest book, or next to resolve. Default volume.'),
  most: z.int().min(1).max(1_000).default(20).describe('At most so many markets at a time. Default 20.'),
  every_s: z.int().min(10).max(86_400).default(300).describe('Time between two selections, s. Default 300.'),
  leave_hours_before_resolution: hours
    .default(0)
    .describe('Leaves a market so long before its announced resolution, hours. Default 0.'),
  leave_hours_before_start: hours
    .optional()
    .describe('Leaves a market so long before play starts, hours. Default: stays in play.'),
});

export type SelectionRules = z.output<typeof selectionSchema>;

export interface SelectionChange {
  /** Best first. */
  readonly enter: readonly MarketCandidate[];
  readonly leave: readonly { readonly market: MarketCandidate; readonly reason: LeaveReason }[];
}

export type LeaveReason = 'closed' | 'before resolution' | 'before start';

/**
 * What changes now.
 * @param candidates all markets that are known, those that are traded among them
 * @param traded ids of the markets that the selection chose before
 */
export function selectionChange(
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
    .filter((market) => !traded.has(market.id) && passes(market, rules, now))
    .toSorted(byRank(rules.rank))
    .slice(0, Math.max(0, room));
  return { enter, leave };
}

function leaveReason(market: MarketCandidate, rules: SelectionRules, now: EpochMs): LeaveReason | undefined {
  const { resolvesAt, startsAt } = market;
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

/** One that would leave at once does not enter. */
function passes(market: MarketCandidate, rules: SelectionRules, now: EpochMs): boolean {
  const { category, tags, max_spread_bps: spread, min_hours_left: least, max_hours_left: most } = rules;
  if (leaveReason(market, rules, now) !== undefined) return false;
  if (category !== undefined && market.category !== category) return false;
  if (tags.length > 0 && !tags.some((tag) => market.tags.includes(tag))) return false;
  if (market.volume < rules.min_volume_usd * DOLLAR) return false;
  if (spread !== undefined && (market.spreadBps === undefined || market.spreadBps > spread)) return false;
  if (least === 0 && most === undefined) return true;
  if (market.resolvesAt === undefined) return false;
  const left = market.resolvesAt - now;
  return left >= least * HOUR_MS && (most === undefined || left <= most * HOUR_MS);
}

/** Equals by id, so that the order of the list changes nothing. */
function byRank(rank: SelectionRules['rank']): (one: MarketCandidate, other: MarketCandidate) => number {
  const worth = ({ volume, spreadBps, resolvesAt }: MarketCandidate): number => {
    if (rank === 'volume') return -volume;
    return (rank === 'spread' ? spreadBps : resolvesAt) ?? Number.MAX_SAFE_INTEGER;
  };
  return (one, other) => worth(one) - worth(other) || (one.id < other.id ? -1 : 1);
}
