/**
 * All markets in each sort order, with totals of categories and topics.
 *
 * Invariants: the index shows durable state only. It changes when a turn is published, so a read during a turn sees the
 * state before it. Between turns, every market is at its place in each order, and totals include all markets.
 */
import type { ExchangeEvent, ExchangeView, MarketRecord } from '../exchange/index.ts';
import { centsDown, type MarketSort } from '../protocol/index.ts';
import type { Watcher } from './command-queue-types.ts';
import type { Direction, Place } from './paging/cursors.ts';
import { SortedEntries } from './paging/sorted-entries.ts';
import { type Rows, reversed } from './paging/sorted-page.ts';

/** A market with the durable values that lists sort and filter by. */
export interface MarketEntry {
  /** The exchange's own record: read it only where the state is durable. */
  readonly record: Readonly<MarketRecord>;
  readonly id: string;
  readonly createdAt: number;
  readonly status: MarketRecord['status'];
  readonly categorySlug: string;
  readonly topicSlugs: readonly string[];
  readonly lowerCaseQuestion: string;
  readonly volumeCents: number;
  readonly resolutionDate: number;
}

export interface MarketTotals {
  readonly count: number;
  /** Micro-USD. */
  readonly volume: number;
}

export interface MarketOrder {
  readonly sort: MarketSort;
  readonly direction: Direction;
  readonly rows: Rows<MarketEntry>;
  /** A copy of the rows that pass. */
  readonly passing: (test: (entry: MarketEntry) => boolean) => Rows<MarketEntry>;
  readonly placeOf: (entry: MarketEntry) => Place;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Key = 'CREATED_AT' | 'VOLUME' | 'RESOLUTION_DATE';
interface Entry extends Writable<MarketEntry> {
  /** Micro-USD. */
  volume: number;
}

const PLACES: Readonly<Record<Key, (entry: MarketEntry) => Place>> = {
  CREATED_AT: ({ createdAt, id }) => ({ value: createdAt, id }),
  VOLUME: ({ volumeCents, id }) => ({ value: volumeCents, id }),
  RESOLUTION_DATE: ({ resolutionDate, id }) => ({ value: resolutionDate, id }),
};

const NO_MARKETS: MarketTotals = { count: 0, volume: 0 };

/** Create the index after recovery, and add it to the queue before the queue starts. */
export class MarketIndex implements Watcher {
  readonly #view: Pick<ExchangeView, 'markets'>;
  /** By market number. */
  readonly #entries: Entry[];
  readonly #sorted: Readonly<Record<Key, SortedEntries<MarketEntry>>>;
  readonly #orders: Readonly<Record<MarketSort, MarketOrder>>;
  readonly #byCreator = new Map<number, SortedEntries<MarketEntry>>();
  readonly #categories = new Map<string, Writable<MarketTotals>>();
  readonly #topics = new Map<string, number>();
  /** Numbers of the markets that changed in this turn. */
  readonly #changed = new Set<number>();

