/**
 * The account's money: books reported amounts in the ledger if possible, and updates the exit equity.
 *
 * Events that contradict the holdings (more sold than held, a payout without holdings) are left
 * out and counted as `unexplained`; so is what would take a sum beyond the exact range. A payout of another amount than
 * is owed also counts, but is booked, because the venue's payout is final.
 */
import {
  addUsd,
  type CashAdjusted,
  type Converted,
  column,
  type FillReversed,
  type FillSettled,
  type HoldingAdjusted,
  type MakerPaid,
  type MicroUsd,
  microUsd,
  type OrderFilled,
  type OrderNo,
  subUsd,
  ZERO_SHARES,
} from '../domain/index.ts';
import { type FillEffect, Ledger, type LedgerFill, type LedgerSnapshot } from '../ledger/index.ts';
import type { MarketWorld } from './market-world.ts';

/** Two billion dollars: twice that, in half micro-USD, is exact. */
const MOST_MICROS = 2e15;

/** A fill that the venue may still take back. */
interface UnsettledFill extends FillEffect {
  readonly fill: LedgerFill;
  readonly order: OrderNo;
  readonly trade: string;
}

export interface MoneySnapshot {
  readonly ledger: LedgerSnapshot;
  readonly contributed: number;
  readonly unexplained: number;
  /** Oldest first; absent when there are none. */
  readonly unsettled?: readonly UnsettledFill[];
}

export class Money {
  readonly ledger: Ledger;
  #equity: number;
  /** The part of it that comes from adjustments. */
  #contributed = 0;
  #unexplained = 0;
  /** By order and trade: two own orders may be in one trade. */
  readonly #unsettled = new Map<string, UnsettledFill>();

  /** @param cash at the start */
  constructor(cash: MicroUsd) {
    this.ledger = new Ledger();
    this.ledger.deposit(cash);
    this.#equity = cash;
  }

  get exitEquity(): MicroUsd {
    return column.usd(this.#equity);
  }

  get contributed(): MicroUsd {
    return column.usd(this.#contributed);
  }

  /** Number of events that contradicted the holdings and were left out. */
  get unexplained(): number {
    return this.#unexplained;
  }

  /** Exit prices of a market moved. */
  moved(change: number): void {
    this.#equity += change;
  }

  leaveOut(): void {
    this.#unexplained += 1;
  }

  /** What is sold must be held; a cancelled market whose refund was booked takes nothing any more. */
  filled(world: MarketWorld | undefined, fill: OrderFilled): void {
    const { market, outcome, side, shares, fee } = fill;
    const fits = this.ledger.canGiveUp(market, outcome, side === 'SELL' ? shares : ZERO_SHARES);
    if (world === undefined || !fits || !hasRoom(this.ledger, shares + fee)) this.leaveOut();
    else if (fill.provisional === true && fill.trade !== undefined) this.#bookProvisional(world, fill, fill.trade);
    else this.#book(world, () => this.ledger.fill(fill));
  }

  /**
   * A provisional fill is final, or undone. A venue may undo one that counted as final, too; what cannot be undone, as it
   * was sold since, is left out.
   */
  decided(event: FillSettled | FillReversed, worlds: readonly MarketWorld[]): void {
    const unsettled = this.#forget(event.order, event.trade, worlds);
    if (event.type === 'fillSettled') return;
    const world = worlds[event.market];
    const { market, outcome, side, price, shares, fee } = event;
    const fill = unsettled?.fill ?? { market, outcome, side, price, shares, fee };
    if (world === undefined || !this.#canReverse(fill) || !hasRoom(this.ledger, shares + fee)) this.leaveOut();
    else this.#book(world, () => this.ledger.reverse(fill, unsettled));
  }

  converted(world: MarketWorld | undefined, event: Converted): void {
    if (!hasRoom(this.ledger, event.shares + event.paid + event.fee)) this.leaveOut();
    else if (world !== undefined && isOtherPayout(world, event)) this.#takePayout(world, event);
    else if (world === undefined || !this.#canConvert(world, event)) this.leaveOut();
    else this.#book(world, () => this.#convert(event));
  }

  paid(world: MarketWorld | undefined, { market, amount }: MakerPaid): void {
    if (world === undefined || !hasRoom(this.ledger, amount)) this.leaveOut();
    else this.#book(world, () => this.ledger.reward(market, amount));
  }

  /** Replaces the calculated amounts by the venue's. */
  adjusted(event: CashAdjusted | HoldingAdjusted, worlds: readonly MarketWorld[]): void {
    const before = this.#equity;
    if (!hasRoom(this.ledger, amountOf(event))) this.leaveOut();
    else if (event.type === 'cashAdjusted') {
      this.ledger.deposit(event.amount);
      this.#equity += event.amount;
    } else {
      const world = worlds[event.market];
      if (world === undefined || !this.ledger.canGiveUp(event.market, 'YES', ZERO_SHARES)) this.leaveOut();
      else this.#book(world, () => this.ledger.adjust(event.market, event));
    }
    this.#contributed += this.#equity - before;
  }

  snapshot(): MoneySnapshot {
    const snapshot = { ledger: this.ledger.snapshot(), contributed: this.#contributed, unexplained: this.#unexplained };
    return this.#unsettled.size === 0 ? snapshot : { ...snapshot, unsettled: [...this.#unsettled.values()] };
  }

  /** Goes on from a snapshot, with no cash and no holdings so far; the markets add what they are worth by `moved`. */
  restore({ ledger, contributed, unexplained, unsettled = [] }: MoneySnapshot, worlds: readonly MarketWorld[]): void {
    this.ledger.restore(ledger);
    this.#equity = ledger.cash;
    this.#contributed = contributed;
    this.#unexplained = unexplained;
    for (const one of unsettled) this.#remember(one, worlds[one.fill.market]);
  }

  #canReverse({ market, outcome, side, shares }: LedgerFill): boolean {
    return this.ledger.canGiveUp(market, outcome, side === 'BUY' ? shares : ZERO_SHARES);
  }

  #bookProvisional(world: MarketWorld, event: OrderFilled, trade: string): void {
    const { market, outcome, side, price, shares, fee, order } = event;
    const fill = { market, outcome, side, price, shares, fee };
    let effect: FillEffect | undefined;
    this.#book(world, () => {
      effect = this.ledger.fill(fill);
    });
    if (effect !== undefined) this.#remember({ ...effect, fill, order, trade }, world);
  }

  #remember(unsettled: UnsettledFill, world: MarketWorld | undefined): void {
    const { fill, order, trade } = unsettled;
    this.#unsettled.set(`${order} ${trade}`, unsettled);
    if (fill.side === 'BUY') world?.countUnsettled(fill.outcome, fill.shares);
  }

