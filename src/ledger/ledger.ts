/**
 * Double-entry ledger of one account: its cash, the outside world, the collateral of each market, fees.
 *
 * Invariants, tested after every posting: the accounts sum to zero; a market that is not final holds a dollar a pair, a
 * final one what it still owes this account. Everybody else is one outside world: a BUY **mints** a pair with it, a SELL
 * hands shares **to** it. What reaches the ledger after the market's end counts as if it had come before.
 */
import {
  addUsd,
  column,
  costAt,
  counted,
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
  ZERO_USD,
} from '../domain/index.ts';
import { pnlOf, splitOf } from './account-pnl.ts';
import { finalEffect } from './final-effect.ts';
import type { Held } from './holding.ts';
import type { FillEffect, LedgerFill, LedgerSnapshot, Position, Settlement, TrialBalance } from './ledger-types.ts';
import { MarketAccount } from './market-account.ts';
import type { Pnl, SplitMicros } from './pnl.ts';

const DOLLAR_A_PAIR = payoutBps(FULL_BPS);

export class Ledger {
  readonly #markets: (MarketAccount | undefined)[] = [];
  #cash = ZERO_USD;
  #outside = ZERO_USD;
  #collateral = column.usd(MAX_ORDER_SHARES);
  #fees = ZERO_USD;
  #deposited = ZERO_USD;
  /** Worth of all that is held, half micro-USD. */
  #held = 0;

  constructor() {
    this.#collateral = ZERO_USD; // See `MarketAccount` for the reason.
  }

