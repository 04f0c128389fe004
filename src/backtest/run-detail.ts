/** What the report and the terminal summary draw from, beside the numbers of `RunResult`. Plain data, decimated. */
import type { HalfSpreads, LevelRow, Line, MarketLines } from '../analytics/index.ts';

export interface MarketDetail {
  readonly question: string;
  readonly slug: string;
  readonly outcomes: readonly [string, string];
  /** Payout of a YES share in bps; 'CANCELLED', or undefined while nothing was decided on the tape. */
  readonly payout: number | 'CANCELLED' | undefined;
  readonly fills: number;
  /** Own and recorded volume, micro-shares. */
  readonly ownShares: number;
  readonly recordedShares: number;
  /** Own share of recorded volume, 0..1; undefined without recorded volume. */
  readonly volumeShare: number | undefined;
  /** P&L of this market, micro-USD, before commission is taken off elsewhere. */
  readonly pnlMicros: number;
  readonly maxInventoryShares: number;
  /** Two-sided uptime 0..1; undefined where the market was never open with a two-sided book. */
  readonly uptime: number | undefined;
  /** Half-life of inventory in ms; undefined unless 0 < rho < 1. */
  readonly halfLifeMs: number | undefined;
  /** Drawn for the first markets only; undefined for the others. */
  readonly lines: MarketLines | undefined;
}

export interface CapitalDetail {
  /** Time-weighted mean of cash reserved by orders and cost of holdings, micro-USD. */
  readonly meanInUseMicros: number;
  readonly maxInUseMicros: number;
  /** P&L per dollar and day in use; undefined when nothing was in use. */
  readonly returnPerDollarDay: number | undefined;
  /** Undefined with fewer than 30 returns. */
  readonly sharpe: { readonly value: number; readonly count: number; readonly of: 'day' | 'market' } | undefined;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The half-spreads are against the mark: the mid of the recorded book less what own orders took. */
export interface RunDetail extends HalfSpreads {
  readonly equity: Line;
  /** Peak less equity, micro-USD, not negative. */
  readonly drawdown: Line;
  readonly capitalMicros: number;
  /** The same against the mid of the recorded book; fills while it had not two sides are left out. */
  readonly atRecordedMid: HalfSpreads;
  readonly levels: readonly LevelRow[];
  readonly markets: readonly MarketDetail[];
  readonly capital: CapitalDetail;
  /** Sentences for people: what about this result should not be trusted. */
  readonly warnings: readonly string[];
  readonly facts: readonly Fact[];
  readonly settings: readonly Fact[];
  readonly version: string;
}
