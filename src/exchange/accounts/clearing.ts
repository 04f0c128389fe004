/**
 * Moves cash and shares: reserves, trades, conversions, transfers.
 *
 * HOT: hold, release and trade follow every order and fill: 7, 7 and 21 ns at 1,000 holdings and a mix of all kinds,
 * bench/exchange.ts. Nothing is allocated. The moves are unchecked: the caller has checked the account (`free`,
 * `available`, `bounds`). A broken invariant throws, and the exchange stops with the command.
 *
 * Invariants: each move is a double entry, so that accounts (available and reserved) + collateral + fees + outside stay
 * zero; until a market is final its supply of YES, that of NO and its collateral in dollars are equal, and so is the
 * sum of `netPaid`; no sum passes 2^53 (overflow-guard.ts). Prices are YES bps, sizes micro-shares of whole lots, kinds
 * codes of `ORDER_KIND`, money micro-USD.
 */
import { LOT } from '../../domain/index.ts';
import { inOwnTerms } from '../matching/codes.ts';
import { Accounts } from './accounts.ts';
import { amountAt } from './amount.ts';
import { CollateralLedger } from './collateral-ledger.ts';
import {
  addHeld,
  addHeldCash,
  atStake,
  buy,
  noPositionOf,
  payFee,
  positionOf,
  rowOf,
  sell,
  takeHeld,
  undoBuy,
  undoSell,
} from './holding-row.ts';
import { Holdings } from './holdings.ts';
import { OverflowGuard } from './overflow-guard.ts';
import { Settlement } from './settlement.ts';

// Names of this file for what is imported: see engine/order-validator.ts.
const amountOf = amountAt;
const toOwn = inOwnTerms;
const lockCash = addHeldCash;
const lockShares = addHeld;
const unlockShares = takeHeld;
const takeIn = buy;
const giveOut = sell;
const stakeIn = atStake;
const noSideOf = noPositionOf;
const sideOf = positionOf;
const beginOf = rowOf;
const LOT_SHARES = LOT;

/** Entries that fit before columns must grow, which doubles and copies them. Unused entries take no memory. */
export interface ClearingCapacity {
  /** Default 1023. */
  readonly accounts?: number;
  /** Pairs of account and market; default 1023. At a million, growing takes some 60 ms. */
  readonly holdings?: number;
  /** Default 63. */
  readonly markets?: number;
}

export interface ReversedSide {
  readonly account: number;
  /** A code of `ORDER_KIND`. */
  readonly kind: number;
  /** Of a SELL: the cost that went out with its shares, micro-USD; else 0. */
  readonly cost: number;
}

/** A trade that is reversed; price in YES bps, micro-shares, the taker's fee in micro-USD. */
export interface ReversedTrade {
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly fee: number;
  readonly maker: ReversedSide;
  readonly taker: ReversedSide;
}

/** The clearing house: the moves of a market that is not final. `settlement` handles final markets. */
export class Clearing {
  declare readonly accounts: Accounts;
  declare readonly holdings: Holdings;
  declare readonly collateralLedger: CollateralLedger;
  /** Ends of markets and claims. */
  declare readonly settlement: Settlement;
  /** Finds moves that must be refused so that every sum stays exact. */
  declare readonly overflowGuard: OverflowGuard;

  constructor({ accounts, holdings, markets = 63 }: ClearingCapacity = {}) {
    this.accounts = new Accounts(accounts);
    this.holdings = new Holdings(holdings);
    this.collateralLedger = new CollateralLedger(markets);
    this.settlement = new Settlement(this);
    this.overflowGuard = new OverflowGuard(this);
  }

  /** Finds or creates the holding of an account in a market. Call it only when a command is accepted. */
  open(account: number, market: number): number {
    this.collateralLedger.open(market);
    return this.holdings.open(account, market);
  }

  /** Reserves what a resting order needs: a BUY its cash at the limit, a SELL its shares. */
  hold(holding: number, kind: number, yesPrice: number, shares: number): void {
    const { holdings, accounts, collateralLedger } = this;
    const { amounts } = holdings;
    if ((kind & 1) === 0) {
      const cash = amountOf(kind, yesPrice, shares);
      const account = holdings.accountOf(holding);
      accounts.credit(account, -cash);
      accounts.reserved[account]! += cash;
      lockCash(amounts, beginOf(holding), cash);
      collateralLedger.turned += cash;
    } else {
      lockShares(amounts, sideOf(holding, kind), shares);
      collateralLedger.turned += shares;
    }
  }

