/**
 * P&L of one market split exactly by cause (docs/spec/models.md#profit-and-loss): spread earned at the mark,
 * inventory carried from mark to mark, settlement against the last mark, fees, rewards.
 *
 * Invariants: everything is an integer of **half micro-USD** (one lot x half a bps), so each product is exact; sums
 * beyond 2^53 (about $4.5 billion) crash instead of rounding. The parts always add up to twice the change of cash plus
 * the value at the mark, for any order of fills and marks. A new mark costs one product and allocates nothing.
 */
import { FULL_BPS, LOT, type MicroUsd, type OrderFilled, type PriceBps, yesPrice, yesSign } from '../domain/index.ts';

type SplitFill = Pick<OrderFilled, 'outcome' | 'side' | 'price' | 'shares'>;

/** Half micro-USD by cause; fees are negative when paid. */
export interface SplitHalves {
  readonly spread: number;
  readonly inventory: number;
  readonly settlement: number;
  readonly fees: number;
  readonly rewards: number;
}

export interface SplitSnapshot {
  readonly lots: number;
  readonly mark: number;
  readonly marked: boolean;
  readonly spread: number;
  readonly inventory: number;
  readonly fees: number;
  readonly rewards: number;
  readonly payout: number | null;
  readonly refund: number | null;
}

/** Largest |YES - NO| in lots (4.5 billion shares): a product with a double mid stays below 2^53. */
const MAX_LOTS = Math.floor(Number.MAX_SAFE_INTEGER / (2 * FULL_BPS));

export class PnlSplit {
  /** YES minus NO in lots, as the fills say; conversions do not change it and a claim does not clear it. */
  #lots = 0;
  #mark = 0;
  #marked = false;
  #spread = 0;
  #inventory = 0;
  #fees = 0;
  #rewards = 0;
  /** Twice the payout in bps, once known. */
  #payout: number | undefined;
  /** What a cancelled market gives for the position beside the worth of its pairs, half micro-USD. */
  #refund: number | undefined;

  /** The mark in force, a double mid: the last reported one, before that the price of the last fill; 0 before both. */
  get markInForce(): number {
    return this.#mark;
  }

  /** A new double mid is in force from now on. Ignored once settled: the payout is the mark then. */
  mark(mark: number): void {
    if (this.#payout !== undefined || this.#refund !== undefined) return;
    this.#inventory = safe(this.#inventory + this.#lots * (mark - this.#mark));
    this.#mark = mark;
    this.#marked = true;
  }

  /**
   * A fill of whole lots.
   * @param times -1 of one that is taken back
   * @param before double mid in force strictly before the message that caused the fill, where that is not the mark
   * in force now (a fill reported late); before any mark a fill's own price is its mark
   */
  fill({ outcome, side, price: own, shares }: SplitFill, times: 1 | -1, before?: number): void {
    const price = yesPrice(outcome, own);
    if (!this.#marked) this.#moveTo(before ?? 2 * price);
    const mark = before ?? this.#mark;
    const signed = times * yesSign(outcome, side) * (shares / LOT);
    this.#spread = safe(this.#spread + signed * (mark - 2 * price));
    this.#inventory = safe(this.#inventory + signed * (this.#mark - mark));
    this.#lots += signed;
    this.#checkLots();
  }

  /**
   * Holdings were changed by no trade. What they are worth at the mark beyond what they count as contributed goes to
   * inventory, and so will all they gain or lose from here on.
   * @param lots change of YES minus NO
   * @param halves half micro-USD of the change beside the net position: NO at $1 a share, less the cost
   */
  adjust(lots: number, halves: number): void {
    this.#inventory = safe(this.#inventory + lots * this.#mark + halves);
    this.#lots += lots;
    this.#checkLots();
  }

  /** A fee or commission was paid; negative when it came back. */
  fee(amount: MicroUsd): void {
    this.#fees = safe(this.#fees - 2 * amount);
  }

  reward(amount: MicroUsd): void {
    this.#rewards = safe(this.#rewards + 2 * amount);
  }

  /** The market pays `payout` bps (0..10000) for a YES share. Fills that are reported later still count. */
  settle(payout: PriceBps): void {
    this.#payout = 2 * payout;
  }

  /** The market is void: holdings give `halves` half micro-USD beyond NO at $1. Called again after each late fill. */
  settleRefund(halves: number): void {
    this.#refund = safe(halves);
  }

  snapshot(): SplitSnapshot {
    return {
      lots: this.#lots,
      mark: this.#mark,
      marked: this.#marked,
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
    this.#marked = marked;
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

  #checkLots(): void {
    if (Math.abs(this.#lots) > MAX_LOTS)
      throw new RangeError(`Invariant: a position of ${this.#lots} lots is not exact`);
  }

  #settlement(): number {
    if (this.#refund !== undefined) return safe(this.#refund - this.#lots * this.#mark);
    if (this.#payout !== undefined) return this.#lots * (this.#payout - this.#mark) + 0;
    return 0;
  }

  /** Before the first mark: what is held is carried to a stand-in, so that nothing is lost when the real one comes. */
  #moveTo(mark: number): void {
    this.#inventory = safe(this.#inventory + this.#lots * (mark - this.#mark));
    this.#mark = mark;
  }
}

function safe(halves: number): number {
  if (!Number.isSafeInteger(halves)) throw new RangeError(`Invariant: ${halves} half micro-USD is not exact`);
  return halves;
}
