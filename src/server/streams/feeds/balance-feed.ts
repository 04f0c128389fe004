/** `balanceUpdated`: the current balance first, then changes. */
import { presentBalance } from '../../presenters/money-presenter.ts';
import { accountOf, type Feed, type Opened } from '../feed.ts';
import type { FeedDeps } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import { Topics } from '../topic.ts';
import type { TurnChanges } from '../turn-changes.ts';

export class BalanceFeed implements Feed {
  readonly #deps: FeedDeps;
  readonly #changes: TurnChanges;
  /** By account. */
  readonly #topics: Topics<number>;
  /** The last published balance of each account, as text without `seq` and time. */
  readonly #sent = new Map<number, string>();

  constructor(deps: FeedDeps, changes: TurnChanges) {
    this.#deps = deps;
    this.#changes = changes;
    this.#topics = new Topics(deps.clock);
  }

  open(subscription: Subscription): Opened {
    const account = accountOf(subscription, this.#deps.queue.view);
    subscription.slow = { kind: 'newest' };
    const { topic, leave } = this.#topics.join(account, subscription);
    const { text, value } = this.#balance(account);
    this.#sent.set(account, text);
    topic.sendTo(subscription, value);
    return () => {
      leave();
      if (!this.#topics.has(account)) this.#sent.delete(account);
    };
  }

  onTurnEnd(): void {
    for (const account of this.#changes.cash) {
      const topic = this.#topics.get(account);
      if (topic === undefined) continue;
      const { text, value } = this.#balance(account);
      if (this.#sent.get(account) === text) continue;
      this.#sent.set(account, text);
      topic.publish(value);
    }
  }

  #balance(account: number) {
    const { queue, clock } = this.#deps;
    const value = presentBalance(account, queue.view, clock.now());
    const { seq: _seq, asOf: _asOf, ...cash } = value;
    return { text: JSON.stringify(cash), value };
  }
}
