/**
 * Known hashes and client ids of orders, from the table of orders and from orders that are not committed yet.
 *
 * Nearly all incoming hashes are new. A filter detects hashes that may be known. After a start, each commit adds some of the
 * table's keys to the filter. Until the filter has all keys, each check queries the table.
 */
import { type Identities, unsignedId } from '../../exchange/index.ts';
import { encodeId, encodeText, idKey } from './column-values.ts';
import type { DatabaseReads } from './database-reads.ts';
import { KeyFilter } from './key-filter.ts';
import type { OrderKeys } from './order-keys.ts';

interface UncommittedOrder {
  readonly order: number;
  readonly hash: string | undefined;
  readonly clientId: string | undefined;
}

/** Number of keys that are read at each commit. */
const KEYS_AT_ONCE = 1_000;
/** 2^48, greater than all keys. */
const ALL_KEYS = 281_474_976_710_656;

export class SqliteIdentities implements Identities {
  readonly #reads: DatabaseReads;
  readonly #keys: OrderKeys;
  readonly #byClientId;
  readonly #keysAfter;
  readonly #filter: KeyFilter;
  /** The table's last key that is in the filter; `ALL_KEYS` if the filter has all keys. */
  #read: number;
  /** Uncommitted orders by hash, and by account and client id. */
  readonly #hashes = new Map<string, number>();
  readonly #clientIds = new Map<string, number>();
  #uncommitted: UncommittedOrder[] = [];
  /** Hash of the last lookup and its key. `add` usually follows with the same hash. */
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
    this.#read = this.#committed === 0 ? ALL_KEYS : -1;
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
    if (this.#read >= ALL_KEYS && !this.#filter.mayContain(key)) return 0;
    return this.#knownOrder(this.#keys.find(key, encodeId(hash)));
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return (
      this.#clientIds.get(`${account} ${clientOrderId}`) ??
      this.#knownOrder(this.#reads.query(() => this.#byClientId.get(account, encodeText(clientOrderId)), 'orders'))
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
  onCommitted(last: number): void {
    this.#committed = Math.max(this.#committed, last);
    let deleted = 0;
    for (const { order, hash, clientId } of this.#uncommitted) {
      if (order > last) break;
      deleted += 1;
      if (hash !== undefined) this.#hashes.delete(hash);
      if (clientId !== undefined) this.#clientIds.delete(clientId);
    }
    this.#uncommitted = this.#uncommitted.slice(deleted);
    if (this.#read < ALL_KEYS) this.#readKeys();
  }

  #readKeys(): void {
    const keys = this.#reads.query(() => this.#keysAfter.all(this.#read), 'order_keys');
    for (const key of keys) this.#filter.add(key);
    this.#read = keys.length < KEYS_AT_ONCE ? ALL_KEYS : (keys.at(-1) ?? ALL_KEYS);
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
