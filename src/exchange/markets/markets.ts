/** All markets of an exchange, by number, by id and by slug. A market is never removed. */
import { Fault, type MarketId, type MarketNo } from '../../domain/index.ts';
import type { Book } from '../matching/book.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { MarketRecord } from './market-record.ts';
import { readMarket, writeMarket } from './market-state.ts';
import { slugOf } from './slug.ts';

/** The markets. Only the lifecycle adds to them. */
export class Markets {
  readonly #list: MarketRecord[] = [];
  readonly #byId = new Map<string, MarketRecord>();
  readonly #bySlug = new Map<string, MarketRecord>();
  /** Below it every number of a slug is taken, as slugs are never given back; only spares looking. */
  readonly #nextOfSlug = new Map<string, number>();

  /** Number of markets; their numbers are 0 … size - 1. */
  get size(): number {
    return this.#list.length;
  }

  /** By number. */
  get list(): readonly MarketRecord[] {
    return this.#list;
  }

  /** Undefined for whatever is not the number of a market. */
  get(market: number): MarketRecord | undefined {
    return this.#list[market];
  }

  byId(id: MarketId): MarketRecord | undefined {
    return this.#byId.get(id);
  }

  bySlug(slug: string): MarketRecord | undefined {
    return this.#bySlug.get(slug);
  }

  /** The slug that a market of this question would get: `what-if`, and when taken `what-if-2`, `what-if-3` … */
  freeSlug(question: string): string {
    const base = slugOf(question);
    let number = this.#nextOfSlug.get(base) ?? 1;
    while (this.#bySlug.has(numbered(base, number))) number += 1;
    this.#nextOfSlug.set(base, number);
    return numbered(base, number);
  }

  /** @throws RangeError unless number, id and slug are the next and free */
  add(market: MarketRecord): void {
    if (market.no !== this.size || this.#byId.has(market.id) || this.#bySlug.has(market.slug)) {
      throw new RangeError(`Invariant: market ${market.no} (${market.id}, ${market.slug}) cannot be added`);
    }
    this.#list.push(market);
    this.#byId.set(market.id, market);
    this.#bySlug.set(market.slug, market);
  }

  /** n number of markets; each by number (market-state.ts). */
  writeState(writer: StateWriter): void {
    writer.number(this.size);
    for (const market of this.#list) writeMarket(writer, market);
  }

  /** Fills empty markets with what was written. @throws Fault when the state is not one of markets */
  restore(reader: StateReader, newBook: (market: MarketNo, tickBps: number) => Book): void {
    if (this.size > 0) throw new RangeError(`Invariant: ${this.size} markets are in the way of a snapshot`);
    const count = reader.number();
    if (!Number.isSafeInteger(count) || count < 0)
      throw new Fault('SNAPSHOT', `${count} cannot be a number of markets`);
    for (let no = 0; no < count; no += 1) this.add(readMarket(reader, no, newBook));
  }
}

function numbered(base: string, number: number): string {
  return number === 1 ? base : `${base}-${number}`;
}
