/**
 * Which books have not been heard of, and what that means.
 *
 * A socket may carry pings and news of others and yet be dead for a book, so only the book's own sequence counts: a change,
 * or an idle frame with the number it has. One silent book is asked for anew; when most are silent it is the socket.
 */
import type { MarketDataSettings } from './market-data-port.ts';
import type { MarketFeed } from './market-feed.ts';

/** What is to be done. */
export interface Verdict {
  /** Books that are not to be trusted now. */
  readonly stale: readonly MarketFeed[];
  /** To be asked for anew. */
  readonly silent: readonly MarketFeed[];
  /** Most have fallen silent together. */
  readonly isFrozen: boolean;
}

export class Silence {
  readonly #silenceMs: number;
  readonly #graceMs: number;
  readonly #staleMs: number;
  /** When a silent book was asked for anew. */
  readonly #asked = new WeakMap<MarketFeed, number>();

  constructor({ silenceMs, graceMs, staleMs }: Pick<MarketDataSettings, 'silenceMs' | 'graceMs' | 'staleMs'>) {
    this.#silenceMs = silenceMs;
    this.#graceMs = graceMs;
    this.#staleMs = staleMs;
  }

  judge(feeds: Iterable<MarketFeed>, now: number): Verdict {
    const stale: MarketFeed[] = [];
    const silent: MarketFeed[] = [];
    let [all, quiet] = [0, 0];
    for (const feed of feeds) {
      const { heardAt, lostAt, standing } = feed.line;
      if (standing.isFinal) continue;
      all += 1;
      // Before its first snapshot the core has an empty book, on which nobody quotes.
      const isBegun = heardAt > Number.NEGATIVE_INFINITY;
      const age = now - (isBegun ? heardAt : lostAt);
      const isQuiet = age > this.#silenceMs;
      if (isBegun && (isQuiet || age > this.#staleMs || now - lostAt > this.#graceMs)) stale.push(feed);
      if (!isQuiet) continue;
      quiet += 1;
      const asked = this.#asked.get(feed) ?? Number.NEGATIVE_INFINITY;
      if (now - asked <= this.#silenceMs) continue;
      this.#asked.set(feed, now);
      silent.push(feed);
    }
    return { stale, silent, isFrozen: all > 0 && 2 * quiet > all };
  }
}
