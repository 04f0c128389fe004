/**
 * Double-entry ledger of one account. The balances are cash, the outside world, the markets' collateral, and fees.
 *
 * Invariants, checked after every posting: the balances sum to zero. An open market's collateral is a dollar per pair.
 * A final market's collateral is the amount still owed to this account. The outside world is all other accounts. A BUY
 * **mints** a pair with the outside world, and a SELL transfers shares **to** the outside world. A change after a
 * market's end gives the same balances as the same change before the end.
 */
import {
  addUsd,
  costAt,
  type DoubleMid,
  FULL_BPS,
  MAX_ORDER_SHARES,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  negUsd,
  type Outcome,
  payoutAt,
  payoutBps,
  subUsd,
  unchecked,
  ZERO_USD,
} from '../domain/index.ts';
import type { HoldingAmounts } from './holding.ts';
import type { FillEffect, LedgerFill, LedgerSnapshot, Position, Settlement, TrialBalance } from './ledger-types.ts';
import { MarketAccount } from './market-account.ts';
import { accountPnl, addHalves, estimateEffect, type Pnl, type SplitMicros, splitMicros, ZERO_HALVES } from './pnl.ts';
import { requireExact } from './pnl-split.ts';

const PAYOUT_PER_PAIR = payoutBps(FULL_BPS);

export class Ledger {
  readonly #markets: (MarketAccount | undefined)[] = [];
  #cash = ZERO_USD;
  #outside = ZERO_USD;
  #collateral = unchecked.usd(MAX_ORDER_SHARES);
  #fees = ZERO_USD;
  #deposited = ZERO_USD;
  /** Value of all holdings in half micro-USD. */
  #heldHalves = 0;

  constructor() {
    this.#collateral = ZERO_USD; // The field starts large for V8. See the constructor of `MarketAccount`.
  }

