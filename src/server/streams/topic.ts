/** The subscribers of one stream. Each event is executed and serialized once per answer shape, not per subscriber. */
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import type { Answer, OperationContext } from '../graphql/context.ts';
import type { SubscriptionPlan } from '../graphql/request.ts';
import type { Subscription } from './subscription.ts';

/** Subscribers with the same shape of answers. */
interface ShapeSubscribers {
  readonly plan: SubscriptionPlan;
  readonly context: OperationContext;
  readonly subscribers: Set<Subscription>;
}

export class Topic {
  /** Text of the last sent value, for `ValueTopics`. */
  sentValue: string | undefined;
  readonly #clock: Clock;
  readonly #byShape = new Map<string, ShapeSubscribers>();
  #publishedAt: EpochMs;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#publishedAt = clock.now();
  }

  get isEmpty(): boolean {
    return this.#byShape.size === 0;
  }

  /** Time of the last publication; initially the time of creation. */
  get lastPublishedAt(): EpochMs {
    return this.#publishedAt;
  }

  join(subscription: Subscription): void {
    const { plan } = subscription;
    const existing = this.#byShape.get(plan.shape);
    const sameShape = existing ?? { plan, context: createContext(subscription, this.#clock), subscribers: new Set() };
    sameShape.subscribers.add(subscription);
    this.#byShape.set(plan.shape, sameShape);
  }

  leave(subscription: Subscription): void {
    const { shape } = subscription.plan;
    const sameShape = this.#byShape.get(shape);
    sameShape?.subscribers.delete(subscription);
    if (sameShape?.subscribers.size === 0) this.#byShape.delete(shape);
  }

  /** Publishes to all subscribers. @param key a slow subscriber needs only the newest event of a key */
  publish(event: unknown, key = ''): void {
    this.#publishedAt = this.#clock.now();
    for (const { plan, context, subscribers } of this.#byShape.values()) {
      const messageEnd = serializeMessageEnd(plan.answerEvent(event, context));
      for (const subscription of subscribers) subscription.deliver(messageEnd, key);
    }
  }

  sendTo(subscription: Subscription, event: unknown, key = ''): void {
    const { plan } = subscription;
    const context = this.#byShape.get(plan.shape)?.context ?? createContext(subscription, this.#clock);
    subscription.deliver(serializeMessageEnd(plan.answerEvent(event, context)), key);
  }
}

/** Serializes an answer as the end of a `next` message, which follows the subscriber's own start. */
function serializeMessageEnd(answer: Answer): Buffer {
  return Buffer.from(`${JSON.stringify(answer)}}`);
}

/** Makes the context that a shape's subscribers share. Subscribers of a private topic have the same account. */
function createContext({ viewer, plan }: Subscription, clock: Clock): OperationContext {
  return { viewer, requestId: `stream-${plan.field}`, ip: '', now: clock.now(), header: () => undefined };
}

/** After this time without a message, a stream sends a keep-alive message (docs/spec/venue.md#order-book-stream). */
const SILENCE_MS = 5_000;

/** Calls `publish` whenever a topic had no event for `SILENCE_MS`. Returns a function that stops the timer. */
export function publishWhenSilent(clock: Clock, topic: Topic, publish: () => void): () => void {
  let cancel: () => void;
  const arm = (): void => {
    cancel = clock.schedule(timeAfter(topic.lastPublishedAt, SILENCE_MS), () => {
      if (clock.now() - topic.lastPublishedAt >= SILENCE_MS) publish();
      arm();
    });
  };
  arm();
  return () => cancel();
}

export class Topics<Key> {
  readonly #clock: Clock;
  readonly #topics = new Map<Key, Topic>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: Key): Topic | undefined {
    return this.#topics.get(key);
  }

  keys(): Iterable<Key> {
    return this.#topics.keys();
  }

  /** Adds a subscriber. Returns a function that removes the subscriber. @param keys without duplicates */
  join(keys: readonly Key[], subscription: Subscription): () => void {
    for (const key of keys) {
      const topic = this.#topics.get(key) ?? new Topic(this.#clock);
      this.#topics.set(key, topic);
      topic.join(subscription);
    }
    return () => {
      for (const key of keys) {
        const topic = this.#topics.get(key);
        topic?.leave(subscription);
        if (topic?.isEmpty) this.#topics.delete(key);
      }
    };
  }
}

/** Topics with a current value. Subscribers get the current value, and later only changed values. */
export class ValueTopics extends Topics<number> {
  readonly #present: (key: number) => object;

  constructor(clock: Clock, present: (key: number) => object) {
    super(clock);
    this.#present = present;
  }

  /** Sends the current value to a new subscriber. */
  sendTo(key: number, subscription: Subscription): void {
    const topic = this.get(key);
    if (topic === undefined) return;
    const value = this.#present(key);
    topic.sentValue = toComparableText(value);
    topic.sendTo(subscription, value, String(key));
  }

  /** Publishes the value of a topic with subscribers if it has changed. */
  publishChanged(key: number): void {
    const topic = this.get(key);
    if (topic === undefined) return;
    const value = this.#present(key);
    const text = toComparableText(value);
    if (topic.sentValue !== text) topic.publish(value, String(key));
    topic.sentValue = text;
  }
}

/** Returns the text of a value without `seq` and time. */
function toComparableText(value: object): string {
  return JSON.stringify({ ...value, seq: undefined, at: undefined, asOf: undefined });
}
