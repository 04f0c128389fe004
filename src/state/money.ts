/**
 * Books the account's money events in the ledger, and updates the exit equity.
 *
 * An event is skipped and counted in `unexplainedEvents` if it contradicts the holdings or would make a sum inexact.
 * Examples of a contradiction are a sale of more than is held, and a payout without holdings. A payout that differs
 * from the amount owed is counted but booked, because the venue's payout is final.
 */
import {
  addUsd,
  type CashAdjusted,
  type Converted,
  type FillReversed,
  type FillSettled,
  FULL_BPS,
  type HoldingAdjusted,
  type MakerPaid,
  type MarketNo,
  type MicroUsd,
  microUsd,
  type OrderFilled,
  type OrderNo,
  subUsd,
  unchecked,
  ZERO_SHARES,
} from '../domain/index.ts';
import { type FillEffect, Ledger, type LedgerFill, type LedgerSnapshot } from '../ledger/index.ts';
import type { TradedMarket } from './traded-market.ts';

/** Largest sum in micro-USD: two billion dollars. Twice this sum is exact in half micro-USD. */
const MAX_MICROS = 2e15;

/** A fill that the venue may still reverse. */
interface UnsettledFill extends FillEffect {
  readonly fill: LedgerFill;
  readonly order: OrderNo;
  readonly trade: string;
}

export interface MoneySnapshot {
  readonly ledger: LedgerSnapshot;
  readonly contributed: number;
  readonly unexplained: number;
  /** Oldest first; absent if there are none. */
  readonly unsettled?: readonly UnsettledFill[];
  /** Markets whose adjusted holdings have no price yet; absent if there are none. */
  readonly unpriced?: readonly MarketNo[];
}

export class Money {
  readonly ledger = new Ledger();
  #equity: number;
  /** The part of `#equity` from adjustments and from payouts other than the amount owed. */
  #contributed = 0;
  #unexplainedEvents = 0;
  /** Keyed by order and trade, because two own orders may be in one trade. */
  readonly #unsettled = new Map<string, UnsettledFill>();
  /** Markets whose holdings were adjusted before the first book, so that these have no value yet. */
  readonly #unpriced = new Set<MarketNo>();

  /** @param cash at the start */
  constructor(cash: MicroUsd) {
    this.ledger.deposit(cash);
    this.#equity = cash;
  }

