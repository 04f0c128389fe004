/**
 * The venue's status as one value (docs/spec/venue.md#errors-and-transport).
 *
 * DOWN: the server refuses requests, because the exchange has stopped (its store cannot commit, or an invariant broke)
 * or the server is shutting down. DEGRADED: the mode is not NORMAL, a commit has been running for seconds, or the
 * exchange's time stands still because its last event is ahead of the clock. OK: otherwise.
 */
import type { Clock } from '../clock/index.ts';
import type { VenueMode } from '../domain/index.ts';
import { type HealthStatus, timeText } from '../protocol/index.ts';
import type { HealthReport } from './http/options.ts';

export interface HealthInputs {
  /** Mode and sequence number of the durable state. */
  readonly mode: VenueMode;
  readonly seq: number;
  /** Duration of the running commit so far; 0 for no commit. */
  readonly commitMs: number;
  /** True if the store has stopped writing. */
  readonly isStoreBroken: boolean;
  /** Time of the exchange's last event, epoch ms. */
  readonly exchangeTime: number;
}

interface HealthDeps {
  readonly clock: Clock;
  readonly version: string;
  inputs(): HealthInputs;
}

/** A slower commit indicates a busy or failing disk. */
const SLOW_COMMIT_MS = 3_000;
export const CLOCK_LAG_TOLERANCE_MS = 1_000;

export class Health {
  readonly #deps: HealthDeps;
  readonly #startedAt: number;
  #isDown = false;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
  }

  get status(): HealthStatus {
    const { mode, commitMs, isStoreBroken } = this.#deps.inputs();
    if (this.#isDown || isStoreBroken) return 'DOWN';
    const isImpaired = mode !== 'NORMAL' || commitMs > SLOW_COMMIT_MS || this.clockLagMs > CLOCK_LAG_TOLERANCE_MS;
    return isImpaired ? 'DEGRADED' : 'OK';
  }

  /** Lag of the clock behind the exchange's last event. Positive only if the clock was set back before the start. */
  get clockLagMs(): number {
    return Math.max(0, this.#deps.inputs().exchangeTime - this.#deps.clock.now());
  }

  setDown(): void {
    this.#isDown = true;
  }

  report(): HealthReport {
    const { mode, seq } = this.#deps.inputs();
    const now = this.#deps.clock.now();
    return {
      status: this.status,
      mode,
      version: this.#deps.version,
      serverTime: timeText(now),
      engineSeq: String(seq),
      uptimeSeconds: Math.max(0, Math.floor((now - this.#startedAt) / 1000)),
    };
  }
}
