/**
 * Phases of the venue in which it takes less than all orders (docs/spec/polymarket.md#halts), as its refusals tell them: nothing
 * else announces them. A phase ends by time; then the account is compared before anything is quoted again.
 */
import type { VenueMode } from '../../domain/index.ts';
import type { PolymarketDeps } from './deps.ts';
import type { PolymarketError } from './rest-client.ts';

export interface VenuePhaseOptions {
  /** @param problem undefined when it is over */
  readonly changed: (mode: VenueMode, problem: string | undefined) => void;
}

const MODES: Readonly<Partial<Record<PolymarketError['kind'], VenueMode>>> = {
  RESTARTING: 'HALTED',
  DISABLED: 'HALTED',
  CANCEL_ONLY: 'CANCEL_ONLY',
  POST_ONLY: 'POST_ONLY',
};
/** Without a time that the venue names: 1 s, then twice as long each time. */
const [FIRST_MS, LONGEST_MS] = [1_000, 30_000];
/** A phase that begins again so soon is the same one. */
const SAME_MS = 60_000;

export class VenuePhase {
  readonly #deps: Pick<PolymarketDeps, 'clock' | 'timers'>;
  readonly #options: VenuePhaseOptions;
  #waitMs = FIRST_MS;
  #endedAt = Number.NEGATIVE_INFINITY;
  #mode: VenueMode = 'NORMAL';

  constructor(deps: Pick<PolymarketDeps, 'clock' | 'timers'>, options: VenuePhaseOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** A refusal tells a phase. Does nothing for others. */
  refused({ kind, text, retryAfterMs = 0 }: PolymarketError): void {
    const mode = MODES[kind];
    if (mode === undefined || this.#mode !== 'NORMAL') return;
    const { clock, timers } = this.#deps;
    this.#waitMs = clock.now() - this.#endedAt < SAME_MS ? Math.min(2 * this.#waitMs, LONGEST_MS) : FIRST_MS;
    this.#mode = mode;
    this.#options.changed(mode, text);
    timers.after(Math.max(this.#waitMs, retryAfterMs), () => {
      this.#mode = 'NORMAL';
      this.#endedAt = clock.now();
      this.#options.changed('NORMAL', undefined);
    });
  }
}
