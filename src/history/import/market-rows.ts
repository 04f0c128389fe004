/** What a market's rows are made of, and the rules for them. */
import { z } from 'zod';
import type { PriceGrid } from '../../domain/index.ts';
import { SIDE, type STATUS_CODES } from '../../tape/index.ts';
import type { BookSideCode } from './side-levels.ts';

/** How the rows of a market's source become rows of the tape. */
export interface MarketRules {
  readonly grid: PriceGrid;
  /** Rows of the NO outcome count as the other side of YES at 10000 - price, or are dropped. Default `mirror`. */
  readonly noRows?: 'mirror' | 'drop';
  /** Prices between two prices of the grid: bids round down and asks up, or the row is dropped. Default `round`. */
  readonly offGrid?: 'round' | 'drop';
  /** True: without a full book, levels build one from empty. False: they are dropped until a full book. Default true. */
  readonly startsEmpty?: boolean;
  /** Prints are inferred from repeated full books (docs/spec/models.md#thin-tapes). A trade is then a fault. Default false. */
  readonly inferPrints?: boolean;
}

/** The status of a market on a tape. */
export type ImportStatus = (typeof STATUS_CODES)[number];

/** What a row did to a level of the book. */
export type LevelChange = 'set' | 'left out' | 'unchanged' | 'below 0';

const levels = z.array(z.tuple([z.number(), z.number(), z.number(), z.array(z.tuple([z.number(), z.number()]))]));

/** A market between two messages. */
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

/** Rows of one market in one message, flat: kind, side, price, shares, flags. Prints stand apart, because they come first. */
export interface MarketRows {
  readonly prints: number[];
  readonly rows: number[];
  /** Levels whose size fell, flat: side, price, micro-shares. A later print may explain them. */
  readonly falls: number[];
}

/** A day, ms. */
export const LONGEST_DELAY = 86_400_000;
/** A smaller distance from a whole bps is an error of the source's arithmetic: one micro-dollar, in bps. */
const EXACT = 0.01;

export function other(side: BookSideCode): BookSideCode {
  return side === SIDE.bid ? SIDE.ask : SIDE.bid;
}

export function otherTaker(side: number): number {
  return side === SIDE.bid ? SIDE.ask : side === SIDE.ask ? SIDE.bid : side;
}

/** Removes errors of arithmetic from prices that are whole bps. */
export function whole(price: number): number {
  const near = Math.round(price);
  return Math.abs(price - near) < EXACT ? near : price;
}

export function sizeProblem(microShares: number): string | undefined {
  if (microShares < 0) return 'negative size';
  return Number.isSafeInteger(microShares) ? undefined : 'size that is no number of micro-shares below 2^53';
}
