/**
 * The bot's estimate of the venue's rate limits: a token bucket for orders and a token bucket for cancels. Event times
 * and the venue's reports update the buckets.
 *
 * A place costs one order token. A cancel or reduce costs one cancel token. A replace costs the sum of its places and
 * cancels. As at the venue, no command costs more than a full bucket. Requotes leave a reserve of cancel tokens, so the
 * bot can always cancel. `cancelAll` may consume more tokens than the bucket has.
 */
import {
  type EpochMs,
  type OrderCommand,
  type RateBucketName,
  type RateLimitUpdated,
  timeAfter,
} from '../domain/index.ts';

/** A bucket's size in tokens and its refill in tokens a second, both above 0. */
export interface RateLimit {
  readonly capacity: number;
  readonly perSecond: number;
}

/** Number of tokens by bucket. */
export type RateCost = Readonly<Record<RateBucketName, number>>;

/** Requotes leave this fraction of the cancel bucket. */
const RESERVE_FRACTION = 0.2;

type ReserveMode = 'keepReserve' | 'useReserve';

export class RateBudget {
  readonly #buckets: Readonly<Record<RateBucketName, Bucket>>;

  /** @param limits initial limits; default: none until the venue reports one */
  constructor(limits?: Readonly<Record<RateBucketName, RateLimit>>) {
    this.#buckets = { order: new Bucket(limits?.order), cancel: new Bucket(limits?.cancel) };
  }

  /** Applies the venue's report. The report excludes commands in flight, so the smaller number of tokens applies. */
  update(event: RateLimitUpdated): void {
    this.#buckets[event.bucket].update(event);
  }

  /**
   * Consumes the tokens if all are available, otherwise none.
   * @param mode whether to leave the reserve of cancel tokens. Default: leave it only if the commands place orders
   */
  tryConsume(cost: RateCost, now: EpochMs, mode: ReserveMode = cost.order > 0 ? 'keepReserve' : 'useReserve'): boolean {
    const { order, cancel } = this.#buckets;
    const reserve = mode === 'keepReserve' ? cancel.reserve : 0;
    if (order.waitMs(cost.order, 0, now) > 0 || cancel.waitMs(cost.cancel, reserve, now) > 0) return false;
    this.consume(cost, now);
    return true;
  }

  /** Consumes the tokens even if the bucket has too few, for commands that must not wait. */
  consume(cost: RateCost, now: EpochMs): void {
    this.#buckets.order.consume(cost.order, now);
    this.#buckets.cancel.consume(cost.cancel, now);
  }

  /** Returns the state of the limited buckets. Refills no bucket, because an extra refill could change rounding. */
  bucketStates(now: EpochMs): readonly RateBucketState[] {
    return (['order', 'cancel'] as const).flatMap((bucket) => this.#buckets[bucket].states(bucket, now));
  }

  /** Returns the earliest time after `now` at which `tryConsume` succeeds, rounded **up** to ms. */
  readyAt(cost: RateCost, now: EpochMs): EpochMs {
    const { order, cancel } = this.#buckets;
    const reserve = cost.order > 0 ? cancel.reserve : 0;
    return timeAfter(now, Math.max(1, order.waitMs(cost.order, 0, now), cancel.waitMs(cost.cancel, reserve, now)));
  }
}

/** The state of a bucket, for display. */
export interface RateBucketState extends RateLimit {
  readonly bucket: RateBucketName;
  /** Available tokens, possibly a fraction; negative after `cancelAll` exceeded the bucket. */
  readonly left: number;
}

/** Returns the cost of commands. @param openOrders number of orders that a `cancelAll` cancels */
export function rateCost(commands: readonly OrderCommand[], openOrders: number): RateCost {
  let [order, cancel] = [0, 0];
  for (const command of commands) {
    if (command.type === 'place') order += 1;
    else if (command.type === 'cancel' || command.type === 'reduce') cancel += 1;
    else if (command.type === 'replace') {
      order += command.places.length;
      cancel += command.cancels.length;
    } else if (command.type === 'cancelAll') cancel += openOrders;
  }
  return { order, cancel };
}

class Bucket {
  #capacity: number;
  #perSecond: number;
  #tokens: number;
  #refilledAt = 0;
  #blockedUntil = 0;

  constructor(limit: RateLimit | undefined) {
    this.#capacity = limit?.capacity ?? Number.POSITIVE_INFINITY;
    this.#perSecond = limit?.perSecond ?? Number.POSITIVE_INFINITY;
    this.#tokens = this.#capacity;
  }

  get reserve(): number {
    return Number.isFinite(this.#capacity) ? Math.floor(this.#capacity * RESERVE_FRACTION) : 0;
  }

  update({ time, capacity, refillPerSecond, remaining, retryAfterMs }: RateLimitUpdated): void {
    this.#refill(time);
    this.#capacity = capacity;
    this.#perSecond = refillPerSecond;
    this.#refilledAt = Math.max(this.#refilledAt, time);
    this.#tokens = Math.min(this.#tokens, remaining, capacity);
    this.#blockedUntil = Math.max(this.#blockedUntil, time + retryAfterMs);
  }

  /** Returns the milliseconds until `tokens` and the reserve are available, or 0. */
  waitMs(tokens: number, reserve: number, now: number): number {
    if (tokens === 0) return 0;
    this.#refill(now);
    const missing = Math.min(tokens + reserve, this.#capacity) - this.#tokens;
    const refill = missing > 0 ? Math.ceil((missing / this.#perSecond) * 1_000) : 0;
    return Math.max(refill, this.#blockedUntil - now, 0);
  }

  consume(tokens: number, now: number): void {
    if (tokens === 0 || !Number.isFinite(this.#capacity)) return;
    this.#refill(now);
    this.#tokens -= Math.min(tokens, this.#capacity);
  }

  states(bucket: RateBucketName, now: number): readonly RateBucketState[] {
    const [capacity, perSecond] = [this.#capacity, this.#perSecond];
    if (!Number.isFinite(capacity)) return [];
    const refilled = this.#tokens + (Math.max(0, now - this.#refilledAt) / 1_000) * perSecond;
    return [{ bucket, left: Math.min(capacity, refilled), capacity, perSecond }];
  }

  #refill(now: number): void {
    if (now <= this.#refilledAt) return;
    if (Number.isFinite(this.#capacity)) {
      this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#refilledAt) / 1_000) * this.#perSecond);
    }
    this.#refilledAt = now;
  }
}
