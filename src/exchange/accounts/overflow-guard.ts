/**
 * Keeps every sum of the accounts below 2^53, for any client input.
 *
 * *Money in play* is the debt of unlimited accounts plus the excess of deposits over withdrawals.
 * The ledger sums to zero, so all positive amounts (cash, reserves, collateral, fees) add up to the money in play. No
 * amount exceeds MAX_MONEY. Positions stay below MAX_MONEY, because micro-shares are at most the collateral in
 * micro-USD. Costs stay below MAX_MONEY, because a share costs at most $1.
 *
 * Only the net cash paid into one market and the realized P&L of one position can grow by repeated trading.
 * MAX_TURNOVER bounds both, open orders included, when an order or a conversion is accepted. The largest sum (a claim's
 * P&L: turnover, fees and cost) is at most 9 * 10^15, below 2^53.
 *
 * HOT: every order takes 2 ns here (bench/exchange.ts) while the exchange's total turnover is within MAX_TURNOVER,
 * because no holding can then exceed MAX_TURNOVER. Above it, every order takes 8 ns. (`declare`: docs/decisions/0017.)
 */
import { ORDER_KIND } from '../matching/codes.ts';
import type { Accounts } from './accounts.ts';
import type { ClearingState, CollateralLedger } from './collateral-ledger.ts';
import { amountAt, maxPaid, maxRealized, maxReceived, positionStart, rowStart } from './holding-amounts.ts';
import type { Holdings } from './holdings.ts';

/** Maximum money in play, in micro-USD: three billion dollars. */
export const MAX_MONEY = 3_000_000_000_000_000;
/** Maximum of a holding's net cash paid and of a position's realized P&L, open orders included, in micro-USD. */
export const MAX_TURNOVER = 3_000_000_000_000_000;

/** `value` exceeds `limit`. Both are micro-USD unless stated otherwise. */
export interface Excess {
  readonly limit: number;
  readonly value: number;
}

/**
 * Finds commands that would make a sum inexact, and so must be refused as ABOVE_MAX. Fills of accepted orders, cancels
 * and claims always fit. The limits also apply to `unlimited` accounts.
 */
export class OverflowGuard {
  declare private readonly accounts: Accounts;
  declare private readonly holdings: Holdings;
  declare private readonly collateralLedger: CollateralLedger;

  constructor({ accounts, holdings, collateralLedger }: ClearingState) {
    this.accounts = accounts;
    this.holdings = holdings;
    this.collateralLedger = collateralLedger;
  }

  /** Returns whether every order of this size fits, unless the account is `unlimited`. Faster than `fitsOrder`. */
  fitsAnyOrder(shares: number): boolean {
    return this.collateralLedger.turnoverBound + shares <= MAX_TURNOVER;
  }

  /**
   * Returns whether an order fits.
   * @param holding 0 if the account has no holding in the market
   * @param yesPrice the order's limit in YES bps
   * @param shares whole lots, at most 10^15
   * @param fee highest fee of a BUY as taker; 0 for a SELL
   */
  fitsOrder(account: number, holding: number, kind: number, yesPrice: number, shares: number, fee: number): boolean {
    if (this.collateralLedger.turnoverBound + shares <= MAX_TURNOVER && this.accounts.unlimited[account] === 0)
      return true;
    return (kind & 1) === 0
      ? this.fitsBuy(account, holding, amountAt(kind, yesPrice, shares), fee)
      : this.fitsSell(holding, kind, shares);
  }

  /** Returns whether a BUY fits. `cash` is the cost at the limit price, `fee` the highest fee. */
  fitsBuy(account: number, holding: number, cash: number, fee: number): boolean {
    if (maxPaid(this.holdings.amounts, rowStart(holding)) + cash > MAX_TURNOVER) return false;
    // Only unlimited accounts can increase the money in play.
    if (this.accounts.unlimited[account] !== 1) return true;
    return this.accounts.debtAfter(account, cash + fee) + Math.max(0, -this.collateralLedger.outside) <= MAX_MONEY;
  }

  fitsSell(holding: number, kind: number, shares: number): boolean {
    const { amounts } = this.holdings;
    if (maxReceived(amounts, rowStart(holding)) + shares > MAX_TURNOVER) return false;
    return maxRealized(amounts, positionStart(holding, kind)) + shares <= MAX_TURNOVER;
  }

  /** @param shares any safe integer */
  fitsMerge(holding: number, shares: number): boolean {
    return this.fitsSell(holding, ORDER_KIND.sellYes, shares) && this.fitsSell(holding, ORDER_KIND.sellNo, shares);
  }

  /** Returns whether a transfer is a whole amount and fits. @param amount negative for a withdrawal */
  fitsTransfer(account: number, amount: number): boolean {
    if (!Number.isSafeInteger(amount)) return false;
    const outside = this.collateralLedger.outside - amount;
    return this.accounts.debtAfter(account, -amount) + Math.max(0, -outside) <= MAX_MONEY;
  }

  /** Returns the limit that a BUY's cost exceeds, or that an unlimited account's cost plus fee exceeds. */
  buyExcess(account: number, holding: number, cash: number, fee: number): Excess {
    const limit = MAX_TURNOVER - maxPaid(this.holdings.amounts, rowStart(holding));
    return cash > limit ? { limit, value: cash } : { limit: this.#maxSpend(account), value: cash + fee };
  }

  /** Returns the limit that a SELL exceeds, in micro-shares. */
  sellExcess(holding: number, kind: number, shares: number): Excess {
    const { amounts } = this.holdings;
    const largest = Math.max(
      maxReceived(amounts, rowStart(holding)),
      maxRealized(amounts, positionStart(holding, kind)),
    );
    return { limit: MAX_TURNOVER - largest, value: shares };
  }

  /** Returns the limit that a merge exceeds, in micro-shares. */
  mergeExcess(holding: number, shares: number): Excess {
    const yes = this.sellExcess(holding, ORDER_KIND.sellYes, shares);
    const no = this.sellExcess(holding, ORDER_KIND.sellNo, shares);
    return yes.limit < no.limit ? yes : no;
  }

  /** Returns the limit that a transfer of a whole amount exceeds, in either direction. */
  transferExcess(account: number, amount: number): Excess {
    if (amount < 0)
      return { limit: this.#maxSpend(account) + Math.max(0, -this.collateralLedger.outside), value: -amount };
    const debt = Math.max(0, -this.accounts.available[account]!);
    return { limit: MAX_MONEY - this.#moneyInPlay + debt + Math.max(0, this.collateralLedger.outside), value: amount };
  }

  /** Returns the maximum that an account can spend before the money in play exceeds MAX_MONEY. */
  #maxSpend(account: number): number {
    return MAX_MONEY - this.#moneyInPlay + Math.max(0, this.accounts.available[account]!);
  }

  get #moneyInPlay(): number {
    return this.accounts.debt + Math.max(0, -this.collateralLedger.outside);
  }
}