  get exitEquity(): MicroUsd {
    return unchecked.usd(this.#equity);
  }

  get contributed(): MicroUsd {
    return unchecked.usd(this.#contributed);
  }

  get unexplainedEvents(): number {
    return this.#unexplainedEvents;
  }

  /** @param market the market whose prices changed; its first value of adjusted holdings is a contribution, not P&L */
  addExitChange(change: number, market?: MarketNo): void {
    this.#equity += change;
    if (market !== undefined && this.#unpriced.delete(market)) this.#contributed += change;
  }

  countUnexplained(): void {
    this.#unexplainedEvents += 1;
  }

  /** Books a fill. Skips a sale of shares that are not held, and any fill after a claimed refund. */
  onFilled(tradedMarket: TradedMarket | undefined, fill: OrderFilled): void {
    const { market, outcome, side, shares, fee } = fill;
    const isHeld = this.ledger.canRemove(market, outcome, side === 'SELL' ? shares : ZERO_SHARES);
    if (tradedMarket === undefined || !isHeld || !staysExact(this.ledger, shares + fee)) this.countUnexplained();
    else if (fill.provisional === true && fill.trade !== undefined)
      this.#bookProvisional(tradedMarket, fill, fill.trade);
    else this.#book(tradedMarket, () => this.ledger.fill(fill));
  }

  /** Settles or reverses a fill. The reversal of a purchase whose shares were sold since is skipped. */
  onFillSettledOrReversed(event: FillSettled | FillReversed, tradedMarkets: readonly TradedMarket[]): void {
    const unsettled = this.#removeUnsettled(event.order, event.trade, tradedMarkets);
    if (event.type === 'fillSettled') return;
    const tradedMarket = tradedMarkets[event.market];
    const { market, outcome, side, price, shares, fee } = event;
    const fill = unsettled?.fill ?? { market, outcome, side, price, shares, fee };
    const removed = fill.side === 'BUY' ? fill.shares : ZERO_SHARES;
    // `canRemove` adds an account to the ledger, so it is not called for an unknown market.
    const canReverse = tradedMarket !== undefined && this.ledger.canRemove(fill.market, fill.outcome, removed);
    if (!canReverse || !staysExact(this.ledger, shares + fee)) this.countUnexplained();
    else this.#book(tradedMarket, () => this.ledger.reverse(fill, unsettled));
  }

  onConverted(tradedMarket: TradedMarket | undefined, event: Converted): void {
    if (!staysExact(this.ledger, event.shares + event.paid + event.fee)) this.countUnexplained();
    else if (tradedMarket !== undefined && isDifferentPayout(tradedMarket, event))
      this.#bookDifferentPayout(tradedMarket, event);
    else if (tradedMarket === undefined || !this.#canConvert(tradedMarket, event)) this.countUnexplained();
    else this.#book(tradedMarket, () => this.#convert(event));
  }

  onMakerPaid(tradedMarket: TradedMarket | undefined, { market, amount }: MakerPaid): void {
    if (tradedMarket === undefined || !staysExact(this.ledger, amount)) this.countUnexplained();
    else this.#book(tradedMarket, () => this.ledger.bookReward(market, amount));
  }

  /** Replaces calculated amounts by the venue's amounts. */
  onAdjusted(event: CashAdjusted | HoldingAdjusted, tradedMarkets: readonly TradedMarket[]): void {
    const before = this.#equity;
    if (!staysExact(this.ledger, totalAmount(event))) this.countUnexplained();
    else if (event.type === 'cashAdjusted') {
      this.ledger.deposit(event.amount);
      this.#equity += event.amount;
    } else {
      const tradedMarket = tradedMarkets[event.market];
      if (tradedMarket === undefined || !this.ledger.canRemove(event.market, 'YES', ZERO_SHARES))
        this.countUnexplained();
      else {
        if (isUnpriced(tradedMarket)) this.#unpriced.add(event.market);
        this.#book(tradedMarket, () => this.ledger.adjust(event.market, event));
      }
    }
    this.#contributed += this.#equity - before;
  }

  snapshot(): MoneySnapshot {
    const snapshot = {
      ledger: this.ledger.snapshot(),
      contributed: this.#contributed,
      unexplained: this.#unexplainedEvents,
    };
    return {
      ...snapshot,
      ...(this.#unsettled.size > 0 && { unsettled: [...this.#unsettled.values()] }),
      ...(this.#unpriced.size > 0 && { unpriced: [...this.#unpriced] }),
    };
  }

  /** Restores a snapshot into an empty account. Markets add their exit values by `addExitChange`. */
  restore(snapshot: MoneySnapshot, tradedMarkets: readonly TradedMarket[]): void {
    const { ledger, contributed, unexplained, unsettled = [], unpriced = [] } = snapshot;
    this.ledger.restore(ledger);
    this.#equity = ledger.cash;
    this.#contributed = contributed;
    this.#unexplainedEvents = unexplained;
    for (const entry of unsettled) this.#addUnsettled(entry, tradedMarkets[entry.fill.market]);
    for (const market of unpriced) this.#unpriced.add(market);
  }

  #bookProvisional(tradedMarket: TradedMarket, event: OrderFilled, trade: string): void {
    const { market, outcome, side, price, shares, fee, order } = event;
    const fill = { market, outcome, side, price, shares, fee };
    let effect: FillEffect | undefined;
    this.#book(tradedMarket, () => {
      effect = this.ledger.fill(fill);
    });
    if (effect !== undefined) this.#addUnsettled({ ...effect, fill, order, trade }, tradedMarket);
  }

  #addUnsettled(unsettled: UnsettledFill, tradedMarket: TradedMarket | undefined): void {
    const { fill, order, trade } = unsettled;
    this.#unsettled.set(`${order} ${trade}`, unsettled);
    if (fill.side === 'BUY') tradedMarket?.addUnsettled(fill.outcome, fill.shares);
  }

  #removeUnsettled(order: OrderNo, trade: string, tradedMarkets: readonly TradedMarket[]): UnsettledFill | undefined {
    const key = `${order} ${trade}`;
    const unsettled = this.#unsettled.get(key);
    this.#unsettled.delete(key);
    if (unsettled?.fill.side === 'BUY') {
      const { market, outcome, shares } = unsettled.fill;
      tradedMarkets[market]?.addUnsettled(outcome, -shares);
    }
    return unsettled;
  }

  #canConvert({ position }: TradedMarket, { conversion, market, shares, paid, fee }: Converted): boolean {
    const removed = conversion === 'merge' ? shares : ZERO_SHARES;
    if (!this.ledger.canRemove(market, 'YES', removed) || !this.ledger.canRemove(market, 'NO', removed)) return false;
    if (conversion !== 'claim' || position.settlement === 'CANCELLED') return true;
    return position.settlement !== undefined && position.owed === paid + fee;
  }

