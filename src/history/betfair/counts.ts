import { LOT } from '../../domain/index.ts';

/** Counts of one tape's import, for the quality report. */
export type BetfairCounts = ReturnType<typeof makeCounts>;

export function makeCounts() {
  const revaluationMessages: number[] = [];
  return {
    /** Messages about the market, and the times of the first and last message, epoch ms. */
    messages: 0,
    firstAt: 0,
    lastAt: 0,
    /** Messages published in the same millisecond as the previous message. */
    sameMillisecond: 0,
    withoutRows: 0,
    /** Messages with a full image of the market, and messages that the venue conflated. */
    images: 0,
    conflated: 0,
    /** For each field: the runner changes with this field, and its [odds, size] entries. */
    changes: { atb: 0, atl: 0, trd: 0, ltp: 0, tv: 0 },
    entries: { atb: 0, atl: 0, trd: 0 },
    /** Entries at odds that Betfair's odds ladder does not have. The tape keeps them, off its price grid. */
    offLadder: 0,
    /** Highest sum of all runners' traded totals, pence; both sides of a trade count. */
    matchedPence: 0,
    /** Increases of traded totals by trades, and their micro-shares; both sides of a trade count. */
    increments: 0,
    grownMicroShares: 0,
    /** Totals that were sent again unchanged. */
    repeated: 0,
    /** Totals after the end of the market. */
    afterEnd: 0,
    /** Totals in images. Trades before an image are not on the tape. */
    imageTotals: 0,
    /** Messages in which a total decreased: their numbers, from 0, and their changed totals, which are not trades. */
    revaluations: { messages: revaluationMessages, entries: 0, plusPence: 0, minusPence: 0 },
    /** Totals set to 0, as at the end of a market. `revaluations` lists their messages, but omits their amounts. */
    resets: { entries: 0, pence: 0 },
    prints: {
      count: 0,
      lots: 0,
      largestLots: 0,
      belowOneLot: 0,
      belowOneLotMicroShares: 0,
      /** Increments that are the second side of a print of the other runner. */
      otherSide: 0,
      /** Micro-shares that the totals count twice. */
      otherSideMicroShares: 0,
      /** Sum of all sizes before rounding down to lots, including dropped prints. */
      exactMicroShares: 0,
      buy: 0,
      sell: 0,
      unknown: 0,
    },
    /** Books after each message of the open market. `secondImproves…`: the second runner has the better YES price. */
    openStates: { count: 0, crossed: 0, secondImprovesAsk: 0, secondImprovesBid: 0 },
  };
}

/** Returns the micro-shares lost by rounding prints down to lots. @throws Error when increments and prints differ */
export function computeRoundingLoss({ increments, grownMicroShares, prints }: BetfairCounts): number {
  const { count, belowOneLot, otherSide, lots, belowOneLotMicroShares, otherSideMicroShares } = prints;
  const lost = grownMicroShares - otherSideMicroShares - lots * LOT - belowOneLotMicroShares;
  const isConsistent =
    Number.isSafeInteger(grownMicroShares) &&
    count + belowOneLot + otherSide === increments &&
    count === prints.buy + prints.sell + prints.unknown &&
    lost >= 0 &&
    lost < LOT * (count + belowOneLot + 1);
  if (isConsistent) return lost;
  throw new Error(
    `Invariant: ${increments} increments of ${grownMicroShares} micro-shares do not add up to ${count} prints of ${lots} lots, ` +
      `${belowOneLot} below one lot (${belowOneLotMicroShares}) and ${otherSide} second sides (${otherSideMicroShares})`,
  );
}
