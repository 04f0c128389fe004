/**
 * Figures of a market that are computed as things happen, and are kept in its row: nothing in the exchange depends on
 * them, so they are no part of its state. A figure is an entry of `MARKET_FIGURES` and a column that a migration adds.
 */

/** The column of `markets` of each figure. */
export const MARKET_FIGURES = { trades: 'trades' } as const;

export type FigureColumn = (typeof MARKET_FIGURES)[keyof typeof MARKET_FIGURES];

/** Integers; 0 until something happens. */
export type MarketFigures = { -readonly [Name in keyof typeof MARKET_FIGURES]: number };

/** The figures of a row, from its columns. */
export function figuresIn(columns: Readonly<Record<string, unknown>>): MarketFigures {
  const figures = Object.entries(MARKET_FIGURES).map(([name, column]) => [name, columns[column] ?? 0]);
  return Object.fromEntries(figures);
}

/** A trade happened, also one of the recording that the market follows. */
export function countTrade(figures: MarketFigures): void {
  figures.trades += 1;
}
