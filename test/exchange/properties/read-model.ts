/** Positions, balances, open orders and market statuses, computed from the events alone. */
import type { MarketStatus } from '../../../src/domain/index.ts';
import type { OrderTerms, RareEvent } from '../twin/exchange-types.ts';
import type { Call } from '../twin/world.ts';

export interface ReadOrder {
  readonly order: number;
  readonly account: number;
  readonly market: number;
  readonly terms: OrderTerms;
  remaining: number;
}

export interface ReadTrade {
  readonly seq: number;
  readonly market: number;
  readonly maker: number;
  readonly taker: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly fee: number;
}

export interface ReadHolding {
  yes: number;
  no: number;
  /** Buys and splits less sales and merges, without fees. */
  netPaid: number;
  /** Fees that are refunded when the market is cancelled. */
  fees: number;
}

export interface ReadMarket {
  status: MarketStatus;
  halted: boolean;
  /** `step` and `attempt` of the last request to the chain, and `round` of the last request to the resolver. */
  step: 'DEPLOY' | 'REPORT_PAYOUT' | undefined;
  attempt: number;
  round: number;
}

type EventOf<T extends RareEvent['type']> = Extract<RareEvent, { type: T }>;

export class ReadModel {
  /** Cash by account number; index 0 is unused. */
  readonly cash: number[] = [0];
  readonly epochs: number[] = [0];
  readonly orders = new Map<number, ReadOrder>();
  /** Owners and terms of all orders, closed ones included. */
  readonly terms = new Map<number, Omit<ReadOrder, 'remaining'>>();
  readonly trades: ReadTrade[] = [];
  readonly holdings = new Map<string, ReadHolding>();
  readonly markets: ReadMarket[] = [];
  /** Owners of the existing groups. */
  readonly groups = new Map<number, number>();
  accepted = 0;
  fees = 0;
  /** Withdrawals less deposits. */
  outside = 0;
  seq = 0;

  /** @param before is called before each event is applied */
  apply(calls: readonly Call[], before: (call: Call) => void = () => {}): void {
    for (const call of calls) {
      before(call);
      this.#applyOne(call);
    }
  }

  holding(account: number, market: number): ReadHolding {
    const key = `${account} ${market}`;
    const found = this.holdings.get(key) ?? { yes: 0, no: 0, netPaid: 0, fees: 0 };
    this.holdings.set(key, found);
    return found;
  }

  /** Cash that the account's open BUY orders reserve. */
  reserved(account: number): number {
    const own = [...this.orders.values()].filter((order) => order.account === account && order.terms.side === 'BUY');
    return own.reduce((sum, { remaining, terms }) => sum + (remaining / 10_000) * terms.price, 0);
  }