  #convert({ conversion, market, shares, paid, fee }: Converted): void {
    if (conversion === 'split') this.ledger.split(market, shares);
    else if (conversion === 'merge') this.ledger.merge(market, shares);
    else {
      this.ledger.claim(market, microUsd(paid + fee));
      if (fee !== 0) this.ledger.bookCommission(market, fee);
    }
  }

  /** Books a payout that differs from the amount owed. The difference is a contribution, not P&L. */
  #bookDifferentPayout(tradedMarket: TradedMarket, { market, paid, fee }: Converted): void {
    this.countUnexplained();
    const amount = subUsd(addUsd(paid, fee), tradedMarket.position.owed);
    this.#book(tradedMarket, () => void this.ledger.claim(market));
    this.ledger.deposit(amount);
    this.#equity += amount;
    this.#contributed += amount;
    if (fee !== 0) this.#book(tradedMarket, () => this.ledger.bookCommission(market, fee));
  }

  #book(tradedMarket: TradedMarket, change: () => void): void {
    const before = this.ledger.cash;
    change();
    this.#equity += this.ledger.cash - before + tradedMarket.revalue();
  }
}

/** Returns whether no message has had prices of the market yet. */
function isUnpriced(tradedMarket: TradedMarket): boolean {
  const { mark, exitBid, exitAsk } = tradedMarket.snapshot();
  return mark < 0 && exitBid === 0 && exitAsk === FULL_BPS;
}

/** Returns whether a claim paid another amount than owed, because the venue's holdings differ from this account's. */
function isDifferentPayout({ position }: TradedMarket, { conversion, paid, fee }: Converted): boolean {
  const { settlement, owed } = position;
  if (conversion !== 'claim' || settlement === undefined || settlement === 'CANCELLED') return false;
  return owed > 0 && owed !== paid + fee;
}

/** Returns whether all sums stay exact after a posting of `amount`, in which a share has the value of a dollar. */
function staysExact({ balance: { cash, outside, collateral }, deposited }: Ledger, amount: number): boolean {
  const largest = Math.max(Math.abs(cash), Math.abs(outside), Math.abs(collateral), Math.abs(deposited));
  return largest + Math.abs(amount) <= MAX_MICROS;
}

function totalAmount(event: CashAdjusted | HoldingAdjusted): number {
  return event.type === 'cashAdjusted' ? event.amount : event.yes + event.no + event.yesCost + event.noCost;
}
