/**
 * The occupied price levels of a book, in a bitmap with a summary, so that a dozen steps find the next occupied level.
 * HOT: finds the next best level in 2 to 4 ns (bench/matching.ts). A walk over 9,999 levels would take microseconds.
 */
export class Occupancy {
  /** Bit `level & 31` of word `level >> 5`. */
  declare private readonly words: Int32Array;
  /** Bit `word & 31` of entry `word >> 5` is set if the word is not zero. */
  declare private readonly summary: Int32Array;
  declare private readonly lastLevel: number;

  /** Creates levels 0 … `lastLevel`. Both ends are always occupied, so that a search terminates. */
  constructor(lastLevel: number) {
    this.words = new Int32Array((lastLevel >>> 5) + 1);
    this.summary = new Int32Array((lastLevel >>> 10) + 1);
    this.lastLevel = lastLevel;
    this.#occupyEnds();
  }

  set(level: number): void {
    const word = level >>> 5;
    this.words[word]! |= 1 << (level & 31);
    this.summary[word >>> 5]! |= 1 << (word & 31);
  }

  clear(level: number): void {
    const word = level >>> 5;
    const left = this.words[word]! & ~(1 << (level & 31));
    this.words[word] = left;
    if (left === 0) this.summary[word >>> 5]! &= ~(1 << (word & 31));
  }

  reset(): void {
    this.words.fill(0);
    this.summary.fill(0);
    this.#occupyEnds();
  }

  /** Returns the nearest occupied level below `level`, which must not be 0. */
  below(level: number): number {
    let word = level >>> 5;
    let bits = this.words[word]! & lowerThan(level);
    if (bits === 0) {
      let entry = word >>> 5;
      let words = this.summary[entry]! & lowerThan(word);
      while (words === 0) words = this.summary[--entry]!;
      word = (entry << 5) | highest(words);
      bits = this.words[word]!;
    }
    return (word << 5) | highest(bits);
  }

  /** Returns the nearest occupied level above `level`, which must not be the last. */
  above(level: number): number {
    let word = level >>> 5;
    let bits = this.words[word]! & higherThan(level);
    if (bits === 0) {
      let entry = word >>> 5;
      let words = this.summary[entry]! & higherThan(word);
      while (words === 0) words = this.summary[++entry]!;
      word = (entry << 5) | lowest(words);
      bits = this.words[word]!;
    }
    return (word << 5) | lowest(bits);
  }

  #occupyEnds(): void {
    this.set(0);
    this.set(this.lastLevel);
  }
}

/** Returns a mask of all bits below bit `index & 31`. */
function lowerThan(index: number): number {
  return (1 << (index & 31)) - 1;
}

/** Returns a mask of all bits above bit `index & 31`. Shifts in two steps, because `<< 32` means `<< 0`. */
function higherThan(index: number): number {
  return (-1 << (index & 31)) << 1;
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits);
}

function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
