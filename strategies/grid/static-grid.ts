import { FULL_BPS, type MicroShares, microShares, type QuoteSpec, sharesFloor, z } from 'halfspread';
import type { GridParams } from './params.ts';

/** What the cells of a market hold; saved over restarts. */
export const cellsSchema = z.strictObject({
  /** Cells below this one began empty, the others full. */
  first: z.int().min(0),
  /** Micro-shares of YES in each cell, 0 to `order_amount`. */
  filled: z.array(z.int().min(0)),
});

export type Cells = z.output<typeof cellsSchema>;

/** Prices of the lines, bps, lowest first: one more than there are cells. They need not be on the market's grid. */
export function gridLines({
  lower_price: lower = 0,
  upper_price: upper = 0,
  grid_cells: cells,
  grid_spacing,
}: GridParams) {
  const at = (share: number): number => {
    if (grid_spacing === 'price') return lower + share * (upper - lower);
    const [from, to] = [logit(lower / FULL_BPS), logit(upper / FULL_BPS)];
    return FULL_BPS / (1 + Math.exp(-(from + share * (to - from))));
  };
  return Array.from({ length: cells + 1 }, (_, line) => at(line / cells));
}

/**
 * Cells for a first mid: those below the nearest line (the lower one of two) are empty and buy, those above are full and
 * sell. A full cell that was never bought sells YES that the account does not have, so it buys NO.
 */
export function newCells(params: GridParams, lines: readonly number[], mid: number): Cells {
  const distances = lines.map((line) => Math.abs(line - mid));
  const first = distances.indexOf(Math.min(...distances));
  const full = sharesFloor(params.order_amount);
  return { first, filled: Array.from({ length: params.grid_cells }, (_, cell) => (cell < first ? 0 : full)) };
}

/** Position of the cells, YES less NO in micro-shares. */
export function netOf({ first, filled }: Cells, full: MicroShares): number {
  return filled.reduce((sum, each, cell) => sum + each - (cell < first ? 0 : full), 0);
}

/** The cell whose line is nearest to the price of one of its quotes, bps. */
export function cellAt(lines: readonly number[], side: QuoteSpec['side'], price: number): number {
  const distances = lines.map((line) => Math.abs(line - price));
  const line = distances.indexOf(Math.min(...distances));
  return side === 'bid' ? line : line - 1;
}

/** The cells after a fill of one of them. A cell never holds less than nothing or more than its size. */
export function afterFill(cells: Cells, { cell, side, shares, full }: CellFill): Cells {
  const filled = cells.filled.map((held, at) => {
    if (at !== cell) return held;
    return Math.min(full, Math.max(0, held + (side === 'bid' ? shares : -shares)));
  });
  return { ...cells, filled };
}

interface CellFill {
  readonly cell: number;
  /** Of the quote that was filled. */
  readonly side: QuoteSpec['side'];
  /** Micro-shares; negative for a fill that was taken back. */
  readonly shares: number;
  readonly full: MicroShares;
}

/**
 * Each cell bids what it lacks at its lower line and asks what it holds at its upper one. A line never has both: the ask of
 * the cell below waits until the cell above is full. Quotes have the number of their cell as tag.
 */
export function cellQuotes(cells: Cells, lines: readonly number[], full: MicroShares): readonly QuoteSpec[] {
  return cells.filled.flatMap((held, cell): QuoteSpec[] => {
    const [lower = 0, upper = 0] = [lines[cell], lines[cell + 1]];
    const above = cells.filled[cell + 1] ?? full;
    return [
      ...(held < full
        ? [{ side: 'bid', price: lower, shares: microShares(full - held), tag: String(cell) } as const]
        : []),
      ...(held > 0 && above === full
        ? [{ side: 'ask', price: upper, shares: microShares(held), tag: String(cell) } as const]
        : []),
    ];
  });
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}
