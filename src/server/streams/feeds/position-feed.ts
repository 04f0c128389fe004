/** `positionUpdated`: the current positions first, then changes, in one market or all. */
import {
  type HeldPosition,
  isOpenPosition,
  positionsOf,
  presentPosition,
} from '../../presenters/position-presenter.ts';
import { accountOf, type Feed, marketOrAll, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { Topics } from '../topic.ts';
import type { TurnChanges } from '../turn-changes.ts';

interface WatchedAccount {
  subscribers: number;
  /** `seq` of the last turn. Later changes are published. */
  seq: number;
}

export class PositionFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #changes: TurnChanges;
  /** By `topicKey`. */
  readonly #topics: Topics<string>;
  /** By account. */
  readonly #watching = new Map<number, WatchedAccount>();

  constructor(deps: FeedDeps, changes: TurnChanges) {
    this.#deps = deps;
    this.#changes = changes;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    const { queue } = this.#deps;
    const account = accountOf(subscription, queue.view);
    const id = marketOrAll(subscription.args);
    const market = id === undefined ? undefined : queue.view.marketById(id)?.no;
    if (id !== undefined && market === undefined) return undefined;
    subscription.slow = { kind: 'newest' };
    const watching = this.#watching.get(account) ?? { subscribers: 0, seq: queue.view.seq };
    watching.subscribers += 1;
    this.#watching.set(account, watching);
    const { topic, leave } = this.#topics.join(topicKey(account, market), subscription);
    for (const each of market === undefined
      ? queue.view.holdingsOf(account).map((holding) => holding.market)
      : [market]) {
      for (const { position, value } of this.#positions(account, each)) {
        if (isOpenPosition(position)) topic.sendTo(subscription, value, positionKey(each, position));
      }
    }
    return () => {
      leave();
      watching.subscribers -= 1;
      if (watching.subscribers === 0) this.#watching.delete(account);
    };
  }

  onTurnEnd(): void {
    for (const [account, watching] of this.#watching) {
      const before = watching.seq;
      watching.seq = this.#deps.queue.view.seq;
      for (const market of this.#changes.holdings.get(account) ?? []) this.#publish(account, market, before);
    }
  }

  #publish(account: number, market: number, before: number): void {
    const topics = [this.#topics.get(topicKey(account, market)), this.#topics.get(topicKey(account, undefined))];
    if (topics.every((topic) => topic === undefined)) return;
    for (const { position, seq, value } of this.#positions(account, market)) {
      if (seq <= before) continue;
      for (const topic of topics) topic?.publish(value, positionKey(market, position));
    }
  }

  /** Every position that the account has or had in a market, with the `seq` of its last change. */
  #positions(account: number, market: number) {
    const { queue, archive, marketViews } = this.#deps;
    const { view } = queue;
    const record = view.market(market);
    const holding = view.holding(account, market);
    const row = archive.holding(account, market);
    if (record === undefined || holding === undefined || row === undefined) return [];
    const seqs = { YES: row.yesSeq, NO: row.noSeq, CANCELLED: Math.max(row.yesSeq, row.noSeq) };
    return positionsOf(record, holding, row).map((position) => ({
      position,
      seq: seqs[position.outcome],
      value: presentPosition(position, { view, marketViews }),
    }));
  }
}

function topicKey(account: number, market: number | undefined): string {
  return `${account}/${market ?? ''}`;
}

function positionKey(market: number, { outcome }: Pick<HeldPosition, 'outcome'>): string {
  return `${market}/${outcome}`;
}
