/** Checks the times of a market's events and derives sequence numbers from them, because the venue sends none. */
import type { Clock } from '../../clock/index.ts';
import type { ClockOffset } from '../base/index.ts';

/** Own events have numbers `ms * 1000 + n`. A book gets the last number of its millisecond, so it follows all of them. */
const [PER_MS, LAST_OF_MS] = [1_000, 999];
/** An event whose time is further ahead of the venue's clock is wrong, ms. */
const MAX_AHEAD_MS = 60_000;

export interface EventTimesDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** The venue's clock against ours. */
  readonly offset: Pick<ClockOffset, 'offsetMs'>;
}

export class EventTimes {
  readonly #deps: EventTimesDeps;
  /** Time of the last event of the book on this connection by the venue's clock, ms; 0 before the first. */
  last = 0;
  /** Sequence number of the last book. Never decreases. */
  seq = 0;
  #trade = 0;

  constructor(deps: EventTimesDeps) {
    this.#deps = deps;
  }

  /** Accepts an older time next: a new connection may begin with an older book. */
  restart(): void {
    this.last = 0;
  }

  /** Records the time of an event of the book. @returns the problem with the time; undefined if it is valid */
  record(at: number): string | undefined {
    if (this.isAhead(at)) return `its time ${at} is ahead of the venue's clock`;
    if (at < this.last) return `its time went back from ${this.last} to ${at}`;
    this.last = at;
    this.seq = Math.max(this.seq, at * PER_MS + LAST_OF_MS);
    return undefined;
  }

  isAhead(at: number): boolean {
    const { clock, offset } = this.#deps;
    return at > clock.now() + offset.offsetMs + MAX_AHEAD_MS;
  }

  /** A number for a public trade: at most that of its book (for up to 1,000 trades a ms), above that of the last trade. */
  numberOfTrade(at: number): number {
    this.#trade = Math.max(this.#trade + 1, at * PER_MS);
    return this.#trade;
  }
}