  #forget(order: OrderNo, trade: string, worlds: readonly MarketWorld[]): UnsettledFill | undefined {
    const key = `${order} ${trade}`;
    const unsettled = this.#unsettled.get(key);
    this.#unsettled.delete(key);
    if (unsettled?.fill.side === 'BUY') {
      const { market, outcome, shares } = unsettled.fill;
      worlds[market]?.countUnsettled(outcome, -shares);
    }
    return unsettled;
  }

  #canConvert({ position }: MarketWorld, { conversion, market, shares, paid, fee }: Converted): boolean {
    const given = conversion === 'merge' ? shares : ZERO_SHARES;
    if (!this.ledger.canGiveUp(market, 'YES', given) || !this.ledger.canGiveUp(market, 'NO', given)) return false;
    if (conversion !== 'claim' || position.settlement === 'CANCELLED') return true;
    return position.settlement !== undefined && position.owed === paid + fee;
  }

  #convert({ conversion, market, shares, paid, fee }: Converted): void {
    if (conversion === 'split') this.ledger.split(market, shares);
    else if (conversion === 'merge') this.ledger.merge(market, shares);
    else {
      this.ledger.claim(market, microUsd(paid + fee));
      if (fee !== 0) this.ledger.commission(market, fee);
    }
  }

  /** The venue pays once: nothing is owed afterwards, and the difference is neither gain nor loss. */
  #takePayout(world: MarketWorld, { market, paid, fee }: Converted): void {
    this.leaveOut();
    const amount = subUsd(addUsd(paid, fee), world.position.owed);
    this.#book(world, () => void this.ledger.claim(market));
    this.ledger.deposit(amount);
    this.#equity += amount;
    this.#contributed += amount;
    if (fee !== 0) this.#book(world, () => this.ledger.commission(market, fee));
  }

  #book(world: MarketWorld, change: () => void): void {
    const before = this.ledger.cash;
    change();
    this.#equity += this.ledger.cash - before + world.revalue();
  }
}

/** A claim that paid another amount than follows from the holdings: they were not what the venue has. */
function isOtherPayout({ position: { settlement, owed } }: MarketWorld, { conversion, paid, fee }: Converted): boolean {
  if (conversion !== 'claim' || settlement === undefined || settlement === 'CANCELLED') return false;
  return owed > 0 && owed !== paid + fee;
}

/** Whether an amount can move and every sum stays exact. Shares count as dollars. */
function hasRoom({ balance: { cash, outside, collateral }, deposited }: Ledger, amount: number): boolean {
  const largest = Math.max(Math.abs(cash), Math.abs(outside), Math.abs(collateral), Math.abs(deposited));
  return largest + Math.abs(amount) <= MOST_MICROS;
}

function amountOf(event: CashAdjusted | HoldingAdjusted): number {
  return event.type === 'cashAdjusted' ? event.amount : event.yes + event.no + event.yesCost + event.noCost;
}
