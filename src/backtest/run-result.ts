/**
 * Results of a backtest. `RunResult` is the object that `--json` prints. `RunDetail` is the data of the report and the
 * terminal, and is never printed as JSON.
 *
 * Money is integer micro-USD, sizes are integer micro-shares.
 */
import type {
  CollectedMarket,
  HalfSpreads,
  PlacedLevel,
  StrategyResult,
  TagResults,
  WeightedMean,
} from '../analytics/index.ts';
import { DAY_MS, STOPPED_CODES } from '../domain/index.ts';
import type { Ledger, SplitMicros } from '../ledger/index.ts';
import type { CollectedDetail, CollectedMarketDetail } from './collect/detail-collector.ts';

export interface TapeUsed {
  readonly name: string;
  /** sha256 over the columns of the tape. */
  readonly sha256: string;
  /** Rows of the tape that were replayed. */
  readonly events: number;
  /** First and last replayed exchange time, ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** Sentences about the assumptions of each model. */
export interface ModelsUsed {
  readonly latency: string;
  readonly queue: string;
  readonly fees: string;
  readonly liquidity: string;
  /** Price that values holdings: `MID_MARK`; on tapes without a book, `last trade` or `close of the last candle`. */
  readonly mark: string;
}

/** The mark on tapes with a book. */
export const MID_MARK = 'mid of the outside book';

/** Returns a suffix for table captions that names the mark; an empty text for `MID_MARK`. */
export function markNote({ mark }: Pick<ModelsUsed, 'mark'>): string {
  return mark === MID_MARK ? '' : `; mark = ${mark}`;
}

export interface OrderCounts {
  /** Orders sent to the venue, including the new orders of replaces. */
  readonly placed: number;
  /** Orders that the venue closed before they were completely filled. */
  readonly cancelled: number;
  readonly reduced: number;
  /** Orders, cancels and conversions that the venue refused. */
  readonly rejected: number;
  /** Intents that risk checks refused. Each quote of a set counts separately. */
  readonly refused: number;
}

/** Counts by code, most frequent first. They add up to the counts in `OrderCounts`. */
export interface OrderReasons {
  /** The venue's `RejectReason`s. */
  readonly rejected: Readonly<Record<string, number>>;
  /** `RiskCode`s of risk checks. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface FillCounts {
  readonly count: number;
  readonly maker: number;
  readonly taker: number;
  readonly shares: number;
  /** Fills that the venue reversed. No other number includes these fills. Absent without reversals. */
  readonly reversed?: number;
}

/**
 * P&L by cost basis, micro-USD. The total is realized + unrealized. Realized P&L includes fees with commission
 * (negative if paid) and settlement (payouts less the cost of the shares held to the end).
 */
export type PnlResult = { readonly [Part in keyof ReturnType<Ledger['pnl']>]: number };

/** P&L by mark (docs/spec/models.md#profit-and-loss). The six parts add up to `pnl.totalMicros`. */
export type SplitResult = { readonly [Part in keyof SplitMicros]: number };

/** A share-weighted mean in bps per share. */
export interface MarkoutMean extends Omit<WeightedMean, 'interval'> {
  /** Bootstrap percentiles 2.5 and 97.5, bps; null with fewer than 20 blocks of time (`block-bootstrap.ts`). */
  readonly interval: readonly [number, number] | null;
}

/** Half-spreads of own maker fills against the mark; null without fills (docs/spec/models.md#spread-and-markout). */
export interface MarkoutResult {
  readonly effective: MarkoutMean | null;
  /** `label` is "1 s", "5 s", "30 s", "1 m", "5 m", "15 m", "1 h" or "resolution". */
  readonly horizons: readonly { readonly label: string; readonly mean: MarkoutMean | null }[];
}

/** Payments to makers, micro-USD, rounded **down**. They add up to `split.rewardsMicros`. */
interface RewardsResult {
  /** The makers' part of taker fees. */
  readonly rebatesMicros: number;
  /** Estimated rewards for resting orders near the mid. */
  readonly liquidityMicros: number;
}

export interface CapitalInUseResult {
  /** Time-weighted mean, micro-USD. */
  readonly meanMicros: number;
  readonly maxMicros: number;
  /** P&L divided by the mean, as a fraction; null if no capital was in use. */
  readonly returnOnMean: number | null;
  /** P&L per dollar and day in use, as a fraction; null for a run shorter than a day, or without capital in use. */
  readonly returnPerDay: number | null;
}

export interface MarketResult extends CollectedMarket {
  readonly slug: string;
  /** Payout of a YES share in bps; 'CANCELLED', or null while nothing was decided on the tape. */
  readonly payout: number | 'CANCELLED' | null;
  /** Micro-USD, after fees and commission, with rewards. */
  readonly pnlMicros: number;
}

export interface RunResult {
  readonly strategy: string;
  /** Parsed by the strategy's schema, with defaults. */
  readonly params: unknown;
  readonly seed: number;
  /** The only tape, or the combination of all tapes (`sha256` over their hashes in order). */
  readonly tape: TapeUsed;
  readonly tapes: readonly TapeUsed[];
  readonly models: ModelsUsed;
  readonly orders: OrderCounts;
  readonly orderReasons: OrderReasons;
  readonly fills: FillCounts;
  /** Fills and P&L by strategy. They omit commission and rounding, so the sum differs from `pnl.totalMicros`. */
  readonly strategies: readonly StrategyResult[];
  /** In the order of the tapes. All other numbers cover all markets. */
  readonly markets: readonly MarketResult[];
  /** Whether parameters were fitted on these tapes, or tapes were chosen by facts unknown at the start. */
  readonly inSample: boolean;
  readonly pnl: PnlResult;
  readonly split: SplitResult;
  readonly rewards: RewardsResult;
  readonly fillsByTag: TagResults;
  readonly markouts: MarkoutResult;
  readonly capitalInUse: CapitalInUseResult;
  /** Largest ratio of own to recorded volume in one market; null without recorded volume. */
  readonly volumeShare: number | null;
  readonly maxDrawdownMicros: number;
  /** Largest |YES - NO| of one market. */
  readonly maxInventoryShares: number;
  readonly eventLogHash: string;
  /** Hash of the bot's last state; null in the report of a session. */
  readonly stateHash: string | null;
  readonly wallMs: number;
  readonly eventsPerSecond: number;
  readonly peakRssMb: number;
  /** Path of the HTML report; null if no report was requested. */
  readonly report: string | null;
  /** Null with `--no-report` and `--json`, because such a run does not analyse quotes. */
  readonly quoting: QuotingResult | null;
}

/** Analysis of the quotes. Fractions of time are 0 to 1. `worstCaseMicros`: the largest possible loss at any time. */
export interface QuotingResult {
  readonly levels: readonly PlacedLevel[];
  readonly queueAhead: { readonly count: number; readonly atPlacing: number; readonly atFill: number | null } | null;
  readonly markets: readonly QuotedMarket[];
  readonly events: readonly { readonly event: string; readonly worstCaseMicros: number }[];
  /** Sharpe ratio of returns per day or per market (`of`). Null with fewer than 30 returns. */
  readonly sharpe: { readonly value: number; readonly count: number; readonly of: 'day' | 'market' } | null;
}

interface QuotedMarket {
  readonly slug: string;
  readonly twoSided: number | null;
  readonly atBestBid: number | null;
  readonly atBestAsk: number | null;
  readonly halfLifeMs: number | null;
  readonly worstCaseMicros: number;
  readonly mergeableShares: number;
}

export interface BacktestRun {
  readonly result: RunResult;
  readonly detail: RunDetail;
}

export interface MarketDetail extends Omit<MarketResult, 'payout'>, CollectedMarketDetail {
  readonly question: string;
  readonly outcomes: readonly [string, string];
  /** Payout of a YES share in bps; 'CANCELLED', or undefined while nothing was decided on the tape. */
  readonly payout: number | 'CANCELLED' | undefined;
  /** Ratio of own to recorded volume; undefined without recorded volume. */
  readonly volumeShare: number | undefined;
}

export interface CapitalDetail {
  /** Time-weighted mean of cash reserved by orders and cost of holdings, micro-USD. */
  readonly meanInUseMicros: number;
  readonly maxInUseMicros: number;
  /** P&L per dollar and day in use; undefined if no capital was in use. */
  readonly returnPerDollarDay: number | undefined;
  /** Sharpe ratio of returns per day or per market (`of`). Undefined with fewer than 30 returns. */
  readonly sharpe: { readonly value: number; readonly count: number; readonly of: 'day' | 'market' } | undefined;
}

export type RunKind = 'backtest' | 'live' | 'paper';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Data of the report and the terminal. Half-spreads compare own maker fills with the mark (`ModelsUsed.mark`). */
export interface RunDetail
  extends HalfSpreads,
    Pick<CollectedDetail, 'equity' | 'drawdown' | 'atRecordedMid' | 'levels' | 'placed' | 'queueAhead' | 'events'> {
  readonly kind: RunKind;
  readonly capitalMicros: number;
  readonly markets: readonly MarketDetail[];
  readonly capital: CapitalDetail;
  readonly warnings: readonly string[];
  readonly facts: readonly Fact[];
  readonly settings: readonly Fact[];
  readonly version: string;
}

/** Separates orders that were refused because trading was stopped (PAUSED, KILLED) from refusals by a limit. */
export function splitOrderReasons({ orderReasons: { rejected, refused } }: Pick<RunResult, 'orderReasons'>) {
  const entries = Object.entries(refused);
  const limits = entries.filter(([code]) => !STOPPED_CODES.has(code));
  return {
    rejected,
    refused: Object.fromEntries(limits),
    refusedCount: limits.reduce((sum, [, count]) => sum + count, 0),
    stopped: Object.fromEntries(entries.filter(([code]) => STOPPED_CODES.has(code))),
  };
}

/**
 * Returns the return on the capital in use as a fraction; undefined if no capital was in use. The rate is per day if
 * there are enough returns for a Sharpe ratio and the tape lasts a day.
 */
export function returnOnUse(
  totalMicros: number,
  { meanInUseMicros, returnPerDollarDay, sharpe }: Omit<CapitalDetail, 'maxInUseMicros'>,
  tape: Pick<TapeUsed, 'from' | 'to'>,
): { readonly rate: number; readonly per: '' | ' a day' } | undefined {
  if (returnPerDollarDay === undefined || meanInUseMicros <= 0) return undefined;
  if (sharpe !== undefined && lastsADay(tape)) return { rate: returnPerDollarDay, per: ' a day' };
  return { rate: totalMicros / meanInUseMicros, per: '' };
}

export function lastsADay({ from, to }: Pick<TapeUsed, 'from' | 'to'>): boolean {
  return Date.parse(to) - Date.parse(from) >= DAY_MS;
}

/** Returns the `quoting` field of `--json`. */
export function quotingResult({ placed, queueAhead, markets, events, capital }: RunDetail): QuotingResult {
  return {
    levels: placed,
    queueAhead: queueAhead === undefined ? null : { ...queueAhead, atFill: queueAhead.atFill ?? null },
    markets: markets.map(({ slug, uptime, atBest, halfLifeMs, worstCaseMicros, mergeableShares }) => ({
      slug,
      twoSided: uptime ?? null,
      atBestBid: atBest?.bid ?? null,
      atBestAsk: atBest?.ask ?? null,
      halfLifeMs: halfLifeMs ?? null,
      worstCaseMicros,
      mergeableShares,
    })),
    events,
    sharpe: capital.sharpe ?? null,
  };
}
