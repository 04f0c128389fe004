/** Jumps of the mid and sweeps of takers (docs/spec/models.md#event-regime). Times in epoch ms, never falling. */
import type { MarketTrade } from 'halfspread';

const MOST_WINDOWS = 100;
const LEAST_WINDOWS = 20;

/** A mid (bps) that was in force before `end`. */
interface PastMid {
  readonly mid: number;
  readonly end: number;
}

/** How far the mid is from those of the last `windowMs`. */
export class MoveDetector {
  readonly #windowMs: number;
  /** Of the window: past mids that are higher, and lower, than all that came after them. */
  #highs: readonly PastMid[] = [];
  #lows: readonly PastMid[] = [];
  #mid: number | undefined;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** The mid (bps) is this from `time` on. Returns its largest distance from a mid that was in force in the window. */
  move(time: number, mid: number): number {
    const past = this.#mid ?? mid;
    const start = time - this.#windowMs;
    const ended = { mid: past, end: time };
    this.#highs = [...this.#highs.filter((one) => one.mid > past && one.end > start), ended];
    this.#lows = [...this.#lows.filter((one) => one.mid < past && one.end > start), ended];
    this.#mid = mid;
    return Math.max((this.#highs[0] ?? ended).mid - mid, mid - (this.#lows[0] ?? ended).mid);
  }
}

export interface SweepOptions {
  readonly windowMs: number;
  /** Times the median; 0 for never. */
  readonly multiple: number;
  /** Prices of one message; 0 for never. */
  readonly levels: number;
}

/** Takers that trade far more than usual, or through several prices at once. Windows follow each other without gaps. */
export class SweepDetector {
  readonly #options: SweepOptions;
  /** Of the last windows with trades: micro-shares of the side whose takers traded more. */
  readonly #usual: number[] = [];
  #median: number | undefined;
  #window = Number.NEGATIVE_INFINITY;
  #bought = 0;
  #sold = 0;
  #time = Number.NEGATIVE_INFINITY;
  readonly #prices = new Set<number>();

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** A trade of others. Returns what is unusual with it, if anything. */
  trade({ time, taker, price, shares }: MarketTrade): 'shares' | 'levels' | undefined {
    const { windowMs, multiple, levels } = this.#options;
    const window = Math.floor(time / windowMs);
    if (window > this.#window) this.#begin(window);
    if (taker === 'BUY') this.#bought += shares;
    if (taker === 'SELL') this.#sold += shares;
    if (time > this.#time) this.endMessage();
    this.#time = time;
    this.#prices.add(price);
    if (levels > 0 && this.#prices.size >= levels) return 'levels';
    const isUnusual = this.#median !== undefined && Math.max(this.#bought, this.#sold) >= multiple * this.#median;
    return multiple > 0 && isUnusual ? 'shares' : undefined;
  }

  /** Trades that follow belong to another message. */
  endMessage(): void {
    this.#prices.clear();
  }

  #begin(window: number): void {
    const larger = Math.max(this.#bought, this.#sold);
    if (larger > 0) {
      this.#usual.push(larger);
      if (this.#usual.length > MOST_WINDOWS) this.#usual.shift();
      if (this.#usual.length >= LEAST_WINDOWS) this.#median = median(this.#usual);
    }
    this.#window = window;
    this.#bought = 0;
    this.#sold = 0;
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
