/** Relation of a message to the earlier messages of its subscription. */
export type SequenceStep =
  /** The first of a subscription, or the next one. */
  | 'next'
  /** Messages are missing before it: the books of the subscription are unknown until their next snapshots. */
  | 'gap'
  /** A repetition of an earlier message. */
  | 'repeat'
  /** A new connection began the subscription again: its books are unknown until their next snapshots. */
  | 'restart'
  /** Another message had this number: two connections are mixed, and their books are unknown until their next snapshots. */
  | 'mixed';

interface Sequence {
  last: number;
  /** The last messages by number modulo `REMEMBERED`, those of a restored tracker as JSON. */
  readonly recent: (Numbered | undefined)[];
}

interface Numbered {
  readonly seq: number;
  readonly message: unknown;
}

/** Number of last messages that detect repetitions, which is how far a second recorder may lag behind. */
const REMEMBERED = 1_024;

/** Subscriptions in JSON: the last number, then the last messages with their numbers. */
type SavedSequence = [sid: number, last: number, recent: [seq: number, json: string][]];

/** Follows the sequence numbers of each subscription. `seq` increases by one per message of a `sid`, including replies. */
export class SequenceTracker {
  readonly #sequences = new Map<number, Sequence>();

  /** The last number of a subscription; undefined before its first message. */
  last(sid: number): number | undefined {
    return this.#sequences.get(sid)?.last;
  }

  /**
   * @param message the message with this number, which detects repetitions
   * @param startsBook whether it is a snapshot, as the first message of a subscription is
   */
  step(sid: number, seq: number, message: unknown, startsBook: boolean): SequenceStep {
    let sequence = this.#sequences.get(sid);
    if (sequence === undefined) {
      sequence = { last: seq - 1, recent: [] };
      this.#sequences.set(sid, sequence);
    }
    const step = stepOf(sequence, seq, message, startsBook);
    if (step === 'repeat') return step;
    sequence.last = seq;
    sequence.recent[seq % REMEMBERED] = { seq, message };
    return step;
  }

  save(): SavedSequence[] {
    return [...this.#sequences].map(([sid, { last, recent }]) => [
      sid,
      last,
      recent.flatMap((each): [number, string][] => (each === undefined ? [] : [[each.seq, jsonOf(each.message)]])),
    ]);
  }

  restore(saved: readonly SavedSequence[]): void {
    for (const [sid, last, messages] of saved) {
      const recent: (Numbered | undefined)[] = [];
      for (const [seq, message] of messages) recent[seq % REMEMBERED] = { seq, message };
      this.#sequences.set(sid, { last, recent });
    }
  }
}

function stepOf({ last, recent }: Sequence, seq: number, message: unknown, startsBook: boolean): SequenceStep {
  if (seq === last + 1) return 'next';
  if (seq > last) return 'gap';
  // The second of two equal snapshots is a repeat, the first of a new connection starts from 1.
  if (startsBook && seq === 1 && last > 1) return 'restart';
  const before = recent[seq % REMEMBERED];
  return before?.seq === seq && jsonOf(before.message) === jsonOf(message) ? 'repeat' : 'mixed';
}

function jsonOf(message: unknown): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}
