/**
 * Replays a recorded session for its report. Applies rows and events in the order in which the bot received them, and
 * passes them to the collectors of a backtest. Strategies do not run, because the steps contain their decisions.
 *
 * Invariant: fills, marks and prints have the venue's time, as in a backtest. A fill's mark is the last mark strictly
 * before the fill at the venue (docs/spec/models.md#profit-and-loss), even if the bot received a later mark first.
 */
import type { StrategyTotals } from '../../analytics/index.ts';
import {
  type FillReversed,
  type InputEvent,
  lotsOf,
  type MarketNo,
  type OrderFilled,
  type OrderNo,
  unchecked,
  yesPrice,
  yesSign,
} from '../../domain/index.ts';
import type { RecoveredBot, Step } from '../../runtime/index.ts';
import type { AccountState } from '../../state/index.ts';
import { BLOCK_ROWS, Cursor, type Feed, FLAG, KIND, makeBlock } from '../../tape/index.ts';
import type { RunObserver } from '../collect/run-observer.ts';

export interface SessionReplayOptions {
  readonly recovered: RecoveredBot;
  readonly feed: Feed;
  readonly steps: Iterable<Step>;
  /** Totals of this session only. */
  readonly totals: StrategyTotals;
  /** Called when the bot begins to trade, after the venue's current state was applied. */
  readonly begin: () => RunObserver;
}

export interface ReplayedSession {
  readonly rows: number;
  /** Whether the rows ended before the steps. */
  readonly rowsEnded: boolean;
  /** P&L by market that moves from inventory P&L to spread P&L, because fills arrived late; half micro-USD. */
  readonly movedPnl: readonly (number | undefined)[];
  /** Liquidity rewards that the venue paid, micro-USD. */
  readonly rewards: number;
}

export function replaySession(options: SessionReplayOptions): ReplayedSession {
  return new SessionReplay(options).run();
}

class SessionReplay {
  readonly #options: SessionReplayOptions;
  readonly #state: AccountState;
  readonly #cursor = new Cursor(makeBlock(BLOCK_ROWS));
  /** Undefined until the bot begins to trade. */
  #observer: RunObserver | undefined;
  #rows: number;
  #rowsEnded = false;
  readonly #marks: (RecentMarks | undefined)[] = [];
  readonly #movedPnl: number[] = [];
  #rewards = 0;
  /** The part of `#movedPnl` of each fill that the venue may still reverse, by trade. */
  readonly #provisional = new Map<string, number>();
  /** Venue time of the latest fill; fills can arrive out of order. */
  #latestFillTime = 0;
  /** Outside micro-shares at the price of each order when the venue accepted the order. */
  readonly #sharesAhead = new Map<OrderNo, number>();

  constructor(options: SessionReplayOptions) {
    this.#options = options;
    this.#state = options.recovered.state;
    this.#rows = options.recovered.rows;
    for (const { info, mark } of this.#state.markets) {
      if (mark === undefined) continue;
      this.#getOrCreateMarks(info.market).add(Number.NEGATIVE_INFINITY, mark);
      this.#state.ledger.mark(info.market, mark);
    }
  }

  run(): ReplayedSession {
    const first = this.#rows;
    for (const step of this.#options.steps) {
      while (this.#rows < step.row && this.#applyMessage());
      if (this.#rows < step.row) this.#rowsEnded = true;
      this.#applyStep(step);
    }
    while (this.#applyMessage());
    const rows = this.#rows - first;
    return { rows, rowsEnded: this.#rowsEnded, movedPnl: this.#movedPnl, rewards: this.#rewards };
  }

  #applyStep(step: Step): void {
    const { event, commands, time } = step;
    if (event !== undefined) this.#applyEvent(event);
    for (const command of commands) this.#state.applyCommand(command, time);
    this.#observer?.onSteps([step]);
  }

  #applyEvent(event: InputEvent): void {
    const { recovered, begin } = this.#options;
    if (event.type === 'orderFilled') this.#observeFill(event);
    if (event.type === 'fillSettled') {
      this.#observer?.onFillSettled?.(event.trade);
      this.#provisional.delete(event.trade);
    }
    this.#state.apply(event);
    recovered.assignments.apply(event);
    if (event.type === 'orderAccepted') this.#recordSharesAhead(event.market, [event.order]);
    else if (event.type === 'ordersReplaced') this.#recordSharesAhead(event.market, event.accepted);
    if (event.type === 'fillReversed') this.#observeReversal(event);
    if (event.type === 'makerPaid' && event.cause === 'reward' && this.#observer !== undefined)
      this.#rewards += event.amount;
    if (event.type === 'started') this.#observer ??= begin();
    this.#observer?.onEvent(event);
    if (event.type === 'orderFilled' && this.#observer !== undefined) this.#addToTotals(event);
  }

  #addToTotals(event: OrderFilled | FillReversed): void {
    const { recovered, totals } = this.#options;
    const instance = this.#state.findInstance(event.order);
    const name = instance === undefined ? undefined : recovered.assignments.find(instance)?.strategy;
    if (name !== undefined) totals.addFill(name, event);
  }

  #observeFill(event: OrderFilled): void {
    const { market, outcome, side, order, shares } = event;
    const price = yesPrice(outcome, event.price);
    const sign = yesSign(outcome, side);
    const marks = this.#getOrCreateMarks(market);
    const mark = marks.before(event.venueTime) ?? 2 * price;
    const trade = event.provisional === true ? event.trade : undefined;
    this.#addToSpread(market, sign * lotsOf(shares) * (mark - (marks.last ?? mark)), trade);
    this.#latestFillTime = Math.max(this.#latestFillTime, event.venueTime);
    this.#observer?.onFill({
      ...event,
      sign,
      yesPrice: price,
      mark: unchecked.mid(mark),
      sharesAheadAtArrival: this.#sharesAhead.get(order),
      sharesAhead: undefined,
      trade,
      time: unchecked.time(this.#latestFillTime),
    });
    if (event.remaining === 0) this.#sharesAhead.delete(order);
  }

  #addToSpread(market: MarketNo, halfMicros: number, trade: string | undefined): void {
    if (this.#observer === undefined) return;
    this.#movedPnl[market] = (this.#movedPnl[market] ?? 0) + halfMicros;
    if (trade !== undefined) this.#provisional.set(trade, halfMicros);
  }

  /** Reports a reversal. Changes the totals only for a fill of this session. */
  #observeReversal(event: FillReversed): void {
    const { market, trade, time } = event;
    this.#observer?.onFillReversed?.(trade, { now: time });
    const halfMicros = this.#provisional.get(trade);
    if (halfMicros === undefined) return;
    this.#provisional.delete(trade);
    this.#movedPnl[market] = (this.#movedPnl[market] ?? 0) - halfMicros;
    this.#addToTotals(event);
  }

