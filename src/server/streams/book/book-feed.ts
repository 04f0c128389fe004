/**
 * Serves the subscription `orderBookUpdated`. Subscribers of the same book with the same depth form a group.
 *
 * Invariants: each delta's `prevSeq` is the `seq` of the group's previous delta. Changes below the depth are not sent.
 * New subscribers start at the `seq` that queries show. A resume sends a delta, maybe empty, per step after `afterSeq`.
 */
import type { EpochMs } from '../../../domain/index.ts';
import type { ExchangeEvent } from '../../../exchange/index.ts';
import { badArgument } from '../../../protocol/index.ts';
import type { Arguments } from '../../graphql/context.ts';
import { type Levels, presentLevels } from '../../presenters/book-presenter.ts';
import { type Feed, readAfterSeq, readMarketScope } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { publishWhenSilent, Topic } from '../topic.ts';
import { applyStep, type BookHistory, type BookStep } from './book-history.ts';
import type { BookProjection, BookUpdate } from './book-projection.ts';
import { DepthView } from './depth-view.ts';

interface Group {
  readonly market: number;
  readonly marketId: string;
  readonly topic: Topic;
  readonly stopSilenceTimer: () => void;
  depthView: DepthView;
  lastSeq: number;
  /** Deltas that `onBatchEnd` will publish. */
  deltas: { readonly step: BookStep; readonly changed: Levels; readonly checksum: string }[];
}

const DEFAULT_DEPTH = 50;
const MAX_DEPTH = 500;
const NO_LEVELS: Levels = { bids: [], asks: [] };

export class BookFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #flush: () => void;
  readonly #projection: BookProjection;
  /** By market, then by depth. */
  readonly #groups = new Map<number, Map<number, Group>>();
  readonly #pending = new Set<Group>();

  constructor(deps: FeedDeps, projection: BookProjection, flush: () => void) {
    this.#deps = deps;
    this.#flush = flush;
    this.#projection = projection;
  }

  open(subscription: Subscription): void {
    const { args } = subscription.plan;
    const depth = readDepth(args);
    const market = readMarketScope(subscription, this.#deps.queue.view)?.market;
    const afterSeq = readAfterSeq(args);
    const history = market === undefined ? undefined : this.#projection.history(market);
    if (market === undefined || history === undefined) return;
    const group = this.#getGroup(market, depth, history);
    subscription.leave = () => this.#leave(group, subscription);
    this.#advanceSeq(group, history);
    group.topic.join(subscription);
    const refresh = (): void => group.topic.sendTo(subscription, this.#createSnapshot(group));
    subscription.slowPolicy = { kind: 'fresh', refresh };
    if (afterSeq === undefined || !this.#resume(group, subscription, afterSeq)) refresh();
  }

  onCommitted(_events: readonly ExchangeEvent[], _at: EpochMs, books: readonly BookUpdate[]): void {
    for (const { market, history, step } of books) {
      for (const group of this.#groups.get(market)?.values() ?? []) {
        const changed = group.depthView.update(history);
        if (changed === undefined) continue;
        group.deltas.push({ step, changed, checksum: group.depthView.checksum() });
        this.#pending.add(group);
      }
    }
  }

  onBatchEnd(wrongBooks: readonly number[]): void {
    for (const group of this.#pending) {
      for (const { step, changed, checksum } of group.deltas.splice(0)) {
        const { seq, at } = step;
        const { marketId, lastSeq: prevSeq } = group;
        const delta = { marketId, prevSeq, kind: 'DELTA', seq, checksum, at, ...presentLevels(changed) };
        group.lastSeq = seq;
        group.topic.publish(delta);
      }
    }
    this.#pending.clear();
    for (const market of wrongBooks) this.#replaceBook(market);
  }

  #getGroup(market: number, depth: number, history: BookHistory): Group {
    const groups = this.#groups.get(market) ?? new Map<number, Group>();
    this.#groups.set(market, groups);
    const existing = groups.get(depth);
    if (existing !== undefined) return existing;
    const { clock, ids } = this.#deps;
    const topic = new Topic(clock);
    const stopSilenceTimer = publishWhenSilent(clock, topic, () => {
      topic.publish(this.#createEmptyDelta(group));
      this.#flush();
    });
    const depthView = new DepthView(depth, history);
    const marketId = ids.marketId(market);
    const group: Group = { market, marketId, topic, stopSilenceTimer, depthView, lastSeq: history.seq, deltas: [] };
    groups.set(depth, group);
    return group;
  }

  #leave(group: Group, subscription: Subscription): void {
    group.topic.leave(subscription);
    if (!group.topic.isEmpty) return;
    group.stopSilenceTimer();
    const groups = this.#groups.get(group.market);
    groups?.delete(group.depthView.depth);
    if (groups?.size === 0) this.#groups.delete(group.market);
  }

  /** Publishes the book's current `seq` to a group, after changes below its depth. */
  #advanceSeq(group: Group, history: BookHistory): void {
    if (group.lastSeq === history.seq) return;
    const event = { ...this.#createEmptyDelta(group), seq: history.seq };
    group.lastSeq = history.seq;
    if (!group.topic.isEmpty) group.topic.publish(event);
  }

  /** Sends the steps after `afterSeq`. Returns false if a step was discarded, or if `afterSeq` is in the future. */
  #resume(group: Group, subscription: Subscription, afterSeq: number): boolean {
    const history = this.#projection.history(group.market);
    const missed = afterSeq > this.#deps.queue.view.seq ? undefined : history?.stepsAfter(afterSeq);
    if (history === undefined || missed === undefined) return false;
    if (missed.length === 0) {
      group.topic.sendTo(subscription, this.#createEmptyDelta(group));
      return true;
    }
    const { marketId } = group;
    const sides = history.copyBefore(missed);
    const depthView = new DepthView(group.depthView.depth, sides);
    let prevSeq = history.seqAt(afterSeq);
    for (const step of missed) {
      applyStep(step, sides, 1);
      const changed = depthView.update(sides) ?? NO_LEVELS;
      const { seq, at } = step;
      const checksum = depthView.checksum();
      const delta = { kind: 'DELTA', marketId, seq, prevSeq, checksum, at, ...presentLevels(changed) };
      group.topic.sendTo(subscription, delta);
      prevSeq = seq;
      if (subscription.isBehind) break;
    }
    return true;
  }

  #createSnapshot(group: Group) {
    return { ...this.#createEmptyDelta(group), kind: 'SNAPSHOT', ...presentLevels(group.depthView) };
  }

  #createEmptyDelta(group: Group) {
    const { marketId, lastSeq: seq, depthView } = group;
    const at = this.#deps.queue.view.now;
    return { marketId, prevSeq: seq, kind: 'DELTA', seq, checksum: depthView.checksum(), at, ...NO_LEVELS };
  }

  /** Publishes snapshots of a book that did not match its events. */
  #replaceBook(market: number): void {
    const history = this.#projection.history(market);
    if (history === undefined) return;
    for (const group of this.#groups.get(market)?.values() ?? []) {
      group.depthView = new DepthView(group.depthView.depth, history);
      group.lastSeq = history.seq;
      group.topic.publish(this.#createSnapshot(group));
    }
  }
}

function readDepth(args: Arguments): number {
  const { depth }: { readonly depth?: number | null } = args;
  const levels = depth ?? DEFAULT_DEPTH;
  if (levels < 1 || levels > MAX_DEPTH) throw badArgument('depth', levels, `an integer from 1 to ${MAX_DEPTH}`);
  return levels;
}
