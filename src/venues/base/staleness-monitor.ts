/**
 * Decides which books are stale, and which are requested again.
 *
 * A socket may be dead for one book although it carries pings and frames of other books. Only the book's own frames
 * count: a change, or an idle frame with the current sequence number. A silent book is requested again. If most books
 * are silent, the socket is replaced.
 */
import type { ClockOffset } from './clock-offset.ts';

export interface StalenessSettings {
  /** Silence after which a book is stale and is requested again, ms. */
  readonly silenceMs: number;
  /** Silence after which a book is stale, ms. Applies only if shorter than `silenceMs`. */
  readonly staleMs: number;
  /** Time for which a book that missed an update is still trusted, ms. */
  readonly graceMs: number;
}

interface WatchedBook {
  readonly seenAt: number;
  readonly differsSince: number;
  readonly status: { readonly isFinal: boolean };
}

export class StalenessMonitor {
  readonly #settings: StalenessSettings;
  readonly #requestedAt = new WeakMap<WatchedBook, number>();

  constructor(settings: StalenessSettings) {
    this.#settings = settings;
  }

  /** @returns `stale` books, which cannot be trusted; books `toRequest` again; `isFrozen` if most are silent */
  check<Book extends WatchedBook>(books: Iterable<Book>, now: number) {
    const { silenceMs, graceMs, staleMs } = this.#settings;
    const stale: Book[] = [];
    const toRequest: Book[] = [];
    let [openCount, silentCount] = [0, 0];
    for (const book of books) {
      const { seenAt, differsSince, status } = book;
      if (status.isFinal) continue;
      openCount += 1;
      // Before the first snapshot, the core has an empty book and does not quote.
      const hasBegun = seenAt > Number.NEGATIVE_INFINITY;
      const age = now - (hasBegun ? seenAt : differsSince);
      const isSilent = age > silenceMs;
      if (hasBegun && (isSilent || age > staleMs || now - differsSince > graceMs)) stale.push(book);
      if (!isSilent) continue;
      silentCount += 1;
      const requestedAt = this.#requestedAt.get(book) ?? Number.NEGATIVE_INFINITY;
      if (now - requestedAt <= silenceMs) continue;
      this.#requestedAt.set(book, now);
      toRequest.push(book);
    }
    return { stale, toRequest, isFrozen: openCount > 0 && 2 * silentCount > openCount };
  }
}

/**
 * Returns `now`, or the time of the change by this machine's clock if the change is certainly more than `maxLateMs`
 * old. Frames can wait unread in the venue's queue, in a kernel, or before a busy event loop. The largest error between
 * the clocks is deducted from the age.
 * @param at venue time of the change, epoch ms
 */
export function seenTime(
  at: number,
  now: number,
  offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>,
  maxLateMs: number,
): number {
  const lateMs = now + offset.offsetMs - offset.errorMs - at;
  return lateMs > maxLateMs ? now - lateMs : now;
}
