/**
 * Converts traded totals to prints in YES terms (docs/spec/models.md#trades).
 *
 * For a trade inside a runner, a total counts both the backer's and the layer's stake, so it is halved. For a
 * cross-match between two runners (a MINT or MERGE), each runner's total counts one side, so it is not halved.
 */
import { LOT, mulDivFloor } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import { type OddsSide, toYesPrice, type YesPrice } from './odds.ts';
import type { Increment, RunnerBook, Staged } from './runner-book.ts';

/** Increments of one runner in one message, and the staged changes of its book. */
export interface RunnerTrades {
  readonly runner: RunnerBook;
  readonly staged: Staged;
  /** Positive increments. */
  readonly increments: readonly Increment[];
}

/** A print. `side` is the taker's (`bid` buys YES); `lots` is rounded **down** and may be 0. */
interface Print {
  readonly side: number;
  readonly price: number;
  readonly lots: number;
  /** Size before rounding to lots, rounded **down**. */
  readonly microShares: number;
}

/** All prints of a message, and the increments that are not prints. Sums are micro-shares before rounding to lots. */
export interface Prints {
  readonly prints: readonly Print[];
  readonly microShares: number;
  /** Number of increments without a print, because the other runner's prints already contain their trades. */
  readonly otherSide: number;
  /** The part of the totals that counts the second side of trades. */
  readonly otherSideMicroShares: number;
}

/** Half of one unit of `getSize`, in micro-shares. */
const HALF_UNIT = 50;

/**
 * Returns the prints of a merged market. S1 and S2 are the two runners' sums of increment x odds. X = min(S1, S2) is
 * the cross-matched part. An increment d at odds b is a print of d*b/10^4*(S1+X)/(2*S1) shares for runner 1, and of
 * d*b/10^4*(S2-X)/(2*S2) shares for runner 2.
 * @param doubleMid double mid of the merged book before the message
 */
export function computeMergedPrints(trades: readonly RunnerTrades[], doubleMid: number | undefined): Prints {
  const size1 = sumSizes(trades.filter(({ runner }) => !runner.isMirrored));
  const size2 = sumSizes(trades.filter(({ runner }) => runner.isMirrored));
  const crossMatched = Math.min(size1, size2);
  let otherSide = 0;
  const prints = trades.flatMap((runnerTrades) => {
    const [sum, printed] = runnerTrades.runner.isMirrored
      ? [size2, size2 - crossMatched]
      : [size1, size1 + crossMatched];
    if (printed > 0) {
      return runnerTrades.increments.map((increment) =>
        makePrint(runnerTrades, increment, mulDivFloor(HALF_UNIT * getSize(increment), printed, sum), doubleMid),
      );
    }
    otherSide += runnerTrades.increments.length;
    return [];
  });
  const microShares = HALF_UNIT * (size1 + size2);
  return { prints, microShares, otherSide, otherSideMicroShares: microShares };
}

/** Returns the prints of a runner with its own tape. Halves an increment that no level decrease at its odds covers. */
export function computeSinglePrints(runnerTrades: RunnerTrades, doubleMid: number | undefined): Prints {
  let microShares = 0;
  let otherSideMicroShares = 0;
  const prints = runnerTrades.increments.map((increment) => {
    const isWhole =
      Math.max(getDecrease(runnerTrades, 'atb', increment.odds), getDecrease(runnerTrades, 'atl', increment.odds)) >=
      increment.pence;
    const half = HALF_UNIT * getSize(increment);
    microShares += isWhole ? 2 * half : half;
    otherSideMicroShares += isWhole ? 0 : half;
    return makePrint(runnerTrades, increment, isWhole ? 2 * half : half, doubleMid);
  });
  return { prints, microShares, otherSide: 0, otherSideMicroShares };
}

/** Makes a print. The side that decreased more at these odds sets taker and price. If both are equal, the mid does. */
function makePrint(
  runnerTrades: RunnerTrades,
  { odds }: Increment,
  microShares: number,
  doubleMid: number | undefined,
): Print {
  const { isMirrored } = runnerTrades.runner;
  const size = { lots: Math.floor(microShares / LOT), microShares };
  const [atb, atl] = [getDecrease(runnerTrades, 'atb', odds), getDecrease(runnerTrades, 'atl', odds)];
  if (atb !== atl) return makePrintAgainst(toYesPrice(atb > atl ? 'atb' : 'atl', odds, isMirrored), size);
  const [ask, bid] = isMirrored ? (['atl', 'atb'] as const) : (['atb', 'atl'] as const);
  const doublePriceTimesOdds = isMirrored ? 20_000 * odds - 2_000_000 : 2_000_000;
  const beyondMid = doubleMid === undefined ? 0 : doublePriceTimesOdds - doubleMid * odds;
  if (beyondMid > 0) return makePrintAgainst(toYesPrice(ask, odds, isMirrored), size);
  if (beyondMid < 0) return makePrintAgainst(toYesPrice(bid, odds, isMirrored), size);
  return { side: SIDE.unknown, price: toYesPrice(bid, odds, isMirrored).price, ...size };
}

/** Returns the print of a taker against a level. Against the ask side, the taker buys. */
function makePrintAgainst({ side, price }: YesPrice, size: Pick<Print, 'lots' | 'microShares'>): Print {
  return { side: side === SIDE.ask ? SIDE.bid : SIDE.ask, price, ...size };
}

/** Returns the decrease of a level in this message, pence. */
function getDecrease({ runner, staged }: RunnerTrades, side: OddsSide, odds: number): number {
  const now = staged[side].get(odds);
  return now === undefined ? 0 : Math.max(0, runner.stake(side, odds) - now);
}

function sumSizes(trades: readonly RunnerTrades[]): number {
  return trades.flatMap(({ increments }) => increments).reduce((sum, increment) => sum + getSize(increment), 0);
}

/** Returns an increment's size in pence x hundredths of odds. One unit is 10^-4 share. */
function getSize({ odds, pence }: Increment): number {
  return odds * pence;
}
