/** Applies the same steps to a clearing house and its twin. Impossible steps are skipped. */
import { LOT, type Outcome, type Side, takerFee, unchecked } from '../../../src/domain/index.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { amountAt } from '../../../src/exchange/accounts/holding-amounts.ts';
import { writeClearing } from '../../../src/exchange/accounts/state.ts';
import { inYesTerms, orderKind } from '../../../src/exchange/matching/codes.ts';
import { NaiveClearing } from './naive-clearing.ts';
import { StateList, writeNaive } from './naive-state.ts';

export interface Step {
  readonly type:
    | 'place'
    | 'cancel'
    | 'reduce'
    | 'trade'
    | 'split'
    | 'merge'
    | 'transfer'
    | 'settle'
    | 'refund'
    | 'claim';
  readonly account: number;
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: number;
  readonly lots: number;
  /** Index into the open orders, modulo their number. */
  readonly orderIndex: number;
  /** A withdrawal instead of a deposit; a taker on the maker's outcome instead of the opposite one. */
  readonly flip: boolean;
}

interface Resting {
  readonly account: number;
  readonly market: number;
  readonly holding: number;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: number;
  shares: number;
}

export class ClearingPair {
  readonly clearing: Clearing;
  readonly twin = new NaiveClearing();
  readonly open: Resting[] = [];
  readonly deposits = new Map<number, number>();
  /** Number of executed steps of each type. */
  readonly executed = new Map<string, number>();
  readonly #feeRateBps: number;

  constructor(addresses: readonly string[], deposit: number, feeRateBps: number, unlimited: readonly boolean[] = []) {
    this.clearing = new Clearing({ accounts: 1, holdings: 1, markets: 1 });
    this.#feeRateBps = feeRateBps;
    for (const [at, address] of addresses.entries()) {
      const isUnlimited = unlimited[at] === true;
      const account = this.clearing.accounts.open(address, isUnlimited);
      this.twin.accounts.push({ address, unlimited: isUnlimited ? 1n : 0n, available: 0n, reserved: 0n });
      if (!isUnlimited) this.#transfer(account, deposit);
    }
  }

  step(step: Step): void {
    if (this.#execute(step)) this.executed.set(step.type, (this.executed.get(step.type) ?? 0) + 1);
  }

  /** Both states in canonical order. */
  states(): { readonly fast: readonly (number | string)[]; readonly naive: readonly (number | string)[] } {
    const fast = new StateList();
    const naive = new StateList();
    writeClearing(this.clearing, fast);
    writeNaive(this.twin, naive);
    return { fast: fast.values, naive: naive.values };
  }

  #execute(step: Step): boolean {
    const { account, market, lots, type } = step;
    const shares = lots * LOT;
    const isFinal = this.clearing.collateralLedger.isFinal(market);
    if (type === 'transfer') return this.#transfer(account, step.flip ? -shares : shares);
    if (type === 'claim') return this.#claim(account, market);
    if (type === 'cancel' || type === 'reduce')
      return this.#reduce(step.orderIndex, type === 'cancel' ? Infinity : shares);
    if (type === 'trade') return this.#trade(step) || this.#trade({ ...step, flip: !step.flip });
    if (isFinal) return false;
    if (type === 'place') return this.#place(step, shares) || this.#place({ ...step, side: 'BUY' }, shares);
    if (type === 'split') return this.#split(account, market, shares);
    if (type === 'merge') return this.#merge(account, market, shares);
    return this.#end(market, type === 'refund' ? undefined : step.price);
  }

  #place({ account, market, outcome, side, price }: Step, shares: number): boolean {
    const holding = this.clearing.holdings.find(account, market);
    if (!this.#canAfford({ account, holding, outcome, side, price, shares, fee: 0 })) return false;
    const opened = this.clearing.open(account, market);
    this.clearing.reserve(opened, orderKind(outcome, side), inYesTerms(orderKind(outcome, side), price), shares);
    this.twin.hold({ account, market, outcome, side, price: BigInt(price) }, BigInt(shares));
    this.open.push({ account, market, holding: opened, outcome, side, price, shares });
    return true;
  }

