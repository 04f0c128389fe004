/**
 * A market's published book with its latest changes, so that a client can resume after a short disconnect.
 *
 * Invariant: the sides are the book after the last step. Undoing steps, newest first, restores earlier books.
 */
import type { EpochMs } from '../../../domain/index.ts';
import { SideLevels } from './levels.ts';

export interface BookStep {
  /** `bookSeq` after the step. */
  seq: number;
  readonly at: EpochMs;
  /** Four numbers per change: side (1 bid, 0 ask), YES bps, micro-shares and orders. Removals are negative. */
  readonly changes: readonly number[];
}

export interface BookSides {
  readonly bids: SideLevels;
  readonly asks: SideLevels;
}

/** Number of latest steps that always stay stored. At most twice as many are stored. */
const MIN_STEPS = 1_000;
const NUMBERS_PER_CHANGE = 4;

export class BookHistory implements BookSides {
  readonly bids: SideLevels;
  readonly asks: SideLevels;
  /** `bookSeq` before the oldest step. */
  #oldestSeq: number;
  #steps: BookStep[] = [];

  constructor(seq: number, bids = new SideLevels('bids'), asks = new SideLevels('asks')) {
    this.#oldestSeq = seq;
    this.bids = bids;
    this.asks = asks;
  }

  /** `bookSeq` of the last change. */
  get seq(): number {
    return this.#steps.at(-1)?.seq ?? this.#oldestSeq;
  }

  change(isBid: boolean, price: number, shares: number, orders: number): void {
    (isBid ? this.bids : this.asks).change(price, shares, orders);
  }

  /** Call this after all changes of the step. */
  addStep(step: BookStep): void {
    this.#steps.push(step);
    if (this.#steps.length <= 2 * MIN_STEPS) return;
    const discarded = this.#steps.splice(0, MIN_STEPS);
    this.#oldestSeq = discarded.at(-1)?.seq ?? this.#oldestSeq;
  }

  /** Returns the steps after event `seq`, oldest first; undefined if a step may have been discarded. */
  stepsAfter(seq: number): readonly BookStep[] | undefined {
    if (seq < this.#oldestSeq) return undefined;
    const from = this.#steps.findLastIndex((step) => step.seq <= seq) + 1;
    return this.#steps.slice(from);
  }

  /** Returns `bookSeq` after event `seq`. All later steps must be stored. */
  seqAt(seq: number): number {
    return this.#steps.findLast((step) => step.seq <= seq)?.seq ?? this.#oldestSeq;
  }

  /** Returns a copy of the book before the given newest steps. */
  copyBefore(steps: readonly BookStep[]): BookSides {
    const sides = { bids: this.bids.copy(), asks: this.asks.copy() };
    for (const step of steps.toReversed()) applyStep(step, sides, -1);
    return sides;
  }
}

/** Applies or undoes a step. @param sign 1 to apply, -1 to undo */
export function applyStep({ changes }: BookStep, { bids, asks }: BookSides, sign: 1 | -1): void {
  const lastOffset = changes.length - NUMBERS_PER_CHANGE;
  for (let offset = 0; offset <= lastOffset; offset += NUMBERS_PER_CHANGE) {
    const begin = sign === 1 ? offset : lastOffset - offset;
    const side = changes[begin] === 1 ? bids : asks;
    side.change(changes[begin + 1] ?? 0, sign * (changes[begin + 2] ?? 0), sign * (changes[begin + 3] ?? 0));
  }
}
