import { LOT } from '../../domain/index.ts';

/** What an import met, per tape: for the quality report and for tests against recorded figures. */
export type BetfairCounts = ReturnType<typeof noCounts>;

export function noCounts() {
  const falling: number[] = [];
  return {
    /** Messages about the market, and the first and last moment of them. */
    messages: 0,
    firstAt: 0,
    lastAt: 0,
    /** Messages published in the same millisecond as the one before. */
    sameMillisecond: 0,
    /** Messages that left no row on the tape. */
    withoutRows: 0,
    images: 0,
    conflated: 0,
    /** Changes of one runner that had the field, and entries in it. */
    changes: { atb: 0, atl: 0, trd: 0, ltp: 0, tv: 0 },
    entries: { atb: 0, atl: 0, trd: 0 },
    /** Entries at odds that are not on the ladder; they are kept, off the tape's grid. */
    offLadder: 0,
    /** Highest sum of the traded totals of all runners, pence, both sides counted. */
    matchedPence: 0,
    /** Increments of traded totals that are trades, and their size: micro-shares, both sides counted. */
    increments: 0,
    grownMicroShares: 0,
    /** Totals that came again unchanged. */
    repeated: 0,
    /** Totals that came after the market had ended. */
    afterEnd: 0,
    /** Totals taken over from images as a new base: whatever was traded meanwhile is not on the tape. */
    imageTotals: 0,
    /** Messages with a falling total hold no trades: their numbers (from 0), and what was dropped with them. */
    revaluations: { messages: falling, entries: 0, plusPence: 0, minusPence: 0 },
    /** Of these apart: totals set back to 0, as at the end of a market. */
    resets: { entries: 0, pence: 0 },
    prints: {
      count: 0,
      lots: 0,
      largestLots: 0,
      /** Dropped: below one lot. */
      belowOneLot: 0,
      belowOneLotMicroShares: 0,
      /** Increments that are the second side of another runner's prints. */
      otherSide: 0,
      /** What the totals count a second time. */
      otherSideMicroShares: 0,
      /** All sizes before rounding down to lots, dropped ones too. */
      exactMicroShares: 0,
      buy: 0,
      sell: 0,
      unknown: 0,
    },
    /** States after a message while the market is open. */
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