  #canAfford(order: {
    readonly account: number;
    readonly holding: number;
    readonly outcome: Outcome;
    readonly side: Side;
    readonly price: number;
    readonly shares: number;
    readonly fee: number;
  }): boolean {
    const { account, holding, outcome, side, price, shares, fee } = order;
    const { accounts, holdings, overflowGuard } = this.clearing;
    const kind = orderKind(outcome, side);
    const yesPrice = inYesTerms(kind, price);
    if (!overflowGuard.fitsOrder(account, holding, kind, yesPrice, shares, fee)) return false;
    if (side === 'SELL') return holdings.freeSharesOfKind(holding, kind) >= shares;
    const needed = amountAt(kind, yesPrice, shares) + fee;
    return accounts.unlimited[account] === 1 || (accounts.available[account] ?? 0) >= needed;
  }

  #reduce(orderIndex: number, reduction: number): boolean {
    const order = this.open[orderIndex % this.open.length];
    if (order === undefined) return false;
    const shares = Math.min(reduction, order.shares);
    const kind = orderKind(order.outcome, order.side);
    this.clearing.release(order.holding, kind, inYesTerms(kind, order.price), shares);
    this.twin.hold({ ...order, price: BigInt(order.price) }, -BigInt(shares));
    this.#removeShares(order, shares);
    return true;
  }

  #removeShares(order: Resting, shares: number): void {
    order.shares -= shares;
    if (order.shares === 0) this.open.splice(this.open.indexOf(order), 1);
  }

  #trade({ account, orderIndex, lots, flip }: Step): boolean {
    const maker = this.open[orderIndex % this.open.length];
    if (maker === undefined || maker.account === account) return false;
    const { market } = maker;
    const shares = Math.min(lots * LOT, maker.shares);
    const outcome = flip ? maker.outcome : maker.outcome === 'YES' ? 'NO' : 'YES';
    const side = flip === (maker.side === 'BUY') ? 'SELL' : 'BUY';
    const price = flip ? maker.price : 10_000 - maker.price;
    const fee = takerFee(this.#feeRateBps, unchecked.shares(shares), unchecked.price(price));
    const holding = this.clearing.holdings.find(account, market);
    if (!this.#canAfford({ account, holding, outcome, side, price, shares, fee: side === 'BUY' ? fee : 0 }))
      return false;
    const taker = this.clearing.open(account, market);
    const makerKind = orderKind(maker.outcome, maker.side);
    const yesPrice = inYesTerms(makerKind, maker.price);
    this.clearing.trade(maker.holding, makerKind, taker, orderKind(outcome, side), yesPrice, shares, fee);
    this.twin.trade(
      { ...maker, price: BigInt(maker.price) },
      { account, market, outcome, side, price: BigInt(price) },
      BigInt(shares),
      BigInt(fee),
    );
    this.#removeShares(maker, shares);
    return true;
  }

  #split(account: number, market: number, shares: number): boolean {
    const { accounts, overflowGuard, holdings } = this.clearing;
    const isShort = accounts.unlimited[account] === 0 && (accounts.available[account] ?? 0) < shares;
    if (isShort || !overflowGuard.fitsBuy(account, holdings.find(account, market), shares, 0)) return false;
    this.clearing.split(this.clearing.open(account, market), shares);
    this.twin.convert(account, market, BigInt(shares));
    return true;
  }

  #merge(account: number, market: number, wanted: number): boolean {
    const { overflowGuard, holdings } = this.clearing;
    const holding = holdings.find(account, market);
    const free = Math.min(holdings.freeSharesOfKind(holding, 0), holdings.freeSharesOfKind(holding, 2));
    const shares = Math.min(free, wanted);
    if (shares === 0 || !overflowGuard.fitsMerge(holding, shares)) return false;
    this.clearing.merge(holding, shares);
    this.twin.convert(account, market, -BigInt(shares));
    return true;
  }

  #transfer(account: number, amount: number): boolean {
    const { accounts, overflowGuard } = this.clearing;
    const isShort = accounts.unlimited[account] === 0 && (accounts.available[account] ?? 0) + amount < 0;
    if (isShort || !overflowGuard.fitsTransfer(account, amount)) return false;
    this.clearing.transfer(account, amount);
    this.twin.account(account).available += BigInt(amount);
    this.twin.outside -= BigInt(amount);
    this.deposits.set(account, (this.deposits.get(account) ?? 0) + amount);
    return true;
  }

  #end(market: number, payout: number | undefined): boolean {
    for (const order of this.open.filter((resting) => resting.market === market)) {
      this.#reduce(this.open.indexOf(order), Infinity);
    }
    if (payout === undefined) {
      this.clearing.settlement.refund(market);
      this.twin.refund(market);
    } else {
      this.clearing.settlement.settle(market, payout);
      this.twin.market(market).ending = BigInt(payout);
    }
    return true;
  }

  #claim(account: number, market: number): boolean {
    const holding = this.clearing.holdings.find(account, market);
    const paid = this.clearing.settlement.claim(holding);
    const naive = this.twin.holdings.get(`${account} ${market}`);
    const expected = naive === undefined ? 0n : this.twin.claim(naive);
    if (BigInt(paid) !== expected) throw new Error(`a claim paid ${paid}, the twin ${expected}`);
    return paid > 0;
  }
}
