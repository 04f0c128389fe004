/**
 * All books, built from events. After each command, the books show that command's result, even if the exchange has
 * already executed later commands.
 *
 * Invariant: at the end of a batch, each book equals the exchange's book. A book that differs is replaced.
 */
import { type EpochMs, FULL_BPS } from '../../../domain/index.ts';
import type { ExchangeEvent, ExchangeView } from '../../../exchange/index.ts';
import { listLevels } from '../../presenters/book-presenter.ts';
import { requireBook, requireRecord } from '../../presenters/market-presenter.ts';
import { BookHistory, type BookStep } from './book-history.ts';
import { decodeLevels, RecordedLevels, SideLevels } from './levels.ts';

interface RestingOrder {
  readonly order: number;
  readonly market: number;
  readonly isBid: boolean;
  /** YES bps. */
  readonly price: number;
  remaining: number;
  /** Whether the visible book contains the order. False while the order matches or its market is not open. */
  isShown: boolean;
}

export interface BookUpdate {
  readonly market: number;
  readonly history: BookHistory;
  readonly step: BookStep;
}

type Traded = Extract<ExchangeEvent, { readonly type: 'traded' }>;
type Accepted = Extract<ExchangeEvent, { readonly type: 'accepted' }>;
type RestingTerms = Pick<Accepted['terms'], 'outcome' | 'side'> & Record<'market' | 'price' | 'shares', number>;
type LevelKey = Pick<RestingOrder, 'market' | 'isBid' | 'price'>;

export class BookProjection {
  readonly #view: ExchangeView;
  readonly #orders = new Map<number, RestingOrder>();
  readonly #histories = new Map<number, BookHistory>();
  readonly #recorded = new RecordedLevels();
  readonly #openMarkets = new Set<number>();
  /** Orders that wait for their market to open. */
  readonly #waiting = new Map<number, Set<RestingOrder>>();
  /** The current command's last order, until the order has finished matching. */
  #lastPlaced: RestingOrder | undefined;
  /** The current command's changes by market, encoded as in `BookStep.changes`. */
  #changes = new Map<number, number[]>();
  /** Last steps of the books that may have changed in this batch; undefined for a book without a step. */
  readonly #lastSteps = new Map<number, BookStep | undefined>();

  constructor(view: ExchangeView) {
    this.#view = view;
    for (const { number, status } of view.markets) {
      if (status === 'OPEN') this.#openMarkets.add(number);
      this.#reset(number);
    }
    for (let account = 1; account <= view.accountCount; account += 1) {
      for (const { order, market, outcome, side, price, remaining, isShown } of view.openOrders(account)) {
        const resting = toRestingOrder(order, { market, outcome, side, price, shares: remaining });
        if (isShown) resting.isShown = true;
        else this.#addWaiting(resting);
        this.#orders.set(order, resting);
      }
    }
  }

  /** Returns undefined for an unknown market. */
  history(market: number): BookHistory | undefined {
    return this.#histories.get(market);
  }

  findMarket(order: number): number | undefined {
    return this.#orders.get(order)?.market;
  }

