/** Documents that were prepared before, the refused ones too: the least recently used leave first. */

/** Bounds of the cache. Characters stand for memory: a prepared document takes some fifty bytes for each. */
export interface CacheBounds {
  readonly mostDocuments: number;
  readonly mostCharacters: number;
}

/** About 100 MB when it is full of the worst. */
export const CACHE_BOUNDS: CacheBounds = { mostDocuments: 2_000, mostCharacters: 2_000_000 };

/** A least-recently-used map from text to what was made of it. */
export class DocumentCache<Prepared> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, Prepared>();
  #last: { readonly text: string; readonly prepared: Prepared } | undefined;
  #characters = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Characters of all texts. */
  get characters(): number {
    return this.#characters;
  }

  /** What was made of this text before, or what `prepare` makes of it now. */
  get(text: string, prepare: (text: string) => Prepared): Prepared {
    // Clients ask the same again and again; the youngest entry is in its place already.
    if (this.#last?.text === text) return this.#last.prepared;
    let prepared = this.#entries.get(text);
    if (prepared === undefined) {
      prepared = prepare(text);
      this.#characters += text.length;
    } else {
      this.#entries.delete(text);
    }
    this.#entries.set(text, prepared);
    this.#last = { text, prepared };
    this.#shrink();
    return prepared;
  }

  #shrink(): void {
    for (const text of this.#entries.keys()) {
      const { mostDocuments, mostCharacters } = this.#bounds;
      if (this.#entries.size <= mostDocuments && this.#characters <= mostCharacters) return;
      this.#entries.delete(text);
      this.#characters -= text.length;
    }
  }
}
