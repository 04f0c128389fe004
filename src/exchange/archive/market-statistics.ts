/** Integers computed from a market's trades and stored in the market's row. CONTRIBUTING.md says how to add one. */
import type { EpochMs } from '../../domain/index.ts';

interface StatisticTrade {
  readonly at: EpochMs;
  /** Micro-shares. */
  readonly shares: number;
  /** The taker's price times shares, micro-USD. */
  readonly paid: number;
}

interface Statistic {
  /** Column of the table `markets`. */
  readonly column: string;
  /** Returns the value after a trade. The first `value` is 0. */
  readonly afterTrade: (value: number, trade: StatisticTrade) => number;
  /**
   * SQL that computes the same value from `trades`, the takers' `fills` of one market. `ORDER BY id` sorts them by
   * time. No row or NULL means 0. A migration runs the SQL, so do not change it after a release.
   */
  readonly sql: string;
}

export const MARKET_STATISTICS = {
  trades: { column: 'trades', afterTrade: (trades) => trades + 1, sql: 'SELECT count(*) FROM trades' },
} as const satisfies Readonly<Record<string, Statistic>>;

export type StatisticName = keyof typeof MARKET_STATISTICS;

export type MarketStatistics = { -readonly [Name in StatisticName]: number };

export const STATISTIC_NAMES: readonly StatisticName[] = Object.keys(MARKET_STATISTICS).filter(isStatisticName);

/** The columns, in the order of `STATISTIC_NAMES`. */
export const STATISTIC_COLUMNS = Object.values(MARKET_STATISTICS).map(({ column }) => column);

/** Reads the statistics from a row's columns. A missing column is 0. */
export function statisticsIn(columns: Readonly<Record<string, unknown>>): MarketStatistics {
  const statistics = STATISTIC_NAMES.map((name) => [name, columns[MARKET_STATISTICS[name].column] ?? 0]);
  return Object.fromEntries(statistics);
}

export function updateStatistics(statistics: MarketStatistics, trade: StatisticTrade): void {
  for (const name of STATISTIC_NAMES) {
    const { afterTrade }: Statistic = MARKET_STATISTICS[name];
    statistics[name] = afterTrade(statistics[name], trade);
  }
}

function isStatisticName(name: string): name is StatisticName {
  return Object.hasOwn(MARKET_STATISTICS, name);
}
