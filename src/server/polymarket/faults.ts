/** Faults of the Polymarket dialect, which operators set (`polymarket-fault`) or chaos draws (`--chaos`). */
import type { Random } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { ChaosSettings } from '../chaos/settings.ts';

export const LASTING_FAULTS = [
  /** All orders and cancels get 425, as during a restart of the engine. */
  'restart',
  /** Orders that are not post-only get 503. */
  'post-only',
  /** All orders get 403. */
  'region',
  /** Marketable orders get the answer `delayed`, and match when the fault ends. */
  'delay',
  /** Streams stay open but send nothing. */
  'silence',
  /** Streams send each frame twice. */
  'double',
] as const;
export const COUNTED_FAULTS = [
  /** The venue accepts an order, but sends no answer. */
  'lose-answer',
  /** A trade's transaction reverts once, and the venue sends the transaction again: RETRYING. */
  'retry',
  /** A trade's transaction reverts twice: RETRYING, then FAILED. The venue then reverses the trade. */
  'fail',
  /** The venue expects another id in the next heartbeat. */
  'wrong-beat',
] as const;
export type LastingFault = (typeof LASTING_FAULTS)[number];
export type CountedFault = (typeof COUNTED_FAULTS)[number];

/** `retried`: mined after a retry. `failed`: failed after a retry. */
export type TransactionOutcome = 'mined' | 'retried' | 'failed';

/** Probabilities of faults, and the random numbers that decide them. */
interface PolymarketChances {
  readonly settings: ChaosSettings['polymarket'];
  readonly random: Random;
}

export class PolymarketFaults {
  readonly #chances: PolymarketChances | undefined;
  readonly #endsAt = new Map<LastingFault, number>();
  readonly #remainingCounts = new Map<CountedFault, number>();

  /** @param chances undefined for no random faults */
  constructor(chances?: PolymarketChances) {
    this.#chances = chances;
  }

  /** Begins a restart by chance. Call this for each order and cancel. */
  startRestartByChance(now: EpochMs): void {
    const chances = this.#chances;
    if (chances !== undefined && chances.random.uniform() < chances.settings.restart)
      this.setLasting('restart', now, chances.settings.restart_ms);
  }

  /** Draws the delay of a marketable order, ms; 0 for none. */
  drawDelay(now: EpochMs): number {
    const chances = this.#chances;
    const isDrawn = chances !== undefined && chances.random.uniform() < chances.settings.delayed;
    return Math.max(this.remainingMs('delay', now), isDrawn ? chances.settings.delay_ms : 0);
  }

  drawTransaction(): TransactionOutcome {
    const drawn = this.#chances?.random.uniform() ?? 1;
    const { failed = 0, retried = 0 } = this.#chances?.settings ?? {};
    if (this.consume('fail') || drawn < failed) return 'failed';
    return this.consume('retry') || drawn < failed + retried ? 'retried' : 'mined';
  }

  /** @param lengthMs duration from now; 0 ends the fault */
  setLasting(fault: LastingFault, now: EpochMs, lengthMs: number): void {
    this.#endsAt.set(fault, now + lengthMs);
  }

  /** @param count 0 ends the fault */
  setCounted(fault: CountedFault, count: number): void {
    this.#remainingCounts.set(fault, count);
  }

  /** Returns the remaining time of a fault, ms; 0 for none. */
  remainingMs(fault: LastingFault, now: EpochMs): number {
    return Math.max(0, (this.#endsAt.get(fault) ?? 0) - now);
  }

  /** Counts down a fault. @returns whether the fault applies now */
  consume(fault: CountedFault): boolean {
    const remaining = this.#remainingCounts.get(fault) ?? 0;
    if (remaining > 0) this.#remainingCounts.set(fault, remaining - 1);
    return remaining > 0;
  }
}
