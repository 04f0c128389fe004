/**
 * `orderEvents` sends an account's orders and fills, in one market or in all markets, in order and without loss. Missed
 * and new events both come from the archive.
 *
 * Invariants: in a subscription, each event's `prevSeq` is the `seq` of the previous event. SYNC and GAP carry the
 * `seq` of the stream's last event, so the next event's `prevSeq` equals that `seq`.
 */
import type { Archive, FillRow, OrderEventRow, ResumedEvents } from '../../../exchange/index.ts';
import { fillsOfTrade, presentFill, presentOrder } from '../../presenters/order-presenter.ts';
import type { BatchChanges } from '../batch-changes.ts';
import { type Feed, readAfterSeq, readMarketScope, requireAccount } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { publishWhenSilent, Topic } from '../topic.ts';

/** Subscribers to one account's orders, in one market or in all markets. */
interface OrderSubscribers {
  readonly account: number;
  readonly market: number | undefined;
  readonly topic: Topic;
  readonly stopSilenceTimer: () => void;
  /** `seq` of the stream's last event; 0 for none. */
  lastSeq: number;
}

export class OrderFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #changes: BatchChanges;
  readonly #flush: () => void;
  readonly #byAccount = new Map<number, Map<number | undefined, OrderSubscribers>>();

  constructor(deps: FeedDeps, changes: BatchChanges, flush: () => void) {
    this.#deps = deps;
    this.#changes = changes;
    this.#flush = flush;
  }

  open(subscription: Subscription): void {
    const { view } = this.#deps.queue;
    const account = requireAccount(subscription, view);
    const scope = readMarketScope(subscription, view);
    const afterSeq = readAfterSeq(subscription.plan.args);
    if (scope === undefined) return;
    const subscribers = this.#getSubscribers(account, scope.market);
    const { topic } = subscribers;
    topic.join(subscription);
    subscription.leave = () => {
      topic.leave(subscription);
      if (topic.isEmpty) this.#remove(subscribers);
    };
    this.#sendFirstEvents(subscribers, subscription, afterSeq);
  }

  onBatchEnd(): void {
    for (const account of this.#changes.orderAccounts) {
      for (const subscribers of this.#byAccount.get(account)?.values() ?? []) this.#publish(subscribers);
    }
  }

  #getSubscribers(account: number, market: number | undefined): OrderSubscribers {
    const byMarket = this.#byAccount.get(account) ?? new Map<number | undefined, OrderSubscribers>();
    const existing = byMarket.get(market);
    if (existing !== undefined) return existing;
    const lastSeq = this.#findLastSeq(account, market);
    const topic = new Topic(this.#deps.clock);
    const stopSilenceTimer = publishWhenSilent(this.#deps.clock, topic, () => {
      topic.publish(this.#createMarker(subscribers, 'SYNC'));
      this.#flush();
    });
    const subscribers: OrderSubscribers = { account, market, topic, stopSilenceTimer, lastSeq };
    this.#byAccount.set(account, byMarket);
    byMarket.set(market, subscribers);
    return subscribers;
  }

  #remove(subscribers: OrderSubscribers): void {
    subscribers.stopSilenceTimer();
    const byMarket = this.#byAccount.get(subscribers.account);
    byMarket?.delete(subscribers.market);
    if (byMarket?.size === 0) this.#byAccount.delete(subscribers.account);
  }

  /** Returns the `seq` of the stream's last event, or the current `seq` if that event is too old to search for. */
  #findLastSeq(account: number, market: number | undefined): number {
    const { archive, queue } = this.#deps;
    // `lastEvent` is twice the `seq`, plus 1 for a taker.
    if (market === undefined) return Math.floor((archive.account(account)?.lastEvent ?? 0) / 2);
    const { events, isComplete } = archive.orderEvents(account, 0, market);
    return isComplete ? (events.at(-1)?.seq ?? 0) : queue.view.seq;
  }

  #sendFirstEvents(subscribers: OrderSubscribers, subscription: Subscription, afterSeq: number | undefined): void {
    const { topic, account, market } = subscribers;
    const { archive, queue } = this.#deps;
    let missed: ResumedEvents = { events: [], isComplete: true };
    if (afterSeq !== undefined) {
      // An `afterSeq` ahead of the exchange comes from another venue or from a restored database.
      const isAhead = afterSeq > queue.view.seq;
      missed = isAhead ? { events: [], isComplete: false } : archive.orderEvents(account, afterSeq, market);
    }
    for (const row of missed.events) topic.sendTo(subscription, this.#presentEvent(row, row.prevSeq));
    topic.sendTo(subscription, this.#createMarker(subscribers, missed.isComplete ? 'SYNC' : 'GAP'));
  }

  #publish(subscribers: OrderSubscribers): void {
    const { account, market, topic } = subscribers;
    const { events, isComplete } = this.#deps.archive.orderEvents(account, subscribers.lastSeq, market);
    if (!isComplete) {
      subscribers.lastSeq = this.#findLastSeq(account, market);
      topic.publish(this.#createMarker(subscribers, 'GAP'));
      return;
    }
    for (const row of events) {
      topic.publish(this.#presentEvent(row, subscribers.lastSeq));
      subscribers.lastSeq = row.seq;
    }
  }

  #presentEvent(row: OrderEventRow, prevSeq: number) {
    const { archive, ids, queue } = this.#deps;
    const order = archive.order(row.order);
    if (order === undefined) throw new Error(`Invariant: event ${row.seq} is durable, but its order has no row`);
    const { shares, filled, amount, fee, status, cancelReason, seq, at } = row;
    const fill = findFill(row, archive);
    const deps = { view: queue.view, ids, archive };
    return {
      kind: row.kind,
      seq,
      prevSeq,
      order: presentOrder({ ...order, shares, filled, amount, fee, status, cancelReason, seq, updatedAt: at }, deps),
      fill: fill === undefined ? null : presentFill(fill, deps),
      cancelReason: cancelReason ?? null,
      at,
    };
  }

  #createMarker({ lastSeq: seq }: OrderSubscribers, kind: 'SYNC' | 'GAP') {
    return { kind, seq, prevSeq: seq, order: null, fill: null, cancelReason: null, at: this.#deps.clock.now() };
  }
}

/** Returns the fill of a FILLED event, or the reversed fill of a REVERSED event. */
function findFill({ kind, fill, seq, order }: OrderEventRow, archive: Archive): FillRow | undefined {
  if (kind !== 'REVERSED') return fill === undefined ? undefined : archive.fill(fill);
  const trade = archive.tradeReversedBy(seq);
  if (trade === undefined) throw new Error(`Invariant: event ${seq} is a reversal without a trade`);
  return fillsOfTrade(trade, archive).find((fill) => fill?.order === order);
}
