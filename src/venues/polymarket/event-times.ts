/** Checks the times of a market's events, and derives sequence numbers from them, because the venue sends none. */
import type { Clock } from '../../clock/index.ts';
import type { ClockOffset } from '../base/index.ts';

/** Own events and trades have numbers `ms * 1000 + n`. A book gets the last number of its ms, after all of these. */
const [PER_MS, LAST_OF_MS] = [1_000, 999];
/** Lead over the venue's clock above which an event's time is wrong, ms. */
const MAX_AHEAD_MS = 60_000;

interface EventTimesDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly offset: Pick<ClockOffset, 'offsetMs'>;
}

export class EventTimes {
  readonly #deps: EventTimesDeps;
  /** Time of the last event of the book on this connection by the venue's clock, ms; 0 before the first. */
  lastAt = 0;
  /** Sequence number of the last book. Never decreases. */
  seq = 0;
  #lastTradeSeq = 0;

  constructor(deps: EventTimesDeps) {
    this.#deps = deps;
  }

  /** Records the time of a book event. Returns the problem with the time; undefined for a valid time. */
  record(at: number): string | undefined {
    if (this.isAhead(at)) return `its time ${at} is ahead of the venue's clock`;
    if (at < this.lastAt) return `its time went back from ${this.lastAt} to ${at}`;
    this.lastAt = at;
    this.seq = Math.max(this.seq, at * PER_MS + LAST_OF_MS);
    return undefined;
  }

  isAhead(at: number): boolean {
    const { clock, offset } = this.#deps;
    return at > clock.now() + offset.offsetMs + MAX_AHEAD_MS;
  }

  /**
   * Returns a number for a public trade, above the last trade's number. The number does not exceed that of a book of
   * the same ms, unless the ms has more than 1,000 trades.
   */
  nextTradeSeq(at: number): number {
    this.#lastTradeSeq = Math.max(this.#lastTradeSeq + 1, at * PER_MS);
    return this.#lastTradeSeq;
  }
}