  /** All cash, reserves included. */
  get cash(): MicroUsd {
    return this.#cash;
  }
  /** Cash put in less cash taken out, and shares likewise at their cost: what P&L is measured against. */
  get deposited(): MicroUsd {
    return this.#deposited;
  }
  /** Cash and holdings at the mark, rounded **down** to micro-USD (docs/spec/models.md#equity). */
  get equity(): MicroUsd {
    return addUsd(this.#cash, column.usd(Math.floor(this.#held / 2)));
  }
  get balance(): TrialBalance {
    return { cash: this.#cash, outside: this.#outside, collateral: this.#collateral, fees: this.#fees };
  }

  /** One market's holdings, live; empty where nothing has happened. */
  market(market: MarketNo): Position {
    return this.#of(market);
  }

  /** Whether a change that gives up `shares` can be booked; for a cancelled market until its refund was claimed. */
  canGiveUp(market: MarketNo, outcome: Outcome, shares: MicroShares): boolean {
    return this.#of(market).canGiveUp(outcome, shares);
  }

  /** Puts cash in; a negative amount takes it out. */
  deposit(amount: MicroUsd): void {
    this.#deposited = addUsd(this.#deposited, amount);
    this.#cash = addUsd(this.#cash, amount);
    this.#outside = subUsd(this.#outside, amount);
    this.#check();
  }

  /**
   * A fill of an own order; answers what `reverse` has to know of it.
   * @param before the mark in force strictly before the message that caused the fill, where `mark` has moved on since
   * @throws RangeError when more is sold than is held
   */
  fill(fill: LedgerFill, before?: DoubleMid): FillEffect {
    const account = this.#of(fill.market);
    const gained = account.trade(fill);
    this.#booked(account, fill, 1, before);
    return { gained, mark: before ?? account.split.markInForce };
  }

  /**
   * The venue took a fill back: all is as if it had never been; parts of P&L nearly so without `effect`, of a final fill.
   * @throws RangeError when fewer shares are held than a purchase brought
   */
  reverse(fill: LedgerFill, effect?: FillEffect): void {
    const account = this.#of(fill.market);
    const { gained, mark } = effect ?? finalEffect(account, fill);
    account.untrade(fill, gained);
    this.#booked(account, fill, -1, mark);
  }

  /**
   * The holdings of a market are these from now on. What came is a contribution at its cost, what went one taken back:
   * cash and realised P&L stay as they are.
   * @throws RangeError when the refund of a cancelled market was claimed
   */
  adjust(market: MarketNo, held: Held): void {
    const account = this.#of(market);
    const { cost, minted } = account.adjust(held);
    this.#deposited = addUsd(this.#deposited, cost);
    const dollars = payoutAt(minted, DOLLAR_A_PAIR);
    this.#post(account, ZERO_USD, negUsd(dollars), dollars, ZERO_USD);
    this.#settleUp(account);
  }

  /** Cash becomes pairs, a dollar each. */
  split(market: MarketNo, pairs: MicroShares): void {
    const account = this.#of(market);
    const dollars = payoutAt(pairs, DOLLAR_A_PAIR);
    account.mint(pairs, dollars);
    this.#post(account, negUsd(dollars), ZERO_USD, dollars, ZERO_USD);
    this.#settleUp(account);
  }

  /** Pairs become cash, a dollar each. @throws RangeError when fewer pairs are held */
  merge(market: MarketNo, pairs: MicroShares): void {
    const account = this.#of(market);
    const dollars = payoutAt(pairs, DOLLAR_A_PAIR);
    account.merge(pairs, dollars);
    this.#post(account, dollars, ZERO_USD, negUsd(dollars), ZERO_USD);
    this.#settleUp(account);
  }

  /** A new double mid of the outside book is in force. Cheap (15 ns, no allocation): once a message on the hot path. */
  mark(market: MarketNo, mark: DoubleMid): void {
    const account = this.#of(market);
    account.split.mark(mark);
    this.#revalue(account);
  }

  /** The market is final: holdings are worth the payout, or the refund with the fees. */
  resolve(market: MarketNo, settlement: Settlement): void {
    const account = this.#of(market);
    account.settle(settlement);
    this.#settleUp(account);
  }

  /**
   * Collects what a final market owes, and answers how much.
   * @param paid what the venue says it paid: of a refund, which depends on all accounts, its word counts
   * @throws RangeError before the end, or when a payout differs from what is owed
   */
  claim(market: MarketNo, paid?: MicroUsd): MicroUsd {
    const account = this.#of(market);
    if (account.settlement === undefined) throw new RangeError(`Invariant: market ${market} is not final`);
    if (paid !== undefined && paid !== account.owed) {
      if (account.settlement !== 'CANCELLED') {
        throw new RangeError(
          `Invariant: a claim of market ${market} paid ${paid}, owed were ${account.owed} micro-USD`,
        );
      }
      account.oweInAll(paid);
      this.#payOutside(account);
    }
    const owed = account.claim();
    this.#post(account, owed, ZERO_USD, negUsd(owed), ZERO_USD);
    this.#finish(account);
    return owed;
  }

  /** Base of the commission on a final market: its net result after fees (docs/spec/models.md#fees-commission-rewards). */
  winnings(market: MarketNo): MicroUsd {
    const account = this.#of(market);
    if (account.settlement === undefined) throw new RangeError(`Invariant: market ${market} is not final`);
    return account.winnings;
  }

  /** Commission on net winnings is paid; counted among the fees. */
  commission(market: MarketNo, amount: MicroUsd): void {
    const account = this.#of(market);
    account.commission(amount);
    this.#post(account, negUsd(amount), ZERO_USD, ZERO_USD, amount);
    this.#finish(account);
  }

  reward(market: MarketNo, amount: MicroUsd): void {
    const account = this.#of(market);
    account.reward(amount);
    this.#post(account, amount, negUsd(amount), ZERO_USD, ZERO_USD);
    this.#finish(account);
  }

  pnl(): Pnl {
    return pnlOf(this.#markets, subUsd(this.equity, this.#deposited));
  }

  /** P&L by mark over all markets, or of one; the parts sum to the total (docs/spec/models.md#profit-and-loss). */
  pnlSplit(market?: MarketNo): SplitMicros {
    return splitOf(market === undefined ? this.#markets : [this.#of(market)]);
  }

  snapshot(): LedgerSnapshot {
    return {
      cash: this.#cash,
      outside: this.#outside,
      collateral: this.#collateral,
      fees: this.#fees,
      deposited: this.#deposited,
      held: this.#held,
      markets: this.#markets.map((account) => account?.snapshot() ?? null),
    };
  }

  /** Goes on from a snapshot, in an empty ledger. @throws RangeError when its accounts contradict each other */
  restore({ cash, outside, collateral, fees, deposited, held, markets }: LedgerSnapshot): void {
    this.#cash = cash;
    this.#outside = outside;
    this.#collateral = collateral;
    this.#fees = fees;
    this.#deposited = deposited;
    this.#held = held;
    for (const [number, snapshot] of markets.entries()) {
      if (snapshot === null) continue;
      const account = this.#of(counted.market(number));
      account.restore(snapshot);
      account.check();
    }
    this.#check();
  }

  #of(market: MarketNo): MarketAccount {
    const known = this.#markets[market];
    if (known !== undefined) return known;
    const account = new MarketAccount();
    // No holes: a far market number would turn the list into a hash table.
    while (this.#markets.length <= market) this.#markets.push(undefined);
    this.#markets[market] = account;
    return account;
  }

  /** One posting: what each account gets; together nothing. */
  #post(account: MarketAccount, cash: MicroUsd, outside: MicroUsd, collateral: MicroUsd, fees: MicroUsd): void {
    this.#cash = addUsd(this.#cash, cash);
    this.#outside = addUsd(this.#outside, outside);
    this.#collateral = addUsd(this.#collateral, collateral);
    this.#fees = addUsd(this.#fees, fees);
    account.post(collateral);
  }

  /** Money, fee and P&L of a fill whose shares have moved. @param times -1 of one that is taken back */
  #booked(account: MarketAccount, fill: LedgerFill, times: 1 | -1, before: number | undefined): void {
    const { side, price, shares } = fill;
    account.split.fill(fill, times, before);
    const fee = column.usd(times * fill.fee);
    account.fee(fee);
    const amount = column.usd(times * costAt(shares, price));
    const dollars = column.usd(times * payoutAt(shares, DOLLAR_A_PAIR));
    if (side === 'BUY') this.#post(account, negUsd(addUsd(amount, fee)), subUsd(amount, dollars), dollars, fee);
    else this.#post(account, subUsd(amount, fee), negUsd(amount), ZERO_USD, fee);
    this.#settleUp(account);
  }

  /** After a change of holdings: of a final market everybody else is paid out, our part waits to be claimed. */
  #settleUp(account: MarketAccount): void {
    if (account.settlement !== undefined) {
      if (account.settlement === 'CANCELLED') {
        const back = account.giveFeesBack();
        this.#post(account, ZERO_USD, ZERO_USD, back, negUsd(back));
      }
      account.computeOwed();
      this.#payOutside(account);
    }
    this.#finish(account);
  }

  #payOutside(account: MarketAccount): void {
    const rest = subUsd(account.collateral, account.owed);
    this.#post(account, ZERO_USD, rest, negUsd(rest), ZERO_USD);
  }

  #revalue(account: MarketAccount): void {
    this.#held += account.revalue();
    if (!Number.isSafeInteger(this.#held)) throw new RangeError(`Invariant: ${this.#held} half micro-USD is not exact`);
  }

  #finish(account: MarketAccount): void {
    this.#revalue(account);
    account.check();
    this.#check();
  }

  #check(): void {
    const sum = this.#cash + this.#outside + this.#collateral + this.#fees;
    if (sum !== 0) throw new RangeError(`Invariant: the ledger sums to ${sum} micro-USD instead of zero`);
  }
}
