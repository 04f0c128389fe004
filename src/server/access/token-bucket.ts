/**
 * A token bucket in whole numbers: a level counts thousandths of a token, so that `perSecond` tokens a second are
 * `perSecond` of them a millisecond, without rounding and whatever the order of questions.
 */
import type { BucketSize } from './settings.ts';

/** Thousandths in a token. */
export const TOKEN = 1_000;

/** A bucket's level as of a moment. */
export interface BucketLevel {
  /** Thousandths of a token; below 0 in debt. */
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
 * Whole milliseconds until the tokens are there, 0 when they are; takes none. More than the bucket can ever hold is a full
 * one.
 */
export function waitForTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): number {
  refill(bucket, size, now);
  const lacking = priceOf(size, count) - bucket.level;
  return lacking <= 0 ? 0 : Math.ceil(lacking / size.perSecond);
}

/** Takes tokens, all or none. @returns as `waitForTokens` */
export function takeTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): number {
  const wait = waitForTokens(bucket, size, count, now);
  if (wait === 0) bucket.level -= priceOf(size, count);
  return wait;
}

/** Takes tokens whether they are there or not: what lacks is debt, and comes in first. */
export function chargeTokens(bucket: BucketLevel, size: BucketSize, count: number, now: number): void {
  refill(bucket, size, now);
  bucket.level -= count * TOKEN;
}

function priceOf({ capacity }: BucketSize, count: number): number {
  return Math.min(count, capacity) * TOKEN;
}
