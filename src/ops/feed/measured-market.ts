/**
 * Measures one market while the bot runs: P&L by cause, markouts, uptime, queue. Samples marks, books and orders ten
 * times a second, which costs nothing on the order path. The report of a recording measures them at every change.
 */
import {
  computeHalfSpreads,
  HORIZONS,
  type MakerHalfSpreads,
  MarketHalfSpreads,
  MarkoutTotals,
  type MeanSums,
  QuotingUptime,
  TimeIntegral,
  type UptimeConditions,
} from '../../analytics/index.ts';
import type { Random } from '../../clock/index.ts';
import {
  type FillReversed,
  isFinal,
  LOT,
  lotsOf,
  type MicroUsd,
  negUsd,
  type OrderFilled,
  type OrderNo,
  yesPrice,
  yesSign,
} from '../../domain/index.ts';
import { PnlSplit, type SplitHalves } from '../../ledger/index.ts';
import type { TradedMarket } from '../../state/index.ts';

export const MARKOUT_LABELS: readonly string[] = ['at fill', ...HORIZONS.map(({ label }) => label)];

/** Time after the last fill in which marks still count: the longest horizon and a minute of margin. */
const MARKS_AFTER_FILL_MS = Math.max(...HORIZONS.map(({ ms }) => ms)) + 60_000;

export class MeasuredMarket {
  readonly #market: TradedMarket;
  readonly #split = new PnlSplit();
  readonly #totals = new MarkoutTotals();
  readonly #halfSpreads = new MarketHalfSpreads(this.#totals);
  readonly #uptime: QuotingUptime;
  readonly #open = new TimeIntegral();
  readonly #sides = { both: new TimeIntegral(), bidOnly: new TimeIntegral(), askOnly: new TimeIntegral() };
  /** Upper bound of others' micro-shares ahead of an own order in the queue, by order number. */
  #ahead = new Map<OrderNo, number>();
  /** Twice the mid, bps; 0 before the first mark. */
  #mark = 0;
  #isSettled = false;
  #lastFillAt = Number.NEGATIVE_INFINITY;

  /** @param lots YES less NO at the start, valued at the mark of that moment */
  constructor(market: TradedMarket, conditions: UptimeConditions, lots: number) {
    this.#market = market;
    this.#uptime = new QuotingUptime(conditions);
    this.#mark = market.mark ?? 0;
    const zeroSums = { spread: 0, inventory: 0, fees: 0, rewards: 0, payout: null, refund: null };
    this.#split.restore({ ...zeroSums, lots, mark: this.#mark, marked: this.#mark !== 0 });
  }

  addFill(fill: OrderFilled): void {
    const { time, outcome, side, price: outcomePrice, shares, fee, liquidity } = fill;
    const sign = yesSign(outcome, side);
    const price = yesPrice(outcome, outcomePrice);
    this.#split.fill(fill, 1);
    this.#split.bookFee(fee);
    this.#lastFillAt = time;
    // The last sampled mark is from before the fill.
    if (liquidity === 'maker')
      this.#halfSpreads.addFill({ time, sign, price, lots: lotsOf(shares) }, this.#mark === 0 ? 2 * price : this.#mark);
  }

  /** Handles a fill that the venue reversed. Keeps the fill's markouts, which measure the quote. */
  reverseFill(fill: FillReversed): void {
    this.#split.fill(fill, -1);
    this.#split.bookFee(negUsd(fill.fee));
  }

  addReward(amount: MicroUsd): void {
    this.#split.bookReward(amount);
  }

  /** Handles a change of holdings without a trade, neither gain nor loss. @param lots YES less NO after the change */
  setNetLots(lots: number): void {
    const change = lots - this.#split.snapshot().lots;
    if (change !== 0) this.#split.adjust(change, -change * this.#split.currentMark);
  }

