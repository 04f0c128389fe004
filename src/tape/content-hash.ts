import type { Block } from './block.ts';

/** A running sha256, such as `createHash('sha256')` of `node:crypto`. */
export interface Hasher {
  update(bytes: Uint8Array): unknown;
  /** Returns 32 bytes and ends the hasher. */
  digest(): Uint8Array;
}

/**
 * Hash of a tape's rows, independent of compression and block boundaries. It is the sha256 of "halfspread rows 1\n",
 * the number of rows (u64, little-endian), and the sha256 of each column's little-endian values.
 */
export class ContentHash {
  readonly #sha256: () => Hasher;
  readonly #columns: Hasher[];
  #rows = 0;

  constructor(sha256: () => Hasher) {
    if (new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1)
      throw new Error('Invariant: the hash of a tape requires a little-endian machine');
    this.#sha256 = sha256;
    this.#columns = Array.from({ length: 8 }, sha256);
  }

  add(block: Block): void {
    const { count, tx, rx, market, kind, side, price, shares, flags } = block;
    [tx, rx, market, kind, side, price, shares, flags].forEach((column, index) => {
      this.#columns[index]?.update(new Uint8Array(column.buffer, column.byteOffset, count * column.BYTES_PER_ELEMENT));
    });
    this.#rows += count;
  }

  /** Returns 64 lower-case hex digits and ends the hash. */
  digest(): string {
    const total = this.#sha256();
    const rows = new DataView(new ArrayBuffer(8));
    rows.setBigUint64(0, BigInt(this.#rows), true);
    total.update(new TextEncoder().encode('halfspread rows 1\n'));
    total.update(new Uint8Array(rows.buffer));
    for (const column of this.#columns) total.update(column.digest());
    return Array.from(total.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
