/**
 * A token bucket in whole numbers: a level counts thousandths of a token, so that `perSecond` tokens a second are
 * `perSecond` of them a millisecond, without rounding and whatever the order of questions.
 */
import type { BucketSize } from './settings.ts';

/** Thousandths in a token. */
export const TOKEN = 1_000;

/** A bucket's level as of a moment. */
export interface BucketLevel {
  /** Thousandths of a token. */
  level: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A full one. */
export function fullBucket({ capacity }: BucketSize, now: number): BucketLevel {
  return { level: capacity * TOKEN, at: now };
}

/** Lets in what has come since. A clock that was set back gives nothing, and holds nothing up. */
export function refill(bucket: BucketLevel, { capacity, perSecond }: BucketSize, now: number): void {
  const most = capacity * TOKEN;
  const elapsed = now - bucket.at;
  // Compared in time first: the product of a long time need not be exact.
  if (elapsed >= (most - bucket.level) / perSecond) bucket.level = most;
  else if (elapsed > 0) bucket.level += elapsed * perSecond;
  bucket.at = now;
}

/**
 * Takes tokens, all or none. More than the bucket can ever hold costs a full one.
 * @returns 0 when they were there, else whole milliseconds until they will be
 */
export function takeTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): number {
  refill(bucket, size, now);
  const price = Math.min(count, size.capacity) * TOKEN;
  if (bucket.level < price) return Math.ceil((price - bucket.level) / size.perSecond);
  bucket.level -= price;
  return 0;
}
