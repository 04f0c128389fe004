/**
 * What can be lost: worst case, exit value, reserves. Pure arithmetic on one market of one account
 * (docs/spec/models.md#one-account-in-yes-terms).
 */
import {
  addUsd,
  column,
  complement,
  costAt,
  FULL_BPS,
  type MicroShares,
  type MicroUsd,
  minShares,
  negUsd,
  type PriceBps,
  payoutAt,
  payoutBps,
  subShares,
  subUsd,
  ZERO_USD,
} from '../domain/index.ts';
import type { Position } from './ledger-types.ts';

const DOLLAR_A_PAIR = payoutBps(FULL_BPS);

export type Stake = Pick<Position, 'yes' | 'no' | 'netCash' | 'fees'>;

export interface WorstCase {
  /** Loss if NO wins after all own bids have filled; negative is a gain. */
  readonly ifNo: MicroUsd;
  /** Loss if YES wins after all own asks have filled; negative is a gain. */
  readonly ifYes: MicroUsd;
  /** The larger of the two, at least 0. Linear in the payout, so 50/50 lies between. */
  readonly worst: MicroUsd;
}

/**
 * Worst case of a market with its open orders (docs/spec/models.md#worst-case). Fees already paid are lost in either
 * case; those of takers to come are not in it.
 * @param openBids sum of remaining x price over own open bids in YES terms (`bidRisk`)
 * @param openAsks sum of remaining x (10000 - price) over own open asks in YES terms (`askRisk`)
 */
export function worstCase(stake: Stake, openBids: MicroUsd, openAsks: MicroUsd): WorstCase {
  const cash = subUsd(stake.netCash, stake.fees);
  const ifNo = subUsd(openBids, addUsd(cash, payoutAt(stake.no, DOLLAR_A_PAIR)));
  const ifYes = subUsd(openAsks, addUsd(cash, payoutAt(stake.yes, DOLLAR_A_PAIR)));
  return { ifNo, ifYes, worst: column.usd(Math.max(0, ifNo, ifYes)) };
}

/** What an open bid in YES terms can lose: all it pays. */
export function bidRisk(remaining: MicroShares, yesPrice: PriceBps): MicroUsd {
  return costAt(remaining, yesPrice);
}

/** What an open ask in YES terms can lose: a dollar a share less its price. */
export function askRisk(remaining: MicroShares, yesPrice: PriceBps): MicroUsd {
  return costAt(remaining, complement(yesPrice));
}

/**
 * Holdings at the exit side, for risk: pairs at a dollar, what is net long at the best outside bid, what is net short at
 * the best outside ask.
 * @param bid best outside bid in bps, 0 where the side is empty (`Ladder.topBid`)
 * @param ask best outside ask in bps, 10000 where the side is empty (`Ladder.topAsk`)
 */
export function exitValue(yes: MicroShares, no: MicroShares, bid: number, ask: number): MicroUsd {
  const pairs = payoutAt(minShares(yes, no), DOLLAR_A_PAIR);
  if (yes > no) return addUsd(pairs, costAt(subShares(yes, no), column.price(bid)));
  return addUsd(pairs, costAt(subShares(no, yes), column.price(FULL_BPS - ask)));
}

/** The venue's coarser measure (docs/spec/venue.md#limits): net cash beyond pairs, plus reserves of open BUY orders. */
export function venueExposure(stake: Stake, buyReserves: MicroUsd): MicroUsd {
  const paid = subUsd(negUsd(stake.netCash), payoutAt(minShares(stake.yes, stake.no), DOLLAR_A_PAIR));
  return addUsd(paid > 0 ? paid : ZERO_USD, buyReserves);
}
