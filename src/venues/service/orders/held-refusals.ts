/**
 * Refusals that know more than the stream has reported: they are held until it has, so that a fill is reported before the refusal
 * of a cancel that came too late for it.
 */
import type { CancelResultFieldsFragment } from '../../../protocol/index.ts';
import { microSharesOf } from '../../../protocol/index.ts';
import type { Timers, VenueOrder } from '../../base/index.ts';

/** Events of an order that the stream must report first. */
interface Awaited {
  readonly order: VenueOrder;
  /** Micro-shares that the venue has seen filled. */
  readonly filled: number;
  /** The venue has seen its end. */
  readonly final: boolean;
}

interface Held {
  readonly awaited: readonly Awaited[];
  readonly release: () => void;
}

/** After so long without an event the stream is requested again; then the refusal is reported all the same. ms */
const PATIENCE_MS = 500;
const MOST_PATIENCE_MS = 3_000;

export class HeldRefusals {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #held: Held[] = [];

  /** @param catchUp requests the stream again from where it stands */
  constructor(timers: Timers, catchUp: () => void) {
    this.#timers = timers;
    this.#catchUp = catchUp;
  }

  /** Calls `release` once the stream is as far as these results: at once, where it is. */
  hold(results: readonly (readonly [VenueOrder, CancelResultFieldsFragment])[], release: () => void): void {
    const awaited = results.map(([order, result]) => awaitedOf(order, result));
    if (awaited.every(isReported)) {
      release();
      return;
    }
    const held = { awaited, release };
    this.#held.push(held);
    this.#timers.after(PATIENCE_MS, () => {
      if (!this.#held.includes(held)) return;
      this.#catchUp();
      this.#timers.after(MOST_PATIENCE_MS, () => this.#release((each) => each === held));
    });
  }

  /** The stream has reported something. */
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
