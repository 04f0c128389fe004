/**
 * Keeps every sum of the accounts below 2^53, for any client input.
 *
 * *Money in play* is the debt of all debtors: unlimited accounts, and the outside world where more came in than went
 * out. As the ledger sums to zero, everything positive (cash, reserves, collateral, fees) adds up to just that, so none
 * of it passes MAX_MONEY; nor does a position, as its micro-shares are never more than the collateral in micro-USD, nor
 * a cost, which is at most $1 a share. By turning the same money over and over, only the net cash paid into one market
 * and the realised P&L of one position can pile up: MAX_TURNED bounds them, with all that is open, when an order or a
 * conversion comes in. The largest sums of all (a claim's P&L: turned, fees and cost) are at most 9 * 10^15, under
 * 2^53.
 *
 * HOT: called before every order is accepted. 2 ns while all that the exchange has turned over is within MAX_TURNED,
 * which then no holding passes; 8 ns afterwards. Timed as part of bench/exchange.ts.
 */
import { ORDER_KIND } from '../matching/codes.ts';
import type { Accounts } from './accounts.ts';
import { amountAt } from './amount.ts';
import type { CollateralLedger } from './collateral-ledger.ts';
import { mostPaid, mostRealized, mostReceived, positionOf, rowOf } from './holding-row.ts';
import type { Holdings } from './holdings.ts';

/** Most money in play, in micro-USD: three billion dollars. */
export const MAX_MONEY = 3_000_000_000_000_000;
/** Most that a holding's net cash paid and a position's realised P&L can become by what is open, in micro-USD. */
export const MAX_TURNED = 3_000_000_000_000_000;
/** A local name: an exported one is loaded at each use. */
const MOST_TURNED = 3_000_000_000_000_000;

/** The compared numbers: `value` is more than `limit`. Micro-USD, unless micro-shares are stated. */
export interface Excess {
  readonly limit: number;
  readonly value: number;
}

/** The state that `OverflowGuard` reads. */
export interface OverflowGuardDeps {
  readonly accounts: Accounts;
  readonly holdings: Holdings;
  readonly collateralLedger: CollateralLedger;
}

/**
 * Finds commands that would make a sum inexact: they are refused as ABOVE_MAX. The fills of an accepted order always
 * fit, as does every cancel and claim. The limits also apply to `unlimited` accounts.
 */
export class OverflowGuard {
  declare private readonly accounts: Accounts;
  declare private readonly holdings: Holdings;
  declare private readonly collateralLedger: CollateralLedger;

  constructor({ accounts, holdings, collateralLedger }: OverflowGuardDeps) {
    this.accounts = accounts;
    this.holdings = holdings;
    this.collateralLedger = collateralLedger;
  }

  /** Whether turnover is so low that any order of a limited account fits: the common case of `fitsOrder`. */
  isAmple(shares: number): boolean {
    return this.collateralLedger.turned + shares <= MOST_TURNED;
  }

  /**
   * Whether an order fits: `fitsBuy` or `fitsSell`.
   * @param holding 0 where the account has none in this market
   * @param yesPrice its limit in YES bps
   * @param shares whole lots, at most 10^15
   * @param fee the most that it can pay as a taker that buys, else 0
   */
  fitsOrder(account: number, holding: number, kind: number, yesPrice: number, shares: number, fee: number): boolean {
    if (this.collateralLedger.turned + shares <= MOST_TURNED && this.accounts.unlimited[account] === 0) return true;
    return (kind & 1) === 0
      ? this.fitsBuy(account, holding, amountAt(kind, yesPrice, shares), fee)
      : this.fitsSell(holding, kind, shares);
  }

  /** Whether a BUY fits that costs `cash` at its limit, and `fee` at most. */
  fitsBuy(account: number, holding: number, cash: number, fee: number): boolean {
    if (mostPaid(this.holdings.amounts, rowOf(holding)) + cash > MOST_TURNED) return false;
    return this.accounts.unlimited[account] !== 1 || this.#fitsDebt(account, cash + fee);
  }

  /** Whether a SELL fits. */
  fitsSell(holding: number, kind: number, shares: number): boolean {
    const { amounts } = this.holdings;
    if (mostReceived(amounts, rowOf(holding)) + shares > MOST_TURNED) return false;
    return mostRealized(amounts, positionOf(holding, kind)) + shares <= MOST_TURNED;
  }

  /** Whether a split fits; `shares` may be any safe integer. */
  fitsSplit(account: number, holding: number, shares: number): boolean {
    return this.fitsBuy(account, holding, shares, 0);
  }

  /** Whether a merge fits; `shares` may be any safe integer. */
  fitsMerge(holding: number, shares: number): boolean {
    return this.fitsSell(holding, ORDER_KIND.sellYes, shares) && this.fitsSell(holding, ORDER_KIND.sellNo, shares);
  }

  /** Whether a transfer, in (positive) or out, is a whole amount and fits. */
  fitsTransfer(account: number, amount: number): boolean {
    if (!Number.isSafeInteger(amount)) return false;
    const outside = this.collateralLedger.outside - amount;
    return this.accounts.debtAfter(account, -amount) + Math.max(0, -outside) <= MAX_MONEY;
  }

  /** The limit that a BUY exceeds: the most that fits, of its cost or, for debtors, its payment. */
  buyExcess(account: number, holding: number, cash: number, fee: number): Excess {
    const limit = MOST_TURNED - mostPaid(this.holdings.amounts, rowOf(holding));
    return cash > limit ? { limit, value: cash } : { limit: this.#mostOut(account), value: cash + fee };
  }

  /** The limit that a SELL exceeds, in micro-shares. */
  sellExcess(holding: number, kind: number, shares: number): Excess {
    const { amounts } = this.holdings;
    const most = Math.max(mostReceived(amounts, rowOf(holding)), mostRealized(amounts, positionOf(holding, kind)));
    return { limit: MOST_TURNED - most, value: shares };
  }

  /** The limit that a merge exceeds, in micro-shares. */
  mergeExcess(holding: number, shares: number): Excess {
    const yes = this.sellExcess(holding, ORDER_KIND.sellYes, shares);
    const no = this.sellExcess(holding, ORDER_KIND.sellNo, shares);
    return yes.limit < no.limit ? yes : no;
  }

  /** The limit that a transfer of a whole amount exceeds, in either direction. */
  transferExcess(account: number, amount: number): Excess {
    if (amount < 0)
      return { limit: this.#mostOut(account) + Math.max(0, -this.collateralLedger.outside), value: -amount };
    const owed = Math.max(0, -this.accounts.available[account]!);
    return { limit: MAX_MONEY - this.#inPlay + owed + Math.max(0, this.collateralLedger.outside), value: amount };
  }

  /** Most that an account can spend before too much money is in play. */
  #mostOut(account: number): number {
    return MAX_MONEY - this.#inPlay + Math.max(0, this.accounts.available[account]!);
  }

  get #inPlay(): number {
    return this.accounts.debt + Math.max(0, -this.collateralLedger.outside);
  }

  /** Of an unlimited account: limited ones spend what they have, which puts no more money in play. */
  #fitsDebt(account: number, cash: number): boolean {
    return this.accounts.debtAfter(account, cash) + Math.max(0, -this.collateralLedger.outside) <= MAX_MONEY;
  }
}
