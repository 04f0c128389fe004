/**
 * The end of a market: payouts or refunds are owed, claims pay them, once each.
 *
 * HOT: a market may have 100,000 holders. Settling looks at each for open orders, what is owed is reckoned when it is
 * asked for; a refund sorts and writes them all. Claims are O(1).
 *
 * Invariant: from the end on the collateral of a market is what is owed and not claimed, fees of a CANCELLED one included.
 */
import { column, LOT, type MicroUsd, refunds } from '../../domain/index.ts';
import type { Accounts } from './accounts.ts';
import type { Holdings } from './holdings.ts';
import { ENDING, type Vault } from './vault.ts';

/** What `Settlement` works on. */
export interface SettlementOf {
  readonly accounts: Accounts;
  readonly holdings: Holdings;
  readonly vault: Vault;
}

/** Ends markets and pays claims. Holdings are never removed: what was claimed shows as it was when it was. */
export class Settlement {
  readonly #accounts: Accounts;
  readonly #holdings: Holdings;
  readonly #vault: Vault;

  constructor({ accounts, holdings, vault }: SettlementOf) {
    this.#accounts = accounts;
    this.#holdings = holdings;
    this.#vault = vault;
  }

  /**
   * The market pays `yesPayoutBps` for a YES share and the rest of the dollar for a NO share.
   * @throws RangeError when it is final, or orders are open there
   */
  settle(market: number, yesPayoutBps: number): void {
    this.#end(market, yesPayoutBps);
  }

  /**
   * The market is CANCELLED: who paid in on balance shares the collateral (domain's `refunds`, ties to the lower address),
   * fees come back on top. Each holding becomes one refund: no shares, the cost what was paid in on balance.
   * @throws RangeError when it is final, or orders are open there
   */
  refund(market: number): void {
    this.#end(market, ENDING.cancelled);
    const vault = this.#vault;
    const { netPaid, fees } = this.#holdings;
    const list = this.#byAddress(market);
    const paid = list.map((holding) => column.usd(netPaid[holding]!));
    const due: readonly MicroUsd[] = refunds(column.usd(vault.collateral[market]!), paid);
    list.forEach((holding, at) => {
      const back = fees[holding]!;
      vault.fees -= back;
      vault.collateral[market]! += back;
      this.#becomeRefund(holding, due[at]! + back);
    });
  }

  /** What a final market owes for a holding and has not paid, in micro-USD; 0 before the end. */
  owed(holding: number): number {
    return this.#holdings.claimed[holding] === 1 ? 0 : this.#due(holding);
  }

  /** What a final market has paid for a holding, in micro-USD; 0 before. */
  paid(holding: number): number {
    return this.#holdings.claimed[holding] === 1 ? this.#due(holding) : 0;
  }

  /** Fees that are part of what a CANCELLED market owes or has paid for a holding, in micro-USD. */
  feesBack(holding: number): number {
    const { market, fees } = this.#holdings;
    return this.#vault.ending[market[holding]!] === ENDING.cancelled ? fees[holding]! : 0;
  }

  /**
   * Pays what is owed for a holding; the rest of it, worth nothing, is realised with it.
   * @returns what was paid in micro-USD; 0 where nothing is owed, which leaves no trace
   */
  claim(holding: number): number {
    const due = this.owed(holding);
    if (due === 0) return 0;
    const { account, market, cost, realized, claimed } = this.#holdings;
    const yesDue = this.#dueOf(holding, 0);
    realized[2 * holding]! += yesDue - cost[2 * holding]!;
    realized[2 * holding + 1]! += due - yesDue - cost[2 * holding + 1]!;
    claimed[holding] = 1;
    this.#vault.collateral[market[holding]!]! -= due;
    this.#accounts.credit(account[holding]!, due);
    return due;
  }

  #due(holding: number): number {
    return this.#dueOf(holding, 0) + this.#dueOf(holding, 1);
  }

  /** What is due for one outcome, claimed or not; of a refund, all for YES. */
  #dueOf(holding: number, outcome: 0 | 1): number {
    const { market, shares, refund } = this.#holdings;
    const ending = this.#vault.ending[market[holding]!];
    if (ending === ENDING.none) return 0;
    if (ending === ENDING.cancelled) return outcome === 0 ? refund[holding]! : 0;
    return (shares[2 * holding + outcome]! / LOT) * this.#vault.payout(market[holding]!, outcome);
  }

  #end(market: number, ending: number): void {
    const { held, heldCash, nextOfMarket } = this.#holdings;
    this.#vault.open(market);
    if (this.#vault.isFinal(market)) throw new RangeError(`Invariant: market ${market} is final already`);
    for (let at = this.#holdings.firstOfMarket(market); at !== 0; at = nextOfMarket[at]!) {
      if (heldCash[at] !== 0 || held[2 * at] !== 0 || held[2 * at + 1] !== 0) {
        throw new RangeError(`Invariant: market ${market} ends with open orders of holding ${at}`);
      }
    }
    this.#vault.ending[market] = ending;
  }

  /** The holdings in a market by address, as ties of refunds go to the lower. */
  #byAddress(market: number): readonly number[] {
    const { account, nextOfMarket } = this.#holdings;
    const list: { readonly holding: number; readonly address: string }[] = [];
    for (let at = this.#holdings.firstOfMarket(market); at !== 0; at = nextOfMarket[at]!) {
      list.push({ holding: at, address: this.#accounts.address(account[at]!) });
    }
    return list.sort((a, b) => (a.address < b.address ? -1 : 1)).map(({ holding }) => holding);
  }

  #becomeRefund(holding: number, refund: number): void {
    const { shares, cost, realized, netPaid, fees } = this.#holdings;
    const paidIn = Math.max(0, netPaid[holding]!);
    shares.fill(0, 2 * holding, 2 * holding + 2);
    cost[2 * holding] = paidIn;
    cost[2 * holding + 1] = 0;
    realized[2 * holding] = paidIn - netPaid[holding]! - fees[holding]!;
    realized[2 * holding + 1] = 0;
    this.#holdings.refund[holding] = refund;
  }
}
