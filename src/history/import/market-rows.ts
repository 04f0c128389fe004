/** The rows of a market in an import, and the rules for them. */
import { z } from 'zod';
import type { PriceGrid } from '../../domain/index.ts';
import { SIDE, type STATUS_CODES } from '../../tape/index.ts';
import type { BookSideCode } from './side-levels.ts';

/** Rules that convert a source's rows to rows of the tape. */
export interface MarketRules {
  readonly grid: PriceGrid;
  /** Whether NO rows become the other side of YES at 10000 - price, or are dropped. Default: `mirror`. */
  readonly noRows?: 'mirror' | 'drop';
  /** Whether prices off the grid round (bids down, asks up) or drop the row. Default: `round`. */
  readonly offGrid?: 'round' | 'drop';
  /** Whether the book starts empty. If false, levels are dropped until the first full book. Default: true. */
  readonly startsEmpty?: boolean;
  /** Whether to infer prints from full books (docs/spec/models.md#thin-tapes) and refuse trades. Default: false. */
  readonly inferPrints?: boolean;
}

export type ImportStatus = (typeof STATUS_CODES)[number];

export type LevelChange = 'set' | 'left out' | 'unchanged' | 'below 0';
/** Whether a size is a level's new size, or a change of its size. */
export type SizeMeaning = 'size' | 'change';

const levels = z.array(z.tuple([z.number(), z.number(), z.number(), z.array(z.tuple([z.number(), z.number()]))]));

export const savedMarket = z.object({
  bids: levels,
  asks: levels,
  orders: z.array(
    z.tuple([
      z.union([z.literal(0), z.literal(1)]),
      z.number(),
      z.number(),
      z.number(),
      z.array(z.tuple([z.string(), z.number(), z.number()])),
    ]),
  ),
  hasBook: z.boolean(),
  isGap: z.boolean(),
  status: z.number(),
  placeDelayMs: z.number(),
  isResolved: z.boolean(),
});
export type SavedMarket = z.output<typeof savedMarket>;

/** Rows of one market in one message, as flat lists: kind, side, price, micro-shares and flags of each row. */
export interface MarketRows {
  /** Trades; they come before `rows` on the tape. */
  readonly prints: number[];
  readonly rows: number[];
  /** Level decreases that a later print may explain, as a flat list: side, price and micro-shares of each. */
  readonly decreases: number[];
}

/** One micro-dollar in bps. Smaller distances from a whole bps are rounding errors of the source. */
const TOLERANCE_BPS = 0.01;

export function oppositeSide(side: BookSideCode): BookSideCode {
  return side === SIDE.bid ? SIDE.ask : SIDE.bid;
}

export function oppositeTaker(side: number): number {
  return side === SIDE.bid ? SIDE.ask : side === SIDE.ask ? SIDE.bid : side;
}

/** Removes rounding errors from prices that are whole bps. */
export function snapToBps(price: number): number {
  const nearest = Math.round(price);
  return Math.abs(price - nearest) < TOLERANCE_BPS ? nearest : price;
}

export function sizeProblem(microShares: number): string | undefined {
  if (microShares < 0) return 'negative size';
  return Number.isSafeInteger(microShares) ? undefined : 'size that is not a number of micro-shares below 2^53';
}
