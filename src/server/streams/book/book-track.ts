/**
 * A market's book as it was told, and what changed in it: so far back that a client who was away can be told all of it.
 *
 * Invariants: the sides are the book as of the last step; taking steps back from the newest gives the book as it was.
 */
import { column, type EpochMs } from '../../../domain/index.ts';
import { SideLevels } from './side-levels.ts';

/** What one command did to a book. */
export interface BookStep {
  /** Number of the book's last change with it. */
  seq: number;
  readonly at: EpochMs;
  /** Side (1 bid, 0 ask), price, micro-shares, orders: of each change, in order; negative took off. */
  readonly changes: readonly number[];
}

/** Both sides of a book. */
export interface BookSides {
  readonly bids: SideLevels;
  readonly asks: SideLevels;
}

/** Steps kept at least; twice as many at most. */
const STEPS_KEPT = 1_000;
const WORDS = 4;

export class BookTrack implements BookSides {
  readonly bids: SideLevels;
  readonly asks: SideLevels;
  /** Number of the last change before the oldest step. */
  #oldest: number;
  #steps: BookStep[] = [];
  #at: EpochMs = column.time(0);

  constructor(seq: number, bids = new SideLevels(true), asks = new SideLevels(false)) {
    this.#oldest = seq;
    this.bids = bids;
    this.asks = asks;
  }

  /** Number of the last change. */
  get seq(): number {
    return this.#steps.at(-1)?.seq ?? this.#oldest;
  }

  /** When the book changed last; 0 when it has not since the start. */
  get at(): EpochMs {
    return this.#at;
  }

  /** Writes a change that is part of the step to come. */
  change(isBid: boolean, price: number, shares: number, count: number): void {
    (isBid ? this.bids : this.asks).change(price, shares, count);
  }

  /** The command is over. */
  step(step: BookStep): void {
    this.#at = step.at;
    this.#steps.push(step);
    if (this.#steps.length <= 2 * STEPS_KEPT) return;
    const gone = this.#steps.splice(0, STEPS_KEPT);
    this.#oldest = gone.at(-1)?.seq ?? this.#oldest;
  }

  /** The steps after an event of the engine, oldest first; undefined when some of them are not kept. */
  stepsAfter(seq: number): readonly BookStep[] | undefined {
    if (seq < this.#oldest) return undefined;
    const from = this.#steps.findLastIndex((step) => step.seq <= seq) + 1;
    return this.#steps.slice(from);
  }

  /** Number of the last change up to an event; steps after it have to be there. */
  seqAt(seq: number): number {
    return this.#steps.findLast((step) => step.seq <= seq)?.seq ?? this.#oldest;
  }

  /** A copy of the book as it was before some of the newest steps. */
  before(steps: readonly BookStep[]): BookSides {
    const sides = { bids: this.bids.copy(), asks: this.asks.copy() };
    for (const step of steps.toReversed()) apply(step, sides, -1);
    return sides;
  }
}

/** Does what a step did, or with -1 undoes it. */
export function apply({ changes }: BookStep, { bids, asks }: BookSides, sign: 1 | -1): void {
  const last = changes.length - WORDS;
  for (let word = 0; word <= last; word += WORDS) {
    const at = sign === 1 ? word : last - word;
    const side = changes[at] === 1 ? bids : asks;
    side.change(changes[at + 1] ?? 0, sign * (changes[at + 2] ?? 0), sign * (changes[at + 3] ?? 0));
  }
}
