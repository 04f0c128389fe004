/**
 * One account in one market, against all other accounts as one "outside world". `ledger.ts` moves the money.
 *
 * Invariants: `pairs` is the number of YES shares and of NO shares that exist. The outside world holds all shares that
 * the account does not hold. `collateral` is a dollar per pair before the market's end, and the amount still owed
 * afterwards.
 */
import {
  addShares,
  addUsd,
  complement,
  costAt,
  FULL_BPS,
  LOT,
  MAX_ORDER_SHARES,
  type MicroShares,
  type MicroUsd,
  negUsd,
  type Outcome,
  payoutAt,
  payoutBps,
  refunds,
  type Side,
  subShares,
  subUsd,
  toShares,
  unchecked,
  ZERO_SHARES,
  ZERO_USD,
} from '../domain/index.ts';
import { Holding, type HoldingAmounts } from './holding.ts';
import type { LedgerFill, MarketAccountSnapshot, Position, Settlement } from './ledger-types.ts';
import { PnlSplit } from './pnl-split.ts';

const PAYOUT_PER_PAIR = payoutBps(FULL_BPS);

export class MarketAccount implements Position {
  readonly pnlSplit = new PnlSplit();
  readonly #holding: Readonly<Holding> = new Holding();
  #pairs = unchecked.shares(MAX_ORDER_SHARES);
  #netCash = ZERO_USD;
  #fees = ZERO_USD;
  #commission = ZERO_USD;
  #feesOwed = ZERO_USD;
  #rewards = ZERO_USD;
  #settlement: Settlement | undefined;
  /** Caches `settlement === 'CANCELLED'`, because V8 calls a function to compare a value of mixed types. */
  #isCancelled = false;
  #owed = ZERO_USD;
  #claimed = ZERO_USD;
  #isRefundClaimed = false;
  #collateral = unchecked.usd(MAX_ORDER_SHARES);
  #lastValueHalves = 0;

