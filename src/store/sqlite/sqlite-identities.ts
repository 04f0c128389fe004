/** Which signed bytes and client ids were seen: from the table of orders, and of those that are not committed yet. */
import type { StoredIdentities } from '../../exchange/index.ts';
import type { Connection } from './database.ts';
import { idKey, idValue } from './order-key.ts';
import { textValue } from './text-value.ts';

/** An order that the table does not have yet. */
interface Fresh {
  readonly order: number;
  readonly hash: string | undefined;
  readonly clientId: string | undefined;
}

/** Identities over the table of orders. Memory holds those of the batches under way alone. */
export class SqliteIdentities implements StoredIdentities {
  readonly #byId;
  readonly #byClientId;
  readonly #hashes = new Map<string, number>();
  readonly #clientIds = new Map<string, number>();
  #fresh: Fresh[] = [];
  /** The last order that the table has. */
  #committed: number;
  /** The last one that the exchange has: while it is replayed the table knows more than it may. */
  #last: number;

  constructor(connection: Connection) {
    this.#byId = connection
      .prepare<[number, Buffer | string], number>('SELECT no FROM orders WHERE id_key = ? AND id = ?')
      .pluck();
    this.#byClientId = connection
      .prepare<[number, string], number>('SELECT no FROM orders WHERE account = ? AND client_id = ?')
      .pluck();
    this.#committed = connection.prepare<[], number>('SELECT coalesce(max(no), 0) FROM orders').pluck().get() ?? 0;
    this.#last = this.#committed;
  }

  /** The last order that was remembered. */
  get last(): number {
    return this.#last;
  }

  startAt(orders: number): void {
    this.#last = orders;
  }

  orderOfHash(hash: string): number {
    return this.#hashes.get(hash) ?? this.#known(this.#byId.get(idKey(hash), idValue(hash)));
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return (
      this.#clientIds.get(`${account} ${clientOrderId}`) ??
      this.#known(this.#byClientId.get(account, textValue(clientOrderId)))
    );
  }

  remember(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    this.#last = order;
    if (order <= this.#committed) return;
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
  }

  #known(order: number | undefined): number {
    return order === undefined || order > this.#last ? 0 : order;
  }
}