  /** Applies a command's events. Returns the visibly changed books. */
  onCommitted(events: readonly ExchangeEvent[], at: EpochMs): readonly BookUpdate[] {
    for (const event of events) this.#apply(event);
    this.#finishMatching();
    if (this.#changes.size === 0) return [];
    const last = events.at(-1);
    const seq = last !== undefined && 'seq' in last ? last.seq : 0;
    const updates: BookUpdate[] = [];
    for (const [market, changes] of this.#changes) {
      const history = this.#histories.get(market);
      if (history === undefined) throw new Error(`Invariant: no book of market ${market}`);
      // The `seq` of tape rows is known only at the end of the batch. Until then, the book keeps its `seq`.
      const step = { seq: Math.max(seq, history.seq), at, changes };
      history.addStep(step);
      this.#lastSteps.set(market, step);
      updates.push({ market, history, step });
    }
    this.#changes = new Map();
    return updates;
  }

  /**
   * Sets the `seq` of each book's last step to the exchange's `bookSeq`.
   * @returns markets whose book did not match its events and was replaced
   */
  onBatchEnd(): readonly number[] {
    const wrong: number[] = [];
    for (const [market, step] of this.#lastSteps) {
      const history = this.#histories.get(market);
      const seq = this.#view.market(market)?.bookSeq ?? 0;
      if (history === undefined) continue;
      // Queries show `bookSeq`, which can rise without a visible change.
      if (step !== undefined && seq > 0) step.seq = seq;
      else if (seq > history.seq) history.addStep({ seq, at: this.#view.now, changes: [] });
      if (!this.#matchesExchange(market, history)) {
        this.#reset(market);
        wrong.push(market);
      }
    }
    this.#lastSteps.clear();
    return wrong;
  }

  #apply(event: ExchangeEvent): void {
    switch (event.type) {
      case 'accepted':
        this.#onAccepted(event);
        return;
      case 'traded':
        this.#fill(event.maker, event.shares);
        if (event.maker === 0) this.#onRecordedTraded(event);
        this.#fill(event.taker, event.shares);
        return;
      case 'reduced': {
        const resting = this.#orders.get(event.order);
        if (resting !== undefined) this.#fill(event.order, resting.remaining - event.remaining);
        return;
      }
      case 'closed':
        this.#onClosed(event.order);
        return;
      case 'rareEvent':
        if (event.event.type === 'marketChanged')
          this.#onMarketChanged(event.event.market, event.event.status === 'OPEN');
        else if (event.event.type === 'tapePlayed') this.#onTapePlayed(event.event.market, event.event.levels);
        return;
      default:
    }
  }

  #onAccepted({ order, terms }: Accepted): void {
    this.#finishMatching();
    const resting = toRestingOrder(order, terms);
    this.#orders.set(order, resting);
    this.#lastPlaced = resting;
    if (!this.#lastSteps.has(terms.market)) this.#lastSteps.set(terms.market, undefined);
  }

  #fill(order: number, shares: number): void {
    const resting = this.#orders.get(order);
    if (resting === undefined) return;
    resting.remaining -= shares;
    if (resting.isShown) this.#changeLevel(resting, -shares, 0);
  }

  #onClosed(order: number): void {
    const resting = this.#orders.get(order);
    if (resting === undefined) return;
    this.#orders.delete(order);
    if (resting === this.#lastPlaced) this.#lastPlaced = undefined;
    this.#waiting.get(resting.market)?.delete(resting);
    if (resting.isShown) this.#changeLevel(resting, -resting.remaining, -1);
  }

  /** Adds the remainder of the last placed order to the book. */
  #finishMatching(): void {
    const resting = this.#lastPlaced;
    if (resting === undefined) return;
    this.#lastPlaced = undefined;
    if (this.#openMarkets.has(resting.market)) this.#show(resting);
    else this.#addWaiting(resting);
  }

  #onMarketChanged(market: number, isOpen: boolean): void {
    if (!this.#histories.has(market)) this.#histories.set(market, new BookHistory(0));
    if (!this.#lastSteps.has(market)) this.#lastSteps.set(market, undefined);
    const wasOpen = this.#openMarkets.has(market);
    if (isOpen) this.#openMarkets.add(market);
    else this.#openMarkets.delete(market);
    if (wasOpen !== isOpen) {
      for (const { isBid, price, shares } of this.#recorded.list(market)) {
        this.#changeLevel({ market, isBid, price }, isOpen ? shares : -shares, isOpen ? 1 : -1);
      }
    }
    if (!isOpen) return;
    for (const resting of this.#waiting.get(market) ?? []) this.#show(resting);
    this.#waiting.delete(market);
  }

  #addWaiting(resting: RestingOrder): void {
    this.#waiting.set(resting.market, (this.#waiting.get(resting.market) ?? new Set()).add(resting));
  }

  #show(resting: RestingOrder): void {
    resting.isShown = true;
    this.#changeLevel(resting, resting.remaining, 1);
  }

  #onTapePlayed(market: number, numbers: readonly number[]): void {
    if (!this.#lastSteps.has(market)) this.#lastSteps.set(market, undefined);
    for (const { isBid, price, shares } of decodeLevels(numbers)) this.#setRecorded({ market, isBid, price }, shares);
  }

  /** Reduces the recorded level that an order traded with. Such a trade has maker 0. */
  #onRecordedTraded({ taker, market, yesPrice: price, shares }: Traded): void {
    const isBid = this.#orders.get(taker)?.isBid === false;
    const recorded = this.#recorded.sharesAt(market, isBid, price);
    // Without a recorded book, takers trade at an assumed price that has no visible level.
    this.#setRecorded({ market, isBid, price }, Math.max(0, recorded - shares));
  }

  #setRecorded(key: LevelKey, shares: number): void {
    const { market, isBid, price } = key;
    const before = this.#recorded.sharesAt(market, isBid, price);
    if (shares === before) return;
    this.#recorded.set(market, isBid, price, shares);
    if (this.#openMarkets.has(market))
      this.#changeLevel(key, shares - before, (shares > 0 ? 1 : 0) - (before > 0 ? 1 : 0));
  }

  #reset(market: number): void {
    const record = requireRecord(market, this.#view);
    const { bids, asks } = listLevels(requireBook(record, this.#view), 'YES', Number.POSITIVE_INFINITY);
    const sides = [new SideLevels('bids', bids), new SideLevels('asks', asks)] as const;
    this.#histories.set(market, new BookHistory(record.bookSeq, ...sides));
    this.#recorded.reset(market, this.#view.recordedLevels(market));
  }

  #changeLevel({ market, isBid, price }: LevelKey, shares: number, orders: number): void {
    const changes = this.#changes.get(market) ?? [];
    this.#changes.set(market, changes);
    changes.push(isBid ? 1 : 0, price, shares, orders);
    this.#histories.get(market)?.change(isBid, price, shares, orders);
  }

  /** Compares only the best levels, because a wrong level becomes the best level sooner or later. */
  #matchesExchange(market: number, { bids, asks }: BookHistory): boolean {
    const book = this.#view.book(market);
    if (book === undefined) return true;
    const [bid, ask] = [bids.levels[0], asks.levels[0]];
    return (
      (bid?.price ?? 0) === book.bestBid &&
      (ask?.price ?? FULL_BPS) === book.bestAsk &&
      (bid === undefined || bid.shares === book.sharesAt(bid.price)) &&
      (ask === undefined || ask.shares === book.sharesAt(ask.price))
    );
  }
}

function toRestingOrder(order: number, terms: RestingTerms): RestingOrder {
  const { market, outcome, side, price, shares } = terms;
  const isYes = outcome === 'YES';
  return {
    order,
    market,
    isBid: isYes === (side === 'BUY'),
    price: isYes ? price : FULL_BPS - price,
    remaining: shares,
    isShown: false,
  };
}
