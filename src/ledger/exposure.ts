/** Worst case, exit value and exposure of an account in one market (docs/spec/models.md#one-account-in-yes-terms). */
import {
  addUsd,
  costAt,
  FULL_BPS,
  type MicroShares,
  type MicroUsd,
  minShares,
  negUsd,
  payoutAt,
  payoutBps,
  subShares,
  subUsd,
  unchecked,
  ZERO_USD,
} from '../domain/index.ts';
import type { Position } from './ledger-types.ts';

const PAYOUT_PER_PAIR = payoutBps(FULL_BPS);

export type CashAndShares = Pick<Position, 'yes' | 'no' | 'netCash' | 'fees'>;

export interface WorstCase {
  /** Loss if NO wins after all own bids have filled; negative for a gain. */
  readonly ifNo: MicroUsd;
  /** Loss if YES wins after all own asks have filled; negative for a gain. */
  readonly ifYes: MicroUsd;
  /** The larger loss, at least 0. Losses are linear in the payout, so a 50/50 payout causes no larger loss. */
  readonly worstLoss: MicroUsd;
}

/**
 * Computes the worst case of a market with its open orders (docs/spec/models.md#worst-case). Includes paid fees, but no
 * future taker fees.
 * @param openBids cost of all own open bids
 * @param openAsks cost of all own open asks in NO terms: a dollar minus the YES price, for each share
 */
export function worstCase(position: CashAndShares, openBids: MicroUsd, openAsks: MicroUsd): WorstCase {
  const cash = subUsd(position.netCash, position.fees);
  const ifNo = subUsd(openBids, addUsd(cash, payoutAt(position.no, PAYOUT_PER_PAIR)));
  const ifYes = subUsd(openAsks, addUsd(cash, payoutAt(position.yes, PAYOUT_PER_PAIR)));
  return { ifNo, ifYes, worstLoss: unchecked.usd(Math.max(0, ifNo, ifYes)) };
}

/**
 * Values holdings for risk. A pair is worth a dollar. A net long position is valued at the best outside bid, a net
 * short position at the best outside ask.
 * @param bid best outside bid in bps, 0 if the side is empty (`Ladder.topBid`)
 * @param ask best outside ask in bps, 10000 if the side is empty (`Ladder.topAsk`)
 */
export function exitValue(yes: MicroShares, no: MicroShares, bid: number, ask: number): MicroUsd {
  const pairs = payoutAt(minShares(yes, no), PAYOUT_PER_PAIR);
  if (yes > no) return addUsd(pairs, costAt(subShares(yes, no), unchecked.price(bid)));
  return addUsd(pairs, costAt(subShares(no, yes), unchecked.price(FULL_BPS - ask)));
}

/** The exposure that the venue limits (docs/spec/venue.md#limits): net cash paid beyond pairs, plus BUY reserves. */
export function venueExposure(position: CashAndShares, buyReserves: MicroUsd): MicroUsd {
  const unpaired = subUsd(negUsd(position.netCash), payoutAt(minShares(position.yes, position.no), PAYOUT_PER_PAIR));
  return addUsd(unpaired > 0 ? unpaired : ZERO_USD, buyReserves);
}
