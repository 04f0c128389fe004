/** Topics by key: made when the first subscriber comes, gone with the last. */
import type { Clock } from '../../../clock/index.ts';
import type { Subscription } from '../subscription.ts';
import { Topic } from '../topic.ts';

export class Topics<Key> {
  readonly #clock: Clock;
  readonly #topics = new Map<Key, Topic>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#topics.size;
  }

  get(key: Key): Topic | undefined {
    return this.#topics.get(key);
  }

  has(key: Key): boolean {
    return this.#topics.has(key);
  }

  keys(): Iterable<Key> {
    return this.#topics.keys();
  }

  /** @returns the topic, and what ends the membership */
  join(key: Key, subscription: Subscription): { readonly topic: Topic; leave(): void } {
    const topic = this.#topics.get(key) ?? new Topic(this.#clock);
    this.#topics.set(key, topic);
    topic.join(subscription);
    return {
      topic,
      leave: () => {
        topic.leave(subscription);
        if (topic.isEmpty) this.#topics.delete(key);
      },
    };
  }
}
