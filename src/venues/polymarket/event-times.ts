/** Times of a market's events: they do not go back on a connection, and stand for the numbers that the venue does not give. */
import type { Clock } from '../../clock/index.ts';
import type { ClockOffset } from '../base/index.ts';

/** Own events carry `ms * 1000 + n`: the book of a millisecond counts after all of them. */
const [PER_MS, LAST_OF_MS] = [1_000, 999];
/** An event is wrong when its time is so far ahead of the venue's clock, ms. */
const MAX_AHEAD_MS = 60_000;

export interface EventTimesDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** The venue's clock against ours. */
  readonly offset: Pick<ClockOffset, 'offsetMs'>;
}

export class EventTimes {
  readonly #deps: EventTimesDeps;
  /** Venue's time of the last event of the book on this connection, ms; 0 before the first. */
  last = 0;
  /** Number of the last book: it grows, or stays. */
  seq = 0;
  #trade = 0;

  constructor(deps: EventTimesDeps) {
    this.#deps = deps;
  }

  /** A new connection may begin with an older book. */
  restart(): void {
    this.last = 0;
  }

  /** An event of the book came. @returns what is wrong with its time; undefined for nothing */
  take(at: number): string | undefined {
    if (this.isAhead(at)) return `its time ${at} is ahead of the venue's clock`;
    if (at < this.last) return `its time went back from ${this.last} to ${at}`;
    this.last = at;
    this.seq = Math.max(this.seq, at * PER_MS + LAST_OF_MS);
    return undefined;
  }

  /** Whether no clock of the venue can show this time yet. */
  isAhead(at: number): boolean {
    const { clock, offset } = this.#deps;
    return at > clock.now() + offset.offsetMs + MAX_AHEAD_MS;
  }

  /** A number of our own for a public trade: up to that of its book, and larger than that of the trade before. */
  numberOfTrade(at: number): number {
    this.#trade = Math.max(this.#trade + 1, at * PER_MS);
    return this.#trade;
  }
}
