import { networkOf } from '../access/ip-list.ts';

/**
 * Bytes that the server holds of what did not come whole yet, by address (IPv6: by /64), so that nobody fills its memory with
 * beginnings of bodies or messages.
 */
export class HeldBytes {
  readonly #most: number;
  readonly #bytes = new Map<string, number>();

  /** @param most of one address */
  constructor(most: number) {
    this.#most = most;
  }

  /** An account for something of which bytes are held: `change` says how many more or fewer, and answers whether it may. */
  open(ip: string): (change: number) => boolean {
    const network = networkOf(ip);
    return (change) => {
      const sum = (this.#bytes.get(network) ?? 0) + change;
      if (sum === 0) this.#bytes.delete(network);
      else this.#bytes.set(network, sum);
      return sum <= this.#most;
    };
  }

  /** Of an address. */
  of(ip: string): number {
    return this.#bytes.get(networkOf(ip)) ?? 0;
  }
}
