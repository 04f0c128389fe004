/**
 * Rate limits of callers: four token buckets per credential, or per address (IPv6: per /64) for callers without one.
 *
 * Memory is bounded: the least recently used buckets are dropped. Unauthenticated callers have a separate limit
 * (`maxAnonymousCallers`), so a flood from many addresses drops no credential's bucket. A credential's buckets end with it.
 * Cancels have their own bucket, so a caller without order tokens can still cancel.
 */
import type { Clock } from '../../clock/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { RequestQuota } from '../graphql/gate.ts';
import type { Model } from '../presenters/models.ts';
import { networkOf } from './ip-list.ts';
import type { AccessSettings, BucketName, BucketSize } from './settings.ts';

export type Caller = Pick<OperationContext, 'viewer' | 'ip'>;

type CallerBuckets = Readonly<Record<BucketName, TokenBucket>>;

const MAX_CREDENTIALS = 1_000_000;
/** The buckets that the schema shows. */
const SHOWN = ['read', 'order', 'cancel'] as const;

export class Buckets implements RequestQuota {
  readonly #clock: Clock;
  readonly #sizes: AccessSettings['buckets'];
  readonly #anonymous: BucketCache;
  readonly #credentials = new BucketCache(MAX_CREDENTIALS);
  #lastIp: string | undefined;
  #lastNetwork = '';

  constructor(clock: Clock, settings: Pick<AccessSettings, 'buckets' | 'maxAnonymousCallers'>) {
    this.#clock = clock;
    this.#sizes = settings.buckets;
    this.#anonymous = new BucketCache(settings.maxAnonymousCallers);
  }

  get size(): number {
    return this.#anonymous.size + this.#credentials.size;
  }

  /**
   * Consumes tokens, all or none.
   * @param count 0 or more
   * @returns 0 if the tokens were consumed, else whole milliseconds until they are available
   */
  take(caller: Caller, name: BucketName, count: number): number {
    const now = this.#clock.now();
    return this.#bucketsOf(caller, now)[name].take(count, now);
  }

  /**
   * Consumes tokens for orders and for cancels, all of both or none of either.
   * @returns 0 if the tokens were consumed, else whole milliseconds until all are available
   */
  takeBoth(caller: Caller, orders: number, cancels: number): number {
    const now = this.#clock.now();
    const { order, cancel } = this.#bucketsOf(caller, now);
    const wait = cancel.wait(cancels, now);
    if (wait === 0) return order.take(orders, now) || cancel.take(cancels, now);
    return Math.max(wait, order.wait(orders, now));
  }

  /** Consumes tokens even if that puts the bucket into debt. */
  charge(caller: Caller, name: BucketName, count: number): void {
    const now = this.#clock.now();
    this.#bucketsOf(caller, now)[name].charge(count, now);
  }

  present(caller: Caller): readonly Model<'RateBucket'>[] {
    const now = this.#clock.now();
    const buckets = this.#bucketsOf(caller, now);
    return SHOWN.map((name) => {
      const { capacity, perSecond } = this.#sizes[name];
      return { name, capacity, refillPerSecond: perSecond, remaining: Math.max(0, buckets[name].level(now)) / TOKEN };
    });
  }

  /** Drops the buckets of an ended credential. */
  remove(credential: string): void {
    this.#credentials.delete(credential);
  }

  #bucketsOf({ viewer, ip }: Caller, now: number): CallerBuckets {
    const { read, order, cancel, parse } = this.#sizes;
    const fresh = (): CallerBuckets => ({
      read: new TokenBucket(read, now),
      order: new TokenBucket(order, now),
      cancel: new TokenBucket(cancel, now),
      parse: new TokenBucket(parse, now),
    });
    if (viewer !== undefined) return this.#credentials.get(viewer.credential, fresh);
    // Consecutive requests mostly come from the same address.
    if (ip !== this.#lastIp) {
      this.#lastIp = ip;
      this.#lastNetwork = networkOf(ip);
    }
    return this.#anonymous.get(this.#lastNetwork, fresh);
  }
}

/** A least-recently-used cache of buckets. */
class BucketCache {
  readonly #maxBuckets: number;
  readonly #buckets = new Map<string, CallerBuckets>();
  #last: string | undefined;

  constructor(maxBuckets: number) {
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#buckets.size;
  }

  get(key: string, fresh: () => CallerBuckets): CallerBuckets {
    const known = this.#buckets.get(key);
    if (known !== undefined && this.#last === key) return known;
    const buckets = known ?? fresh();
    if (known !== undefined) this.#buckets.delete(key);
    this.#buckets.set(key, buckets);
    this.#last = key;
    if (this.#buckets.size > this.#maxBuckets) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return buckets;
  }

  delete(key: string): void {
    this.#buckets.delete(key);
    if (this.#last === key) this.#last = undefined;
  }
}

/** Levels count thousandths of a token, so `perSecond` is exactly the number of thousandths per millisecond. */
const TOKEN = 1_000;

export class TokenBucket {
  readonly size: BucketSize;
  /** Thousandths of a token; below 0 in debt. */
  #level: number;
  #refilledAt: number;

  /** Starts full. @param now milliseconds since the epoch, like all times below */
  constructor(size: BucketSize, now: number) {
    this.size = size;
    this.#level = size.capacity * TOKEN;
    this.#refilledAt = now;
  }

  /** Consumes tokens, all or none. @returns as `wait` */
  take(count: number, now: number): number {
    const wait = this.wait(count, now);
    if (wait === 0) this.#level -= this.#priceOf(count);
    return wait;
  }

  /** Whole milliseconds until the tokens are available. A count above the capacity waits for a full bucket. */
  wait(count: number, now: number): number {
    const lacking = this.#priceOf(count) - this.level(now);
    return lacking <= 0 ? 0 : Math.ceil(lacking / this.size.perSecond);
  }

  /** Consumes tokens even if that puts the bucket into debt. */
  charge(count: number, now: number): void {
    this.#level = this.level(now) - count * TOKEN;
  }

  /** Thousandths of a token, with those that have accrued; none accrue after the clock was set back. */
  level(now: number): number {
    const { capacity, perSecond } = this.size;
    const max = capacity * TOKEN;
    const elapsed = now - this.#refilledAt;
    // Compare times first, because the product for a long time may be inexact.
    if (elapsed >= (max - this.#level) / perSecond) this.#level = max;
    else if (elapsed > 0) this.#level += elapsed * perSecond;
    this.#refilledAt = now;
    return this.#level;
  }

  #priceOf(count: number): number {
    return Math.min(count, this.size.capacity) * TOKEN;
  }
}
