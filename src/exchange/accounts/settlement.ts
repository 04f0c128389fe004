/**
 * Ends markets and pays claims. A final market owes payouts or refunds, and a claim pays each of them once.
 *
 * HOT: a market may have 100,000 holders (bench/exchange.ts). `settle` checks all of them for open orders in 1 ms.
 * Payouts are computed when they are read. `refund` sorts and writes all holdings in 55 ms. Claims are O(1).
 *
 * Invariant: a final market's collateral equals its unclaimed payouts, with the refunded fees of a CANCELLED market.
 */
import { type MicroUsd, type Outcome, refunds, unchecked } from '../../domain/index.ts';
import { orderKind } from '../matching/codes.ts';
import type { Accounts } from './accounts.ts';
import { type ClearingState, type CollateralLedger, ENDING } from './collateral-ledger.ts';
import { amountAt, noPositionStart, realize, rowStart, setRefund } from './holding-amounts.ts';
import type { Holdings } from './holdings.ts';

/** Settles and cancels markets, and pays claims. A claim does not change the visible shares of a holding. */
export class Settlement {
  declare private readonly accounts: Accounts;
  declare private readonly holdings: Holdings;
  declare private readonly collateralLedger: CollateralLedger;

  constructor({ accounts, holdings, collateralLedger }: ClearingState) {
    this.accounts = accounts;
    this.holdings = holdings;
    this.collateralLedger = collateralLedger;
  }

  /**
   * Settles a market, which then owes `ending` bps for a YES share and the rest of the dollar for a NO share. Only
   * `refund` passes `ENDING.cancelled`.
   * @throws RangeError if the market is final or has open orders
   */
  settle(market: number, ending: number): void {
    const { holdings } = this;
    this.collateralLedger.open(market);
    if (this.collateralLedger.isFinal(market)) throw new RangeError(`Invariant: market ${market} is final already`);
    for (let at = holdings.firstOfMarket(market); at !== 0; at = holdings.nextOfMarket[at]!) {
      if (
        holdings.reservedCash(at) !== 0 ||
        holdings.reservedShares(at, 'YES') !== 0 ||
        holdings.reservedShares(at, 'NO') !== 0
      ) {
        throw new RangeError(`Invariant: market ${market} ends with open orders of holding ${at}`);
      }
    }
    this.collateralLedger.ending[market] = ending;
  }

  /**
   * Cancels a market: holders with net payments share the collateral (domain's `refunds`, ties go to the lower
   * address). All holders get back their fees. Each holding's shares become one refund, whose cost is the net
   * amount paid in.
   * @throws RangeError if the market is final or has open orders
   */
  refund(market: number): void {
    this.settle(market, ENDING.cancelled);
    const { collateralLedger, holdings } = this;
    const list = this.#byAddress(market);
    const netPaid = list.map((holding) => unchecked.usd(holdings.netPaid(holding)));
    const refunded: readonly MicroUsd[] = refunds(unchecked.usd(collateralLedger.collateral[market]!), netPaid);
    list.forEach((holding, at) => {
      const fees = holdings.fees(holding);
      collateralLedger.fees -= fees;
      collateralLedger.collateral[market]! += fees;
      setRefund(holdings.amounts, rowStart(holding), refunded[at]! + fees);
    });
  }

  /** Returns the unclaimed payout in micro-USD; 0 before the market's end. */
  owed(holding: number): number {
    return this.holdings.claimed[holding] === 1 ? 0 : this.#totalPayout(holding);
  }

  /** Returns the claimed payout in micro-USD; 0 before the claim. */
  paid(holding: number): number {
    return this.holdings.claimed[holding] === 1 ? this.#totalPayout(holding) : 0;
  }

  /** Returns the micro-USD of fees in the refund of a CANCELLED market, claimed or not. */
  refundedFees(holding: number): number {
    const holdings = this.holdings;
    return this.collateralLedger.ending[holdings.marketOf(holding)] === ENDING.cancelled ? holdings.fees(holding) : 0;
  }

  /** Pays and returns the micro-USD owed for a holding. Does nothing if the market owes nothing. */
  claim(holding: number): number {
    const payout = this.owed(holding);
    if (payout === 0) return 0;
    const { holdings } = this;
    const { claimed, amounts } = holdings;
    const yesPayout = this.#payout(holding, 'YES');
    realize(amounts, rowStart(holding), yesPayout);
    realize(amounts, noPositionStart(holding), payout - yesPayout);
    claimed[holding] = 1;
    this.collateralLedger.collateral[holdings.marketOf(holding)]! -= payout;
    this.accounts.credit(holdings.accountOf(holding), payout);
    return payout;
  }

  #totalPayout(holding: number): number {
    return this.#payout(holding, 'YES') + this.#payout(holding, 'NO');
  }

  /** Returns the payout of one outcome, claimed or not. A refund is the payout of YES. */
  #payout(holding: number, outcome: Outcome): number {
    const holdings = this.holdings;
    const ending = this.collateralLedger.ending[holdings.marketOf(holding)]!;
    if (ending === ENDING.none) return 0;
    if (ending === ENDING.cancelled) return outcome === 'YES' ? holdings.refund(holding) : 0;
    return amountAt(orderKind(outcome, 'SELL'), ending, holdings.shares(holding, outcome));
  }

  /** Returns the holdings in a market by address, because ties of refunds go to the lower address. */
  #byAddress(market: number): readonly number[] {
    const { holdings } = this;
    const list: { readonly holding: number; readonly address: string }[] = [];
    for (let at = holdings.firstOfMarket(market); at !== 0; at = holdings.nextOfMarket[at]!) {
      list.push({ holding: at, address: this.accounts.address(holdings.accountOf(at)) });
    }
    return list.sort((a, b) => (a.address < b.address ? -1 : 1)).map(({ holding }) => holding);
  }
}
