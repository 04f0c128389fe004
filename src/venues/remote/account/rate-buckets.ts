/** The venue's rate limits for orders and cancels, told to the core, which keeps within them. */
import type { RateBucketName } from '../../../domain/index.ts';
import { boundedWait } from '../../../network/index.ts';
import type { OrdersOf } from '../orders/orders-of.ts';
import type { Bucket } from './account.ts';

export class RateBuckets {
  readonly #of: Pick<OrdersOf, 'clock' | 'tell'>;
  #buckets: readonly Bucket[] = [];

  constructor(of: Pick<OrdersOf, 'clock' | 'tell'>) {
    this.#of = of;
  }

  /** As the account shows them. */
  start(buckets: readonly Bucket[]): void {
    this.#buckets = buckets;
    for (const name of ['order', 'cancel'] as const) this.#tell(name, undefined);
  }

  /** One is empty. @param retryAfterMs as the venue said */
  limited(name: RateBucketName, retryAfterMs: number): void {
    this.#tell(name, retryAfterMs);
  }

  #tell(name: RateBucketName, retryAfterMs: number | undefined): void {
    const bucket = this.#buckets.find((each) => each.name === name);
    if (bucket === undefined) return;
    const { capacity, refillPerSecond, remaining } = bucket;
    const time = this.#of.clock.now();
    this.#of.tell({
      type: 'ratesTold',
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
