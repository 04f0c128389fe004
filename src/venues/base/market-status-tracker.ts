/**
 * Tracks whether one market can be traded, from its status at the venue and the state of its book. Writes changes as
 * rows: a book that differs from the venue's as a gap, a book that may be wrong for another reason as a halt.
 */
import { isFinal, type MarketState, type MarketStatus } from '../../domain/index.ts';
import { CANCELLED_PAYOUT, KIND, STATUS_CODES } from '../../tape/index.ts';
import type { RowWriter } from './row-writer.ts';

const YES_PAYOUT_BPS: Readonly<Partial<Record<MarketStatus, number>>> = {
  RESOLVED_YES: 10_000,
  RESOLVED_NO: 0,
  RESOLVED_UNCERTAIN: 5_000,
  CANCELLED: CANCELLED_PAYOUT,
};

/** Malformed frames within `MALFORMED_MS` that halt the market. The halt ends `MALFORMED_MS` after the last frame. */
const MAX_MALFORMED = 3;
const MALFORMED_MS = 60_000;

const CODES: readonly string[] = STATUS_CODES;
const UNUSED_SIDE = 0;

export class MarketStatusTracker {
  readonly #market: number;
  #status: MarketStatus;
  #acceptsOrders: boolean;
  /** Venue time of the known status, epoch ms. */
  #at = 0;
  #isTrusted = true;
  #isInGap = false;
  #isGapWritten = false;
  /** Times of the last malformed frames by this machine's clock, oldest first. */
  #malformedAt: readonly number[] = [];
  /** Earliest time at which a correct book ends the halt, by this machine's clock. */
  #haltedUntil = Number.NEGATIVE_INFINITY;
  /** Code of the last status row; -1 when the market is final. */
  #writtenCode: number;

  constructor(market: number, { status, acceptingOrders }: Pick<MarketState, 'status' | 'acceptingOrders'>) {
    this.#market = market;
    this.#status = status;
    this.#acceptsOrders = acceptingOrders;
    this.#writtenCode = this.#code();
  }

  get isFinal(): boolean {
    return isFinal(this.#status);
  }

  /** Sets the venue's status, unless a later or a final status is known. */
  update({ status, acceptingOrders }: Pick<MarketState, 'status' | 'acceptingOrders'>, at: number): void {
    if (at < this.#at || this.isFinal) return;
    this.#at = at;
    this.#status = status;
    this.#acceptsOrders = acceptingOrders;
  }

  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Sets whether the book is known to be correct. An untrusted book halts the market, except in a gap. */
  setTrusted(isTrusted: boolean): void {
    this.#isTrusted = isTrusted;
  }

  /** Whether the market is in a gap: the bot waits for a full book. A gap is one row and does not halt the market. */
  get isInGap(): boolean {
    return this.#isInGap;
  }

  /** Begins a gap, because the book no longer matches the venue's. */
  beginGap(): void {
    this.#isTrusted = false;
    this.#isInGap = true;
  }

  /** Ends the gap. The caller writes the full book next. */
  endGap(): void {
    this.#isInGap = false;
    this.#isGapWritten = false;
  }

  /** Counts a malformed frame, and halts the market after several. */
  onMalformedFrame(now: number): void {
    this.#malformedAt = [...this.#malformedAt.filter((at) => now - at < MALFORMED_MS), now].slice(-MAX_MALFORMED);
    if (this.#malformedAt.length === MAX_MALFORMED) this.halt(now + MALFORMED_MS);
  }

  /** Halts the market until at least `until`, by this machine's clock. */
  halt(until: number): void {
    this.#haltedUntil = Math.max(this.#haltedUntil, until);
    this.#isTrusted = false;
  }

  /** Returns whether a correct book ends the halt. */
  mayTrust(now: number): boolean {
    return now >= this.#haltedUntil;
  }

  /** Writes a row for a new gap, and for a status that differs from the last written one. */
  write(rows: RowWriter): void {
    if (this.#isInGap && !this.#isGapWritten) {
      this.#isGapWritten = true;
      rows.row(this.#market, KIND.gap, UNUSED_SIDE, 0, 0);
    }
    const payout = YES_PAYOUT_BPS[this.#status];
    const code = payout === undefined ? this.#code() : -1;
    if (code === this.#writtenCode) return;
    this.#writtenCode = code;
    if (payout === undefined) rows.row(this.#market, KIND.status, UNUSED_SIDE, code, 0);
    else rows.row(this.#market, KIND.resolution, UNUSED_SIDE, payout, 0);
  }

  #code(): number {
    if (this.#status !== 'OPEN') return CODES.indexOf(this.#status);
    return CODES.indexOf(this.#acceptsOrders && (this.#isTrusted || this.#isInGap) ? 'OPEN' : 'HALTED');
  }
}
