/**
 * The venue's status as one value (docs/spec/venue.md#errors-and-transport).
 *
 * DOWN: nothing new is answered, because the exchange has stopped (its store cannot commit, or an invariant broke) or
 * the server is shutting down. DEGRADED: it answers, but not everything: the mode is not NORMAL, a commit has been
 * under way for seconds, or the exchange stands still because its last event is ahead of the clock. OK: else.
 */
import type { Clock } from '../clock/index.ts';
import type { VenueMode } from '../exchange/index.ts';
import { type HealthStatus, timeText } from '../protocol/index.ts';
import type { HealthReport } from './http/options.ts';

/** Inputs of the health check. */
export interface VenueSigns {
  /** As of what is durable, likewise `seq`. */
  readonly mode: VenueMode;
  readonly seq: number;
  /** Duration of the running commit so far, ms. */
  readonly commitWaiting: number;
  /** Whether the store writes nothing more. */
  readonly isStoreBroken: boolean;
  /** Moment of the last event. */
  readonly exchangeTime: number;
}

/** A commit that takes longer waits for a disk that is full of other work, or ill; ms. */
const SLOW_COMMIT = 3_000;
/** Largest lag of the clock behind the last event that is not reported, ms. */
export const LATE_CLOCK = 1_000;

/** Reports the status, from the beginning of a start to the end. */
export class Health {
  readonly #clock: Clock;
  readonly #version: string;
  readonly #signs: () => VenueSigns;
  readonly #startedAt: number;
  #isDown = false;

  constructor(deps: { readonly clock: Clock; readonly version: string; signs(): VenueSigns }) {
    this.#clock = deps.clock;
    this.#version = deps.version;
    this.#signs = () => deps.signs();
    this.#startedAt = deps.clock.now();
  }

  get status(): HealthStatus {
    const { mode, commitWaiting, isStoreBroken } = this.#signs();
    if (this.#isDown || isStoreBroken) return 'DOWN';
    const isImpaired = mode !== 'NORMAL' || commitWaiting > SLOW_COMMIT || this.clockBehind > LATE_CLOCK;
    return isImpaired ? 'DEGRADED' : 'OK';
  }

  /** Lag of the clock behind the exchange's last event, ms. 0 unless the clock was corrected before a start. */
  get clockBehind(): number {
    return Math.max(0, this.#signs().exchangeTime - this.#clock.now());
  }

  /** It answers nothing new from now on. */
  down(): void {
    this.#isDown = true;
  }

  report(): HealthReport {
    const { mode, seq } = this.#signs();
    const now = this.#clock.now();
    return {
      status: this.status,
      mode,
      version: this.#version,
      serverTime: timeText(now),
      engineSeq: String(seq),
      uptimeSeconds: Math.max(0, Math.floor((now - this.#startedAt) / 1000)),
    };
  }
}
