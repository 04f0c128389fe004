/**
 * Detects phases in which the venue accepts only some requests or none (docs/spec/polymarket.md#halts). Only refusals
 * reveal a phase. A phase ends after a wait. Then the account is compared before anything is quoted.
 */
import { VENUE_MODES, type VenueMode } from '../../domain/index.ts';
import type { PolymarketDeps } from './deps.ts';
import type { PolymarketError } from './rest-client.ts';

const MODES: Readonly<Partial<Record<PolymarketError['kind'], VenueMode>>> = {
  RESTARTING: 'HALTED',
  DISABLED: 'HALTED',
  CANCEL_ONLY: 'CANCEL_ONLY',
  POST_ONLY: 'POST_ONLY',
};
/** Shortest length of a phase, ms. Doubles with each repeat, from the first value to the longest. */
const [FIRST_MS, LONGEST_MS] = [1_000, 30_000];
/** A phase that begins within this time after the previous phase is a repeat. */
const REPEAT_MS = 60_000;

export class VenuePhase {
  readonly #deps: Pick<PolymarketDeps, 'clock' | 'timers'>;
  /** `problem` is undefined when the phase is over. */
  readonly #onChange: (mode: VenueMode, problem?: string) => void;
  #waitMs = FIRST_MS;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** When the active phase ends. */
  #endsAt = Number.NEGATIVE_INFINITY;
  #mode: VenueMode = 'NORMAL';
  #stopTimer = (): void => {};

  constructor(deps: Pick<PolymarketDeps, 'clock' | 'timers'>, onChange: (mode: VenueMode, problem?: string) => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  /**
   * Begins a phase if the refusal reveals one. A phase replaces an active phase that is less restrictive, and ends at
   * the later of the two ends.
   */
  onRefused({ kind, text, retryAfterMs = 0 }: PolymarketError): void {
    const mode = MODES[kind];
    if (mode === undefined || VENUE_MODES.indexOf(mode) <= VENUE_MODES.indexOf(this.#mode)) return;
    const { clock, timers } = this.#deps;
    this.#waitMs = clock.now() - this.#endedAt < REPEAT_MS ? Math.min(2 * this.#waitMs, LONGEST_MS) : FIRST_MS;
    this.#endsAt = Math.max(this.#endsAt, clock.now() + Math.max(this.#waitMs, retryAfterMs));
    this.#mode = mode;
    this.#stopTimer();
    this.#onChange(mode, text);
    this.#stopTimer = timers.after(this.#endsAt - clock.now(), () => {
      this.#mode = 'NORMAL';
      this.#endedAt = clock.now();
      this.#endsAt = Number.NEGATIVE_INFINITY;
      this.#onChange('NORMAL');
    });
  }
}
