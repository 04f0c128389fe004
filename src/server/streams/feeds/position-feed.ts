/** `positionUpdated`: present positions first, then each change; of one market, or of all. */
import type { Feed, Opened } from '../feed.ts';
import type { FeedPorts } from '../options.ts';
import type { ShownPosition } from '../shows.ts';
import type { Subscription } from '../subscription.ts';
import type { Touched } from '../touched.ts';
import { accountOf } from './account.ts';
import { marketOrAll } from './arguments.ts';
import { Topics } from './topics.ts';

interface Watching {
  subscribers: number;
  /** Number of the last event that was looked at: what changed since is news. */
  seq: number;
}

export class PositionFeed implements Feed {
  readonly #ports: FeedPorts;
  readonly #touched: Touched;
  /** By account, and market or nothing. */
  readonly #topics: Topics<string>;
  /** By account. */
  readonly #watching = new Map<number, Watching>();

  constructor(ports: FeedPorts, touched: Touched) {
    this.#ports = ports;
    this.#touched = touched;
    this.#topics = new Topics(ports.clock);
  }

  open(subscription: Subscription): Opened {
    const { queue, shows } = this.#ports;
    const account = accountOf(subscription, queue.view);
    const id = marketOrAll(subscription.args);
    const market = id === undefined ? undefined : queue.view.marketById(id)?.no;
    if (id !== undefined && market === undefined) return undefined;
    subscription.slow = { kind: 'newest' };
    const watching = this.#watching.get(account) ?? { subscribers: 0, seq: queue.view.seq };
    watching.subscribers += 1;
    this.#watching.set(account, watching);
    const { topic, leave } = this.#topics.join(topicKey(account, market), subscription);
    for (const each of market === undefined ? shows.positionMarkets(account) : [market]) {
      for (const position of shows.positions(account, each)) {
        if (position.isPresent) topic.tellOne(subscription, position.value, positionKey(each, position));
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
      watching.seq = this.#ports.queue.view.seq;
      for (const market of this.#touched.holdings.get(account) ?? []) this.#tell(account, market, before);
    }
  }

  #tell(account: number, market: number, before: number): void {
    const topics = [this.#topics.get(topicKey(account, market)), this.#topics.get(topicKey(account, undefined))];
    if (topics.every((topic) => topic === undefined)) return;
    for (const position of this.#ports.shows.positions(account, market)) {
      if (position.seq <= before) continue;
      for (const topic of topics) topic?.tell(position.value, positionKey(market, position));
    }
  }
}

function topicKey(account: number, market: number | undefined): string {
  return `${account}/${market ?? ''}`;
}

function positionKey(market: number, { outcome }: ShownPosition): string {
  return `${market}/${outcome}`;
}