  constructor() {
    // V8 discards code compiled for integers below 2^31 at the first larger number, so the fields start large.
    this.#pairs = ZERO_SHARES;
    this.#collateral = ZERO_USD;
  }
  get yes(): MicroShares {
    return this.#isCancelled ? ZERO_SHARES : this.#holding.yes;
  }
  get no(): MicroShares {
    return this.#isCancelled ? ZERO_SHARES : this.#holding.no;
  }
  get net(): number {
    return this.yes - this.no;
  }
  get shares(): number {
    return toShares(this.net);
  }
  get yesCost(): MicroUsd {
    return this.#holding.yesCost;
  }
  get noCost(): MicroUsd {
    return this.#holding.noCost;
  }
  get realized(): MicroUsd {
    return addUsd(subUsd(addUsd(this.#holding.traded, this.realizedSettlement), this.#fees), this.#rewards);
  }
  get realizedSettlement(): MicroUsd {
    // Without a refund, the shares of a cancelled market are lost, and no claim follows.
    const lost = this.#isCancelled && this.owed === 0 ? this.#holding.cost : ZERO_USD;
    return subUsd(this.#holding.settled, lost);
  }
  get netCash(): MicroUsd {
    return addUsd(this.#netCash, this.#claimed);
  }
  get fees(): MicroUsd {
    return this.#fees;
  }
  get commissionPaid(): MicroUsd {
    return this.#commission;
  }
  get settlement(): Settlement | undefined {
    return this.#settlement;
  }
  get owed(): MicroUsd {
    return addUsd(this.#owed, this.#feesOwed);
  }
  get collateral(): MicroUsd {
    return this.#collateral;
  }
  /** Net result of a final market, including the amount still owed (docs/spec/models.md#fees-commission-rewards). */
  get winnings(): MicroUsd {
    return subUsd(addUsd(this.netCash, this.#owed), subUsd(this.#fees, this.#commission));
  }
  /** Returns the change in the value of the holdings since the last call, in half micro-USD. */
  revalue(): number {
    const before = this.#lastValueHalves;
    this.#lastValueHalves = this.#computeHeldHalves();
    return this.#lastValueHalves - before;
  }

  post(change: MicroUsd): void {
    this.#collateral = addUsd(this.#collateral, change);
  }

  /** @throws RangeError if the collateral breaks its invariant */
  check(): void {
    const expected = this.#settlement === undefined ? this.#pairs : this.owed;
    if (this.#collateral !== expected)
      throw new RangeError(`Invariant: collateral ${this.#collateral} is not ${expected} micro-USD`);
  }

  canRemove(outcome: Outcome, shares: MicroShares): boolean {
    return !this.#isRefundClaimed && shares <= (outcome === 'YES' ? this.#holding.yes : this.#holding.no);
  }

  /** Books a trade. Returns the realized P&L, which is 0 for a purchase. */
  trade({ outcome, side, price, shares }: LedgerFill): MicroUsd {
    this.#assertRefundNotClaimed();
    const { traded } = this.#holding;
    const amount = costAt(shares, price);
    if (side === 'BUY') this.#holding.buy(outcome, shares, amount);
    else this.#holding.sell(outcome, shares, amount);
    this.#bookCash(side, shares, amount);
    return subUsd(this.#holding.traded, traded);
  }

  /** Undoes `trade`. @param gained P&L that the trade realized */
  undoTrade({ outcome, side, price, shares }: LedgerFill, gained: MicroUsd): void {
    this.#assertRefundNotClaimed();
    const amount = costAt(shares, price);
    if (side === 'BUY') this.#holding.undoBuy(outcome, shares, amount);
    else this.#holding.undoSell(outcome, shares, amount, gained);
    this.#bookCash(side, unchecked.shares(-shares), negUsd(amount));
  }

  /** Replaces the holdings. Returns the change of cost, and the number of minted pairs. */
  adjust(held: HoldingAmounts): { readonly cost: MicroUsd; readonly minted: MicroShares } {
    this.#assertRefundNotClaimed();
    const { yes, no, yesCost, noCost } = this.#holding;
    const minted = unchecked.shares(Math.max(0, held.yes - yes) + Math.max(0, held.no - no));
    const cost = subUsd(addUsd(held.yesCost, held.noCost), addUsd(yesCost, noCost));
    this.#pairs = addShares(this.#pairs, minted);
    this.#netCash = subUsd(this.#netCash, cost);
    this.#holding.replace(held);
    this.pnlSplit.adjust((held.yes - yes - (held.no - no)) / LOT, 2 * (held.no - no) - 2 * cost);
    return { cost, minted };
  }

  mint(pairs: MicroShares, paid: MicroUsd): void {
    this.#assertRefundNotClaimed();
    this.#pairs = addShares(this.#pairs, pairs);
    this.#holding.split(pairs);
    this.#netCash = subUsd(this.#netCash, paid);
  }

  merge(pairs: MicroShares, received: MicroUsd): void {
    this.#assertRefundNotClaimed();
    this.#holding.merge(pairs, received);
    this.#pairs = subShares(this.#pairs, pairs);
    this.#netCash = addUsd(this.#netCash, received);
  }

  bookFee(amount: MicroUsd): void {
    this.#fees = addUsd(this.#fees, amount);
    this.pnlSplit.bookFee(amount);
  }

  bookCommission(amount: MicroUsd): void {
    this.#commission = addUsd(this.#commission, amount);
    this.bookFee(amount);
  }

  bookReward(amount: MicroUsd): void {
    this.#rewards = addUsd(this.#rewards, amount);
    this.pnlSplit.bookReward(amount);
  }

  /** @throws RangeError if the market already ended differently */
  settle(settlement: Settlement): void {
    if (this.#settlement !== undefined && this.#settlement !== settlement) {
      throw new RangeError(`Invariant: a market settled as ${this.#settlement} cannot be settled as ${settlement}`);
    }
    this.#settlement = settlement;
    this.#isCancelled = settlement === 'CANCELLED';
    if (settlement !== 'CANCELLED') this.pnlSplit.settle(settlement);
  }

  /** Converts all paid taker fees to owed fees. Returns the amount. */
  refundFees(): MicroUsd {
    const refunded = subUsd(this.#fees, this.#commission);
    this.#feesOwed = addUsd(this.#feesOwed, refunded);
    this.bookFee(negUsd(refunded));
    return refunded;
  }

  /** Computes the payout or refund, without fees (docs/spec/venue.md#refunds-of-a-cancelled-market). */
  computeOwed(): void {
    const payout = this.#settlement;
    if (payout === 'CANCELLED') this.#setRefund(this.#computeRefund());
    else if (payout !== undefined) {
      this.#owed = addUsd(payoutAt(this.#holding.yes, payout), payoutAt(this.#holding.no, complement(payout)));
    }
  }

  /** Overrides the computed refund. @param amount includes fees */
  overrideRefund(amount: MicroUsd): void {
    this.#setRefund(subUsd(amount, this.#feesOwed));
  }

  claim(): MicroUsd {
    const paid = this.owed;
    this.#holding.claim(this.#owed);
    this.#claimed = addUsd(this.#claimed, this.#owed);
    this.#owed = ZERO_USD;
    this.#feesOwed = ZERO_USD;
    this.#isRefundClaimed = this.#settlement === 'CANCELLED';
    return paid;
  }

  snapshot(): MarketAccountSnapshot {
    return {
      holding: this.#holding.snapshot(),
      split: this.pnlSplit.snapshot(),
      pairs: this.#pairs,
      netCash: this.#netCash,
      fees: this.#fees,
      commission: this.#commission,
      feesOwed: this.#feesOwed,
      rewards: this.#rewards,
      settlement: this.#settlement ?? null,
      owed: this.#owed,
      claimed: this.#claimed,
      refunded: this.#isRefundClaimed,
      collateral: this.#collateral,
      counted: this.#lastValueHalves,
    };
  }

  restore(snapshot: MarketAccountSnapshot): void {
    this.#holding.restore(snapshot.holding);
    this.pnlSplit.restore(snapshot.split);
    this.#pairs = snapshot.pairs;
    this.#netCash = snapshot.netCash;
    this.#fees = snapshot.fees;
    this.#commission = snapshot.commission;
    this.#feesOwed = snapshot.feesOwed;
    this.#rewards = snapshot.rewards;
    this.#settlement = snapshot.settlement ?? undefined;
    this.#isCancelled = snapshot.settlement === 'CANCELLED';
    this.#owed = snapshot.owed;
    this.#claimed = snapshot.claimed;
    this.#isRefundClaimed = snapshot.refunded;
    this.#collateral = snapshot.collateral;
    this.#lastValueHalves = snapshot.counted;
  }

  /** Sets the refund. Subtracts the value of pairs for the split of P&L, which tracks only net positions. */
  #setRefund(refund: MicroUsd): void {
    this.#owed = refund;
    this.pnlSplit.settleRefund(2 * refund - 2 * this.#holding.no);
  }

  /** Divides the collateral in proportion to the cash that the account and the outside world paid. */
  #computeRefund(): MicroUsd {
    const paidIn = negUsd(this.#netCash);
    const collateral = payoutAt(this.#pairs, PAYOUT_PER_PAIR);
    return refunds(collateral, [paidIn, subUsd(collateral, paidIn)])[0] ?? ZERO_USD;
  }

  /** Books the cash of a trade. Each bought share mints a pair. */
  #bookCash(side: Side, shares: MicroShares, amount: MicroUsd): void {
    if (side === 'BUY') this.#pairs = addShares(this.#pairs, shares);
    this.#netCash = side === 'BUY' ? subUsd(this.#netCash, amount) : addUsd(this.#netCash, amount);
  }

  #computeHeldHalves(): number {
    if (this.#settlement !== undefined) return 2 * this.owed;
    return this.#holding.netLots * this.pnlSplit.currentMark + 2 * this.#holding.no;
  }

  #assertRefundNotClaimed(): void {
    if (this.#isRefundClaimed) {
      throw new RangeError('Invariant: a trade of a cancelled market arrived after its refund was claimed');
    }
  }
}
