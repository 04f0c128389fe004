/** All markets of an exchange, by number, id and slug. A market is never removed. */
import { Fault, type MarketId } from '../../domain/index.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { Effects } from './effects.ts';
import type { MarketRecord } from './market-record.ts';
import { readMarket, writeMarket } from './market-state.ts';

export class Markets {
  readonly #list: MarketRecord[] = [];
  readonly #byId = new Map<string, MarketRecord>();
  readonly #bySlug = new Map<string, MarketRecord>();
  /** Lowest number of each slug that may be free. A cache, which stays valid because slugs are never freed. */
  readonly #nextNumberBySlug = new Map<string, number>();

  /** Number of markets, which are numbered from 0. */
  get size(): number {
    return this.#list.length;
  }

  get list(): readonly MarketRecord[] {
    return this.#list;
  }

  get(market: number): MarketRecord | undefined {
    return this.#list[market];
  }

  byId(id: MarketId): MarketRecord | undefined {
    return this.#byId.get(id);
  }

  bySlug(slug: string): MarketRecord | undefined {
    return this.#bySlug.get(slug);
  }

  /** Returns the first free slug for a question: `what-if`, `what-if-2`, `what-if-3` … */
  freeSlug(question: string): string {
    const base = toSlug(question);
    let number = this.#nextNumberBySlug.get(base) ?? 1;
    while (this.#bySlug.has(numbered(base, number))) number += 1;
    this.#nextNumberBySlug.set(base, number);
    return numbered(base, number);
  }

  /** @throws RangeError unless the number is the next one, and id and slug are free */
  add(market: MarketRecord): void {
    if (market.number !== this.size || this.#byId.has(market.id) || this.#bySlug.has(market.slug)) {
      throw new RangeError(`Invariant: market ${market.number} (${market.id}, ${market.slug}) cannot be added`);
    }
    this.#list.push(market);
    this.#byId.set(market.id, market);
    this.#bySlug.set(market.slug, market);
  }

  writeState(writer: StateWriter): void {
    writer.number(this.size);
    for (const market of this.#list) writeMarket(writer, market);
  }

  /** Restores the markets of a snapshot. @throws Fault if the state is invalid */
  restore(reader: StateReader, newBook: Effects['newBook']): void {
    if (this.size > 0) throw new RangeError(`Invariant: ${this.size} markets exist before the restore`);
    const count = reader.number();
    if (!Number.isSafeInteger(count) || count < 0)
      throw new Fault('SNAPSHOT', `${count} cannot be a number of markets`);
    for (let number = 0; number < count; number += 1) this.add(readMarket(reader, number, newBook));
  }
}

function numbered(base: string, number: number): string {
  return number === 1 ? base : `${base}-${number}`;
}

/** Latin letters with diacritical marks. Unicode never changes their decomposition, so slugs are stable. */
const MARKED = /[\u00c0-\u024f\u1e00-\u1eff]/g;
const MARKS = /[\u0300-\u036f]/g;
/** Latin letters without a decomposition. */
const UNDECOMPOSED = /[ßæœøđłıðþ]/g;
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};

/** `Will Óscar's team win in "2027"?` becomes `will-oscars-team-win-in-2027`. Without words, the slug is `market`. */
export function toSlug(question: string): string {
  const plain = question
    .replace(MARKED, (letter) => letter.toLowerCase().normalize('NFD'))
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => SPELLINGS[letter] ?? '')
    .replace(/['’]/g, '')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? 'market';
}
