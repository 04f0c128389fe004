import type { LatencyModel } from './ports.ts';

/**
 * Market data between the venue and the bot: never received before it happened, nor before the message before it.
 *
 * HOT: asked once a message. Measured in bench/replay.ts.
 */
export class FeedLatency {
  readonly #latency: LatencyModel;
  readonly #recorded: boolean;
  #last = 0;
  #lastDelay = 0;
  #early = 0;

  /** @param recorded whether the tape has receive times; the feed latency is asked only where it has none */
  constructor(latency: LatencyModel, recorded: boolean) {
    this.#latency = latency;
    this.#recorded = recorded;
  }

  /** Messages received before they happened: the clocks of a recording disagree. They count as received at once. */
  get early(): number {
    return this.#early;
  }

  /** When the bot receives a message of the tape. */
  receivedAt(tx: number, rx: number): number {
    let time = this.#recorded ? rx : tx + this.#latency.feed();
    if (time < tx) {
      time = tx;
      this.#early += 1;
    }
    if (time < this.#last) time = this.#last;
    this.#last = time;
    this.#lastDelay = time - tx;
    return time;
  }

  /** When the bot receives what we changed; where receive times are recorded, after the last recorded delay. */
  ownReceivedAt(time: number): number {
    const delay = this.#recorded ? this.#lastDelay : this.#latency.feed();
    this.#last = Math.max(time + delay, this.#last);
    return this.#last;
  }
}
