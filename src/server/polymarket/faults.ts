/** Faults of the Polymarket dialect, on demand (operators' `polymarket-fault`) and by chance (`--chaos`). */
import type { Random } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { ChaosSettings } from '../chaos/settings.ts';

/** Faults that last for a time. */
export const LASTING_FAULTS = [
  /** 425 on all places and cancels, like a restart of the engine. */
  'restart',
  /** 503 on orders that are not post-only. */
  'post-only',
  /** 403 on placing. */
  'region',
  /** Marketable orders are answered `delayed` and match after the rest of the time. */
  'delay',
  /** Streams stay open but send nothing. */
  'silence',
  /** Streams send each frame twice. */
  'double',
] as const;
/** Faults of a number of requests or trades. */
export const COUNTED_FAULTS = [
  /** An order is accepted, but its answer is not sent. */
  'lose-answer',
  /** The transaction of a trade is reverted once and sent again: RETRYING. */
  'retry',
  /** The transaction of a trade is reverted twice: RETRYING, then FAILED, and the trade is reversed. */
  'fail',
  /** The next heartbeat's id is wrong. */
  'wrong-beat',
] as const;
export type LastingFault = (typeof LASTING_FAULTS)[number];
export type CountedFault = (typeof COUNTED_FAULTS)[number];

/** Outcome of a transaction: mined, mined after a retry, or failed after a retry. */
export type TransactionOutcome = 'mined' | 'retried' | 'failed';

/** Probabilities of faults, and the stream that they are drawn from. */
export interface PolymarketChances {
  readonly settings: ChaosSettings['polymarket'];
  readonly random: Random;
}

export class PolymarketFaults {
  readonly #chances: PolymarketChances | undefined;
  readonly #until = new Map<LastingFault, number>();
  readonly #left = new Map<CountedFault, number>();

  /** @param chances undefined for none */
  constructor(chances?: PolymarketChances) {
    this.#chances = chances;
  }

  /** Begins a restart by chance. Call it for each order and cancel. */
  drawRestart(now: EpochMs): void {
    const chances = this.#chances;
    if (chances !== undefined && chances.random.uniform() < chances.settings.restart)
      this.setLasting('restart', now, chances.settings.restart_ms);
  }

  /** Delay of a marketable order, ms; 0 for none. */
  delayOf(now: EpochMs): number {
    const chances = this.#chances;
    const isDrawn = chances !== undefined && chances.random.uniform() < chances.settings.delayed;
    return Math.max(this.remainingMs('delay', now), isDrawn ? chances.settings.delay_ms : 0);
  }

  /** Draws the outcome of the next trade's transaction. */
  nextTransaction(): TransactionOutcome {
    const chances = this.#chances;
    const drawn = chances === undefined ? 1 : chances.random.uniform();
    const { failed = 0, retried = 0 } = chances?.settings ?? {};
    if (this.consume('fail') || drawn < failed) return 'failed';
    return this.consume('retry') || drawn < failed + retried ? 'retried' : 'mined';
  }

  /** Sets a lasting fault. @param forMs duration from now; 0 ends the fault */
  setLasting(fault: LastingFault, now: EpochMs, forMs: number): void {
    this.#until.set(fault, now + forMs);
  }

  /** Sets a counted fault. @param count 0 ends the fault */
  setCounted(fault: CountedFault, count: number): void {
    this.#left.set(fault, count);
  }

  /** Remaining time of a fault, ms; 0 for none. */
  remainingMs(fault: LastingFault, now: EpochMs): number {
    return Math.max(0, (this.#until.get(fault) ?? 0) - now);
  }

  /** Counts down a fault. @returns whether it applies now */
  consume(fault: CountedFault): boolean {
    const left = this.#left.get(fault) ?? 0;
    if (left > 0) this.#left.set(fault, left - 1);
    return left > 0;
  }
}
