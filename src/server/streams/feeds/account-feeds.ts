import { presentBalance } from '../../presenters/money-presenter.ts';
import {
  type HeldPosition,
  isOpenPosition,
  listPositions,
  presentPosition,
} from '../../presenters/position-presenter.ts';
import type { BatchChanges } from '../batch-changes.ts';
import { type Feed, readMarketScope, requireAccount } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import { Topics, ValueTopics } from '../topic.ts';

/** `balanceUpdated` sends the current balance, then each change. */
export function balanceFeed({ queue, clock }: FeedDeps, changes: BatchChanges): Feed {
  const topics = new ValueTopics(clock, (account) => presentBalance(account, queue.view, clock.now()));
  return {
    open(subscription) {
      const account = requireAccount(subscription, queue.view);
      subscription.slowPolicy = { kind: 'newest' };
      subscription.leave = topics.join([account], subscription);
      topics.sendTo(account, subscription);
    },
    onBatchEnd() {
      for (const account of changes.cashAccounts) topics.publishChanged(account);
    },
  };
}

/** `positionUpdated` sends the current positions in one market or in all markets, then each change. */
export function positionFeed({ queue, archive, marketViews, clock }: FeedDeps, changes: BatchChanges): Feed {
  const { view } = queue;
  /** By `topicKey`. */
  const topics = new Topics<string>(clock);
  /** By account. `seq` is the exchange's `seq` after the last batch. Only later changes are published. */
  const watchedAccounts = new Map<number, { subscribers: number; seq: number }>();

  /** Returns an account's current and past positions in a market, with the `seq` of each position's last change. */
  const presentPositions = (account: number, market: number) => {
    const record = view.market(market);
    const holding = view.holding(account, market);
    const row = archive.holding(account, market);
    if (record === undefined || holding === undefined || row === undefined) return [];
    const seqs = { YES: row.yesSeq, NO: row.noSeq, CANCELLED: Math.max(row.yesSeq, row.noSeq) };
    return listPositions(record, holding, row).map((position) => ({
      position,
      seq: seqs[position.outcome],
      value: presentPosition(position, { view, marketViews }),
    }));
  };
  const publishAfter = (previousSeq: number, account: number, market: number): void => {
    const subscribed = [topics.get(topicKey(account, market)), topics.get(topicKey(account, undefined))];
    if (subscribed.every((topic) => topic === undefined)) return;
    for (const { position, seq, value } of presentPositions(account, market)) {
      if (seq <= previousSeq) continue;
      for (const topic of subscribed) topic?.publish(value, positionKey(market, position));
    }
  };
  return {
    open(subscription) {
      const account = requireAccount(subscription, view);
      const scope = readMarketScope(subscription, view);
      if (scope === undefined) return;
      subscription.slowPolicy = { kind: 'newest' };
      const watched = watchedAccounts.get(account) ?? { subscribers: 0, seq: view.seq };
      watched.subscribers += 1;
      watchedAccounts.set(account, watched);
      const key = topicKey(account, scope.market);
      const leave = topics.join([key], subscription);
      subscription.leave = () => {
        leave();
        watched.subscribers -= 1;
        if (watched.subscribers === 0) watchedAccounts.delete(account);
      };
      const markets =
        scope.market === undefined ? view.holdingsOf(account).map(({ market }) => market) : [scope.market];
      for (const market of markets) {
        for (const { position, value } of presentPositions(account, market)) {
          if (isOpenPosition(position)) topics.get(key)?.sendTo(subscription, value, positionKey(market, position));
        }
      }
    },
    onBatchEnd() {
      for (const [account, watched] of watchedAccounts) {
        const previousSeq = watched.seq;
        watched.seq = view.seq;
        for (const market of changes.holdings.get(account) ?? []) publishAfter(previousSeq, account, market);
      }
    },
  };
}

function topicKey(account: number, market: number | undefined): string {
  return `${account}/${market ?? ''}`;
}

function positionKey(market: number, { outcome }: Pick<HeldPosition, 'outcome'>): string {
  return `${market}/${outcome}`;
}
