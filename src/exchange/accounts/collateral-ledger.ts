/**
 * The money outside accounts: the collateral of each market, the fees taken, and the outside world that money comes
 * from.
 *
 * HOT: every fill adds to a market's collateral; timed with the trade in bench/exchange.ts. Columns are indexed by the
 * market's number and replaced when they grow.
 *
 * Invariants: until a market is final its collateral in micro-USD is the number of its YES micro-shares, and of its NO
 * (`supply`); from then on it is the unpaid debt.
 */
import { AS_FLOAT, columnLength, floats, ints } from './columns.ts';

/**
 * The values of `CollateralLedger.ending` for a market that is not final or is CANCELLED; else it is the payout of YES
 * in bps.
 */
export const ENDING = { none: -1, cancelled: -2 } as const;

/** Totals of the exchange and of its markets. */
export class CollateralLedger {
  /** Micro-USD locked in a market, or owed to its holders. */
  declare collateral: Float64Array;
  /** Micro-shares of YES, and of NO, that exist; as it was at the end once the market is final. */
  declare supply: Float64Array;
  /** Payout of a YES share in bps, or a code of `ENDING`. */
  declare ending: Int32Array;
  /** Taker fees taken, less those given back, in micro-USD. */
  fees = AS_FLOAT;
  /** Money that went out less money that came in, in micro-USD: negative as a rule. */
  outside = AS_FLOAT;
  /**
   * More than any holding's net cash paid and any position's realised P&L can be from zero, whatever is open: all
   * reserves, and what was traded and converted, each share at a dollar. A short cut for `OverflowGuard`, not part of the state.
   */
  turned = AS_FLOAT;
  #markets = 0;

  /** @param capacity markets that fit before the columns must grow */
  constructor(capacity: number) {
    this.fees = 0;
    this.outside = 0;
    this.turned = 0;
    const length = columnLength(capacity);
    this.collateral = new Float64Array(length);
    this.supply = new Float64Array(length);
    this.ending = new Int32Array(length).fill(ENDING.none);
  }

  /** One more than the highest number of a market that was opened here. */
  get markets(): number {
    return this.#markets;
  }

  /** Reserves space for a market number, 0 … */
  open(market: number): void {
    if (market < this.#markets) return;
    this.#markets = market + 1;
    const old = this.ending.length;
    if (market < old) return;
    const length = columnLength(market);
    this.collateral = floats(this.collateral, length);
    this.supply = floats(this.supply, length);
    this.ending = ints(this.ending, length).fill(ENDING.none, old);
  }

  /** Whether a market has paid out or refunded, so that only claims can follow. */
  isFinal(market: number): boolean {
    return market < this.#markets && this.ending[market] !== ENDING.none;
  }

  /** Pairs are made in a market that is not final (negative: destroyed), cash goes in (negative: out). */
  add(market: number, pairs: number, cash: number): void {
    this.supply[market]! += pairs;
    this.collateral[market]! += cash;
  }

  /** @throws RangeError when a market that is not final has not a dollar for each pair */
  demandBalance(market: number): void {
    if (this.supply[market] !== this.collateral[market]) throw unequal(this, market);
  }
}

function unequal({ supply, collateral }: CollateralLedger, market: number): RangeError {
  return new RangeError(
    `Invariant: market ${market} has ${collateral[market]} micro-USD for ${supply[market]} micro-pairs`,
  );
}
