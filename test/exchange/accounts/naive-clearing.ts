/**
 * A second implementation of the accounts with plain objects and BigInt: slow and obvious. It shares no code with
 * `Clearing`, so that one error cannot be in both.
 */
import type { Outcome, Side } from '../../../src/domain/index.ts';
import { NaiveHolding, noShares } from './naive-holding.ts';

const OUTCOMES = ['YES', 'NO'] as const;

/** A maker's or taker's order; `price` in bps of its own outcome. */
export interface NaiveOrder {
  readonly account: number;
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: bigint;
}

export class NaiveClearing {
  readonly accounts: { address: string; unlimited: bigint; available: bigint; reserved: bigint }[] = [];
  readonly markets = new Map<number, { collateral: bigint; supply: bigint; ending: bigint }>();
  readonly holdings = new Map<string, NaiveHolding>();
  outside = 0n;
  fees = 0n;

  account(account: number) {
    return this.accounts[account - 1]!;
  }

  market(market: number) {
    const entry = this.markets.get(market) ?? { collateral: 0n, supply: 0n, ending: -1n };
    this.markets.set(market, entry);
    return entry;
  }

  holding(account: number, market: number): NaiveHolding {
    const entry = this.holdings.get(`${account} ${market}`) ?? new NaiveHolding(account, market);
    this.holdings.set(`${account} ${market}`, entry);
    return entry;
  }

  /** Reserves cash or shares for `shares` of a resting order. Negative `shares` release them. */
  hold({ account, market, outcome, side, price }: NaiveOrder, shares: bigint): void {
    const holding = this.holding(account, market);
    const cash = (shares / 10_000n) * price;
    if (side === 'SELL') holding[outcome].reservedShares += shares;
    else {
      holding.reservedCash += cash;
      this.account(account).reserved += cash;
      this.account(account).available -= cash;
    }
  }

  /** Releases the maker's reserve, then exchanges cash and shares of both sides. */
  trade(maker: NaiveOrder, taker: NaiveOrder, shares: bigint, fee: bigint): void {
    this.hold(maker, -shares);
    const sellers = [maker, taker].filter(({ side }) => side === 'SELL').length;
    for (const order of [maker, taker]) {
      const { account, market, outcome, side, price } = order;
      if (side === 'BUY') this.buy(account, market, outcome, shares, (shares / 10_000n) * price);
      else this.sell(account, market, outcome, shares, (shares / 10_000n) * price);
    }
    this.market(maker.market).supply += shares * BigInt(1 - sellers);
    this.account(taker.account).available -= fee;
    this.holding(taker.account, taker.market).fees += fee;
    this.holding(taker.account, taker.market)[taker.outcome].realized -= fee;
    this.fees += fee;
  }

  buy(account: number, market: number, outcome: Outcome, shares: bigint, amount: bigint): void {
    const holding = this.holding(account, market);
    holding[outcome].shares += shares;
    holding[outcome].cost += amount;
    this.pay(holding, amount);
  }

  sell(account: number, market: number, outcome: Outcome, shares: bigint, amount: bigint): void {
    const holding = this.holding(account, market);
    const position = holding[outcome];
    const out = (position.cost * shares) / position.shares;
    position.shares -= shares;
    position.cost -= out;
    position.realized += amount - out;
    this.pay(holding, -amount);
  }

  pay(holding: NaiveHolding, amount: bigint): void {
    holding.netPaid += amount;
    this.account(holding.account).available -= amount;
    this.market(holding.market).collateral += amount;
  }

  /** Buys shares of both outcomes for half a dollar each. Negative `shares` sell them. */
  convert(account: number, market: number, shares: bigint): void {
    this.market(market).supply += shares;
    for (const outcome of OUTCOMES) {
      if (shares > 0n) this.buy(account, market, outcome, shares, shares / 2n);
      else this.sell(account, market, outcome, -shares, -shares / 2n);
    }
  }

  refund(market: number): void {
    const list = [...this.holdings.values()].filter((holding) => holding.market === market);
    const address = (holding: NaiveHolding) => this.account(holding.account).address;
    const collateral = this.market(market).collateral;
    const sum = list.reduce((all, { netPaid }) => (netPaid > 0n ? all + netPaid : all), 0n);
    const part = ({ netPaid }: NaiveHolding) => (netPaid > 0n ? netPaid * collateral : 0n);
    for (const holding of list) holding.refund = sum === 0n ? 0n : part(holding) / sum;
    let left = collateral - list.reduce((all, { refund }) => all + refund, 0n);
    const byRemainder = (a: NaiveHolding, b: NaiveHolding) => {
      const more = sum === 0n ? 0n : (part(b) % sum) - (part(a) % sum);
      return more === 0n ? (address(a) < address(b) ? -1 : 1) : Number(more);
    };
    for (const holding of list.sort(byRemainder)) if (left-- > 0n) holding.refund += 1n;
    for (const holding of list) {
      holding.refund += holding.fees;
      this.market(market).collateral += holding.fees;
      this.fees -= holding.fees;
      const cost = holding.netPaid > 0n ? holding.netPaid : 0n;
      Object.assign(holding.YES, { ...noShares(), cost, realized: cost - holding.netPaid - holding.fees });
      Object.assign(holding.NO, noShares());
    }
    this.market(market).ending = -2n;
  }

  /** Returns the unclaimed payout or refund of each outcome; 0 before the market is final. */
  owed(holding: NaiveHolding): { YES: bigint; NO: bigint } {
    const { ending } = this.market(holding.market);
    if (ending === -1n || holding.claimed === 1n) return { YES: 0n, NO: 0n };
    if (ending === -2n) return { YES: holding.refund, NO: 0n };
    return {
      YES: (holding.YES.shares * ending) / 10_000n,
      NO: (holding.NO.shares * (10_000n - ending)) / 10_000n,
    };
  }

  claim(holding: NaiveHolding): bigint {
    const owed = this.owed(holding);
    const paid = owed.YES + owed.NO;
    if (paid === 0n) return 0n;
    for (const outcome of OUTCOMES) holding[outcome].realized += owed[outcome] - holding[outcome].cost;
    holding.claimed = 1n;
    this.market(holding.market).collateral -= paid;
    this.account(holding.account).available += paid;
    return paid;
  }
}
