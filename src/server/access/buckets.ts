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

type Levels = Readonly<Record<BucketName, BucketLevel>>;

const MAX_CREDENTIALS = 1_000_000;
/** The buckets that the schema shows. */
const SHOWN = ['read', 'order', 'cancel'] as const;

export class Buckets implements RequestQuota {
  readonly #clock: Clock;
  readonly #sizes: AccessSettings['buckets'];
  readonly #anonymous: LevelCache;
  readonly #credentials = new LevelCache(MAX_CREDENTIALS);
  #lastIp: string | undefined;
  #lastNetwork = '';

  constructor(clock: Clock, settings: Pick<AccessSettings, 'buckets' | 'maxAnonymousCallers'>) {
    this.#clock = clock;
    this.#sizes = settings.buckets;
    this.#anonymous = new LevelCache(settings.maxAnonymousCallers);
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
    return takeTokens(this.#levels(caller, now)[name], this.#sizes[name], count, now);
  }

  /**
   * Consumes tokens for orders and for cancels, all of both or none of either.
   * @returns 0 if the tokens were consumed, else whole milliseconds until all are available
   */
  takeBoth(caller: Caller, orders: number, cancels: number): number {
    const now = this.#clock.now();
    const sizes = this.#sizes;
    const { order, cancel } = this.#levels(caller, now);
    const wait = waitForTokens(cancel, sizes.cancel, cancels, now);
    if (wait === 0)
      return takeTokens(order, sizes.order, orders, now) || takeTokens(cancel, sizes.cancel, cancels, now);
    return Math.max(wait, waitForTokens(order, sizes.order, orders, now));
  }

  /** Consumes tokens even if that puts the bucket into debt. */
  charge(caller: Caller, name: BucketName, count: number): void {
    const now = this.#clock.now();
    chargeTokens(this.#levels(caller, now)[name], this.#sizes[name], count, now);
  }

  present(caller: Caller): readonly Model<'RateBucket'>[] {
    const now = this.#clock.now();
    const levels = this.#levels(caller, now);
    return SHOWN.map((name) => {
      const size = this.#sizes[name];
      refill(levels[name], size, now);
      const remaining = Math.max(0, levels[name].level) / TOKEN;
      return { name, capacity: size.capacity, refillPerSecond: size.perSecond, remaining };
    });
  }

  /** Drops the buckets of an ended credential. */
  remove(credential: string): void {
    this.#credentials.delete(credential);
  }

  #levels({ viewer, ip }: Caller, now: number): Levels {
    const sizes = this.#sizes;
    const fresh = (): Levels => ({
      read: fullBucket(sizes.read, now),
      order: fullBucket(sizes.order, now),
      cancel: fullBucket(sizes.cancel, now),
      parse: fullBucket(sizes.parse, now),
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
class LevelCache {
  readonly #maxBuckets: number;
  readonly #levels = new Map<string, Levels>();
  #last: string | undefined;

  constructor(maxBuckets: number) {
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#levels.size;
  }

  get(key: string, fresh: () => Levels): Levels {
    const known = this.#levels.get(key);
    if (known !== undefined && this.#last === key) return known;
    const levels = known ?? fresh();
    if (known !== undefined) this.#levels.delete(key);
    this.#levels.set(key, levels);
    this.#last = key;
    if (this.#levels.size > this.#maxBuckets) {
      const [oldest] = this.#levels.keys();
      if (oldest !== undefined) this.#levels.delete(oldest);
    }
    return levels;
  }

  delete(key: string): void {
    this.#levels.delete(key);
    if (this.#last === key) this.#last = undefined;
  }
}

/** Levels count thousandths of a token, so `perSecond` is exactly the number of thousandths per millisecond. */
const TOKEN = 1_000;

interface BucketLevel {
  /** Thousandths of a token; below 0 in debt. */
  level: number;
  /** Milliseconds since the epoch. */
  at: number;
}

export function fullBucket({ capacity }: BucketSize, now: number): BucketLevel {
  return { level: capacity * TOKEN, at: now };
}

/** Adds the tokens that accrued since `bucket.at`; none after the clock was set back. */
function refill(bucket: BucketLevel, { capacity, perSecond }: BucketSize, now: number): void {
  const max = capacity * TOKEN;
  const elapsed = now - bucket.at;
  // Compare times first, because the product for a long time may be inexact.
  if (elapsed >= (max - bucket.level) / perSecond) bucket.level = max;
  else if (elapsed > 0) bucket.level += elapsed * perSecond;
  bucket.at = now;
}

/** Whole milliseconds until the tokens are available. A count above the capacity waits for a full bucket. */
function waitForTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): number {
  refill(bucket, size, now);
  const lacking = priceOf(size, count) - bucket.level;
  return lacking <= 0 ? 0 : Math.ceil(lacking / size.perSecond);
}

/** Consumes tokens, all or none. @returns as `waitForTokens` */
export function takeTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): number {
  const wait = waitForTokens(bucket, size, count, now);
  if (wait === 0) bucket.level -= priceOf(size, count);
  return wait;
}

/** Consumes tokens even if that puts the bucket into debt. */
function chargeTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): void {
  refill(bucket, size, now);
  bucket.level -= count * TOKEN;
}

function priceOf({ capacity }: BucketSize, count: number): number {
  return Math.min(count, capacity) * TOKEN;
}
