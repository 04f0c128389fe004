/**
 * Splits the P&L of one market exactly by cause (docs/spec/models.md#profit-and-loss): spread earned at the mark,
 * inventory carried from mark to mark, settlement against the latest mark, fees, and rewards.
 *
 * Invariants: all amounts are integers in **half micro-USD** (one lot x half a bps), so products are exact. Sums beyond
 * 2^53 (about $4.5 billion) throw. For any order of fills and marks, the parts sum to the change of cash plus the value
 * at the mark. A new mark needs one multiplication and allocates nothing.
 */
import { FULL_BPS, LOT, type MicroUsd, type OrderFilled, type PriceBps, yesPrice, yesSign } from '../domain/index.ts';

type SplitFill = Pick<OrderFilled, 'outcome' | 'side' | 'price' | 'shares'>;

/** Half micro-USD by cause. Paid fees are negative. */
export type SplitHalves = Readonly<Record<'spread' | 'inventory' | 'settlement' | 'fees' | 'rewards', number>>;

export interface SplitSnapshot extends Omit<SplitHalves, 'settlement'> {
  readonly lots: number;
  readonly mark: number;
  readonly marked: boolean;
  readonly payout: number | null;
  readonly refund: number | null;
}

/** Maximum of |YES - NO| in lots (4.5 billion shares), so that a product with a double mid stays below 2^53. */
const MAX_LOTS = Math.floor(Number.MAX_SAFE_INTEGER / (2 * FULL_BPS));

export class PnlSplit {
  /** YES minus NO in lots. Fills and adjustments change this number; conversions and claims do not. */
  #lots = 0;
  #mark = 0;
  #hasReportedMark = false;
  #spread = 0;
  #inventory = 0;
  #fees = 0;
  #rewards = 0;
  /** Twice the payout in bps; undefined before the settlement. */
  #payout: number | undefined;
  /** Refund of a cancelled market, less $1 for each held NO share, half micro-USD. */
  #refund: number | undefined;

  /** The latest reported double mid. Before the first report: the latest fill's provisional mark, or 0. */
  get currentMark(): number {
    return this.#mark;
  }

  /** Sets the mark, a double mid. Has no effect after the settlement, because the payout is then the mark. */
  mark(mark: number): void {
    if (this.#payout !== undefined || this.#refund !== undefined) return;
    this.#setMark(mark);
    this.#hasReportedMark = true;
  }

  /**
   * Books a fill of whole lots.
   * @param factor -1 to undo the fill
   * @param markBefore double mid before the message that caused the fill. Default: the current mark, or the fill's
   * price if no mark was reported yet
   */
  fill({ outcome, side, price: ownPrice, shares }: SplitFill, factor: 1 | -1, markBefore?: number): void {
    const price = yesPrice(outcome, ownPrice);
    // A provisional mark, which the first reported mark replaces.
    if (!this.#hasReportedMark) this.#setMark(markBefore ?? 2 * price);
    const mark = markBefore ?? this.#mark;
    const signedLots = factor * yesSign(outcome, side) * (shares / LOT);
    this.#spread = requireExact(this.#spread + signedLots * (mark - 2 * price));
    this.#inventory = requireExact(this.#inventory + signedLots * (this.#mark - mark));
    this.#addLots(signedLots);
  }

  /**
   * Books a change of holdings without a trade. The change's value at the mark less its cost is inventory P&L.
   * @param lots change of YES minus NO
   * @param halves half micro-USD: $1 for each added NO share, less the cost
   */
  adjust(lots: number, halves: number): void {
    this.#inventory = requireExact(this.#inventory + lots * this.#mark + halves);
    this.#addLots(lots);
  }

  /** Books a paid fee or commission, or a refund if the amount is negative. */
  bookFee(amount: MicroUsd): void {
    this.#fees = requireExact(this.#fees - 2 * amount);
  }

  bookReward(amount: MicroUsd): void {
    this.#rewards = requireExact(this.#rewards + 2 * amount);
  }

  /** Settles the market at `payout` bps (0..10000) for a YES share. Later fills still change the P&L. */
  settle(payout: PriceBps): void {
    this.#payout = 2 * payout;
  }

  /** Settles a cancelled market. Call this again after each late fill. @param halves the value of `#refund` */
  settleRefund(halves: number): void {
    this.#refund = requireExact(halves);
  }

  snapshot(): SplitSnapshot {
    return {
      lots: this.#lots,
      mark: this.#mark,
      marked: this.#hasReportedMark,
      spread: this.#spread,
      inventory: this.#inventory,
      fees: this.#fees,
      rewards: this.#rewards,
      payout: this.#payout ?? null,
      refund: this.#refund ?? null,
    };
  }

  restore({ lots, mark, marked, spread, inventory, fees, rewards, payout, refund }: SplitSnapshot): void {
    this.#lots = lots;
    this.#mark = mark;
    this.#hasReportedMark = marked;
    this.#spread = spread;
    this.#inventory = inventory;
    this.#fees = fees;
    this.#rewards = rewards;
    this.#payout = payout ?? undefined;
    this.#refund = refund ?? undefined;
  }

  halves(): SplitHalves {
    return {
      spread: this.#spread,
      inventory: this.#inventory,
      settlement: this.#settlement(),
      fees: this.#fees,
      rewards: this.#rewards,
    };
  }

  #addLots(lots: number): void {
    this.#lots += lots;
    if (Math.abs(this.#lots) > MAX_LOTS)
      throw new RangeError(`Invariant: a position of ${this.#lots} lots is not exact`);
  }

  #settlement(): number {
    if (this.#refund !== undefined) return requireExact(this.#refund - this.#lots * this.#mark);
    if (this.#payout !== undefined) return this.#lots * (this.#payout - this.#mark) + 0;
    return 0;
  }

  #setMark(mark: number): void {
    this.#inventory = requireExact(this.#inventory + this.#lots * (mark - this.#mark));
    this.#mark = mark;
  }
}

/** @throws RangeError unless a safe integer */
export function requireExact(halves: number): number {
  if (!Number.isSafeInteger(halves)) throw new RangeError(`Invariant: ${halves} half micro-USD is not exact`);
  return halves;
}