  sample(now: number): void {
    const { book, mark, orders, position, state } = this.#market;
    if (mark !== undefined && mark !== this.#mark) {
      this.#mark = mark;
      this.#split.mark(mark);
      if (now - this.#lastFillAt <= MARKS_AFTER_FILL_MS) this.#halfSpreads.setMark(now, mark);
    }
    if (isFinal(state.status)) this.#settle(now, position);
    const [bid, ask] = [book.bestBid(), book.bestAsk()];
    const isOpen = state.acceptingOrders && bid !== undefined && ask !== undefined;
    this.#open.set(now, isOpen ? 1 : 0);
    this.#uptime.updateMarket(now, isOpen, bid ?? 0, ask ?? 0, orders);
    this.#uptime.updateOrders(now, orders);
    this.#sampleOrders(now, isOpen);
  }

  /** Returns the P&L by cause since the start, half micro-USD. */
  halves(): SplitHalves {
    return this.#split.halves();
  }

  markouts(random: Random): MakerHalfSpreads {
    this.#halfSpreads.processMarks();
    return computeHalfSpreads(this.#totals, random);
  }

  /** Returns totals at the fill and at each horizon, in the order of `MARKOUT_LABELS`. */
  markoutTotals(): readonly MeanSums['total'][] {
    this.#halfSpreads.processMarks();
    return [this.#totals.effective, ...this.#totals.horizons].map(({ total }) => total);
  }

  /** Returns the open time, and the open time with quotes on both sides, ms. */
  openTimes(now: number): { readonly open: number; readonly both: number } {
    return { open: this.#open.integral(now), both: this.#sides.both.integral(now) };
  }

  /** Returns parts of the open time, 0 to 1; undefined before the market first opens. */
  uptime(now: number) {
    const open = this.#open.integral(now);
    const best = this.#uptime.atBest(now);
    if (open <= 0 || best === undefined) return undefined;
    const both = this.#sides.both.integral(now) / open;
    const bidOnly = this.#sides.bidOnly.integral(now) / open;
    const askOnly = this.#sides.askOnly.integral(now) / open;
    const none = Math.max(0, 1 - both - bidOnly - askOnly);
    return { both, bidOnly, askOnly, none, bidAtBest: best.bid, askAtBest: best.ask };
  }

  /** Returns the upper bound of others' micro-shares ahead of an order; undefined before the venue's answer. */
  ahead(order: OrderNo): number | undefined {
    return this.#ahead.get(order);
  }

  /** Updates `#ahead` and `#sides`. Orders join the end of their level, so the queue ahead can only shrink. */
  #sampleOrders(now: number, isOpen: boolean): void {
    const { book, orders } = this.#market;
    const ahead = new Map<OrderNo, number>();
    const resting = orders.filter(({ phase, rests }) => phase !== 'new' && rests);
    const [hasBid, hasAsk] = [resting.some(({ sign }) => sign === 1), resting.some(({ sign }) => sign !== 1)];
    for (const { order, sign, yesPrice: price } of resting) {
      const level = sign === 1 ? book.bidAt(price) : book.askAt(price);
      ahead.set(order, Math.min(this.#ahead.get(order) ?? level, level));
    }
    this.#ahead = ahead;
    this.#sides.both.set(now, isOpen && hasBid && hasAsk ? 1 : 0);
    this.#sides.bidOnly.set(now, isOpen && hasBid && !hasAsk ? 1 : 0);
    this.#sides.askOnly.set(now, isOpen && hasAsk && !hasBid ? 1 : 0);
  }

  #settle(now: number, { settlement, owed, no }: TradedMarket['position']): void {
    if (this.#isSettled || settlement === undefined) return;
    this.#isSettled = true;
    if (settlement !== 'CANCELLED') {
      this.#split.settle(settlement);
      this.#halfSpreads.finish(now, 2 * settlement);
      return;
    }
    // If the refund was claimed between two samples, the holdings keep their last mark.
    if (owed !== 0) this.#split.settleRefund(2 * (owed - no));
    this.#halfSpreads.finish(now, undefined);
  }
}

/** Returns YES less NO in lots. */
export function netLots({ position }: TradedMarket): number {
  return Math.round(position.net / LOT);
}
