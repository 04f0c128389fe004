/**
 * Which signed bytes and client ids were used. They are stored permanently, so the store keeps them. The exchange uses
 * this port; its state holds a running digest of what it remembered.
 */
import { type Hash, StateHash } from '../state-hash.ts';
import { HashWriter, type StateReader, type StateWriter } from '../state-writer.ts';

/** Remembers orders by what their clients call them. */
export interface Identities {
  /** The order of signed bytes, by their digest; 0 when they are new. */
  orderOfHash(hash: string): number;
  /** The order of an account's own id; 0 when it is new. */
  orderOfClientId(account: number, clientOrderId: string): number;
  /** An order was accepted; at least one of the two is there. */
  remember(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void;
  /** The exchange has accepted so many orders: a store treats later ones as unknown until they are remembered. */
  startAt(orders: number): void;
}

/** A `Map` takes no more: the next one would throw. */
const MOST_IN_A_MAP = 16_777_216;

/** Remembers in memory, as much as there is of it. */
export class MemoryIdentities implements Identities {
  readonly #byHash: Names;
  readonly #byClientId: Names;

  /** @param mostInAMap names after which another map is begun; default 2^24. Each map is one more look-up for a new name */
  constructor(mostInAMap = MOST_IN_A_MAP) {
    this.#byHash = new Names(mostInAMap);
    this.#byClientId = new Names(mostInAMap);
  }

  orderOfHash(hash: string): number {
    return this.#byHash.get(hash);
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return this.#byClientId.get(`${account} ${clientOrderId}`);
  }

  remember(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    if (hash !== undefined) this.#byHash.add(hash, order);
    if (clientOrderId !== undefined) this.#byClientId.add(`${account} ${clientOrderId}`, order);
  }

  /** It holds no later ones: only this exchange adds to it. */
  startAt(): void {}

  /** Everything remembered, for a snapshot; beside the state of the exchange, not part of it. */
  writeState(writer: StateWriter): void {
    this.#byHash.writeState(writer);
    this.#byClientId.writeState(writer);
  }

  /** What `writeState` wrote. */
  static restore(reader: StateReader, mostInAMap = MOST_IN_A_MAP): MemoryIdentities {
    const restored = new MemoryIdentities(mostInAMap);
    restored.#byHash.readState(reader);
    restored.#byClientId.readState(reader);
    return restored;
  }
}

/** Orders by name, in as many maps as it takes. */
class Names {
  readonly #most: number;
  /** The last one grows; the others are full. */
  readonly #maps: Map<string, number>[] = [new Map()];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): number {
    for (const map of this.#maps) {
      const order = map.get(name);
      if (order !== undefined) return order;
    }
    return 0;
  }

  /** @param name a new one */
  add(name: string, order: number): void {
    let last = this.#maps.at(-1);
    if (last === undefined || last.size >= this.#most) {
      last = new Map();
      this.#maps.push(last);
    }
    last.set(name, order);
    this.#size++;
  }

  writeState(writer: StateWriter): void {
    writer.number(this.#size);
    for (const map of this.#maps) {
      for (const [name, order] of map) {
        writer.text(name);
        writer.number(order);
      }
    }
  }

  readState(reader: StateReader): void {
    for (let left = reader.number(); left > 0; left--) this.add(reader.text(), reader.number());
  }
}

/**
 * A running digest, the part of the state that stands for all identities ever remembered: empty at first, then after each order the hash of (t digest before, n order, n account, n 1 and t
 * hash or n 0, n 1 and t clientOrderId or n 0).
 */
export class IdentityDigest {
  #count = 0;
  #digest: Hash = '';

  add(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    const running = new StateHash();
    const writer = new HashWriter(running);
    writer.text(this.#digest);
    writer.number(order);
    writer.number(account);
    for (const name of [hash, clientOrderId]) {
      writer.number(name === undefined ? 0 : 1);
      if (name !== undefined) writer.text(name);
    }
    this.#digest = running.digest();
    this.#count++;
  }

  /** See engine/state.ts, 11. */
  writeState(writer: StateWriter): void {
    writer.number(this.#count);
    writer.text(this.#digest);
  }

  /** What `writeState` wrote. */
  readState(reader: StateReader): void {
    this.#count = reader.number();
    this.#digest = reader.text();
  }
}
