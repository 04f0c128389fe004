/**
 * Holds refusals that are ahead of the own stream, until the stream has reported the same state. A fill is then reported
 * before the refusal of a cancel that came too late for it.
 */
import { type CancelResultFieldsFragment, microSharesOf } from '../../../protocol/index.ts';
import type { Timers, VenueOrder } from '../../base/index.ts';

/** State of an order that the stream must report first. */
interface Awaited {
  readonly order: VenueOrder;
  /** Micro-shares filled at the venue. */
  readonly filled: number;
  /** Whether the order has ended at the venue. */
  readonly final: boolean;
}

interface Held {
  readonly awaited: readonly Awaited[];
  readonly release: () => void;
}

/** Wait before the stream is requested again, ms. */
const CATCH_UP_MS = 500;
/** Further wait before the refusal is reported anyway, ms. */
const RELEASE_MS = 3_000;

export class HeldRefusals {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #held: Held[] = [];

  /** @param catchUp requests the stream again from its position */
  constructor(timers: Timers, catchUp: () => void) {
    this.#timers = timers;
    this.#catchUp = catchUp;
  }

  /** Calls `release` once the stream has reported these results, possibly at once. */
  hold(results: readonly (readonly [VenueOrder, CancelResultFieldsFragment])[], release: () => void): void {
    const awaited = results.map(([order, result]) => awaitedOf(order, result));
    if (awaited.every(isReported)) {
      release();
      return;
    }
    const held = { awaited, release };
    this.#held.push(held);
    this.#timers.after(CATCH_UP_MS, () => {
      if (!this.#held.includes(held)) return;
      this.#catchUp();
      this.#timers.after(RELEASE_MS, () => this.#release((each) => each === held));
    });
  }

  /** Releases what the stream has reported by now. */
  moved(): void {
    if (this.#held.length > 0) this.#release(({ awaited }) => awaited.every(isReported));
  }

  #release(isReady: (held: Held) => boolean): void {
    const ready = this.#held.filter(isReady);
    if (ready.length === 0) return;
    this.#held = this.#held.filter((each) => !ready.includes(each));
    for (const { release } of ready) release();
  }
}

function awaitedOf(order: VenueOrder, { rejection, filledShares }: CancelResultFieldsFragment): Awaited {
  const filled = filledShares === null ? 0 : microSharesOf('filledShares', filledShares);
  return { order, filled, final: rejection?.reason === 'ALREADY_FINAL' };
}

function isReported({ order, filled, final }: Awaited): boolean {
  return order.life.hasEnded || (!final && order.filled >= filled);
}
