/**
 * What may be done in one market: its own state, and whether its book can be trusted. Written as rows when it changes: a
 * lost book as a gap, other doubts as a halt.
 */
import { isFinal, type MarketState, type MarketStatus } from '../../domain/index.ts';
import { CANCELLED_PAYOUT, KIND, STATUS_CODES } from '../../tape/index.ts';
import type { RowWriter } from './row-writer.ts';

/** YES payout in bps. */
const PAYOUT: Readonly<Partial<Record<MarketStatus, number>>> = {
  RESOLVED_YES: 10_000,
  RESOLVED_NO: 0,
  RESOLVED_UNCERTAIN: 5_000,
  CANCELLED: CANCELLED_PAYOUT,
};

/** So many malformed frames within this time, and the market halts until none came for as long. ms. */
const [MOST_MALFORMED, MALFORMED_MS] = [3, 60_000];

const CODES: readonly string[] = STATUS_CODES;
const HALTED = STATUS_CODES.indexOf('HALTED');
const NO_SIDE = 0;

export class MarketStatusTracker {
  readonly #market: number;
  #status: MarketStatus;
  #accepts: boolean;
  /** Venue's time of what is known, epoch ms. */
  #at = 0;
  #isTrusted = true;
  /** The book is lost: rows say so once, in place of a halt. */
  #isLost = false;
  #isGapWritten = false;
  /** When the last few malformed frames came, by our clock, oldest first. */
  #malformedAt: readonly number[] = [];
  /** Until then nothing is quoted, whatever comes. */
  #haltedUntil = Number.NEGATIVE_INFINITY;
  /** Code that the core has; -1 when the market is final. */
  #written: number;

  constructor(market: number, { status, acceptingOrders }: Pick<MarketState, 'status' | 'acceptingOrders'>) {
    this.#market = market;
    this.#status = status;
    this.#accepts = acceptingOrders;
    this.#written = this.#code();
  }

  get isFinal(): boolean {
    return isFinal(this.#status);
  }

  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** The venue's state, unless a later one is known. */
  learn(status: MarketStatus, accepts: boolean, at: number): void {
    if (at < this.#at || this.isFinal) return;
    this.#at = at;
    this.#status = status;
    this.#accepts = accepts;
  }

  /** Whether the market is in a gap: the core waits for a full book. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Without a book that is known to be right the market counts as halted. */
  trust(isTrusted: boolean): void {
    this.#isTrusted = isTrusted;
  }

  /** The book is not the venue's any more: a gap begins. */
  loseBook(): void {
    this.#isTrusted = false;
    this.#isLost = true;
  }

  /** The full book follows. */
  bookReturns(): void {
    this.#isLost = false;
    this.#isGapWritten = false;
  }

  /** A frame of this market could not be read. Where that happens again and again, the market halts. */
  malformed(now: number): void {
    this.#malformedAt = [...this.#malformedAt.filter((at) => now - at < MALFORMED_MS), now].slice(-MOST_MALFORMED);
    if (this.#malformedAt.length === MOST_MALFORMED) this.halt(now + MALFORMED_MS);
  }

  /** Nothing is to be quoted before `until`, by our clock. */
  halt(until: number): void {
    this.#haltedUntil = Math.max(this.#haltedUntil, until);
    this.#isTrusted = false;
  }

  /** Whether a book that is right is enough to quote on. */
  mayTrust(now: number): boolean {
    return now >= this.#haltedUntil;
  }

  /** Adds a row where the core has to know something new. */
  write(rows: RowWriter): void {
    if (this.#isLost && !this.#isGapWritten) {
      this.#isGapWritten = true;
      rows.row(this.#market, KIND.gap, NO_SIDE, 0, 0);
    }
    const payout = PAYOUT[this.#status];
    const code = payout === undefined ? this.#code() : -1;
    if (code === this.#written) return;
    this.#written = code;
    if (payout === undefined) rows.row(this.#market, KIND.status, NO_SIDE, code, 0);
    else rows.row(this.#market, KIND.resolution, NO_SIDE, payout, 0);
  }

  #code(): number {
    if (this.#status !== 'OPEN') return CODES.indexOf(this.#status);
    return this.#accepts && (this.#isTrusted || this.#isLost) ? STATUS_CODES.indexOf('OPEN') : HALTED;
  }
}