  /** Frees the reserve of `shares` of a resting order that will not trade. Exactly undoes `hold`. */
  release(holding: number, kind: number, yesPrice: number, shares: number): void {
    const { holdings, accounts, collateralLedger } = this;
    const { amounts } = holdings;
    if ((kind & 1) === 0) {
      const cash = amountOf(kind, yesPrice, shares);
      const account = holdings.accountOf(holding);
      lockCash(amounts, beginOf(holding), -cash);
      accounts.reserved[account]! -= cash;
      accounts.credit(account, cash);
      collateralLedger.turned -= cash;
    } else {
      unlockShares(amounts, sideOf(holding, kind), shares);
      collateralLedger.turned -= shares;
    }
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
    const { holdings, accounts, collateralLedger } = this;
    const { amounts } = holdings;
    const lots = shares / LOT_SHARES;
    const makerAmount = lots * toOwn(makerKind, yesPrice);
    const takerAmount = lots * toOwn(takerKind, yesPrice);
    const makerRow = beginOf(maker);
    const takerRow = beginOf(taker);
    const makerAt = sideOf(maker, makerKind);
    const takerAt = sideOf(taker, takerKind);
    const makerAccount = holdings.accountOf(maker);
    const market = holdings.marketOf(taker);
    let pairs = shares;
    let locked = makerAmount;
    if ((makerKind & 1) === 0) {
      lockCash(amounts, makerRow, -makerAmount);
      accounts.reserved[makerAccount]! -= makerAmount;
      takeIn(amounts, makerRow, makerAt, shares, makerAmount);
    } else {
      unlockShares(amounts, makerAt, shares);
      giveOut(amounts, makerRow, makerAt, shares, makerAmount);
      accounts.credit(makerAccount, makerAmount);
      locked = -makerAmount;
      pairs = 0;
    }
    let proceeds = takerAmount;
    if ((takerKind & 1) === 0) {
      takeIn(amounts, takerRow, takerAt, shares, takerAmount);
      proceeds = -takerAmount;
    } else {
      giveOut(amounts, takerRow, takerAt, shares, takerAmount);
      pairs -= shares;
    }
    accounts.credit(holdings.accountOf(taker), proceeds - fee);
    if (fee !== 0) this.#takeFee(takerRow, takerAt, fee);
    collateralLedger.turned += shares;
    collateralLedger.add(market, pairs, locked - proceeds);
    collateralLedger.demandBalance(market);
  }

  /** Undoes `trade` of a market that is not final. What is given back must be free. */
  reverse({ market, yesPrice, shares, fee, maker, taker }: ReversedTrade): void {
    const { collateralLedger } = this;
    const isSell = (side: ReversedSide): number => side.kind & 1;
    const cash = this.#undo(maker, market, yesPrice, shares, 0) + this.#undo(taker, market, yesPrice, shares, fee);
    collateralLedger.turned += shares;
    collateralLedger.add(market, (isSell(maker) + isSell(taker) - 1) * shares, -cash);
    collateralLedger.demandBalance(market);
  }

  /** Cash comes in from outside (positive) or goes out. */
  transfer(account: number, amount: number): void {
    this.accounts.credit(account, amount);
    this.collateralLedger.outside -= amount;
  }

  /** Cash becomes pairs, a dollar each, half of it the cost of either side. */
  split(holding: number, shares: number): void {
    const { holdings, collateralLedger } = this;
    const { amounts } = holdings;
    const market = this.#unsettledMarket(holding);
    this.accounts.credit(holdings.accountOf(holding), -shares);
    takeIn(amounts, beginOf(holding), beginOf(holding), shares, shares / 2);
    takeIn(amounts, beginOf(holding), noSideOf(holding), shares, shares / 2);
    collateralLedger.turned += shares;
    collateralLedger.add(market, shares, shares);
  }

  /** Free pairs become cash, a dollar each, half of it the proceeds of either side. */
  merge(holding: number, shares: number): void {
    const { holdings, collateralLedger } = this;
    const { amounts } = holdings;
    const market = this.#unsettledMarket(holding);
    giveOut(amounts, beginOf(holding), beginOf(holding), shares, shares / 2);
    giveOut(amounts, beginOf(holding), noSideOf(holding), shares, shares / 2);
    this.accounts.credit(holdings.accountOf(holding), shares);
    collateralLedger.turned += shares;
    collateralLedger.add(market, -shares, -shares);
  }

  /**
   * What the account has at stake in a market by the venue's measure (docs/spec/venue.md#limits):
   * `max(0, net paid - $1 * pairs)` and the reserves of its open BUY orders there.
   */
  exposure(holding: number): number {
    return stakeIn(this.holdings.amounts, beginOf(holding));
  }

  /** @returns cash that the account gets back from the market's collateral (positive) or gives, its fee apart */
  #undo({ account, kind, cost }: ReversedSide, market: number, yesPrice: number, shares: number, fee: number): number {
    const { holdings, accounts } = this;
    const holding = this.open(account, market);
    const { amounts } = holdings;
    const row = beginOf(holding);
    const position = sideOf(holding, kind);
    const amount = amountOf(kind, yesPrice, shares);
    const isBuy = (kind & 1) === 0;
    if (isBuy) undoBuy(amounts, row, position, shares, amount);
    else undoSell(amounts, row, position, shares, { amount, cost });
    if (fee !== 0) this.#takeFee(row, position, -fee);
    const back = isBuy ? amount : -amount;
    accounts.credit(account, back + fee);
    return back;
  }

  /** A separate function, because V8 inlines only a limited amount of code into `trade`. */
  #takeFee(row: number, position: number, fee: number): void {
    payFee(this.holdings.amounts, row, position, fee);
    this.collateralLedger.fees += fee;
  }

  #unsettledMarket(holding: number): number {
    const market = this.holdings.marketOf(holding);
    if (this.collateralLedger.isFinal(market))
      throw new RangeError(`Invariant: a conversion in market ${market}, which is final`);
    return market;
  }
}
