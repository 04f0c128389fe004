/**
 * The end of a market: it owes payouts or refunds, and a claim pays each of them once.
 *
 * HOT: a market may have 100,000 holders (bench/exchange.ts). Settling checks each for open orders, under 1 ms; payouts are
 * computed when they are read. A refund sorts and writes all holdings, 55 ms. Claims are O(1).
 *
 * Invariant: after its end, a market's collateral equals its unclaimed payouts, including fees of a CANCELLED one.
 */
import { type MicroUsd, type Outcome, refunds, unchecked } from '../../domain/index.ts';
import { orderKind } from '../matching/codes.ts';
import type { Accounts } from './accounts.ts';
import { type ClearingState, type CollateralLedger, ENDING } from './collateral-ledger.ts';
import { amountAt, heldAt, heldCashAt, noPositionOf, realize, rowOf, setRefund } from './holding-row.ts';
import type { Holdings } from './holdings.ts';

/** Ends markets and pays claims. A claim does not change the visible shares of a holding. */
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
   * Settles a market: it pays `ending` bps for a YES share and the rest of the dollar for a NO share. Only `refund` passes
   * `ENDING.cancelled`.
   * @throws RangeError if it is final or has open orders
   */
  settle(market: number, ending: number): void {
    const { holdings } = this;
    const { amounts } = holdings;
    this.collateralLedger.open(market);
    if (this.collateralLedger.isFinal(market)) throw new RangeError(`Invariant: market ${market} is final already`);
    for (let at = holdings.firstOfMarket(market); at !== 0; at = holdings.nextOfMarket[at]!) {
      const row = rowOf(at);
      if (heldCashAt(amounts, row) !== 0 || heldAt(amounts, row) !== 0 || heldAt(amounts, noPositionOf(at)) !== 0) {
        throw new RangeError(`Invariant: market ${market} ends with open orders of holding ${at}`);
      }
    }
    this.collateralLedger.ending[market] = ending;
  }

  /**
   * Cancels a market: holders with net payments share the collateral (domain's `refunds`, ties go to the lower address), and
   * fees are refunded on top. Each holding becomes one refund without shares, whose cost is the net amount paid in.
   * @throws RangeError if it is final or has open orders
   */
  refund(market: number): void {
    this.settle(market, ENDING.cancelled);
    const collateralLedger = this.collateralLedger;
    const holdings = this.holdings;
    const list = this.#byAddress(market);
    const paid = list.map((holding) => unchecked.usd(holdings.netPaid(holding)));
    const due: readonly MicroUsd[] = refunds(unchecked.usd(collateralLedger.collateral[market]!), paid);
    list.forEach((holding, at) => {
      const fees = holdings.fees(holding);
      collateralLedger.fees -= fees;
      collateralLedger.collateral[market]! += fees;
      setRefund(holdings.amounts, rowOf(holding), due[at]! + fees);
    });
  }

  /** Unclaimed payout of a holding in a final market, micro-USD; 0 before the end. */
  owed(holding: number): number {
    return this.holdings.claimed[holding] === 1 ? 0 : this.#due(holding);
  }

  /** Claimed payout of a holding in a final market, micro-USD; 0 before the claim. */
  paid(holding: number): number {
    return this.holdings.claimed[holding] === 1 ? this.#due(holding) : 0;
  }

  /** Fees in the refund of a CANCELLED market, claimed or not, in micro-USD. */
  refundedFees(holding: number): number {
    const holdings = this.holdings;
    return this.collateralLedger.ending[holdings.marketOf(holding)] === ENDING.cancelled ? holdings.fees(holding) : 0;
  }

  /**
   * Pays the amount owed for a holding, and realises the loss of its worthless shares.
   * @returns micro-USD paid; 0 if nothing is owed, then nothing changes
   */
  claim(holding: number): number {
    const due = this.owed(holding);
    if (due === 0) return 0;
    const { holdings } = this;
    const { claimed, amounts } = holdings;
    const yesDue = this.#dueOf(holding, 'YES');
    realize(amounts, rowOf(holding), yesDue);
    realize(amounts, noPositionOf(holding), due - yesDue);
    claimed[holding] = 1;
    this.collateralLedger.collateral[holdings.marketOf(holding)]! -= due;
    this.accounts.credit(holdings.accountOf(holding), due);
    return due;
  }

  #due(holding: number): number {
    return this.#dueOf(holding, 'YES') + this.#dueOf(holding, 'NO');
  }

  /** Payout of one outcome, claimed or not; a refund counts as YES. */
  #dueOf(holding: number, outcome: Outcome): number {
    const holdings = this.holdings;
    const yesPayout = this.collateralLedger.ending[holdings.marketOf(holding)]!;
    if (yesPayout === ENDING.none) return 0;
    if (yesPayout === ENDING.cancelled) return outcome === 'YES' ? holdings.refund(holding) : 0;
    return amountAt(orderKind(outcome, 'SELL'), yesPayout, holdings.shares(holding, outcome));
  }

  /** Returns the holdings in a market by address, because ties of refunds go to the lower one. */
  #byAddress(market: number): readonly number[] {
    const { holdings } = this;
    const list: { readonly holding: number; readonly address: string }[] = [];
    for (let at = holdings.firstOfMarket(market); at !== 0; at = holdings.nextOfMarket[at]!) {
      list.push({ holding: at, address: this.accounts.address(holdings.accountOf(at)) });
    }
    return list.sort((a, b) => (a.address < b.address ? -1 : 1)).map(({ holding }) => holding);
  }
}
