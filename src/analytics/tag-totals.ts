/** Fills and P&L by the basis of fills, which reports call the tag (docs/spec/models.md#conservation). */
import { type FillBasis, LOT } from '../domain/index.ts';
import type { MakerFill } from './fill-ring.ts';
import type { MeasuredFill, TagResult, TagResults } from './measure-types.ts';

interface TagSum {
  count: number;
  inside: number;
  lots: number;
  signedLots: number;
  /** Sum of sign x lots x price. `paid` and `fees` are micro-USD. */
  paid: number;
  fees: number;
}

type BasisFill = Pick<MeasuredFill, 'basis' | 'inside' | 'fee'> & Omit<MakerFill, 'time'>;

/** Stores only sums, because P&L is linear in the final price. */
export class MarketTags {
  readonly #sums = new Map<FillBasis, TagSum>();

  /** @param factor -1 to revert a fill */
  add({ basis, inside, sign, lots, price, fee }: BasisFill, factor: 1 | -1 = 1): void {
    let sum = this.#sums.get(basis);
    if (sum === undefined) {
      sum = { count: 0, inside: 0, lots: 0, signedLots: 0, paid: 0, fees: 0 };
      this.#sums.set(basis, sum);
    }
    sum.count += factor;
    if (inside) sum.inside += factor;
    sum.lots += factor * lots;
    sum.signedLots += factor * sign * lots;
    sum.paid += factor * sign * lots * price;
    sum.fees += factor * fee;
  }

  /** Adds this market's exact P&L in **half** micro-USD. @param doublePrice twice the payout or twice the mark */
  addTo(totals: TagTotals, doublePrice: number): void {
    for (const [basis, sum] of this.#sums)
      totals.add(basis, sum, doublePrice * sum.signedLots - 2 * sum.paid - 2 * sum.fees);
  }
}

export class TagTotals {
  readonly #totals = new Map<FillBasis, { count: number; inside: number; lots: number; halfMicros: number }>();

  add(basis: FillBasis, sum: Pick<TagSum, 'count' | 'inside' | 'lots'>, halfMicros: number): void {
    const before = this.#totals.get(basis) ?? { count: 0, inside: 0, lots: 0, halfMicros: 0 };
    this.#totals.set(basis, {
      count: before.count + sum.count,
      inside: before.inside + sum.inside,
      lots: before.lots + sum.lots,
      halfMicros: before.halfMicros + halfMicros,
    });
  }

  /** P&L of all tags in half micro-USD. @throws RangeError beyond 2^53 */
  get halfMicros(): number {
    let sum = 0;
    for (const { halfMicros } of this.#totals.values()) sum += halfMicros;
    if (!Number.isSafeInteger(sum)) throw new RangeError(`Invariant: P&L by tag of ${sum} half micro-USD is not exact`);
    return sum;
  }

  /** Returns rows sorted by basis, with P&L rounded **down** to micro-USD. */
  results(): TagResults {
    const rows = [...this.#totals].map(([basis, { count, inside, lots, halfMicros }]) => {
      const row: TagResult = { count, inside, shares: lots * LOT, pnlMicros: Math.floor(halfMicros / 2) };
      return [basis, row] as const;
    });
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
