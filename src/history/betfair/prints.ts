/**
 * From traded totals to prints in YES terms (docs/spec/models.md#trades).
 *
 * A total counts the backer's and the layer's stake of a trade inside a runner, so it is halved; of a cross-match
 * between the two runners (a MINT or MERGE) it counts one side on each, so it is not.
 */
import { LOT, mulDivFloor } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import { type OddsSide, type YesPrice, yesPrice } from './odds.ts';
import type { Increment, RunnerBook, Staged } from './runner-book.ts';

/** What one message says was matched in one runner, and what it makes of that runner's book. */
export interface RunnerTrades {
  readonly runner: RunnerBook;
  readonly staged: Staged;
  /** Positive ones only. */
  readonly increments: readonly Increment[];
}

/** A print; `side` is the taker's (`bid` buys YES), `lots` is rounded down and may be 0. */
interface Print {
  readonly side: number;
  readonly price: number;
  readonly lots: number;
  /** Before rounding to lots, rounded **down**. */
  readonly microShares: number;
}

/** All prints of a message, and what else its increments came to; sizes before rounding, added up in micro-shares. */
export interface Prints {
  readonly prints: readonly Print[];
  readonly microShares: number;
  /** Increments that are the second side of another runner's prints, and so no prints of their own. */
  readonly otherSide: number;
  /** What totals count a second time: the other side of every trade. */
  readonly otherSideMicroShares: number;
}

/** Half of one pence x hundredth of odds, in micro-shares. */
const HALF_UNIT = 50;

/**
 * Prints of the two runners of a merged market. With S1, S2 the sums of increment x odds and X = min(S1, S2) what was
 * cross-matched, a runner-1 increment d is a print of d*b/10^4*(S1+X)/(2*S1) shares, a runner-2 one of
 * d*b/10^4*(S2-X)/(2*S2).
 * @param doubleMid of the union book before the message
 */
export function mergedPrints(trades: readonly RunnerTrades[], doubleMid: number | undefined): Prints {
  const [s1, s2] = [sumOf(trades, false), sumOf(trades, true)];
  const crossed = Math.min(s1, s2);
  let otherSide = 0;
  const prints = trades.flatMap((of) => {
    const [whole, kept] = of.runner.mirrored ? [s2, s2 - crossed] : [s1, s1 + crossed];
    if (kept > 0) {
      return of.increments.map((each) => {
        return printOf(of, each, mulDivFloor(HALF_UNIT * sizeOf(each), kept, whole), doubleMid);
      });
    }
    otherSide += of.increments.length;
    return [];
  });
  const microShares = HALF_UNIT * (s1 + s2);
  return { prints, microShares, otherSide, otherSideMicroShares: microShares };
}

/** Prints of a runner on a tape of its own: halved unless its own level shows the whole decrease. */
export function singlePrints(of: RunnerTrades, doubleMid: number | undefined): Prints {
  let microShares = 0;
  let otherSideMicroShares = 0;
  const prints = of.increments.map((each) => {
    const whole = Math.max(shrunk(of, 'atb', each.odds), shrunk(of, 'atl', each.odds)) >= each.pence;
    const half = HALF_UNIT * sizeOf(each);
    microShares += whole ? 2 * half : half;
    otherSideMicroShares += whole ? 0 : half;
    return printOf(of, each, whole ? 2 * half : half, doubleMid);
  });
  return { prints, microShares, otherSide: 0, otherSideMicroShares };
}

/** The ladder that shrank at these odds gives the taker's side and the rounding; otherwise the side of the mid does. */
function printOf(of: RunnerTrades, { odds }: Increment, microShares: number, doubleMid: number | undefined): Print {
  const { mirrored } = of.runner;
  const size = { lots: Math.floor(microShares / LOT), microShares };
  const [atb, atl] = [shrunk(of, 'atb', odds), shrunk(of, 'atl', odds)];
  if (atb !== atl) return taken(yesPrice(atb > atl ? 'atb' : 'atl', odds, mirrored), size);
  const [ask, bid] = mirrored ? (['atl', 'atb'] as const) : (['atb', 'atl'] as const);
  const twice = mirrored ? 20_000 * odds - 2_000_000 : 2_000_000;
  const beyondMid = doubleMid === undefined ? 0 : twice - doubleMid * odds;
  if (beyondMid > 0) return taken(yesPrice(ask, odds, mirrored), size);
  if (beyondMid < 0) return taken(yesPrice(bid, odds, mirrored), size);
  return { side: SIDE.unknown, price: yesPrice(bid, odds, mirrored).price, ...size };
}

/** Who takes what stands on the ask side buys. */
function taken({ side, price }: YesPrice, size: Pick<Print, 'lots' | 'microShares'>): Print {
  return { side: side === SIDE.ask ? SIDE.bid : SIDE.ask, price, ...size };
}

/** How much a level lost by this message, pence. */
function shrunk({ runner, staged }: RunnerTrades, side: OddsSide, odds: number): number {
  const now = staged[side].get(odds);
  return now === undefined ? 0 : Math.max(0, runner.stake(side, odds) - now);
}

function sumOf(trades: readonly RunnerTrades[], mirrored: boolean): number {
  let sum = 0;
  for (const of of trades) if (of.runner.mirrored === mirrored) for (const each of of.increments) sum += sizeOf(each);
  return sum;
}

/** Pence x hundredths: 10^-4 share. */
function sizeOf({ odds, pence }: Increment): number {
  return odds * pence;
}