  /** Includes reserved cash. */
  get cash(): MicroUsd {
    return this.#cash;
  }
  /** Deposits less withdrawals, with deposited shares at cost. P&L is equity less this amount. */
  get deposited(): MicroUsd {
    return this.#deposited;
  }
  /** Cash plus holdings at the mark, rounded **down** to micro-USD (docs/spec/models.md#equity). */
  get equity(): MicroUsd {
    return addUsd(this.#cash, unchecked.usd(Math.floor(this.#heldHalves / 2)));
  }
  get balance(): TrialBalance {
    return { cash: this.#cash, outside: this.#outside, collateral: this.#collateral, fees: this.#fees };
  }

  /** Returns a live view of one market's holdings. */
  market(market: MarketNo): Position {
    return this.#account(market);
  }

  /** Returns whether the account holds the shares; false after a refund was claimed. */
  canRemove(market: MarketNo, outcome: Outcome, shares: MicroShares): boolean {
    return this.#account(market).canRemove(outcome, shares);
  }

  /** Deposits cash, or withdraws cash if the amount is negative. */
  deposit(amount: MicroUsd): void {
    this.#deposited = addUsd(this.#deposited, amount);
    this.#cash = addUsd(this.#cash, amount);
    this.#outside = subUsd(this.#outside, amount);
    this.#checkBalance();
  }

  /**
   * Books a fill of an own order. Returns the fill's effect for `reverse`.
   * @param markBefore the mark before the message that caused the fill. Default: the current mark
   * @throws RangeError for a sale of more shares than the account holds
   */
  fill(fill: LedgerFill, markBefore?: DoubleMid): FillEffect {
    const account = this.#account(fill.market);
    const gained = account.trade(fill);
    this.#bookFill(account, fill, 1, markBefore);
    return { gained, mark: markBefore ?? account.pnlSplit.currentMark };
  }

  /**
   * Undoes a fill that the venue reversed. Without the stored `effect`, the split of P&L is approximate.
   * @throws RangeError if the account holds fewer shares than the purchase added
   */
  reverse(fill: LedgerFill, effect?: FillEffect): void {
    const account = this.#account(fill.market);
    const { gained, mark } = effect ?? estimateEffect(account, fill);
    account.undoTrade(fill, gained);
    this.#bookFill(account, fill, -1, mark);
  }

  /**
   * Replaces a market's holdings. Books the difference at cost as a deposit or withdrawal. Keeps cash and realized P&L.
   * @throws RangeError if the refund of a cancelled market was claimed
   */
  adjust(market: MarketNo, held: HoldingAmounts): void {
    const account = this.#account(market);
    const { cost, minted } = account.adjust(held);
    this.#deposited = addUsd(this.#deposited, cost);
    const dollars = payoutAt(minted, PAYOUT_PER_PAIR);
    this.#post(account, { outside: negUsd(dollars), collateral: dollars });
    this.#completeChange(account);
  }

  /** Converts cash to pairs, a dollar per pair. */
  split(market: MarketNo, pairs: MicroShares): void {
    const account = this.#account(market);
    const dollars = payoutAt(pairs, PAYOUT_PER_PAIR);
    account.mint(pairs, dollars);
    this.#post(account, { cash: negUsd(dollars), collateral: dollars });
    this.#completeChange(account);
  }

  /** Converts pairs to cash, a dollar per pair. @throws RangeError if the account holds fewer pairs */
  merge(market: MarketNo, pairs: MicroShares): void {
    const account = this.#account(market);
    const dollars = payoutAt(pairs, PAYOUT_PER_PAIR);
    account.merge(pairs, dollars);
    this.#post(account, { cash: dollars, collateral: negUsd(dollars) });
    this.#completeChange(account);
  }

  /** Sets the double mid of the book without own orders. HOT: each message calls it; takes 15 ns, no allocation. */
  mark(market: MarketNo, mark: DoubleMid): void {
    const account = this.#account(market);
    account.pnlSplit.mark(mark);
    this.#heldHalves = requireExact(this.#heldHalves + account.revalue());
  }

  /** Makes a market final. The holdings are then worth the payout, or the refund and fees of a cancelled market. */
  resolve(market: MarketNo, settlement: Settlement): void {
    const account = this.#account(market);
    account.settle(settlement);
    this.#completeChange(account);
  }

  /**
   * Collects and returns the amount that a final market owes.
   * @param paid the amount reported by the venue. It overrides a computed refund, which depends on all accounts.
   * @throws RangeError if the market is not final, or if a payout differs from the owed amount
   */
  claim(market: MarketNo, paid?: MicroUsd): MicroUsd {
    const account = this.#finalAccount(market);
    const { owed: expected, settlement } = account;
    if (paid !== undefined && paid !== expected) {
      if (settlement !== 'CANCELLED') {
        throw new RangeError(`Invariant: a claim of market ${market} paid ${paid} micro-USD instead of ${expected}`);
      }
      account.overrideRefund(paid);
      this.#payOutside(account);
    }
    const collected = account.claim();
    this.#post(account, { cash: collected, collateral: negUsd(collected) });
    this.#revalueAndCheck(account);
    return collected;
  }

  /** Returns the base of commission: the net result after fees (docs/spec/models.md#fees-commission-rewards). */
  winnings(market: MarketNo): MicroUsd {
    return this.#finalAccount(market).winnings;
  }

  bookCommission(market: MarketNo, amount: MicroUsd): void {
    const account = this.#account(market);
    account.bookCommission(amount);
    this.#post(account, { cash: negUsd(amount), fees: amount });
    this.#revalueAndCheck(account);
  }

  bookReward(market: MarketNo, amount: MicroUsd): void {
    const account = this.#account(market);
    account.bookReward(amount);
    this.#post(account, { cash: amount, outside: negUsd(amount) });
    this.#revalueAndCheck(account);
  }

  pnl(): Pnl {
    return accountPnl(this.#markets, subUsd(this.equity, this.#deposited));
  }

  /** Returns P&L by mark; default: all markets. The parts sum to the total (docs/spec/models.md#profit-and-loss). */
  pnlSplit(market?: MarketNo): SplitMicros {
    const accounts = market === undefined ? this.#markets : [this.#account(market)];
    return splitMicros(
      accounts.reduce((sum, each) => (each ? addHalves(sum, each.pnlSplit.halves()) : sum), ZERO_HALVES),
    );
  }

  snapshot(): LedgerSnapshot {
    return {
      cash: this.#cash,
      outside: this.#outside,
      collateral: this.#collateral,
      fees: this.#fees,
      deposited: this.#deposited,
      held: this.#heldHalves,
      markets: this.#markets.map((account) => account?.snapshot() ?? null),
    };
  }

  /** Restores a snapshot into an empty ledger. @throws RangeError if the snapshot violates an invariant */
  restore({ cash, outside, collateral, fees, deposited, held, markets }: LedgerSnapshot): void {
    this.#cash = cash;
    this.#outside = outside;
    this.#collateral = collateral;
    this.#fees = fees;
    this.#deposited = deposited;
    this.#heldHalves = held;
    for (const [number, snapshot] of markets.entries()) {
      if (snapshot === null) continue;
      const account = this.#account(unchecked.market(number));
      account.restore(snapshot);
      account.check();
    }
    this.#checkBalance();
  }

  #account(market: MarketNo): MarketAccount {
    const known = this.#markets[market];
    if (known !== undefined) return known;
    const account = new MarketAccount();
    // Leave no holes, because V8 stores sparse arrays as hash tables.
    while (this.#markets.length <= market) this.#markets.push(undefined);
    this.#markets[market] = account;
    return account;
  }

  #finalAccount(market: MarketNo): MarketAccount {
    const account = this.#account(market);
    if (account.settlement === undefined) throw new RangeError(`Invariant: market ${market} is not final`);
    return account;
  }

  /** Changes each balance by a number, by default zero. The changes must sum to zero. */
  #post(account: MarketAccount, changes: Partial<TrialBalance>): void {
    const { cash = ZERO_USD, outside = ZERO_USD, collateral = ZERO_USD, fees = ZERO_USD } = changes;
    this.#cash = addUsd(this.#cash, cash);
    this.#outside = addUsd(this.#outside, outside);
    this.#collateral = addUsd(this.#collateral, collateral);
    this.#fees = addUsd(this.#fees, fees);
    account.post(collateral);
  }

  /** Books a fill's money, fee and P&L, after its shares are booked. @param factor -1 to undo the fill */
  #bookFill(account: MarketAccount, fill: LedgerFill, factor: 1 | -1, markBefore: number | undefined): void {
    const { side, price, shares } = fill;
    account.pnlSplit.fill(fill, factor, markBefore);
    const fee = unchecked.usd(factor * fill.fee);
    account.bookFee(fee);
    const amount = unchecked.usd(factor * costAt(shares, price));
    const isBuy = side === 'BUY';
    const cash = isBuy ? negUsd(addUsd(amount, fee)) : subUsd(amount, fee);
    const collateral = isBuy ? unchecked.usd(factor * payoutAt(shares, PAYOUT_PER_PAIR)) : ZERO_USD;
    const outside = isBuy ? subUsd(amount, collateral) : negUsd(amount);
    this.#post(account, { cash, outside, collateral, fees: fee });
    this.#completeChange(account);
  }

  /** Completes a change of holdings. A final market pays the outside world; this account's part waits for `claim`. */
  #completeChange(account: MarketAccount): void {
    if (account.settlement !== undefined) {
      if (account.settlement === 'CANCELLED') {
        const refunded = account.refundFees();
        this.#post(account, { collateral: refunded, fees: negUsd(refunded) });
      }
      account.computeOwed();
      this.#payOutside(account);
    }
    this.#revalueAndCheck(account);
  }

  #payOutside(account: MarketAccount): void {
    const rest = subUsd(account.collateral, account.owed);
    this.#post(account, { outside: rest, collateral: negUsd(rest) });
  }

  #revalueAndCheck(account: MarketAccount): void {
    this.#heldHalves = requireExact(this.#heldHalves + account.revalue());
    account.check();
    this.#checkBalance();
  }

  #checkBalance(): void {
    const sum = this.#cash + this.#outside + this.#collateral + this.#fees;
    if (sum !== 0) throw new RangeError(`Invariant: the ledger sums to ${sum} micro-USD instead of zero`);
  }
}
