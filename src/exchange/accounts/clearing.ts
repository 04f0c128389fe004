/**
 * Moves cash and shares: reserves, trades, conversions, transfers.
 *
 * HOT: `reserve`, `release` and `trade` run for every order and fill: 7, 7 and 21 ns at 1,000 holdings
 * (bench/exchange.ts). They allocate nothing. The caller has checked cash, free shares and `overflowGuard`. A broken
 * invariant throws, and the exchange stops. (`declare`: docs/decisions/0017.)
 *
 * Invariants: each move is a double entry, so accounts (available and reserved) + collateral + fees + outside sum to
 * zero. Until a market is final, its supply of YES, its supply of NO, its collateral and the sum of `netPaid` are
 * equal. No sum exceeds 2^53 (overflow-guard.ts). Prices are YES bps, sizes micro-shares of whole lots, money
 * micro-USD. Kinds are codes of `ORDER_KIND`, whose bit 0 is set for SELL.
 */
import { LOT } from '../../domain/index.ts';
import { inOwnTerms } from '../matching/codes.ts';
import { Accounts } from './accounts.ts';
import { CollateralLedger } from './collateral-ledger.ts';
import {
  addReservedCash,
  addReservedShares,
  amountAt,
  buy,
  exposureAt,
  noPositionStart,
  payFee,
  positionStart,
  removeReservedShares,
  rowStart,
  sell,
  undoBuy,
  undoSell,
} from './holding-amounts.ts';
import { Holdings } from './holdings.ts';
import { OverflowGuard } from './overflow-guard.ts';
import { Settlement } from './settlement.ts';

/** Number of entries before columns double. Unused entries take no memory. */
export interface ClearingCapacity {
  /** Default 1023. */
  readonly accounts?: number;
  /** Pairs of account and market; default 1023. Doubling a million takes 60 ms. */
  readonly holdings?: number;
  /** Default 63. */
  readonly markets?: number;
}

export interface ReversedSide {
  readonly account: number;
  /** A code of `ORDER_KIND`. */
  readonly kind: number;
  /** Cost of the sold shares in micro-USD; 0 for a BUY. */
  readonly cost: number;
}

/** A trade to be reversed; price in YES bps, micro-shares, the taker's fee in micro-USD. */
export interface ReversedTrade {
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly fee: number;
  readonly maker: ReversedSide;
  readonly taker: ReversedSide;
}

/** Moves cash and shares of markets that are not final. `settlement` handles final markets. */
export class Clearing {
  declare readonly accounts: Accounts;
  declare readonly holdings: Holdings;
  declare readonly collateralLedger: CollateralLedger;
  declare readonly settlement: Settlement;
  /** Finds moves that would make a sum inexact and must be refused. */
  declare readonly overflowGuard: OverflowGuard;

  constructor({ accounts, holdings, markets = 63 }: ClearingCapacity = {}) {
    this.accounts = new Accounts(accounts);
    this.holdings = new Holdings(holdings);
    this.collateralLedger = new CollateralLedger(markets);
    this.settlement = new Settlement(this);
    this.overflowGuard = new OverflowGuard(this);
  }

  /** Finds or creates the holding of an account in a market. Call this only for accepted commands. */
  open(account: number, market: number): number {
    this.collateralLedger.open(market);
    return this.holdings.open(account, market);
  }

  /** Reserves the cash of a resting BUY at its limit, or the shares of a resting SELL. */
  reserve(holding: number, kind: number, yesPrice: number, shares: number): void {
    const { holdings, accounts, collateralLedger } = this;
    const { amounts } = holdings;
    if ((kind & 1) === 0) {
      const cash = amountAt(kind, yesPrice, shares);
      const account = holdings.accountOf(holding);
      accounts.credit(account, -cash);
      accounts.reserved[account]! += cash;
      addReservedCash(amounts, rowStart(holding), cash);
      collateralLedger.turnoverBound += cash;
    } else {
      addReservedShares(amounts, positionStart(holding, kind), shares);
      collateralLedger.turnoverBound += shares;
    }
  }

  /** Undoes `reserve` for `shares` of a resting order that will not trade. */
  release(holding: number, kind: number, yesPrice: number, shares: number): void {
    const { holdings, accounts, collateralLedger } = this;
    const { amounts } = holdings;
    if ((kind & 1) === 0) {
      const cash = amountAt(kind, yesPrice, shares);
      const account = holdings.accountOf(holding);
      addReservedCash(amounts, rowStart(holding), -cash);
      accounts.reserved[account]! -= cash;
      accounts.credit(account, cash);
      collateralLedger.turnoverBound -= cash;
    } else {
      removeReservedShares(amounts, positionStart(holding, kind), shares);
      collateralLedger.turnoverBound -= shares;
    }
  }

