/**
 * Relation of a message to the earlier messages of its subscription. After `gap`, `restart` and `mixed`, the
 * subscription's books are unknown until their next snapshots.
 */
export type SequenceStep =
  /** The message is the first of its subscription, or follows the previous message. */
  | 'next'
  /** Messages before this message are missing. */
  | 'gap'
  | 'repeat'
  /** A new connection began the subscription again. */
  | 'restart'
  /** The earlier message of this number differs or is no longer stored. The recording mixes two connections. */
  | 'mixed';

interface Sequence {
  last: number;
  /** The newest messages by number modulo `MAX_RECENT`. After `restore`, each message is its JSON text. */
  readonly recent: (StoredMessage | undefined)[];
}

interface StoredMessage {
  readonly seq: number;
  readonly message: unknown;
}

interface ReceivedMessage extends StoredMessage {
  /** Whether the message is a snapshot of a book. */
  readonly isSnapshot: boolean;
}

/** Number of stored messages per subscription. A second recorder may lag by at most this many messages. */
const MAX_RECENT = 1_024;

type SavedSequence = [sid: number, last: number, recent: [seq: number, json: string][]];

/** Follows the sequence numbers of each subscription. `seq` increases by one per message, including replies. */
export class SequenceTracker {
  readonly #sequences = new Map<number, Sequence>();

  lastSeq(sid: number): number | undefined {
    return this.#sequences.get(sid)?.last;
  }

  step(sid: number, received: ReceivedMessage): SequenceStep {
    const { seq, message } = received;
    let sequence = this.#sequences.get(sid);
    if (sequence === undefined) {
      sequence = { last: seq - 1, recent: [] };
      this.#sequences.set(sid, sequence);
    }
    const step = classify(sequence, received);
    if (step === 'repeat') return step;
    sequence.last = seq;
    sequence.recent[seq % MAX_RECENT] = { seq, message };
    return step;
  }

  save(): SavedSequence[] {
    return [...this.#sequences].map(([sid, { last, recent }]) => [
      sid,
      last,
      recent.flatMap((entry): [number, string][] => (entry === undefined ? [] : [[entry.seq, toJson(entry.message)]])),
    ]);
  }

  restore(saved: readonly SavedSequence[]): void {
    for (const [sid, last, messages] of saved) {
      const recent: (StoredMessage | undefined)[] = [];
      for (const [seq, message] of messages) recent[seq % MAX_RECENT] = { seq, message };
      this.#sequences.set(sid, { last, recent });
    }
  }
}

function classify({ last, recent }: Sequence, { seq, message, isSnapshot }: ReceivedMessage): SequenceStep {
  if (seq === last + 1) return 'next';
  if (seq > last) return 'gap';
  // A new connection starts with a snapshot whose number is 1. If `last` is 1, an equal snapshot is a repeat.
  if (isSnapshot && seq === 1 && last > 1) return 'restart';
  const earlier = recent[seq % MAX_RECENT];
  return earlier?.seq === seq && toJson(earlier.message) === toJson(message) ? 'repeat' : 'mixed';
}

function toJson(message: unknown): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}