  #applyOne(call: Call): void {
    if (call[0] === 'refused' || call[0] === 'duplicate') return;
    if (call[1] !== this.seq + 1) throw new Error(`event ${call[1]} follows ${this.seq}`);
    this.seq = call[1];
    if (call[0] === 'accepted') this.#accepted(call[2], call[3], call[4]);
    else if (call[0] === 'traded') this.#traded(call);
    else if (call[0] === 'reduced') this.#order(call[2]).remaining = call[3];
    else if (call[0] === 'closed') this.#closed(call[2], call[3]);
    else this.#happened(call[2]);
  }

  #accepted(order: number, account: number, terms: OrderTerms): void {
    if (order !== this.accepted + 1) throw new Error(`order ${order} follows ${this.accepted}`);
    this.accepted = order;
    this.orders.set(order, { order, account, market: terms.market, terms, remaining: terms.shares });
    this.terms.set(order, { order, account, market: terms.market, terms });
  }

  #traded([, seq, market, maker, taker, yesPrice, shares, , fee]: Extract<Call, ['traded', ...unknown[]]>): void {
    for (const number of [maker, taker]) this.#order(number).remaining -= shares;
    const trade = { seq, market, maker, taker, yesPrice, shares, fee };
    this.trades.push(trade);
    this.#book(trade, 1);
  }

  /** @param direction 1 books a trade, -1 reverses it */
  #book({ market, maker, taker, yesPrice, shares, fee }: Omit<ReadTrade, 'seq'>, direction: 1 | -1): void {
    for (const number of [maker, taker]) {
      const { account, terms } = this.terms.get(number) ?? this.#order(number);
      const price = terms.outcome === 'YES' ? yesPrice : 10_000 - yesPrice;
      const sign = terms.side === 'BUY' ? direction : -direction;
      const paid = sign * (shares / 10_000) * price;
      const charged = number === taker ? direction * fee : 0;
      this.#move(account, market, terms.outcome, sign * shares);
      this.holding(account, market).netPaid += paid;
      this.cash[account] = this.#cash(account) - paid - charged;
      this.holding(account, market).fees += charged;
    }
    this.fees += direction * fee;
  }

  #closed(order: number, unfilled: number): void {
    if (this.#order(order).remaining !== unfilled)
      throw new Error(`order ${order} had ${this.#order(order).remaining} shares left`);
    this.orders.delete(order);
  }

  #happened(event: RareEvent): void {
    switch (event.type) {
      case 'accountOpened':
        this.cash.push(0);
        this.epochs.push(0);
        return;
      case 'transferred':
        this.cash[event.account] = this.#cash(event.account) + event.amount;
        this.outside -= event.amount;
        return;
      case 'tradeReversed':
        this.#book(event, -1);
        return;
      case 'converted':
        this.#converted(event);
        return;
      case 'claimed':
        this.cash[event.account] = this.#cash(event.account) + event.paid;
        return;
      case 'epochRaised':
        this.epochs[event.account] = event.epoch;
        return;
      case 'groupChanged':
        this.groups.set(event.group, event.account);
        return;
      case 'groupDeleted':
        this.groups.delete(event.group);
        return;
      default:
        this.#marketEvent(event);
    }
  }

  #converted({ account, market, conversion, shares }: EventOf<'converted'>): void {
    const sign = conversion === 'split' ? 1 : -1;
    this.#move(account, market, 'YES', sign * shares);
    this.#move(account, market, 'NO', sign * shares);
    this.holding(account, market).netPaid += sign * shares;
    this.cash[account] = this.#cash(account) - sign * shares;
  }

  #marketEvent(event: RareEvent): void {
    if (event.type === 'marketChanged') {
      const { market, status, halted } = event;
      const before = this.markets[market] ?? { step: undefined, attempt: 0, round: 0 };
      this.markets[market] = { ...before, status, halted };
      if (status === 'CANCELLED') this.#void(market);
    } else if (event.type === 'chainRequested') {
      Object.assign(this.#market(event.market), { step: event.step, attempt: event.attempt });
    } else if (event.type === 'resolutionRequested') this.#market(event.market).round = event.round;
  }

  /** Removes the shares of a cancelled market, and subtracts its fees, which claims refund. */
  #void(market: number): void {
    for (const [key, holding] of this.holdings) {
      if (!key.endsWith(` ${market}`)) continue;
      this.fees -= holding.fees;
      Object.assign(holding, { yes: 0, no: 0 });
    }
  }

  #move(account: number, market: number, outcome: 'YES' | 'NO', shares: number): void {
    const holding = this.holding(account, market);
    if (outcome === 'YES') holding.yes += shares;
    else holding.no += shares;
  }

  #cash(account: number): number {
    return this.cash[account] ?? 0;
  }

  #order(order: number): ReadOrder {
    const found = this.orders.get(order);
    if (found === undefined) throw new Error(`order ${order} is not open`);
    return found;
  }

  #market(market: number): ReadMarket {
    const found = this.markets[market];
    if (found === undefined) throw new Error(`market ${market} is unknown`);
    return found;
  }
}
