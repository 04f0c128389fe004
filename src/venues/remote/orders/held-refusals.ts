/**
 * Refusals that say more than the stream has told yet: they are held until it has, so that the core hears of a fill before it
 * hears that the cancel came too late for it.
 */
import type { CancelResultFieldsFragment } from '../../../protocol/index.ts';
import { microSharesOf } from '../../../protocol/index.ts';
import type { SentOrder } from './sent-orders.ts';
import type { Timers } from './timers.ts';

/** What the stream has to tell of an order first. */
interface Awaited {
  readonly order: SentOrder;
  /** Micro-shares that the venue has seen filled. */
  readonly filled: number;
  /** The venue has seen its end. */
  readonly final: boolean;
}

interface Held {
  readonly awaited: readonly Awaited[];
  readonly tell: () => void;
}

/** After so long a stream that tells nothing of it is asked for anew; then the refusal is told all the same. ms */
const PATIENCE_MS = 500;
const MOST_PATIENCE_MS = 3_000;

export class HeldRefusals {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #held: Held[] = [];

  /** @param catchUp asks for the stream anew from where it stands */
  constructor(timers: Timers, catchUp: () => void) {
    this.#timers = timers;
    this.#catchUp = catchUp;
  }

  get size(): number {
    return this.#held.length;
  }

  /** Calls `tell` once the stream is as far as these results: at once, where it is. */
  hold(results: readonly (readonly [SentOrder, CancelResultFieldsFragment])[], tell: () => void): void {
    const awaited = results.map(([order, result]) => awaitedOf(order, result));
    if (awaited.every(isTold)) {
      tell();
      return;
    }
    const held = { awaited, tell };
    this.#held.push(held);
    this.#timers.after(PATIENCE_MS, () => {
      if (!this.#held.includes(held)) return;
      this.#catchUp();
      this.#timers.after(MOST_PATIENCE_MS, () => this.#release((each) => each === held));
    });
  }

  /** The stream has told something. */
  moved(): void {
    if (this.#held.length > 0) this.#release(({ awaited }) => awaited.every(isTold));
  }

  #release(isReady: (held: Held) => boolean): void {
    const ready = this.#held.filter(isReady);
    if (ready.length === 0) return;
    this.#held = this.#held.filter((each) => !ready.includes(each));
    for (const { tell } of ready) tell();
  }
}

function awaitedOf(order: SentOrder, { rejection, filledShares }: CancelResultFieldsFragment): Awaited {
  const filled = filledShares === null ? 0 : microSharesOf('filledShares', filledShares);
  return { order, filled, final: rejection?.reason === 'ALREADY_FINAL' };
}

function isTold({ order, filled, final }: Awaited): boolean {
  return order.gone || (!final && order.filled >= filled);
}
