/**
 * The sequence numbers of all files, and which subscription carries the book of a market.
 *
 * Invariant: level changes are relative, so a book follows one subscription of one file at a time. Several recorders may have the
 * same market. A book goes on in the next file where that continues the numbers of a file that has ended.
 */
import { z } from 'zod';
import { type SequenceStep, SequenceTracker } from '../../protocol/kalshi/index.ts';

/** Subscriptions as JSON holds them. */
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

/** The place of a message. */
interface Numbers {
  readonly sid: number | undefined;
  readonly seq: number | undefined;
}

interface Carrier {
  file: string;
  readonly sid: number | undefined;
}

export class Subscriptions {
  /** By file, which holds a connection of its own. */
  readonly #connections = new Map<string, SequenceTracker>();
  /** By market. */
  readonly #carriers = new Map<string, Carrier>();
  readonly #ended = new Set<string>();

  /** Follows the sequence. @returns what the number says, and the markets whose books are lost by it */
  step(
    file: string,
    message: Numbers,
    startsBook: boolean,
  ): { readonly step: SequenceStep; readonly lost: readonly string[] } {
    const { sid, seq } = message;
    if (sid === undefined || seq === undefined) return { step: 'next', lost: [] };
    let sequence = this.#connections.get(file);
    if (sequence === undefined) {
      sequence = new SequenceTracker();
      this.#connections.set(file, sequence);
    }
    if (sequence.last(sid) === undefined) this.#continue(file, sid, seq);
    const step = sequence.step(sid, seq, message, startsBook);
    if (step === 'next' || step === 'repeat') return { step, lost: [] };
    const lost = [...this.#carriers].filter(([, carrier]) => carrier.file === file && carrier.sid === sid);
    return { step, lost: lost.map(([market]) => market) };
  }

  /** The subscription of a snapshot carries the book from now on. */
  carry(file: string, { sid }: Numbers, market: string): void {
    this.#carriers.set(market, { file, sid });
  }

  /** Which subscription carries the book of a market: this one, another one of this file or of another, or one whose file has ended. */
  carrierOf(market: string, file: string, { sid }: Numbers): 'this' | 'this file' | 'other file' | 'ended' | undefined {
    const carrier = this.#carriers.get(market);
    if (carrier === undefined) return undefined;
    if (carrier.sid === sid && carrier.file === file) return 'this';
    if (!this.#ended.has(carrier.file)) return carrier.file === file ? 'this file' : 'other file';
    // Without numbers nothing says whether the next file goes on where this one ended.
    if (sid !== undefined || carrier.sid !== undefined) return 'ended';
    carrier.file = file;
    return 'this';
  }

  /** No message of the file comes any more. */
  end(file: string): void {
    this.#ended.add(file);
  }

  save(): z.output<typeof SAVED_SUBSCRIPTIONS> {
    return {
      connections: [...this.#connections].map(([file, sequence]) => ({ file, sequence: sequence.save() })),
      carriers: [...this.#carriers].map(([market, carrier]) => ({ market, ...carrier })),
      ended: [...this.#ended],
    };
  }

  restore({ connections, carriers, ended }: z.output<typeof SAVED_SUBSCRIPTIONS>): void {
    for (const { file, sequence: saved } of connections) {
      const sequence = new SequenceTracker();
      sequence.restore(saved);
      this.#connections.set(file, sequence);
    }
    for (const { market, file, sid } of carriers) this.#carriers.set(market, { file, sid });
    for (const file of ended) this.#ended.add(file);
  }

  /** Takes over the books of a file that has ended just before this number of the same subscription. */
  #continue(file: string, sid: number, seq: number): void {
    for (const carrier of this.#carriers.values()) {
      const isBefore = carrier.sid === sid && this.#connections.get(carrier.file)?.last(sid) === seq - 1;
      if (isBefore && this.#ended.has(carrier.file)) carrier.file = file;
    }
  }
}
