/** Checks the times of a market's events and derives sequence numbers from them, because the venue sends none. */
import type { Clock } from '../../clock/index.ts';
import type { ClockOffset } from '../base/index.ts';

/** Own events have numbers `ms * 1000 + n`. A book gets the last number of its millisecond, after all own events. */
const [PER_MS, LAST_OF_MS] = [1_000, 999];
/** An event more than this ahead of the venue's clock has a wrong time, ms. */
const MAX_AHEAD_MS = 60_000;

export interface EventTimesDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** Offset of the venue's clock from ours. */
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

  /** Accepts an older time next, because a new connection may begin with an older book. */
  restart(): void {
    this.lastAt = 0;
  }

  /** Records the time of an event of the book. @returns the problem with the time; undefined if it is valid */
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

  /** Numbers a public trade: above the last trade and, for up to 1,000 trades a ms, not above the book of the same ms. */
  nextTradeSeq(at: number): number {
    this.#lastTradeSeq = Math.max(this.#lastTradeSeq + 1, at * PER_MS);
    return this.#lastTradeSeq;
  }
}
