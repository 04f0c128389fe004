/** The host program stores used signed bytes and client ids. The exchange's state has only their running digest. */
import { MAX_MAP_ENTRIES } from '../accounts/columns.ts';
import { type Hash, StateHash, type StateReader, type StateWriter } from '../state-writer.ts';

/** Maps digests of signed bytes and client ids to orders. */
export interface Identities {
  /** Returns the order of a digest of signed bytes; 0 if they are new. */
  orderOfHash(hash: string): number;
  /** Returns the order of an account's client id; 0 if it is new. */
  orderOfClientId(account: number, clientOrderId: string): number;
  /** Stores an accepted order; at least one of `hash` and `clientOrderId` is defined. */
  add(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void;
  /** Sets the number of accepted orders. The store treats later orders as unknown until `add` is called for them. */
  startAt(orders: number): void;
}

export class MemoryIdentities implements Identities {
  readonly #byHash: OrdersByKey;
  readonly #byClientId: OrdersByKey;

  /** @param maxPerMap maximum number of digests or client ids in one map. Each further map costs another look-up */
  constructor(maxPerMap = MAX_MAP_ENTRIES) {
    this.#byHash = new OrdersByKey(maxPerMap);
    this.#byClientId = new OrdersByKey(maxPerMap);
  }

  orderOfHash(hash: string): number {
    return this.#byHash.get(hash);
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return this.#byClientId.get(`${account} ${clientOrderId}`);
  }

  add(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    if (hash !== undefined) this.#byHash.add(hash, order);
    if (clientOrderId !== undefined) this.#byClientId.add(`${account} ${clientOrderId}`, order);
  }

  /** Does nothing, because only this exchange adds orders, so the store has no later orders. */
  startAt(): void {}

  /** Writes the content for a snapshot. The content is not part of the exchange's state. */
  writeState(writer: StateWriter): void {
    this.#byHash.writeState(writer);
    this.#byClientId.writeState(writer);
  }

  static restore(reader: StateReader, maxPerMap = MAX_MAP_ENTRIES): MemoryIdentities {
    const restored = new MemoryIdentities(maxPerMap);
    restored.#byHash.readState(reader);
    restored.#byClientId.readState(reader);
    return restored;
  }
}

/** Orders by key, in as many maps as needed. */
class OrdersByKey {
  readonly #maxKeys: number;
  /** All but the last map are full. */
  readonly #maps: Map<string, number>[] = [new Map()];
  #size = 0;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get(key: string): number {
    for (const map of this.#maps) {
      const order = map.get(key);
      if (order !== undefined) return order;
    }
    return 0;
  }

  /** @param key a key that is not stored yet */
  add(key: string, order: number): void {
    let last = this.#maps.at(-1);
    if (last === undefined || last.size >= this.#maxKeys) {
      last = new Map();
      this.#maps.push(last);
    }
    last.set(key, order);
    this.#size++;
  }

  writeState(writer: StateWriter): void {
    writer.number(this.#size);
    for (const map of this.#maps) {
      for (const [key, order] of map) {
        writer.text(key);
        writer.number(order);
      }
    }
  }

  readState(reader: StateReader): void {
    for (let left = reader.number(); left > 0; left--) this.add(reader.text(), reader.number());
  }
}

/**
 * A running digest of all identities, empty before the first. `add` hashes the previous digest, order, account, and for
 * `hash` and `clientOrderId` each: 1 and the text, or 0.
 */
export class IdentityDigest {
  #count = 0;
  #digest: Hash = '';

  add(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    const running = new StateHash();
    running.text(this.#digest);
    running.number(order);
    running.number(account);
    for (const key of [hash, clientOrderId]) {
      running.number(key === undefined ? 0 : 1);
      if (key !== undefined) running.text(key);
    }
    this.#digest = running.digest();
    this.#count++;
  }

  /** Writes part 11 of the format in engine/state.ts. */
  writeState(writer: StateWriter): void {
    writer.number(this.#count);
    writer.text(this.#digest);
  }

  readState(reader: StateReader): void {
    this.#count = reader.number();
    this.#digest = reader.text();
  }
}
