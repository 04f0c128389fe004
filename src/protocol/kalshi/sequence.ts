/** What the number of a message says about those before it. */
export type SequenceStep =
  /** The first of a subscription, or the next one. */
  | 'next'
  /** Messages are missing before it: the books of the subscription are unknown until their next snapshots. */
  | 'gap'
  /** It was there before. */
  | 'repeat'
  /** A new connection began the subscription again: its books are unknown until their next snapshots. */
  | 'restart';

/** Follows the sequence numbers of each subscription: `seq` counts up by one a `sid`, replies included. */
export class SequenceTracker {
  readonly #last: Map<number, number>;

  /** @param last numbers to go on from, as `last` answers them */
  constructor(last: readonly (readonly [sid: number, seq: number])[] = []) {
    this.#last = new Map(last);
  }

  /** The last number of each subscription. */
  last(): [sid: number, seq: number][] {
    return [...this.#last];
  }

  /** @param startsBook whether the message is a snapshot, as is the first of a subscription */
  step(sid: number, seq: number, startsBook: boolean): SequenceStep {
    const last = this.#last.get(sid);
    if (last === undefined || seq === last + 1) {
      this.#last.set(sid, seq);
      return 'next';
    }
    if (seq > last) {
      this.#last.set(sid, seq);
      return 'gap';
    }
    // The second of two equal snapshots is a repeat, the first of a new connection starts from 1.
    if (!(startsBook && seq === 1 && last > 1)) return 'repeat';
    this.#last.set(sid, seq);
    return 'restart';
  }
}