  #getOrCreateMarks(market: number): RecentMarks {
    const marks = this.#marks[market] ?? new RecentMarks();
    this.#marks[market] = marks;
    return marks;
  }

  /** Records the outside shares at the price of each accepted order as the queue ahead of the order. */
  #recordSharesAhead(market: MarketNo, orders: readonly OrderNo[]): void {
    const tradedMarket = this.#state.markets[market];
    for (const accepted of orders) {
      const own = tradedMarket?.orders.find(({ order }) => order === accepted);
      if (tradedMarket === undefined || own === undefined || !own.rests) continue;
      const { book } = tradedMarket;
      this.#sharesAhead.set(accepted, own.sign === 1 ? book.bidAt(own.yesPrice) : book.askAt(own.yesPrice));
    }
    if (this.#sharesAhead.size > MAX_TRACKED_ORDERS) this.#forgetEndedOrders();
  }

  #forgetEndedOrders(): void {
    const open = new Set(this.#state.markets.flatMap(({ orders }) => orders.map(({ order }) => order)));
    for (const order of this.#sharesAhead.keys()) if (!open.has(order)) this.#sharesAhead.delete(order);
  }

  #applyMessage(): boolean {
    const { block, row } = this.#cursor;
    if (row >= block.count) {
      if (this.#options.feed.fill(block) === 0) return false;
      this.#cursor.row = 0;
    }
    const first = this.#cursor.row;
    if (this.#observer !== undefined) this.#observePrints(first);
    this.#state.applyMessage(this.#cursor);
    this.#rows += this.#cursor.row - first + 1;
    this.#updateMarks();
    this.#observer?.onMessage(this.#cursor);
    this.#cursor.row += 1;
    return true;
  }

  #observePrints(first: number): void {
    const { block } = this.#cursor;
    for (let row = first; row < block.count; row += 1) {
      if (block.kind[row] === KIND.trade) this.#observePrint(row);
      if (((block.flags[row] ?? 0) & FLAG.last) !== 0) return;
    }
  }

  #observePrint(row: number): void {
    const { market, side, price, shares, tx } = this.#cursor.block;
    const number = market[row] ?? 0;
    const mark = this.#marks[number]?.last;
    this.#observer?.onPrint?.({
      market: unchecked.market(number),
      time: unchecked.time(tx[row] ?? 0),
      taker: side[row] ?? 0,
      yesPrice: unchecked.price(price[row] ?? 0),
      shares: unchecked.shares(shares[row] ?? 0),
      mark: mark === undefined ? undefined : unchecked.mid(mark),
    });
  }

  #updateMarks(): void {
    const state = this.#state;
    const at = { now: unchecked.time(this.#cursor.tx) };
    for (let index = 0; index < state.messageMarketCount; index += 1) {
      const tradedMarket = state.messageMarketAt(index);
      const { mark, info } = tradedMarket;
      const marks = this.#getOrCreateMarks(info.market);
      if (mark === undefined || mark === marks.last) continue;
      marks.add(at.now, mark);
      state.ledger.mark(info.market, mark);
      this.#observer?.onMark?.(info.market, at, mark);
      this.#observer?.onRecordedMid?.(info.market, at, mark);
    }
  }
}

/** Number of entries in `#sharesAhead` above which those of ended orders are removed. */
const MAX_TRACKED_ORDERS = 10_000;

/** Number of stored marks. A fill that arrives after more changes of the mark gets the oldest stored mark. */
const MAX_MARKS = 1_024;

/** HOT: the recent marks of a market, by exchange time. A fill may arrive after marks that are newer than the fill. */
export class RecentMarks {
  readonly #times = new Float64Array(MAX_MARKS);
  readonly #marks = new Float64Array(MAX_MARKS);
  #count = 0;

  /** The newest double mid; undefined before the first mark. */
  get last(): number | undefined {
    return this.#count === 0 ? undefined : this.#marks[(this.#count - 1) % MAX_MARKS];
  }

  /** Adds a double mid. @param time exchange time, at or after the previous time */
  add(time: number, mark: number): void {
    const index = this.#count % MAX_MARKS;
    this.#times[index] = time;
    this.#marks[index] = mark;
    this.#count += 1;
  }

  /** Returns the mark strictly before an exchange time, or the oldest stored mark; undefined before the first mark. */
  before(time: number): number | undefined {
    if (this.#count === 0) return undefined;
    const oldest = Math.max(0, this.#count - MAX_MARKS);
    let number = this.#count - 1;
    while (number > oldest && (this.#times[number % MAX_MARKS] ?? 0) >= time) number -= 1;
    return this.#marks[number % MAX_MARKS];
  }
}
