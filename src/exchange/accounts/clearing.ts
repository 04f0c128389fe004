/**
 * Moves cash and shares: reserves, trades, conversions, transfers.
 *
 * HOT: hold, release and trade follow every order and fill. Nothing is allocated. The moves are unchecked: whoever asks
 * has tested that the account can (`free`, `available`, `bounds`); what breaks an invariant all the same throws, and the
 * exchange stops with the command.
 *
 * Invariants: each move is a double entry, so that accounts (available and reserved) + collateral + fees + outside stay
 * zero; until a market is final its supply of YES, that of NO and its collateral in dollars are equal, and so is the sum
 * of `netPaid`; no sum passes 2^53 (bounds.ts). Prices are YES bps, sizes micro-shares of whole lots, kinds codes of
 * `ORDER_KIND`, money micro-USD.
 */
import { Accounts } from './accounts.ts';
import { amountAt } from './amount.ts';
import { Bounds } from './bounds.ts';
import { costOut } from './cost-basis.ts';
import {
  COST,
  FEES,
  HELD,
  HELD_CASH,
  NET_PAID,
  noPositionOf,
  positionOf,
  REALIZED,
  rowOf,
  SHARES,
} from './holding-row.ts';
import { Holdings } from './holdings.ts';
import { Settlement } from './settlement.ts';
import { Vault } from './vault.ts';

/** Entries that fit before columns must grow, which doubles and copies them. What is not used yet takes no memory. */
export interface ClearingCapacity {
  /** Default 1023. */
  readonly accounts?: number;
  /** Pairs of account and market; default 1023. At a million, growing takes some 60 ms. */
  readonly holdings?: number;
  /** Default 63. */
  readonly markets?: number;
}

/** The clearing house: the moves of a market that is not final; what comes then is its `settlement`'s. */
export class Clearing {
  readonly accounts: Accounts;
  readonly holdings: Holdings;
  readonly vault: Vault;
  /** Ends of markets and claims. */
  readonly settlement: Settlement;
  /** What must be refused so that every sum stays exact. */
  readonly bounds: Bounds;

  constructor({ accounts, holdings, markets = 63 }: ClearingCapacity = {}) {
    this.accounts = new Accounts(accounts);
    this.holdings = new Holdings(holdings);
    this.vault = new Vault(markets);
    this.settlement = new Settlement(this);
    this.bounds = new Bounds(this);
  }

  /** Finds or makes the holding of an account in a market: when something is accepted, not before. */
  open(account: number, market: number): number {
    this.vault.open(market);
    return this.holdings.open(account, market);
  }

  /** Reserves what a resting order needs: a BUY its cash at the limit, a SELL its shares. */
  hold(holding: number, kind: number, yesPrice: number, shares: number): void {
    const { holdings, accounts } = this;
    const { amounts } = holdings;
    if ((kind & 1) === 0) {
      const cash = amountAt(kind, yesPrice, shares);
      const account = holdings.account[holding]!;
      accounts.credit(account, -cash);
      accounts.reserved[account]! += cash;
      amounts[rowOf(holding) + HELD_CASH]! += cash;
    } else {
      const at = positionOf(holding, kind);
      const held = amounts[at + HELD]! + shares;
      amounts[at + HELD] = held;
      if (held > amounts[at + SHARES]!) throw this.#broken(holding, 'would sell more than it has');
    }
  }

  /** Frees the reserve of `shares` of a resting order that will not trade. Exactly undoes `hold`. */
  release(holding: number, kind: number, yesPrice: number, shares: number): void {
    if ((kind & 1) === 0) {
      const cash = amountAt(kind, yesPrice, shares);
      const account = this.holdings.account[holding]!;
      this.#takeReserve(holding, account, cash);
      this.accounts.credit(account, cash);
    } else this.#takeHeld(holding, positionOf(holding, kind), shares);
  }

