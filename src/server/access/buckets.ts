/**
 * Limits the request rate with four token buckets per credential. Unauthenticated callers have buckets per IPv4 address
 * or IPv6 /64.
 *
 * Memory is bounded, because each cache drops its least recently used buckets. Unauthenticated callers have a separate
 * cache (`maxAnonymousCallers`), so a flood from many addresses drops no credential's buckets. Cancels have their own
 * bucket, so a caller without order tokens can still cancel.
 */
import type { Clock } from '../../clock/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { RequestQuota } from '../graphql/gate.ts';
import type { Model } from '../presenters/models.ts';
import { toNetwork } from './ip-list.ts';
import type { AccessSettings, BucketName, BucketSize } from './settings.ts';

type BucketOwner = Pick<OperationContext, 'viewer' | 'ip'>;

type CallerBuckets = Readonly<Record<BucketName, TokenBucket>>;

const MAX_CREDENTIALS = 1_000_000;

export class Buckets implements RequestQuota {
  readonly #clock: Clock;
  readonly #sizes: AccessSettings['buckets'];
  readonly #anonymous: BucketCache;
  readonly #credentials = new BucketCache(MAX_CREDENTIALS);

  constructor(clock: Clock, settings: Pick<AccessSettings, 'buckets' | 'maxAnonymousCallers'>) {
    this.#clock = clock;
    this.#sizes = settings.buckets;
    this.#anonymous = new BucketCache(settings.maxAnonymousCallers);
  }

  get size(): number {
    return this.#anonymous.size + this.#credentials.size;
  }

  consume(caller: BucketOwner, name: BucketName, count: number): number {
    const now = this.#clock.now();
    return this.#getBuckets(caller, now)[name].consume(count, now);
  }

  /** Consumes tokens of both kinds, or none. @returns 0 if consumed, else whole milliseconds until all are available */
  consumeBoth(caller: BucketOwner, orders: number, cancels: number): number {
    const now = this.#clock.now();
    const { order, cancel } = this.#getBuckets(caller, now);
    const waitMs = Math.max(order.waitMs(orders, now), cancel.waitMs(cancels, now));
    if (waitMs > 0) return waitMs;
    order.consume(orders, now);
    return cancel.consume(cancels, now);
  }

  charge(caller: BucketOwner, name: BucketName, count: number): void {
    const now = this.#clock.now();
    this.#getBuckets(caller, now)[name].charge(count, now);
  }

  present(caller: BucketOwner): readonly Model<'RateBucket'>[] {
    const now = this.#clock.now();
    const buckets = this.#getBuckets(caller, now);
    // The schema does not show the bucket `parse`.
    return (['read', 'order', 'cancel'] as const).map((name) => {
      const { capacity, perSecond: refillPerSecond } = this.#sizes[name];
      const remaining = Math.max(0, buckets[name].refill(now)) / UNITS_PER_TOKEN;
      return { name, capacity, refillPerSecond, remaining };
    });
  }

  remove(credential: string): void {
    this.#credentials.delete(credential);
  }

  #getBuckets({ viewer, ip }: BucketOwner, now: number): CallerBuckets {
    const { read, order, cancel, parse } = this.#sizes;
    const create = (): CallerBuckets => ({
      read: new TokenBucket(read, now),
      order: new TokenBucket(order, now),
      cancel: new TokenBucket(cancel, now),
      parse: new TokenBucket(parse, now),
    });
    return viewer === undefined
      ? this.#anonymous.get(toNetwork(ip), create)
      : this.#credentials.get(viewer.credential, create);
  }
}

class BucketCache {
  readonly #maxCallers: number;
  readonly #buckets = new Map<string, CallerBuckets>();

  constructor(maxCallers: number) {
    this.#maxCallers = maxCallers;
  }

  get size(): number {
    return this.#buckets.size;
  }

  get(key: string, create: () => CallerBuckets): CallerBuckets {
    const buckets = this.#buckets.get(key) ?? create();
    this.#buckets.delete(key);
    this.#buckets.set(key, buckets);
    if (this.#buckets.size > this.#maxCallers) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return buckets;
  }

  delete(key: string): void {
    this.#buckets.delete(key);
  }
}

/** A level counts thousandths of a token, so `perSecond` is exactly the gain per millisecond. */
export const UNITS_PER_TOKEN = 1_000;

export class TokenBucket {
  readonly size: BucketSize;
  /** Thousandths of a token. */
  #level: number;
  #refilledAt: number;

  /** Creates a full bucket. @param now epoch ms, like all times of this class */
  constructor(size: BucketSize, now: number) {
    this.size = size;
    this.#level = size.capacity * UNITS_PER_TOKEN;
    this.#refilledAt = now;
  }

  /** Consumes all of the tokens or none. @returns 0 if consumed, else the result of `waitMs` */
  consume(count: number, now: number): number {
    const waitMs = this.waitMs(count, now);
    if (waitMs === 0) this.#level -= this.#neededUnits(count);
    return waitMs;
  }

  /** Returns whole milliseconds until the tokens are available. A count above the capacity waits for a full bucket. */
  waitMs(count: number, now: number): number {
    const missing = this.#neededUnits(count) - this.refill(now);
    return missing <= 0 ? 0 : Math.ceil(missing / this.size.perSecond);
  }

  /** Consumes tokens. May leave a negative level. */
  charge(count: number, now: number): void {
    this.#level = this.refill(now) - count * UNITS_PER_TOKEN;
  }

  /** Refills the bucket, and returns its level in thousandths of a token. A clock that was set back adds no tokens. */
  refill(now: number): number {
    const { capacity, perSecond } = this.size;
    const max = capacity * UNITS_PER_TOKEN;
    const elapsed = now - this.#refilledAt;
    // Compare times first, because the product for a long time may be inexact.
    if (elapsed >= (max - this.#level) / perSecond) this.#level = max;
    else if (elapsed > 0) this.#level += elapsed * perSecond;
    this.#refilledAt = now;
    return this.#level;
  }

  #neededUnits(count: number): number {
    return Math.min(count, this.size.capacity) * UNITS_PER_TOKEN;
  }
}
