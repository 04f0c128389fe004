/**
 * Known hashes and client ids of orders, from the table of orders and from orders that are not committed yet.
 *
 * Nearly all incoming hashes are new. A filter detects hashes that may be known. After a start, each commit adds some
 * of the table's keys to the filter. Until the filter has all keys, each check queries the table.
 */
import { type Identities, unsignedId } from '../../exchange/index.ts';
import { encodeId, encodeText, idKey, KEY_LIMIT } from './column-values.ts';
import type { DatabaseReads } from './database-reads.ts';
import { KeyFilter } from './key-filter.ts';
import type { OrderKeys } from './order-keys.ts';

interface UncommittedOrder {
  readonly order: number;
  readonly hash: string | undefined;
  readonly clientId: string | undefined;
}

/** Number of keys that are read at each commit. */
const KEYS_PER_READ = 1_000;

export class SqliteIdentities implements Identities {
  readonly #reads: DatabaseReads;
  readonly #keys: OrderKeys;
  readonly #byClientId;
  readonly #keysAfter;
  readonly #filter: KeyFilter;
  /** The table's last key that is in the filter; `KEY_LIMIT` if the filter has all keys. */
  #lastReadKey: number;
  /** Uncommitted orders by hash, and by account and client id. */
  readonly #hashes = new Map<string, number>();
  readonly #clientIds = new Map<string, number>();
  #uncommitted: UncommittedOrder[] = [];
  /** Hash of the last lookup and its key. `add` usually follows with the same hash. */
  #lastHash = '';
  #lastKey = idKey('');
  /** The last order in the table. */
  #lastCommittedOrder: number;
  /** The last order of the exchange. During a replay, the table contains later orders, which are ignored. */
  #lastOrder: number;

  constructor(keys: OrderKeys, reads: DatabaseReads) {
    const { connection } = reads;
    this.#reads = reads;
    this.#keys = keys;
    this.#byClientId = connection
      .prepare<[number, string], number>('SELECT no FROM orders WHERE account = ? AND client_id = ?')
      .pluck();
    const last = connection.prepare<[], number>('SELECT coalesce(max(no), 0) FROM orders').pluck();
    this.#lastCommittedOrder = reads.query(() => last.get(), 'orders') ?? 0;
    this.#lastOrder = this.#lastCommittedOrder;
    this.#keysAfter = connection
      .prepare<[number], number>(
        `SELECT id_key FROM order_keys WHERE id_key > ? ORDER BY id_key LIMIT ${KEYS_PER_READ}`,
      )
      .pluck();
    this.#filter = new KeyFilter(2 * this.#lastCommittedOrder);
    for (const key of keys.waiting()) this.#filter.add(key);
    this.#lastReadKey = this.#lastCommittedOrder === 0 ? KEY_LIMIT : -1;
  }

  /** Number of the last added order. */
  get last(): number {
    return this.#lastOrder;
  }

  startAt(lastOrder: number): void {
    this.#lastOrder = lastOrder;
  }

  orderOfHash(hash: string): number {
    const uncommitted = this.#hashes.get(hash);
    if (uncommitted !== undefined) return uncommitted;
    const key = this.#keyOf(hash);
    if (this.#lastReadKey >= KEY_LIMIT && !this.#filter.mayContain(key)) return 0;
    return this.#knownOrder(this.#keys.find(key, encodeId(hash)));
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return (
      this.#clientIds.get(`${account} ${clientOrderId}`) ??
      this.#knownOrder(this.#reads.query(() => this.#byClientId.get(account, encodeText(clientOrderId)), 'orders'))
    );
  }

  add(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    this.#lastOrder = order;
    if (order <= this.#lastCommittedOrder) return;
    this.#filter.add(this.#keyOf(hash ?? unsignedId(order)));
    const clientId = clientOrderId === undefined ? undefined : `${account} ${clientOrderId}`;
    this.#uncommitted.push({ order, hash, clientId });
    if (hash !== undefined) this.#hashes.set(hash, order);
    if (clientId !== undefined) this.#clientIds.set(clientId, order);
  }

  /** Deletes orders up to `last` from memory, because the table now contains them. */
  onCommitted(last: number): void {
    this.#lastCommittedOrder = Math.max(this.#lastCommittedOrder, last);
    let deleted = 0;
    for (const { order, hash, clientId } of this.#uncommitted) {
      if (order > last) break;
      deleted += 1;
      if (hash !== undefined) this.#hashes.delete(hash);
      if (clientId !== undefined) this.#clientIds.delete(clientId);
    }
    this.#uncommitted = this.#uncommitted.slice(deleted);
    if (this.#lastReadKey < KEY_LIMIT) this.#readKeys();
  }

  #readKeys(): void {
    const keys = this.#reads.query(() => this.#keysAfter.all(this.#lastReadKey), 'order_keys');
    for (const key of keys) this.#filter.add(key);
    this.#lastReadKey = keys.length < KEYS_PER_READ ? KEY_LIMIT : (keys.at(-1) ?? KEY_LIMIT);
  }

  #keyOf(hash: string): number {
    if (hash !== this.#lastHash) {
      this.#lastHash = hash;
      this.#lastKey = idKey(hash);
    }
    return this.#lastKey;
  }

  #knownOrder(order: number | undefined): number {
    return order === undefined || order > this.#lastOrder ? 0 : order;
  }
}
