/** `balanceUpdated`: cash, the present value first. */
import type { Feed, Opened } from '../feed.ts';
import type { FeedPorts } from '../options.ts';
import type { Subscription } from '../subscription.ts';
import type { Touched } from '../touched.ts';
import { accountOf } from './account.ts';
import { Topics } from './topics.ts';

export class BalanceFeed implements Feed {
  readonly #ports: FeedPorts;
  readonly #touched: Touched;
  /** By account. */
  readonly #topics: Topics<number>;
  readonly #told = new Map<number, string>();

  constructor(ports: FeedPorts, touched: Touched) {
    this.#ports = ports;
    this.#touched = touched;
    this.#topics = new Topics(ports.clock);
  }

  open(subscription: Subscription): Opened {
    const account = accountOf(subscription, this.#ports.queue.view);
    subscription.slow = { kind: 'newest' };
    const { topic, leave } = this.#topics.join(account, subscription);
    const { mark, value } = this.#ports.shows.balance(account);
    this.#told.set(account, mark);
    topic.tellOne(subscription, value);
    return () => {
      leave();
      if (!this.#topics.has(account)) this.#told.delete(account);
    };
  }

  onTurnEnd(): void {
    if (this.#topics.size === 0) return;
    for (const account of this.#touched.cash) {
      const topic = this.#topics.get(account);
      if (topic === undefined) continue;
      const { mark, value } = this.#ports.shows.balance(account);
      if (this.#told.get(account) === mark) continue;
      this.#told.set(account, mark);
      topic.tell(value);
    }
  }
}
