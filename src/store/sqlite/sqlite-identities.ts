/**
 * Known hashes and client ids of orders, from the table of orders and from orders that are not committed yet.
 *
 * Nearly all incoming hashes are new. A filter detects hashes that may be known. After a start, the keys of the table are
 * added to the filter in small steps with the next commits. Until all are added, each check queries the table.
 */

import { type Identities, unsignedId } from '../../exchange/index.ts';
import { idKey, idValue, textValue } from './column-values.ts';
import type { DatabaseReads } from './database-reads.ts';
import { KeyFilter } from './key-filter.ts';
import type { OrderKeys } from './order-keys.ts';

interface UncommittedOrder {
  readonly order: number;
  readonly hash: string | undefined;
  readonly clientId: string | undefined;
}

/** Keys read with each commit. */
const KEYS_AT_ONCE = 1_000;
/** Greater than all keys: 2^48. */
const LAST_KEY = 281_474_976_710_656;

export class SqliteIdentities implements Identities {
  readonly #reads: DatabaseReads;
  readonly #keys: OrderKeys;
  readonly #byClientId;
  readonly #keysAfter;
  readonly #filter: KeyFilter;
  /** The last key of the table that is in the filter; `LAST_KEY` if all are. */
  #read: number;
  /** Uncommitted orders by hash, and by account and client id. */
  readonly #hashes = new Map<string, number>();
  readonly #clientIds = new Map<string, number>();
  #uncommitted: UncommittedOrder[] = [];
  /** Hash of the last lookup: `add` usually follows with the same hash. */
  #lastHash = '';
  #lastKey = idKey('');
  /** The last order in the table. */
  #committed: number;
  /** The last order of the exchange. During a replay, the table contains later orders, which are ignored. */
  #last: number;

  constructor(keys: OrderKeys, reads: DatabaseReads) {
    const { connection } = reads;
    this.#reads = reads;
    this.#keys = keys;
    this.#byClientId = connection
      .prepare<[number, string], number>('SELECT no FROM orders WHERE account = ? AND client_id = ?')
      .pluck();
    const last = connection.prepare<[], number>('SELECT coalesce(max(no), 0) FROM orders').pluck();
    this.#committed = reads.query(() => last.get(), 'orders') ?? 0;
    this.#last = this.#committed;
    this.#keysAfter = connection
      .prepare<[number], number>(`SELECT id_key FROM order_keys WHERE id_key > ? ORDER BY id_key LIMIT ${KEYS_AT_ONCE}`)
      .pluck();
    this.#filter = new KeyFilter(2 * this.#committed);
    for (const key of keys.waiting()) this.#filter.add(key);
    this.#read = this.#committed === 0 ? LAST_KEY : -1;
  }

  /** Number of the last added order. */
  get last(): number {
    return this.#last;
  }

  startAt(orders: number): void {
    this.#last = orders;
  }

  orderOfHash(hash: string): number {
    const uncommitted = this.#hashes.get(hash);
    if (uncommitted !== undefined) return uncommitted;
    const key = this.#keyOf(hash);
    if (this.#read >= LAST_KEY && !this.#filter.mayContain(key)) return 0;
    return this.#knownOrder(this.#keys.find(key, idValue(hash)));
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return (
      this.#clientIds.get(`${account} ${clientOrderId}`) ??
      this.#knownOrder(this.#reads.query(() => this.#byClientId.get(account, textValue(clientOrderId)), 'orders'))
    );
  }

  add(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    this.#last = order;
    if (order <= this.#committed) return;
    this.#filter.add(this.#keyOf(hash ?? unsignedId(order)));
    const clientId = clientOrderId === undefined ? undefined : `${account} ${clientOrderId}`;
    this.#uncommitted.push({ order, hash, clientId });
    if (hash !== undefined) this.#hashes.set(hash, order);
    if (clientId !== undefined) this.#clientIds.set(clientId, order);
  }

  /** Deletes orders up to `last` from memory, because the table now contains them. */
  committed(last: number): void {
    this.#committed = Math.max(this.#committed, last);
    let deleted = 0;
    for (const { order, hash, clientId } of this.#uncommitted) {
      if (order > last) break;
      deleted += 1;
      if (hash !== undefined) this.#hashes.delete(hash);
      if (clientId !== undefined) this.#clientIds.delete(clientId);
    }
    this.#uncommitted = this.#uncommitted.slice(deleted);
    if (this.#read < LAST_KEY) this.#readKeys();
  }

  #readKeys(): void {
    const keys = this.#reads.query(() => this.#keysAfter.all(this.#read), 'order_keys');
    for (const key of keys) this.#filter.add(key);
    this.#read = keys.length < KEYS_AT_ONCE ? LAST_KEY : (keys.at(-1) ?? LAST_KEY);
  }

  #keyOf(hash: string): number {
    if (hash !== this.#lastHash) {
      this.#lastHash = hash;
      this.#lastKey = idKey(hash);
    }
    return this.#lastKey;
  }

  #knownOrder(order: number | undefined): number {
    return order === undefined || order > this.#last ? 0 : order;
  }
}
