/**
 * Figures of a market that are updated with its events and stored in its row. The exchange's state does not contain them.
 * CONTRIBUTING.md, Add a computed field to Market, says how to add a figure.
 */

/** The column of each figure in `markets`. */
export const MARKET_FIGURES = { trades: 'trades' } as const;

export type FigureColumn = (typeof MARKET_FIGURES)[keyof typeof MARKET_FIGURES];

/** Integers, from 0. A time is in ms, and 0 before the first. */
export type MarketFigures = { -readonly [Name in keyof typeof MARKET_FIGURES]: number };

/** Reads the figures from the columns of a row. */
export function figuresIn(columns: Readonly<Record<string, unknown>>): MarketFigures {
  const figures = Object.entries(MARKET_FIGURES).map(([name, column]) => [name, columns[column] ?? 0]);
  return Object.fromEntries(figures);
}

/** Counts a trade, also of the recording that the market follows. */
export function countTrade(figures: MarketFigures): void {
  figures.trades += 1;
}
