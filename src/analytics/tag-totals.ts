/**
 * Fills and their P&L by cause (docs/spec/models.md#conservation). Sums suffice, because P&L is linear in the final
 * price.
 */
import { type FillTag, LOT } from '../domain/index.ts';
import type { MakerFill } from './fill-ring.ts';
import type { MeasuredFill, TagResult, TagResults } from './measure-types.ts';

interface TagSum {
  count: number;
  inside: number;
  lots: number;
  signedLots: number;
  /** Sum of sign x lots x price, micro-USD. */
  paid: number;
  /** Micro-USD. */
  fees: number;
}

type TaggedFill = Pick<MeasuredFill, 'tag' | 'inside' | 'fee'> & Omit<MakerFill, 'time'>;

export class MarketTags {
  readonly #sums = new Map<FillTag, TagSum>();

  /** @param times -1 to revert a fill */
  add({ tag, inside, sign, lots, price, fee }: TaggedFill, times: 1 | -1 = 1): void {
    let sum = this.#sums.get(tag);
    if (sum === undefined) {
      sum = { count: 0, inside: 0, lots: 0, signedLots: 0, paid: 0, fees: 0 };
      this.#sums.set(tag, sum);
    }
    sum.count += times;
    if (inside) sum.inside += times;
    sum.lots += times * lots;
    sum.signedLots += times * sign * lots;
    sum.paid += times * sign * lots * price;
    sum.fees += times * fee;
  }

  /** Adds this market's P&L in **half** micro-USD, exact. @param final twice the payout, or the last mark */
  addTo(totals: TagTotals, final: number): void {
    for (const [tag, sum] of this.#sums) {
      totals.add(tag, sum, final * sum.signedLots - 2 * sum.paid - 2 * sum.fees);
    }
  }
}

export class TagTotals {
  readonly #totals = new Map<FillTag, { count: number; inside: number; lots: number; halves: number }>();

  add(tag: FillTag, sum: Pick<TagSum, 'count' | 'inside' | 'lots'>, halves: number): void {
    const before = this.#totals.get(tag) ?? { count: 0, inside: 0, lots: 0, halves: 0 };
    this.#totals.set(tag, {
      count: before.count + sum.count,
      inside: before.inside + sum.inside,
      lots: before.lots + sum.lots,
      halves: before.halves + halves,
    });
  }

  /** P&L over all tags in half micro-USD. @throws RangeError past 2^53 */
  get halves(): number {
    let sum = 0;
    for (const { halves } of this.#totals.values()) sum += halves;
    if (!Number.isSafeInteger(sum)) throw new RangeError(`Invariant: P&L by tag of ${sum} half micro-USD is not exact`);
    return sum;
  }

  /** Returns rows sorted by tag, with P&L rounded **down** to micro-USD. */
  results(): TagResults {
    const rows = [...this.#totals].map(([tag, { count, inside, lots, halves }]) => {
      const row: TagResult = { count, inside, shares: lots * LOT, pnlMicros: Math.floor(halves / 2) };
      return [tag, row] as const;
    });
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
