/**
 * Which slots of a ladder hold something: a bitmap of 32-bit leaves under a bitmap of non-empty leaves.
 *
 * HOT: asked for the next-best price whenever a touch empties. Ten summary words cover 10,001 slots, so a search reads
 * at most two leaves and ten words. Measured as part of `ladder.ts`.
 */
export class Occupancy {
  readonly #leaves: Int32Array;
  readonly #summary: Int32Array;

  /** Room for slots `0..slots-1`, all empty. */
  constructor(slots: number) {
    const leaves = (slots + 31) >>> 5;
    this.#leaves = new Int32Array(leaves);
    this.#summary = new Int32Array((leaves + 31) >>> 5);
  }

  add(slot: number): void {
    const leaf = slot >>> 5;
    this.#leaves[leaf]! |= 1 << (slot & 31);
    this.#summary[leaf >>> 5]! |= 1 << (leaf & 31);
  }

  remove(slot: number): void {
    const leaf = slot >>> 5;
    const left = this.#leaves[leaf]! & ~(1 << (slot & 31));
    this.#leaves[leaf] = left;
    if (left === 0) this.#summary[leaf >>> 5]! &= ~(1 << (leaf & 31));
  }

  clear(): void {
    this.#leaves.fill(0);
    this.#summary.fill(0);
  }

  /** The highest occupied slot at or below `slot`; -1 for none. */
  atOrBelow(slot: number): number {
    if (slot < 0) return -1;
    const leaf = slot >>> 5;
    const word = this.#leaves[leaf]! & upTo(slot & 31);
    if (word !== 0) return (leaf << 5) + highest(word);
    let group = leaf >>> 5;
    let groups = this.#summary[group]! & below(leaf & 31);
    while (groups === 0) {
      if (group === 0) return -1;
      group -= 1;
      groups = this.#summary[group]!;
    }
    const found = (group << 5) + highest(groups);
    return (found << 5) + highest(this.#leaves[found]!);
  }

  /** The lowest occupied slot at or above `slot`; -1 for none. */
  atOrAbove(slot: number): number {
    const leaf = slot >>> 5;
    if (leaf >= this.#leaves.length) return -1;
    const word = this.#leaves[leaf]! & ~below(slot & 31);
    if (word !== 0) return (leaf << 5) + lowest(word);
    let group = leaf >>> 5;
    let groups = this.#summary[group]! & ~upTo(leaf & 31);
    while (groups === 0) {
      group += 1;
      if (group === this.#summary.length) return -1;
      groups = this.#summary[group]!;
    }
    const found = (group << 5) + lowest(groups);
    return (found << 5) + lowest(this.#leaves[found]!);
  }
}

/** Bits `0..bit`; for bit 31 the shift leaves 0, and 0 - 1 is all of them. */
function upTo(bit: number): number {
  return (2 << bit) - 1;
}

/** Bits `0..bit-1`. */
function below(bit: number): number {
  return (1 << bit) - 1;
}

function highest(word: number): number {
  return 31 - Math.clz32(word);
}

function lowest(word: number): number {
  return 31 - Math.clz32(word & -word);
}
