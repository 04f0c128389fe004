/**
 * Levels that stay for a cycle, as users of Hummingbot know them (docs/spec/models.md#ladder-options). A cycle begins when
 * levels are made and ends at its cancel time. New levels are made from the create time on. Invariant: while there are
 * levels, the cancel time is not after the create time.
 */
import { LOT, type QuoteSpec, sharesFloor, toShares } from 'halfspread';
import type { LadderParams } from './params.ts';

/** Whether an option needs levels that stay for a cycle. */
export function usesCycles(params: LadderParams): boolean {
  return (
    params.hanging_orders_enabled ||
    params.ping_pong_enabled ||
    params.filled_order_delay > 0 ||
    params.minimum_spread > 0
  );
}

interface Level {
  readonly side: QuoteSpec['side'];
  /** The level of the other side with the same number is its pair. */
  readonly number: number;
  readonly price: number;
  /** Micro-shares; 0 when completely filled. */
  remaining: number;
}

export interface CycleFill {
  readonly side: QuoteSpec['side'];
  /** YES terms, bps. */
  readonly price: number;
  /** Micro-shares. */
  readonly shares: number;
}

/** The levels of one market. Times in epoch ms, never falling. */
export class LadderCycle {
  readonly #params: LadderParams;
  #levels: Level[] = [];
  #hanging: Level[] = [];
  #cancelAt = 0;
  #createAt = 0;
  /** Completely filled bids less asks that do not hang; for ping-pong. */
  #boughtMore = 0;

  constructor(params: LadderParams) {
    this.#params = params;
  }

  /** When quotes change next without an event. */
  get nextChange(): number {
    return this.#levels.length > 0 ? this.#cancelAt : this.#createAt;
  }

  /**
   * The quotes at `now`: those of the cycle, and orders that hang.
   * @param mid bps
   * @param make the levels of a new cycle, best first
   */
  quotes(now: number, mid: number, make: () => readonly QuoteSpec[]): readonly QuoteSpec[] {
    const { minimum_spread: nearest, hanging_orders_cancel_pct: farthest } = this.#params;
    const isTooNear = ({ side, price, remaining }: Level): boolean =>
      nearest > 0 && remaining > 0 && (side === 'bid' ? mid - price : price - mid) < nearest;
    this.#levels = this.#levels.filter((level) => !isTooNear(level));
    if (this.#levels.length > 0 && now >= this.#cancelAt) this.#end();
    this.#hanging = this.#hanging.filter(({ price }) => Math.abs(price - mid) <= farthest * 100);
    if (this.#levels.length === 0 && now >= this.#createAt) this.#begin(now, make());
    return [...this.#hanging, ...this.#levels]
      .filter(({ remaining }) => remaining > 0)
      .map(({ side, price, remaining }) => ({ side, price, shares: sharesFloor(toShares(remaining)) }));
  }

  /** An own fill at `now`, counted for the quote of its side with the nearest price. */
  onFill({ side, price, shares }: CycleFill, now: number): void {
    let filled: Level | undefined;
    for (const level of [...this.#hanging, ...this.#levels]) {
      if (level.side !== side || level.remaining === 0) continue;
      if (filled === undefined || Math.abs(level.price - price) < Math.abs(filled.price - price)) filled = level;
    }
    if (filled === undefined) return;
    const left = filled.remaining - shares;
    filled.remaining = left < LOT ? 0 : left;
    if (filled.remaining > 0) return;
    if (this.#hanging.includes(filled)) {
      this.#hanging = this.#hanging.filter((level) => level !== filled);
      return;
    }
    this.#boughtMore += side === 'bid' ? 1 : -1;
    this.#createAt = now + milliseconds(this.#params.filled_order_delay);
    this.#cancelAt = Math.min(this.#cancelAt, this.#createAt);
  }

  /** The market cannot be quoted, and its orders are gone. */
  withdraw(): void {
    this.#levels = [];
    this.#hanging = [];
  }

  #begin(now: number, made: readonly QuoteSpec[]): void {
    const without = this.#params.ping_pong_enabled ? this.#boughtMore : 0;
    const side = (name: QuoteSpec['side'], leftOut: number): readonly Level[] =>
      made
        .filter((level) => level.side === name && level.shares > 0)
        .slice(Math.max(0, leftOut))
        .map(({ price, shares }, number) => ({ side: name, number, price, remaining: shares }));
    this.#levels = [...side('bid', without), ...side('ask', -without)];
    this.#createAt = now + milliseconds(this.#params.order_refresh_time);
    this.#cancelAt = this.#createAt;
  }

  #end(): void {
    const isPairFilled = (level: Level): boolean =>
      this.#levels.some(
        ({ side, number, remaining }) => side !== level.side && number === level.number && remaining === 0,
      );
    if (this.#params.hanging_orders_enabled) {
      this.#hanging.push(...this.#levels.filter((level) => level.remaining > 0 && isPairFilled(level)));
    }
    this.#levels = [];
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