  constructor(view: Pick<ExchangeView, 'markets'>) {
    this.#view = view;
    this.#entries = view.markets.map(entryOf);
    this.#sorted = {
      CREATED_AT: new SortedEntries<MarketEntry>(PLACES.CREATED_AT, this.#entries),
      VOLUME: new SortedEntries<MarketEntry>(PLACES.VOLUME, this.#entries),
      RESOLUTION_DATE: new SortedEntries<MarketEntry>(PLACES.RESOLUTION_DATE, this.#entries),
    };
    const order = (sort: MarketSort, key: Key, direction: Direction): MarketOrder =>
      orderOf(sort, direction, this.#sorted[key], PLACES[key]);
    this.#orders = {
      CREATED_AT_ASC: order('CREATED_AT_ASC', 'CREATED_AT', 'ascending'),
      CREATED_AT_DESC: order('CREATED_AT_DESC', 'CREATED_AT', 'descending'),
      VOLUME_ASC: order('VOLUME_ASC', 'VOLUME', 'ascending'),
      VOLUME_DESC: order('VOLUME_DESC', 'VOLUME', 'descending'),
      RESOLUTION_DATE_ASC: order('RESOLUTION_DATE_ASC', 'RESOLUTION_DATE', 'ascending'),
      RESOLUTION_DATE_DESC: order('RESOLUTION_DATE_DESC', 'RESOLUTION_DATE', 'descending'),
    };
    for (const entry of this.#entries) this.#count(entry);
  }

  order(sort: MarketSort): MarketOrder {
    return this.#orders[sort];
  }

  /** The markets that an account created, newest first. */
  createdBy(account: number): MarketOrder {
    const rows = this.#byCreator.get(account) ?? new SortedEntries(PLACES.CREATED_AT);
    return orderOf('CREATED_AT_DESC', 'descending', rows, PLACES.CREATED_AT);
  }

  totalsOfCategory(slug: string): MarketTotals {
    return this.#categories.get(slug) ?? NO_MARKETS;
  }

  countOfTopic(slug: string): number {
    return this.#topics.get(slug) ?? 0;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'traded') this.#changed.add(event.market);
      else if (event.type === 'happened' && (event.event.type === 'marketChanged' || event.event.type === 'printed')) {
        this.#changed.add(event.event.market);
      }
    }
  }

  onTurnEnd(): void {
    for (const market of this.#changed) {
      const entry = this.#entries[market];
      if (entry === undefined) this.#addUpTo(market);
      else this.#update(entry);
    }
    this.#changed.clear();
  }

  /** Adds all new markets up to a number, in the order of their numbers. */
  #addUpTo(market: number): void {
    for (let no = this.#entries.length; no <= market; no += 1) {
      const record = this.#view.markets[no];
      if (record === undefined) throw new RangeError(`Invariant: market ${no} was announced but does not exist`);
      const entry = entryOf(record);
      this.#entries.push(entry);
      for (const sorted of Object.values(this.#sorted)) sorted.add(entry);
      this.#count(entry);
    }
  }

  #update(entry: Entry): void {
    const { status, volume, resolutionDate } = entry.record;
    entry.status = status;
    if (volume !== entry.volume) {
      this.#totalsOf(entry.categorySlug).volume += volume - entry.volume;
      entry.volume = volume;
    }
    const volumeCents = centsDown(volume);
    if (volumeCents !== entry.volumeCents) {
      this.#sorted.VOLUME.remove(entry);
      entry.volumeCents = volumeCents;
      this.#sorted.VOLUME.add(entry);
    }
    if (resolutionDate !== entry.resolutionDate) {
      this.#sorted.RESOLUTION_DATE.remove(entry);
      entry.resolutionDate = resolutionDate;
      this.#sorted.RESOLUTION_DATE.add(entry);
    }
  }

  /** Adds a new market to the totals and to its creator's list. */
  #count(entry: Entry): void {
    const { categorySlug, topicSlugs } = entry;
    const { creator } = entry.record;
    const own = this.#byCreator.get(creator) ?? new SortedEntries(PLACES.CREATED_AT);
    own.add(entry);
    this.#byCreator.set(creator, own);
    const totals = this.#totalsOf(categorySlug);
    totals.count += 1;
    totals.volume += entry.volume;
    for (const slug of topicSlugs) this.#topics.set(slug, this.countOfTopic(slug) + 1);
  }

  #totalsOf(category: string): Writable<MarketTotals> {
    const known = this.#categories.get(category);
    if (known !== undefined) return known;
    const fresh = { count: 0, volume: 0 };
    this.#categories.set(category, fresh);
    return fresh;
  }
}

function orderOf(
  sort: MarketSort,
  direction: Direction,
  ascending: SortedEntries<MarketEntry>,
  placeOf: MarketOrder['placeOf'],
): MarketOrder {
  const directed = (rows: Rows<MarketEntry>): Rows<MarketEntry> => (direction === 'ascending' ? rows : reversed(rows));
  return { sort, direction, rows: directed(ascending), passing: (test) => directed(ascending.passing(test)), placeOf };
}

function entryOf(record: Readonly<MarketRecord>): Entry {
  const { id, createdAt, status, categorySlug, topicSlugs, question, volume, resolutionDate } = record;
  return {
    record,
    id,
    createdAt,
    status,
    categorySlug,
    topicSlugs,
    resolutionDate,
    lowerCaseQuestion: question.toLowerCase(),
    volume,
    volumeCents: centsDown(volume),
  };
}
