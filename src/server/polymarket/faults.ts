/** Faults on demand (`polymarket-fault` of operators) and by chance (`--chaos`): what a client of the venue has to survive. */
import type { Random } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { ChaosSettings } from '../chaos/settings.ts';

/** Faults that last for a time. */
export const LASTING_FAULTS = [
  /** 425 on everything that places or cancels, as while the engine restarts. */
  'restart',
  /** 503, only post-only orders and cancels. */
  'post-only',
  /** 403 on placing. */
  'region',
  /** Orders that take are answered `delayed`; they match when the time is over. */
  'delay',
  /** Streams stay open and say nothing. */
  'silence',
  /** Each frame of a stream comes twice. */
  'double',
] as const;
/** Faults of the next so many requests or trades. */
export const COUNTED_FAULTS = [
  /** The order is accepted and its answer never comes. */
  'lose-answer',
  /** The transaction of a trade is reverted once and sent again: RETRYING. */
  'retry',
  /** The transaction of a trade is reverted twice: RETRYING, then FAILED, and the trade is reversed. */
  'fail',
  /** The next heartbeat meets another id than the one that it was given. */
  'wrong-beat',
] as const;
export type LastingFault = (typeof LASTING_FAULTS)[number];
export type CountedFault = (typeof COUNTED_FAULTS)[number];

/** Of a transaction: it is mined, or reverted and sent again, after which it is mined or has failed for good. */
export type TransactionFate = 'mined' | 'retried' | 'failed';

/** Faults by chance, all drawn from one stream. */
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

  /** An order or a cancel came: whether the engine restarts now. */
  drawRestart(now: EpochMs): void {
    const chances = this.#chances;
    if (chances !== undefined && chances.random.uniform() < chances.settings.restart)
      this.last('restart', now, chances.settings.restart_ms);
  }

  /** How long an order that would take has to wait, ms; 0 for not at all. */
  delayOf(now: EpochMs): number {
    const chances = this.#chances;
    const isDrawn = chances !== undefined && chances.random.uniform() < chances.settings.delayed;
    return Math.max(this.left('delay', now), isDrawn ? chances.settings.delay_ms : 0);
  }

  /** How the transaction of the next trade fares. */
  nextTransaction(): TransactionFate {
    const chances = this.#chances;
    const drawn = chances === undefined ? 1 : chances.random.uniform();
    const { failed = 0, retried = 0 } = chances?.settings ?? {};
    if (this.take('fail') || drawn < failed) return 'failed';
    return this.take('retry') || drawn < failed + retried ? 'retried' : 'mined';
  }

  /** @param forMs from now; 0 ends it */
  last(fault: LastingFault, now: EpochMs, forMs: number): void {
    this.#until.set(fault, now + forMs);
  }

  /** @param count 0 ends it */
  count(fault: CountedFault, count: number): void {
    this.#left.set(fault, count);
  }

  /** Milliseconds that it still lasts; 0 for none. */
  left(fault: LastingFault, now: EpochMs): number {
    return Math.max(0, (this.#until.get(fault) ?? 0) - now);
  }

  /** Whether the next one meets it; counts it. */
  take(fault: CountedFault): boolean {
    const left = this.#left.get(fault) ?? 0;
    if (left > 0) this.#left.set(fault, left - 1);
    return left > 0;
  }
}
