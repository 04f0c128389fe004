/**
 * `orderEvents`: an account's orders and fills in one ordered stream, of one market or of all. Nothing is lost: what a
 * subscriber missed comes from the archive, and so does what is new, as rows of the same form.
 *
 * Invariants: within a subscription each event's `prevSeq` is the `seq` of the one before. SYNC and GAP carry the number of
 * the stream's last event: nothing lies between it and what follows.
 */
import type { EpochMs } from '../../../domain/index.ts';
import type { OrderEventRow } from '../../../exchange/index.ts';
import { type Raw, readSafeUint } from '../../../protocol/index.ts';
import { presentFill, presentOrder } from '../../presenters/order-presenter.ts';
import { type ArgumentReader, accountOf, type Feed, marketOrAll, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { publishWhenSilent, type Topic, Topics } from '../topic.ts';

import type { TurnChanges } from '../turn-changes.ts';

/** Subscribers of one account, and of one market or all. */
interface Strand {
  readonly account: number;
  readonly market: number | undefined;
  readonly topic: Topic;
  readonly endSilence: () => void;
  /** `seq` of the last event of the stream; 0 for none. */
  last: number;
}

const afterSeqOf: ArgumentReader<number | undefined> = ({
  afterSeq,
}: {
  readonly afterSeq?: Raw<'UintString'> | null;
}) => (afterSeq === undefined || afterSeq === null ? undefined : readSafeUint('afterSeq', afterSeq));

export class OrderFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #changes: TurnChanges;
  readonly #flush: () => void;
  readonly #topics: Topics<string>;
  /** By account. */
  readonly #strands = new Map<number, Map<number | undefined, Strand>>();

  constructor(deps: FeedDeps, changes: TurnChanges, flush: () => void) {
    this.#deps = deps;
    this.#changes = changes;
    this.#flush = flush;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    const { view } = this.#deps.queue;
    const account = accountOf(subscription, view);
    const id = marketOrAll(subscription.args);
    const afterSeq = afterSeqOf(subscription.args);
    const market = id === undefined ? undefined : view.marketById(id)?.no;
    if (id !== undefined && market === undefined) return undefined;
    const { topic, leave } = this.#topics.join(`${account}/${market ?? ''}`, subscription);
    const strand = this.#strand(account, market, topic);
    this.#begin(strand, subscription, afterSeq);
    return () => {
      leave();
      if (topic.isEmpty) this.#drop(strand);
    };
  }

  onTurnEnd(): void {
    if (this.#strands.size === 0) return;
    for (const account of this.#changes.traders) {
      for (const strand of this.#strands.get(account)?.values() ?? []) this.#tell(strand);
    }
  }

  #strand(account: number, market: number | undefined, topic: Topic): Strand {
    const strands = this.#strands.get(account) ?? new Map<number | undefined, Strand>();
    this.#strands.set(account, strands);
    const known = strands.get(market);
    if (known !== undefined) return known;
    const endSilence = publishWhenSilent(this.#deps.clock, topic, () => {
      topic.publish(this.#mark(strand, 'SYNC'));
      this.#flush();
    });
    const strand: Strand = { account, market, topic, endSilence, last: this.#lastSeq(account, market) };
    strands.set(market, strand);
    return strand;
  }

  #drop(strand: Strand): void {
    strand.endSilence();
    const strands = this.#strands.get(strand.account);
    strands?.delete(strand.market);
    if (strands?.size === 0) this.#strands.delete(strand.account);
  }

  /** Where the stream stands: its last event, or where that is too far back the present, before which nothing is told. */
  #lastSeq(account: number, market: number | undefined): number {
    const { archive, queue } = this.#deps;
    if (market === undefined) return Math.floor((archive.account(account)?.lastEvent ?? 0) / 2);
    const { events, isComplete } = archive.orderEvents(account, 0, market);
    return isComplete ? (events.at(-1)?.seq ?? 0) : queue.view.seq;
  }

  #begin(strand: Strand, subscription: Subscription, afterSeq: number | undefined): void {
    const { topic, account, market } = strand;
    if (afterSeq === undefined) {
      topic.sendTo(subscription, this.#mark(strand, 'SYNC'));
      return;
    }
    const { archive, queue } = this.#deps;
    // What lies ahead of the exchange was never told by it: a client of another venue, or of one that was set back.
    const isAhead = afterSeq > queue.view.seq;
    const { events, isComplete } = isAhead
      ? { events: [], isComplete: false }
      : archive.orderEvents(account, afterSeq, market);
    if (!isComplete) {
      topic.sendTo(subscription, this.#mark(strand, 'GAP'));
      return;
    }
    for (const row of events) topic.sendTo(subscription, this.#event(row, row.prevSeq));
    topic.sendTo(subscription, this.#mark(strand, 'SYNC'));
  }

  #tell(strand: Strand): void {
    const { account, market, topic } = strand;
    const { events, isComplete } = this.#deps.archive.orderEvents(account, strand.last, market);
    if (!isComplete) {
      strand.last = this.#lastSeq(account, market);
      topic.publish(this.#mark(strand, 'GAP'));
      return;
    }
    for (const row of events) {
      topic.publish(this.#event(row, strand.last));
      strand.last = row.seq;
    }
  }

  #event(row: OrderEventRow, prevSeq: number) {
    const { archive, ids, queue } = this.#deps;
    const order = archive.order(row.order);
    if (order === undefined) throw new Error(`Invariant: event ${row.seq} is durable, its order has no row`);
    const { shares, filled, amount, fee, status, cancelReason, seq, at } = row;
    const fill = row.fill === undefined ? undefined : archive.fill(row.fill);
    return {
      kind: row.kind,
      seq,
      prevSeq,
      order: presentOrder(
        { ...order, shares, filled, amount, fee, status, cancelReason, seq, updatedAt: at },
        { view: queue.view, ids },
      ),
      fill: fill === undefined ? null : presentFill(fill, { ids, archive }),
      cancelReason: cancelReason ?? null,
      at,
    };
  }

  #mark({ last }: Strand, kind: 'SYNC' | 'GAP') {
    const at: EpochMs = this.#deps.clock.now();
    return { kind, seq: last, prevSeq: last, order: null, fill: null, cancelReason: null, at };
  }
}
