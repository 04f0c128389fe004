/**
 * Delays new orders in replayed markets, as the recorded venue did. Without the delay, clients could trade against
 * quotes before the quotes' owners could react (docs/spec/models.md#time-and-look-ahead). Cancels are not delayed.
 *
 * An order is checked after its delay. A delayed order is not visible and not stored.
 */
import type { Clock } from '../../clock/index.ts';
import { type MarketId, timeAfter } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import { closingFault, type Watcher } from '../command-queue-types.ts';

export interface DelayedOrders {
  /** Resolves after the delay. Rejects with a Fault if the server closes earlier. */
  readonly passed: Promise<void>;
  /** Returns whether the market stopped accepting orders during the delay, even if the market is open again. */
  isInterrupted(market: MarketId): boolean;
}

export class PlacingDelays implements Watcher {
  readonly #clock: Clock;
  readonly #queue: CommandQueue;
  readonly #tapeSpeeds = new Map<MarketId, number>();
  /** Number of times that each market stopped accepting orders. */
  readonly #stops = new Map<MarketId, number>();
  /** Functions that reject the delayed orders of one call. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock, queue: CommandQueue) {
    this.#clock = clock;
    this.#queue = queue;
  }

  /** Registers a market whose tape is played. */
  follow(market: MarketId, speed: number): void {
    if (this.#tapeSpeeds.size === 0) this.#queue.watch(this);
    this.#tapeSpeeds.set(market, speed);
    this.#stops.set(market, 0);
  }

  /** True if no tape is played, so that no order is delayed. */
  get isIdle(): boolean {
    return this.#tapeSpeeds.size === 0;
  }

  /** Delays orders for these markets. Returns undefined for no delay. */
  delayOrders(markets: readonly MarketId[]): DelayedOrders | undefined {
    if (this.isIdle) return undefined;
    const delayMs = Math.max(0, ...markets.map((market) => this.#getDelayMs(market)));
    if (delayMs === 0) return undefined;
    const before = new Map(markets.map((market) => [market, this.#stops.get(market)]));
    return { passed: this.#wait(delayMs), isInterrupted: (market) => before.get(market) !== this.#stops.get(market) };
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'rareEvent' || event.event.type !== 'marketChanged') continue;
      const { market, status, halted } = event.event;
      const id = this.#queue.view.market(market)?.id;
      const stops = id === undefined ? undefined : this.#stops.get(id);
      if (id !== undefined && stops !== undefined && (status !== 'OPEN' || halted)) this.#stops.set(id, stops + 1);
    }
  }

  /** Rejects all delayed orders. */
  close(): void {
    this.#isClosed = true;
    for (const reject of this.#waiting) reject();
    this.#waiting.clear();
  }

  /** Returns whole milliseconds, rounded **up**. */
  #getDelayMs(market: MarketId): number {
    const speed = this.#tapeSpeeds.get(market);
    if (speed === undefined) return 0;
    return Math.ceil((this.#queue.view.marketById(market)?.following?.placeDelay ?? 0) / speed);
  }

  #wait(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.reject(closingFault());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), ms), () => {
      this.#waiting.delete(onClose);
      resolve();
    });
    const onClose = (): void => {
      cancel();
      reject(closingFault());
    };
    this.#waiting.add(onClose);
    return promise;
  }
}
