/**
 * Statistics of a market: integers that follow from its trades and are stored in its row. The exchange's state does not
 * contain them. CONTRIBUTING.md, Add a computed field to Market, says how to add one.
 */
import type { EpochMs } from '../../domain/index.ts';

interface Statistic {
  /** Column of the table `markets`. */
  readonly column: string;
  /**
   * Returns the value after a trade, including trades of the recording that the market follows. It is 0 before the first.
   * @param amount price times shares of the taker, micro-USD
   */
  readonly afterTrade: (value: number, at: EpochMs, amount: number) => number;
  /**
   * SQL for the same value from `trades`: the takers' rows of `fills` of one market, which `ORDER BY id` sorts by time. No row
   * and NULL count as 0. A migration runs it, so it must not change after a release.
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

/** Reads the statistics from the columns of a row. */
export function statisticsIn(columns: Readonly<Record<string, unknown>>): MarketStatistics {
  const statistics = STATISTIC_NAMES.map((name) => [name, columns[MARKET_STATISTICS[name].column] ?? 0]);
  return Object.fromEntries(statistics);
}

/** Updates the statistics after a trade. */
export function countTrade(statistics: MarketStatistics, at: EpochMs, amount: number): void {
  for (const name of STATISTIC_NAMES) {
    const { afterTrade }: Statistic = MARKET_STATISTICS[name];
    statistics[name] = afterTrade(statistics[name], at, amount);
  }
}

function isStatisticName(name: string): name is StatisticName {
  return Object.hasOwn(MARKET_STATISTICS, name);
}