  /** Books a trade of two holdings. The maker's cash or shares are reserved, the taker's free. The taker pays `fee`. */
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
    const lots = shares / LOT;
    const makerAmount = lots * inOwnTerms(makerKind, yesPrice);
    const takerAmount = lots * inOwnTerms(takerKind, yesPrice);
    const makerRow = rowStart(maker);
    const takerRow = rowStart(taker);
    const makerPosition = positionStart(maker, makerKind);
    const takerPosition = positionStart(taker, takerKind);
    const makerAccount = holdings.accountOf(maker);
    const market = holdings.marketOf(taker);
    let newPairs = shares;
    let makerPaid = makerAmount;
    if ((makerKind & 1) === 0) {
      addReservedCash(amounts, makerRow, -makerAmount);
      accounts.reserved[makerAccount]! -= makerAmount;
      buy(amounts, makerRow, makerPosition, shares, makerAmount);
    } else {
      removeReservedShares(amounts, makerPosition, shares);
      sell(amounts, makerRow, makerPosition, shares, makerAmount);
      accounts.credit(makerAccount, makerAmount);
      makerPaid = -makerAmount;
      newPairs = 0;
    }
    let takerReceived = takerAmount;
    if ((takerKind & 1) === 0) {
      buy(amounts, takerRow, takerPosition, shares, takerAmount);
      takerReceived = -takerAmount;
    } else {
      sell(amounts, takerRow, takerPosition, shares, takerAmount);
      newPairs -= shares;
    }
    accounts.credit(holdings.accountOf(taker), takerReceived - fee);
    if (fee !== 0) this.#takeFee(takerRow, takerPosition, fee);
    collateralLedger.turnoverBound += shares;
    collateralLedger.add(market, newPairs, makerPaid - takerReceived);
    collateralLedger.assertBalance(market);
  }

  /** Undoes `trade` in a market that is not final. The cash and shares to return must be free. */
  reverse({ market, yesPrice, shares, fee, maker, taker }: ReversedTrade): void {
    const { collateralLedger } = this;
    const isSell = (side: ReversedSide): number => side.kind & 1;
    const cash = this.#undo(maker, market, yesPrice, shares, 0) + this.#undo(taker, market, yesPrice, shares, fee);
    collateralLedger.turnoverBound += shares;
    collateralLedger.add(market, (isSell(maker) + isSell(taker) - 1) * shares, -cash);
    collateralLedger.assertBalance(market);
  }

  /** Deposits cash into an account, or withdraws it if `amount` is negative. */
  transfer(account: number, amount: number): void {
    this.accounts.credit(account, amount);
    this.collateralLedger.outside -= amount;
  }

  /** Converts cash to pairs, a dollar each. Half a dollar is the cost of each share. */
  split(holding: number, shares: number): void {
    const { holdings, collateralLedger } = this;
    const { amounts } = holdings;
    const market = this.#requireUnsettledMarket(holding);
    this.accounts.credit(holdings.accountOf(holding), -shares);
    buy(amounts, rowStart(holding), rowStart(holding), shares, shares / 2);
    buy(amounts, rowStart(holding), noPositionStart(holding), shares, shares / 2);
    collateralLedger.turnoverBound += shares;
    collateralLedger.add(market, shares, shares);
  }

  /** Converts free pairs to cash, a dollar each. Half a dollar is the proceeds of each share. */
  merge(holding: number, shares: number): void {
    const { holdings, collateralLedger } = this;
    const { amounts } = holdings;
    const market = this.#requireUnsettledMarket(holding);
    sell(amounts, rowStart(holding), rowStart(holding), shares, shares / 2);
    sell(amounts, rowStart(holding), noPositionStart(holding), shares, shares / 2);
    this.accounts.credit(holdings.accountOf(holding), shares);
    collateralLedger.turnoverBound += shares;
    collateralLedger.add(market, -shares, -shares);
  }

  /** Returns `max(0, net paid - $1 * pairs)` plus the cash of open BUY orders (docs/spec/venue.md#limits). */
  exposure(holding: number): number {
    return exposureAt(this.holdings.amounts, rowStart(holding));
  }

  /** Undoes one side of a trade. Returns the collateral's payment to the account before the fee, perhaps negative. */
  #undo({ account, kind, cost }: ReversedSide, market: number, yesPrice: number, shares: number, fee: number): number {
    const { holdings, accounts } = this;
    const holding = this.open(account, market);
    const { amounts } = holdings;
    const row = rowStart(holding);
    const position = positionStart(holding, kind);
    const amount = amountAt(kind, yesPrice, shares);
    const isBuy = (kind & 1) === 0;
    if (isBuy) undoBuy(amounts, row, position, shares, amount);
    else undoSell(amounts, row, position, shares, { amount, cost });
    if (fee !== 0) this.#takeFee(row, position, -fee);
    const returned = isBuy ? amount : -amount;
    accounts.credit(account, returned + fee);
    return returned;
  }

  /** Books a fee. Separate from `trade`, because V8 inlines only a limited amount of code into a function. */
  #takeFee(row: number, position: number, fee: number): void {
    payFee(this.holdings.amounts, row, position, fee);
    this.collateralLedger.fees += fee;
  }

  #requireUnsettledMarket(holding: number): number {
    const market = this.holdings.marketOf(holding);
    if (this.collateralLedger.isFinal(market))
      throw new RangeError(`Invariant: a conversion in final market ${market}`);
    return market;
  }
}
