/** Reports the venue's rate limits for orders and cancels to the core. */
import type { RateBucketName } from '../../../domain/index.ts';
import { boundedWait } from '../../../network/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import type { Bucket } from './account.ts';

export class RateBuckets {
  readonly #deps: Pick<ExecutionDeps, 'clock' | 'report'>;
  #buckets: readonly Bucket[] = [];

  constructor(deps: Pick<ExecutionDeps, 'clock' | 'report'>) {
    this.#deps = deps;
  }

  /** Reports the initial state of the buckets. */
  start(buckets: readonly Bucket[]): void {
    this.#buckets = buckets;
    for (const name of ['order', 'cancel'] as const) this.#report(name, undefined);
  }

  /** Reports an empty bucket. @param retryAfterMs as the venue sent it */
  onLimited(name: RateBucketName, retryAfterMs: number): void {
    this.#report(name, retryAfterMs);
  }

  #report(name: RateBucketName, retryAfterMs: number | undefined): void {
    const bucket = this.#buckets.find((each) => each.name === name);
    if (bucket === undefined) return;
    const { capacity, refillPerSecond, remaining } = bucket;
    const time = this.#deps.clock.now();
    this.#deps.report({
      type: 'rateLimitUpdated',
      time,
      venueTime: time,
      bucket: name,
      capacity,
      refillPerSecond,
      remaining: retryAfterMs === undefined ? remaining : 0,
      retryAfterMs: boundedWait(retryAfterMs ?? 0),
    });
  }
}
