/** How often each root field was asked for, and what came of it: for metrics. A request costs an addition for each. */

/** Since the start. */
export interface Tally {
  /** Requests that named it and could be read, refused ones too; of a subscription, how often it was begun. */
  asked: number;
  /** Kept out before it ran: no credentials, no scope, too many requests. */
  refused: number;
  /** It ran and ended with an error; each event of a stream that could not be shown. */
  failed: number;
}

/** Tallies by root field. */
export class Tallies {
  readonly #byField = new Map<string, Tally>();

  /** The tally of a field, from the first time on. @param field of the contract, or of introspection */
  of(field: string): Tally {
    const known = this.#byField.get(field);
    if (known !== undefined) return known;
    const fresh = { asked: 0, refused: 0, failed: 0 };
    this.#byField.set(field, fresh);
    return fresh;
  }

  /** All that were ever asked for. */
  entries(): Iterable<readonly [string, Readonly<Tally>]> {
    return this.#byField.entries();
  }
}
