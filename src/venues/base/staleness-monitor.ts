/**
 * Decides which books are stale, and what to do about it.
 *
 * A socket may carry pings and frames of other books and yet be dead for one, so only the book's own sequence counts: a change,
 * or an idle frame with the number it has. One silent book is requested again; when most are silent, the socket is replaced.
 */
import type { ClockOffset } from './clock-offset.ts';

export interface StalenessSettings {
  /** A book that is silent for so long is stale, and its socket suspect; ms. */
  readonly silenceMs: number;
  /** A book that is silent for so long is stale, though its socket may not be suspect yet; ms. */
  readonly staleMs: number;
  /** How long a book that missed an update may stay as it was before its market counts as halted; ms. */
  readonly graceMs: number;
}

export interface WatchedBook {
  readonly handler: {
    readonly seenAt: number;
    readonly lostAt: number;
    readonly status: { readonly isFinal: boolean };
  };
}

/** Actions of the monitor. */
export interface Verdict<Book> {
  /** Books that are not to be trusted now. */
  readonly stale: readonly Book[];
  /** To be requested again. */
  readonly silent: readonly Book[];
  /** Most have fallen silent together. */
  readonly isFrozen: boolean;
}

export class StalenessMonitor {
  readonly #silenceMs: number;
  readonly #graceMs: number;
  readonly #staleMs: number;
  /** Time at which a silent book was requested again. */
  readonly #requestedAt = new WeakMap<WatchedBook, number>();

  constructor({ silenceMs, graceMs, staleMs }: StalenessSettings) {
    this.#silenceMs = silenceMs;
    this.#graceMs = graceMs;
    this.#staleMs = staleMs;
  }

  judge<Book extends WatchedBook>(books: Iterable<Book>, now: number): Verdict<Book> {
    const stale: Book[] = [];
    const silent: Book[] = [];
    let [all, quiet] = [0, 0];
    for (const book of books) {
      const { seenAt, lostAt, status } = book.handler;
      if (status.isFinal) continue;
      all += 1;
      // Before its first snapshot the core has an empty book, on which nothing is quoted.
      const hasBegun = seenAt > Number.NEGATIVE_INFINITY;
      const age = now - (hasBegun ? seenAt : lostAt);
      const isQuiet = age > this.#silenceMs;
      if (hasBegun && (isQuiet || age > this.#staleMs || now - lostAt > this.#graceMs)) stale.push(book);
      if (!isQuiet) continue;
      quiet += 1;
      const requestedAt = this.#requestedAt.get(book) ?? Number.NEGATIVE_INFINITY;
      if (now - requestedAt <= this.#silenceMs) continue;
      this.#requestedAt.set(book, now);
      silent.push(book);
    }
    return { stale, silent, isFrozen: all > 0 && 2 * quiet > all };
  }
}

/**
 * When a change should have been read, by our clock: now, or longer ago where it is certainly late by more than `mostMs`.
 * Frames can pile up unread in the venue's queue, in a kernel, or in front of a busy loop, so a book is as old as its last change
 * by the venue's clock. The possible error between the clocks counts in the change's favour.
 * @param at of the change, by the venue's clock, epoch ms
 */
export function seenTime(
  at: number,
  now: number,
  offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>,
  mostMs: number,
): number {
  const late = now + offset.offsetMs - offset.errorMs - at;
  return late > mostMs ? now - late : now;
}
