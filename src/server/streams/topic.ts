/**
 * What all subscribers of one stream are told. Each event is executed and made into text once for every shape of answer
 * that somebody asked for, however many subscribers have it.
 */
import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { Answer, OperationContext, SubscriptionPlan } from '../graphql/index.ts';
import type { Subscription } from './subscription.ts';

/** Subscribers whose answers have one shape. */
interface Channel {
  readonly plan: SubscriptionPlan;
  readonly context: OperationContext;
  readonly subscribers: Set<Subscription>;
}

export class Topic {
  readonly #clock: Clock;
  readonly #channels = new Map<string, Channel>();
  #toldAt: EpochMs;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#toldAt = clock.now();
  }

  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  /** When all were told something; the beginning at first. */
  get toldAt(): EpochMs {
    return this.#toldAt;
  }

  join(subscription: Subscription): void {
    const channel = this.#channels.get(subscription.shape);
    if (channel !== undefined) {
      channel.subscribers.add(subscription);
      return;
    }
    const { plan } = subscription;
    const context = contextOf(subscription, this.#clock);
    this.#channels.set(subscription.shape, { plan, context, subscribers: new Set([subscription]) });
  }

  leave(subscription: Subscription): void {
    const channel = this.#channels.get(subscription.shape);
    channel?.subscribers.delete(subscription);
    if (channel?.subscribers.size === 0) this.#channels.delete(subscription.shape);
  }

  /** Tells everybody. @param key names what a newer event stands for, too, so that a slow consumer needs only that */
  tell(event: unknown, key = ''): void {
    this.#toldAt = this.#clock.now();
    for (const { plan, context, subscribers } of this.#channels.values()) {
      const rest = packed(plan.frame(event, context));
      for (const subscription of subscribers) subscription.deliver(rest, key);
    }
  }

  /** Tells one alone. */
  tellOne(subscription: Subscription, event: unknown, key = ''): void {
    const { plan } = subscription;
    const context = this.#channels.get(subscription.shape)?.context ?? contextOf(subscription, this.#clock);
    subscription.deliver(packed(plan.frame(event, context)), key);
  }
}

/** What follows the beginning of a `next` message. */
function packed(answer: Answer): Buffer {
  return Buffer.from(`${JSON.stringify(answer)}}`);
}

/** Nobody's in particular: what is told depends on the account at most. */
function contextOf({ viewer, plan }: Subscription, clock: Clock): OperationContext {
  return { viewer, requestId: `stream-${plan.field}`, ip: '', now: clock.now(), header: () => undefined };
}
