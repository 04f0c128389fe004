/**
 * Tracks the sequence numbers of all files, and which subscription carries the book of a market.
 *
 * Invariant: level changes are relative, so a book follows one subscription of one file at a time, even if several
 * recorders have the market. After the end of a file, a book continues in a file that continues the sequence numbers.
 */
import { z } from 'zod';
import { type SequenceStep, SequenceTracker } from '../../protocol/kalshi/index.ts';

export const SAVED_SUBSCRIPTIONS = z.object({
  connections: z.array(
    z.object({
      file: z.string(),
      sequence: z.array(z.tuple([z.number(), z.number(), z.array(z.tuple([z.number(), z.string()]))])),
    }),
  ),
  carriers: z.array(z.object({ market: z.string(), file: z.string(), sid: z.number().optional() })),
  ended: z.array(z.string()),
});

interface SequenceFields {
  readonly sid: number | undefined;
  readonly seq: number | undefined;
}

interface Carrier {
  file: string;
  readonly sid: number | undefined;
}

export class Subscriptions {
  /** By file, because each file records one connection. */
  readonly #connections = new Map<string, SequenceTracker>();
  /** By market. */
  readonly #carriers = new Map<string, Carrier>();
  readonly #endedFiles = new Set<string>();

  /** Checks the sequence number of a message. Returns the result and the markets whose books are lost. */
  checkSequence(
    file: string,
    message: SequenceFields,
    startsBook: boolean,
  ): { readonly step: SequenceStep; readonly lost: readonly string[] } {
    const { sid, seq } = message;
    if (sid === undefined || seq === undefined) return { step: 'next', lost: [] };
    let sequence = this.#connections.get(file);
    if (sequence === undefined) {
      sequence = new SequenceTracker();
      this.#connections.set(file, sequence);
    }
    if (sequence.lastSeq(sid) === undefined) this.#transferBooks(file, sid, seq);
    const step = sequence.step(sid, { seq, message, isSnapshot: startsBook });
    if (step === 'next' || step === 'repeat') return { step, lost: [] };
    const lost = [...this.#carriers].filter(([, carrier]) => carrier.file === file && carrier.sid === sid);
    return { step, lost: lost.map(([market]) => market) };
  }

  /** Makes the subscription of a snapshot the carrier of the book. */
  setCarrier(file: string, { sid }: SequenceFields, market: string): void {
    this.#carriers.set(market, { file, sid });
  }

  /** Returns what carries a book: this subscription, another of this file, another file, or a file that ended. */
  getCarrier(
    market: string,
    file: string,
    { sid }: SequenceFields,
  ): 'this subscription' | 'other subscription' | 'other file' | 'ended file' | undefined {
    const carrier = this.#carriers.get(market);
    if (carrier === undefined) return undefined;
    if (carrier.sid === sid && carrier.file === file) return 'this subscription';
    if (!this.#endedFiles.has(carrier.file)) return carrier.file === file ? 'other subscription' : 'other file';
    // Without subscription ids, the next file continues the file that ended.
    if (sid !== undefined || carrier.sid !== undefined) return 'ended file';
    carrier.file = file;
    return 'this subscription';
  }

  endFile(file: string): void {
    this.#endedFiles.add(file);
  }

  save(): z.output<typeof SAVED_SUBSCRIPTIONS> {
    return {
      connections: [...this.#connections].map(([file, sequence]) => ({ file, sequence: sequence.save() })),
      carriers: [...this.#carriers].map(([market, carrier]) => ({ market, ...carrier })),
      ended: [...this.#endedFiles],
    };
  }

  restore({ connections, carriers, ended }: z.output<typeof SAVED_SUBSCRIPTIONS>): void {
    for (const { file, sequence: saved } of connections) {
      const sequence = new SequenceTracker();
      sequence.restore(saved);
      this.#connections.set(file, sequence);
    }
    for (const { market, file, sid } of carriers) this.#carriers.set(market, { file, sid });
    for (const file of ended) this.#endedFiles.add(file);
  }

  /** Transfers the books of ended files in which `seq - 1` is the last number of the subscription. */
  #transferBooks(file: string, sid: number, seq: number): void {
    for (const carrier of this.#carriers.values()) {
      const isBefore = carrier.sid === sid && this.#connections.get(carrier.file)?.lastSeq(sid) === seq - 1;
      if (isBefore && this.#endedFiles.has(carrier.file)) carrier.file = file;
    }
  }
}
