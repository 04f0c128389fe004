/**
 * The money outside of accounts: the collateral of each market, the fees taken, and the outside world.
 *
 * HOT: every fill adds to a market's collateral (bench/exchange.ts). Market numbers index the columns, which `open` may
 * replace. Fields are declared for speed (docs/decisions/0017).
 *
 * Invariants: until a market is final, its collateral in micro-USD equals its supply in micro-shares, of YES and of NO.
 * Afterwards its collateral is the unclaimed payouts.
 */
import type { Accounts } from './accounts.ts';
import { AS_FLOAT, columnLength, growFloats, growInts } from './columns.ts';
import type { Holdings } from './holdings.ts';

/** Special values of `CollateralLedger.ending`: not final, CANCELLED. Other values are the payout of YES in bps. */
export const ENDING = { none: -1, cancelled: -2 } as const;

export class CollateralLedger {
  /** Micro-USD locked in a market, or owed to the holders of a final market. */
  declare collateral: Float64Array;
  /** Micro-shares of YES, and as many of NO, that exist; constant once the market is final. */
  declare supply: Float64Array;
  /** Payout of a YES share in bps, or a code of `ENDING`. */
  declare ending: Int32Array;
  /** Taker fees taken less refunded fees, in micro-USD. */
  fees = AS_FLOAT;
  /** Withdrawals less deposits, in micro-USD; usually negative. */
  outside = AS_FLOAT;
  /**
   * Upper bound of each holding's |net cash paid| and each position's |realized P&L|, even if all open orders fill: the
   * sum of all reserves, trades and conversions, at a dollar per traded or converted share. While the bound is small,
   * `OverflowGuard` needs no exact check. Not part of the state.
   */
  turnoverBound = AS_FLOAT;
  #markets = 0;

  /** @param capacity number of markets before the columns grow */
  constructor(capacity: number) {
    this.fees = 0;
    this.outside = 0;
    this.turnoverBound = 0;
    const length = columnLength(capacity);
    this.collateral = new Float64Array(length);
    this.supply = new Float64Array(length);
    this.ending = new Int32Array(length).fill(ENDING.none);
  }

  /** Highest opened market number + 1. */
  get markets(): number {
    return this.#markets;
  }

  /** Reserves space for a market. Market numbers start at 0. */
  open(market: number): void {
    if (market < this.#markets) return;
    this.#markets = market + 1;
    const old = this.ending.length;
    if (market < old) return;
    const length = columnLength(market);
    this.collateral = growFloats(this.collateral, length);
    this.supply = growFloats(this.supply, length);
    this.ending = growInts(this.ending, length).fill(ENDING.none, old);
  }

  /** Returns whether a market is settled or refunded, so that only claims can follow. */
  isFinal(market: number): boolean {
    return market < this.#markets && this.ending[market] !== ENDING.none;
  }

  /** Adds pairs and cash to a market that is not final; negative numbers remove them. */
  add(market: number, pairs: number, cash: number): void {
    this.supply[market]! += pairs;
    this.collateral[market]! += cash;
  }

  /** @throws RangeError unless a market that is not final has a dollar for each pair */
  assertBalance(market: number): void {
    if (this.supply[market] !== this.collateral[market]) throw imbalanceError(this, market);
  }
}

function imbalanceError({ supply, collateral }: CollateralLedger, market: number): RangeError {
  return new RangeError(
    `Invariant: market ${market} has ${collateral[market]} micro-USD for ${supply[market]} micro-pairs`,
  );
}

/** Where all cash and shares of an exchange are: the parts of `Clearing` that `Settlement` and `OverflowGuard` use. */
export interface ClearingState {
  readonly accounts: Accounts;
  readonly holdings: Holdings;
  readonly collateralLedger: CollateralLedger;
}
