import { LOT } from '../../domain/index.ts';

/** What an import met, per tape: for the quality report and for tests against recorded figures. */
export interface BetfairCounts {
  /** Messages about the market, and the first and last moment of them. */
  messages: number;
  firstAt: number;
  lastAt: number;
  /** Messages published in the same millisecond as the one before. */
  sameMillisecond: number;
  /** Messages that left no row on the tape. */
  withoutRows: number;
  images: number;
  conflated: number;
  /** Changes of one runner that had the field, and entries in it. */
  changes: { atb: number; atl: number; trd: number; ltp: number; tv: number };
  entries: { atb: number; atl: number; trd: number };
  /** Entries at odds that are not on the ladder; they are kept, off the tape's grid. */
  offLadder: number;
  /** Highest sum of the traded totals of all runners, pence, both sides counted. */
  matchedPence: number;
  /** Increments of traded totals that are trades, and their size: micro-shares, both sides counted. */
  increments: number;
  grownMicroShares: number;
  /** Totals that came again unchanged. */
  repeated: number;
  /** Totals that came after the market had ended. */
  afterEnd: number;
  /** Totals taken over from images as a new base: whatever was traded meanwhile is not on the tape. */
  imageTotals: number;
  /** Messages with a falling total hold no trades: their numbers (from 0), and what was dropped with them. */
  revaluations: { messages: number[]; entries: number; plusPence: number; minusPence: number };
  /** Of these apart: totals set back to 0, as at the end of a market. */
  resets: { entries: number; pence: number };
  prints: {
    count: number;
    lots: number;
    largestLots: number;
    /** Dropped: below one lot. */
    belowOneLot: number;
    belowOneLotMicroShares: number;
    /** Increments that are the second side of another runner's prints. */
    otherSide: number;
    /** What the totals count a second time. */
    otherSideMicroShares: number;
    /** All sizes before rounding down to lots, dropped ones too. */
    exactMicroShares: number;
    buy: number;
    sell: number;
    unknown: number;
  };
  /** States after a message while the market is open. */
  openStates: { count: number; crossed: number; secondImprovesAsk: number; secondImprovesBid: number };
}

export function noCounts(): BetfairCounts {
  return {
    messages: 0,
    firstAt: 0,
    lastAt: 0,
    sameMillisecond: 0,
    withoutRows: 0,
    images: 0,
    conflated: 0,
    changes: { atb: 0, atl: 0, trd: 0, ltp: 0, tv: 0 },
    entries: { atb: 0, atl: 0, trd: 0 },
    offLadder: 0,
    matchedPence: 0,
    increments: 0,
    grownMicroShares: 0,
    repeated: 0,
    afterEnd: 0,
    imageTotals: 0,
    revaluations: { messages: [], entries: 0, plusPence: 0, minusPence: 0 },
    resets: { entries: 0, pence: 0 },
    prints: {
      count: 0,
      lots: 0,
      largestLots: 0,
      belowOneLot: 0,
      belowOneLotMicroShares: 0,
      otherSide: 0,
      otherSideMicroShares: 0,
      exactMicroShares: 0,
      buy: 0,
      sell: 0,
      unknown: 0,
    },
    openStates: { count: 0, crossed: 0, secondImprovesAsk: 0, secondImprovesBid: 0 },
  };
}

/** Micro-shares that rounding down to lots took from the prints. @throws Error when the increments do not add up */
export function roundedOff({ increments, grownMicroShares, prints }: BetfairCounts): number {
  const { count, belowOneLot, otherSide, lots, belowOneLotMicroShares, otherSideMicroShares } = prints;
  const rounded = grownMicroShares - otherSideMicroShares - lots * LOT - belowOneLotMicroShares;
  const isWhole =
    Number.isSafeInteger(grownMicroShares) &&
    count + belowOneLot + otherSide === increments &&
    count === prints.buy + prints.sell + prints.unknown &&
    rounded >= 0 &&
    rounded < LOT * (count + belowOneLot + 1);
  if (isWhole) return rounded;
  throw new Error(
    `Invariant: ${increments} increments of ${grownMicroShares} micro-shares do not add up to ${count} prints of ${lots} lots, ` +
      `${belowOneLot} below one lot (${belowOneLotMicroShares}) and ${otherSide} second sides (${otherSideMicroShares})`,
  );
}
