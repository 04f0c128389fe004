/**
 * Holds refusals that are ahead of the own stream, until the stream has reported the same state. A fill is then
 * reported before the refusal of a cancel that arrived after the fill.
 */
import { type CancelResultFieldsFragment, parseMicroShares } from '../../../protocol/index.ts';
import type { Timers, VenueOrder } from '../../base/index.ts';

/** State of an order that the stream must report first. */
interface ExpectedState {
  readonly order: VenueOrder;
  /** Micro-shares filled at the venue. */
  readonly filled: number;
  readonly isFinal: boolean;
}

type HeldRefusal = { readonly expected: readonly ExpectedState[]; readonly release: () => void };

/** Wait before the stream is requested again, ms. */
const CATCH_UP_MS = 500;
/** Further wait before the refusal is reported anyway, ms. */
const RELEASE_MS = 3_000;

export class HeldRefusals {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #held: HeldRefusal[] = [];

  /** @param catchUp requests the stream again from its position */
  constructor(timers: Timers, catchUp: () => void) {
    this.#timers = timers;
    this.#catchUp = catchUp;
  }

  /** Calls `release` once the stream has reported these results, which may be at once. */
  hold(results: readonly (readonly [VenueOrder, CancelResultFieldsFragment])[], release: () => void): void {
    const expected = results.map(([order, result]) => toExpectedState(order, result));
    if (expected.every(isReported)) {
      release();
      return;
    }
    const held = { expected, release };
    this.#held.push(held);
    this.#timers.after(CATCH_UP_MS, () => {
      if (!this.#held.includes(held)) return;
      this.#catchUp();
      this.#timers.after(RELEASE_MS, () => this.#release((each) => each === held));
    });
  }

  /** Releases the refusals whose expected states the stream has reported. */
  releaseReported(): void {
    if (this.#held.length > 0) this.#release(({ expected }) => expected.every(isReported));
  }

  #release(isReady: (held: HeldRefusal) => boolean): void {
    const ready = this.#held.filter(isReady);
    if (ready.length === 0) return;
    this.#held = this.#held.filter((each) => !ready.includes(each));
    for (const { release } of ready) release();
  }
}

function toExpectedState(order: VenueOrder, { rejection, filledShares }: CancelResultFieldsFragment): ExpectedState {
  const filled = filledShares === null ? 0 : parseMicroShares('filledShares', filledShares);
  return { order, filled, isFinal: rejection?.reason === 'ALREADY_FINAL' };
}

function isReported({ order, filled, isFinal }: ExpectedState): boolean {
  return order.life.hasEnded || (!isFinal && order.filled >= filled);
}
