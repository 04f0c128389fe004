/**
 * Signed bytes and client ids that were seen: from the table of orders, and from orders that are not committed yet.
 *
 * Nearly all signed bytes that come are new. A filter finds those that may be known. The keys that the table has at the
 * start are read into it in small steps with the following commits; until then each check queries the table.
 */

import { type Identities, unsignedId } from '../../exchange/index.ts';
import { idKey, idValue, textValue } from './column-values.ts';
import type { Connection } from './database.ts';
import type { DatabaseReads } from './database-reads.ts';
import { KeyFilter } from './key-filter.ts';
import type { OrderKeys } from './order-keys.ts';

/** An order that the table does not have yet. */
interface Fresh {
  readonly order: number;
  readonly hash: string | undefined;
  readonly clientId: string | undefined;
}

/** Keys read with a commit: a fraction of a millisecond. */
const KEYS_AT_ONCE = 1_000;
/** Beyond all keys: 2^48. */
const LAST_KEY = 281_474_976_710_656;

/** Identities over the table of orders. Memory holds those of the batches under way alone. */
export class SqliteIdentities implements Identities {
  readonly #reads: DatabaseReads;
  readonly #keys: OrderKeys;
  readonly #byClientId;
  readonly #keysAfter;
  readonly #filter: KeyFilter;
  /** The last key of the table that is in the filter; from `LAST_KEY` on all are. */
  #read: number;
  readonly #hashes = new Map<string, number>();
  readonly #clientIds = new Map<string, number>();
  #fresh: Fresh[] = [];
  /** Hash of the last lookup: an order is looked up by its bytes, and then remembered by them. */
  #lastHash = '';
  #lastKey = idKey('');
  /** The last order that the table has. */
  #committed: number;
  /** The last one that the exchange has: while it is replayed the table knows more than it may. */
  #last: number;

  constructor(connection: Connection, keys: OrderKeys, reads: DatabaseReads) {
    this.#reads = reads;
    this.#keys = keys;
    this.#byClientId = connection
      .prepare<[number, string], number>('SELECT no FROM orders WHERE account = ? AND client_id = ?')
      .pluck();
    const last = connection.prepare<[], number>('SELECT coalesce(max(no), 0) FROM orders').pluck();
    this.#committed = reads.ask(() => last.get(), 'orders') ?? 0;
    this.#last = this.#committed;
    this.#keysAfter = connection
      .prepare<[number], number>(`SELECT id_key FROM order_keys WHERE id_key > ? ORDER BY id_key LIMIT ${KEYS_AT_ONCE}`)
      .pluck();
    this.#filter = new KeyFilter(2 * this.#committed);
    for (const key of keys.waiting()) this.#filter.add(key);
    this.#read = this.#committed === 0 ? LAST_KEY : -1;
  }

  /** The last order that was remembered. */
  get last(): number {
    return this.#last;
  }

  startAt(orders: number): void {
    this.#last = orders;
  }

  orderOfHash(hash: string): number {
    const fresh = this.#hashes.get(hash);
    if (fresh !== undefined) return fresh;
    const key = this.#keyOf(hash);
    if (this.#read >= LAST_KEY && !this.#filter.mayHave(key)) return 0;
    return this.#known(this.#keys.find(key, idValue(hash)));
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return (
      this.#clientIds.get(`${account} ${clientOrderId}`) ??
      this.#known(this.#reads.ask(() => this.#byClientId.get(account, textValue(clientOrderId)), 'orders'))
    );
  }

  remember(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    this.#last = order;
    if (order <= this.#committed) return;
    this.#filter.add(this.#keyOf(hash ?? unsignedId(order)));
    const clientId = clientOrderId === undefined ? undefined : `${account} ${clientOrderId}`;
    this.#fresh.push({ order, hash, clientId });
    if (hash !== undefined) this.#hashes.set(hash, order);
    if (clientId !== undefined) this.#clientIds.set(clientId, order);
  }

  /** The table has more now. */
  committed(last: number): void {
    this.#committed = Math.max(this.#committed, last);
    let gone = 0;
    for (const { order, hash, clientId } of this.#fresh) {
      if (order > last) break;
      gone += 1;
      if (hash !== undefined) this.#hashes.delete(hash);
      if (clientId !== undefined) this.#clientIds.delete(clientId);
    }
    this.#fresh = this.#fresh.slice(gone);
    if (this.#read < LAST_KEY) this.#readKeys();
  }

  /** Index entries alone, in their order: a key that comes twice counts once. */
  #readKeys(): void {
    const keys = this.#reads.ask(() => this.#keysAfter.all(this.#read), 'order_keys');
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

  #known(order: number | undefined): number {
    return order === undefined || order > this.#last ? 0 : order;
  }
}
