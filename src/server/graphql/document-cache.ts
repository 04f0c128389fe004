/** Documents that were prepared before, the refused ones too: the least recently used leave first. */

/** Bounds of the cache. Characters stand for memory: a prepared document takes some fifty bytes for each. */
export interface CacheBounds {
  readonly mostDocuments: number;
  readonly mostCharacters: number;
}

/** About 100 MB when it is full of the worst. */
export const CACHE_BOUNDS: CacheBounds = { mostDocuments: 2_000, mostCharacters: 2_000_000 };

/** What a document takes more than its text as it is used, in characters. */
export type Grow = (characters: number) => void;

interface Entry<Prepared> {
  readonly prepared: Prepared;
  readonly size: { characters: number };
}

/** A least-recently-used map from text to what was made of it. */
export class DocumentCache<Prepared> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, Entry<Prepared>>();
  #last: { readonly text: string; readonly prepared: Prepared } | undefined;
  #characters = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Characters of all texts, and what documents have grown by. */
  get characters(): number {
    return this.#characters;
  }

  /** What was made of this text before. */
  get(text: string): Prepared | undefined {
    // Clients ask the same again and again; the youngest entry is in its place already.
    if (this.#last?.text === text) return this.#last.prepared;
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    this.#last = { text, prepared: entry.prepared };
    return entry.prepared;
  }

  /** Makes something of a text that is not there. */
  add(text: string, prepare: (text: string, grow: Grow) => Prepared): Prepared {
    const size = { characters: text.length };
    const prepared = prepare(text, (characters) => {
      size.characters += characters;
      if (this.#entries.get(text)?.size !== size) return;
      this.#characters += characters;
      this.#shrink();
    });
    this.#entries.set(text, { prepared, size });
    this.#characters += size.characters;
    this.#last = { text, prepared };
    this.#shrink();
    return prepared;
  }

  #shrink(): void {
    const { mostDocuments, mostCharacters } = this.#bounds;
    for (const [text, { size }] of this.#entries) {
      if (this.#entries.size <= mostDocuments && this.#characters <= mostCharacters) return;
      this.#entries.delete(text);
      this.#characters -= size.characters;
    }
  }
}
