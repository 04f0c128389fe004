/**
 * Which signed bytes and which of the clients' own ids were seen: for ever, so a store's business in the end. The
 * exchange asks for them through this port; its state holds a running digest of what it gave to remember.
 */
import type { StateReader, StateWriter } from '../state-writer.ts';

/** Remembers orders by what their clients call them. */
export interface Identities {
  /** The order of signed bytes, by their digest; 0 when they are new. */
  orderOfHash(hash: string): number;
  /** The order of an account's own id; 0 when it is new. */
  orderOfClientId(account: number, clientOrderId: string): number;
  /** An order was accepted; at least one of the two is there. */
  remember(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void;
}

/** Remembers in memory. */
export class MemoryIdentities implements Identities {
  readonly #byHash = new Map<string, number>();
  readonly #byClientId = new Map<string, number>();

  orderOfHash(hash: string): number {
    return this.#byHash.get(hash) ?? 0;
  }

  orderOfClientId(account: number, clientOrderId: string): number {
    return this.#byClientId.get(`${account} ${clientOrderId}`) ?? 0;
  }

  remember(order: number, account: number, hash: string | undefined, clientOrderId: string | undefined): void {
    if (hash !== undefined) this.#byHash.set(hash, order);
    if (clientOrderId !== undefined) this.#byClientId.set(`${account} ${clientOrderId}`, order);
  }

  /** Everything remembered, for a snapshot; beside the state of the exchange, not part of it. */
  writeState(writer: StateWriter): void {
    for (const names of [this.#byHash, this.#byClientId]) {
      writer.number(names.size);
      for (const [name, order] of names) {
        writer.text(name);
        writer.number(order);
      }
    }
  }

  /** What `writeState` wrote. */
  static restore(reader: StateReader): MemoryIdentities {
    const restored = new MemoryIdentities();
    for (const names of [restored.#byHash, restored.#byClientId]) {
      for (let left = reader.number(); left > 0; left--) names.set(reader.text(), reader.number());
    }
    return restored;
  }
}
