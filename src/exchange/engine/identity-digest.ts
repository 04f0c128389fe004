/** The part of the state that stands for all identities ever remembered. */
import { type Hash, StateHash } from '../state-hash.ts';
import { HashWriter, type StateReader, type StateWriter } from '../state-writer.ts';

/**
 * A running digest: empty at first, then after each order the hash of (t digest before, n order, n account, n 1 and t
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
