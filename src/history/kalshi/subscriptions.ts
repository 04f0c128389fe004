import { z } from 'zod';
import { type SequenceStep, SequenceTracker } from '../../protocol/kalshi/index.ts';

/** Subscriptions as JSON holds them. */
export const SAVED_SUBSCRIPTIONS = z.array(
  z.object({
    file: z.string(),
    numbers: z.array(z.tuple([z.number(), z.number()])),
    carried: z.array(z.tuple([z.number(), z.array(z.string())])),
  }),
);

/** One connection: a file holds its own. */
interface Connection {
  readonly sequence: SequenceTracker;
  /** Markets whose books a subscription carries. */
  readonly carried: Map<number, Set<string>>;
}

/** The sequence numbers of all files, and which books a gap in them concerns. */
export class Subscriptions {
  readonly #connections = new Map<string, Connection>();

  /** @returns what the number says, and the markets whose books the subscription carries */
  step(
    file: string,
    { sid, seq }: { readonly sid: number | undefined; readonly seq: number | undefined },
    startsBook: boolean,
  ): { readonly step: SequenceStep; readonly carried: readonly string[] } {
    if (sid === undefined || seq === undefined) return { step: 'next', carried: [] };
    const { sequence, carried } = this.#of(file);
    const step = sequence.step(sid, seq, startsBook);
    return { step, carried: step === 'next' ? [] : [...(carried.get(sid) ?? [])] };
  }

  carry(file: string, sid: number | undefined, market: string): void {
    if (sid === undefined) return;
    const { carried } = this.#of(file);
    const markets = carried.get(sid);
    if (markets === undefined) carried.set(sid, new Set([market]));
    else markets.add(market);
  }

  save(): z.output<typeof SAVED_SUBSCRIPTIONS> {
    return [...this.#connections].map(([file, { sequence, carried }]) => ({
      file,
      numbers: sequence.last(),
      carried: [...carried].map(([sid, markets]): [number, string[]] => [sid, [...markets]]),
    }));
  }

  restore(saved: z.output<typeof SAVED_SUBSCRIPTIONS>): void {
    for (const { file, numbers, carried } of saved) {
      this.#connections.set(file, {
        sequence: new SequenceTracker(numbers),
        carried: new Map(carried.map(([sid, markets]) => [sid, new Set(markets)])),
      });
    }
  }

  #of(file: string): Connection {
    let connection = this.#connections.get(file);
    if (connection === undefined) {
      connection = { sequence: new SequenceTracker(), carried: new Map() };
      this.#connections.set(file, connection);
    }
    return connection;
  }
}