  /**
   * A resting order meets a taker at the price at which it rests. The maker's reserve for these shares is used up; the
   * taker has none and pays from what is available, gives from what is free.
   * @param fee the taker's, micro-USD; a SELL's from its proceeds
   */
  trade(
    maker: number,
    makerKind: number,
    taker: number,
    takerKind: number,
    yesPrice: number,
    shares: number,
    fee: number,
  ): void {
    const { holdings, accounts, vault } = this;
    const makerAmount = amountAt(makerKind, yesPrice, shares);
    const takerAmount = amountAt(takerKind, yesPrice, shares);
    const makerAt = positionOf(maker, makerKind);
    const takerAt = positionOf(taker, takerKind);
    const makerAccount = holdings.account[maker]!;
    const takerAccount = holdings.account[taker]!;
    let minted = 0;
    let locked = 0;
    if ((makerKind & 1) === 0) {
      this.#takeReserve(maker, makerAccount, makerAmount);
      this.#buy(maker, makerAt, shares, makerAmount);
      locked = makerAmount;
      minted = shares;
    } else {
      this.#takeHeld(maker, makerAt, shares);
      this.#sell(maker, makerAt, shares, makerAmount);
      accounts.credit(makerAccount, makerAmount);
      locked = -makerAmount;
    }
    if ((takerKind & 1) === 0) {
      this.#buy(taker, takerAt, shares, takerAmount);
      accounts.credit(takerAccount, -takerAmount - fee);
      locked += takerAmount;
    } else {
      this.#sell(taker, takerAt, shares, takerAmount);
      accounts.credit(takerAccount, takerAmount - fee);
      locked -= takerAmount;
      minted -= shares;
    }
    if (fee !== 0) {
      holdings.amounts[takerAt + REALIZED]! -= fee;
      holdings.amounts[rowOf(taker) + FEES]! += fee;
      vault.fees += fee;
    }
    const market = holdings.market[taker]!;
    const supply = vault.supply[market]! + minted;
    const collateral = vault.collateral[market]! + locked;
    vault.supply[market] = supply;
    vault.collateral[market] = collateral;
    if (supply !== collateral) throw this.#broken(taker, `trades in a market with ${collateral} for ${supply} pairs`);
  }

  /** Cash comes in from outside (positive) or goes out. */
  transfer(account: number, amount: number): void {
    this.accounts.credit(account, amount);
    this.vault.outside -= amount;
  }

  /** Cash becomes pairs, a dollar each, half of it the cost of either side. */
  split(holding: number, shares: number): void {
    const { holdings, vault } = this;
    const market = this.#unsettledMarket(holding);
    this.accounts.credit(holdings.account[holding]!, -shares);
    this.#buy(holding, rowOf(holding), shares, shares / 2);
    this.#buy(holding, noPositionOf(holding), shares, shares / 2);
    vault.supply[market]! += shares;
    vault.collateral[market]! += shares;
  }

  /** Free pairs become cash, a dollar each, half of it the proceeds of either side. */
  merge(holding: number, shares: number): void {
    const { holdings, vault } = this;
    const market = this.#unsettledMarket(holding);
    this.#sell(holding, rowOf(holding), shares, shares / 2);
    this.#sell(holding, noPositionOf(holding), shares, shares / 2);
    this.accounts.credit(holdings.account[holding]!, shares);
    vault.supply[market]! -= shares;
    vault.collateral[market]! -= shares;
  }

  /**
   * What the account has at stake in a market by the venue's measure (venue.md 2): `max(0, net paid - $1 * pairs)` and
   * the reserves of its open BUY orders there.
   */
  exposure(holding: number): number {
    const { amounts } = this.holdings;
    const row = rowOf(holding);
    const yes = amounts[row + SHARES]!;
    const no = amounts[noPositionOf(holding) + SHARES]!;
    const atStake = amounts[row + NET_PAID]! - (yes < no ? yes : no);
    return (atStake > 0 ? atStake : 0) + amounts[row + HELD_CASH]!;
  }

  #takeReserve(holding: number, account: number, cash: number): void {
    const { amounts } = this.holdings;
    const at = rowOf(holding) + HELD_CASH;
    const left = amounts[at]! - cash;
    amounts[at] = left;
    this.accounts.reserved[account]! -= cash;
    if (left < 0) throw this.#broken(holding, `has a reserve of ${left} micro-USD`);
  }

  #takeHeld(holding: number, position: number, shares: number): void {
    const { amounts } = this.holdings;
    const left = amounts[position + HELD]! - shares;
    amounts[position + HELD] = left;
    if (left < 0) throw this.#broken(holding, `has ${left} micro-shares in open orders`);
  }

  #buy(holding: number, position: number, shares: number, amount: number): void {
    const { amounts } = this.holdings;
    amounts[position + SHARES]! += shares;
    amounts[position + COST]! += amount;
    amounts[rowOf(holding) + NET_PAID]! += amount;
  }

  #sell(holding: number, position: number, shares: number, amount: number): void {
    const { amounts } = this.holdings;
    const had = amounts[position + SHARES]!;
    const cost = amounts[position + COST]!;
    const out = costOut(cost, shares, had);
    amounts[position + SHARES] = had - shares;
    amounts[position + COST] = cost - out;
    amounts[position + REALIZED]! += amount - out;
    amounts[rowOf(holding) + NET_PAID]! -= amount;
    if (had - shares < amounts[position + HELD]!) throw this.#broken(holding, 'gives up more shares than are free');
  }

  #unsettledMarket(holding: number): number {
    const market = this.holdings.market[holding]!;
    if (this.vault.isFinal(market)) throw this.#broken(holding, 'converts in a market that is final');
    return market;
  }

  #broken(holding: number, what: string): RangeError {
    const { account, market } = this.holdings;
    return new RangeError(`Invariant: account ${account[holding]} in market ${market[holding]} ${what}`);
  }
}
