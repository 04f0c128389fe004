/**
 * Sets of orders with a rolling fill limit (docs/spec/venue.md#order-groups). The orders of a tripped group are
 * cancelled, and only a reset admits new ones.
 *
 * Invariant: a group stores at most `MAX_FILLS` fills, one per millisecond. If there are more, the fills of each
 * 1/512 of the window are merged into one fill with the last time. A merged fill may leave the window too late, by up
 * to 1/512 of the window. A group may thus trip too early, but never too late.
 */
import type { StateReader, StateWriter } from '../state-writer.ts';

export interface OrderGroup {
  readonly account: number;
  /** The group trips if more micro-shares than this fill within the window. */
  readonly maxFilled: number;
  /** Milliseconds. */
  readonly window: number;
  readonly tripped: boolean;
}

interface GroupUpdate extends Pick<OrderGroup, 'maxFilled' | 'window'> {
  /** Clears the fills, and admits orders again. */
  readonly reset: boolean;
  readonly now: number;
}

const MAX_FILLS = 1024;
/** Number of parts of a window with one merged fill each. */
const WINDOW_PARTS = 512;

type Group = { -readonly [Key in keyof OrderGroup]: OrderGroup[Key] } & {
  /** Micro-shares in `fills`. */
  filled: number;
  /** Oldest first, one per millisecond. */
  readonly fills: { time: number; shares: number }[];
};

export class OrderGroups {
  readonly #groups = new Map<number, Group>();
  #created = 0;

  /** Returns a group of an account; undefined for another account's group or an unknown one. */
  find(group: number, account: number): OrderGroup | undefined {
    const found = this.#groups.get(group);
    return found?.account === account ? found : undefined;
  }

  isTripped(group: number): boolean {
    return this.#groups.get(group)?.tripped === true;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** Returns `maxFilled` of a group; Infinity for an unknown group. */
  maxFilled(group: number): number {
    return this.#groups.get(group)?.maxFilled ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the numbers of an account's groups, oldest first. */
  ofAccount(account: number): readonly number[] {
    return [...this.#groups].filter(([, group]) => group.account === account).map(([group]) => group);
  }

  /** Returns the micro-shares filled in the window that ends at `now`. */
  filledInWindow(group: number, now: number): number {
    const found = this.#groups.get(group);
    return found?.fills.reduce((sum, { time, shares }) => (time > now - found.window ? sum + shares : sum), 0) ?? 0;
  }

  create(account: number, maxFilled: number, window: number): number {
    this.#groups.set(++this.#created, { account, maxFilled, window, tripped: false, filled: 0, fills: [] });
    return this.#created;
  }

  update(group: number, { maxFilled, window, reset, now }: GroupUpdate): void {
    const found = this.#groups.get(group);
    if (found === undefined) return;
    removeExpired(found, now);
    found.maxFilled = maxFilled;
    found.window = window;
    if (reset) {
      found.tripped = false;
      found.filled = 0;
      found.fills.length = 0;
    }
    removeExpired(found, now);
  }

  delete(group: number): void {
    this.#groups.delete(group);
  }

  /** Adds a fill of one of the group's orders. @returns whether the fill trips the group */
  addFill(group: number, shares: number, now: number): boolean {
    const found = this.#groups.get(group);
    if (found === undefined || found.tripped) return false;
    removeExpired(found, now);
    const last = found.fills.at(-1);
    if (last?.time === now) last.shares += shares;
    else {
      found.fills.push({ time: now, shares });
      if (found.fills.length > MAX_FILLS) mergeFills(found);
    }
    found.filled += shares;
    found.tripped = found.filled > found.maxFilled;
    return found.tripped;
  }

  /** Writes part 9 of the format in engine/state.ts. */
  writeState(writer: StateWriter, now: number): void {
    writer.number(this.#created);
    writer.number(this.#groups.size);
    for (const [number, { account, maxFilled, window, tripped, fills }] of this.#groups) {
      const present = fills.filter(({ time }) => time > now - window);
      for (const value of [number, account, maxFilled, window, tripped ? 1 : 0]) writer.number(value);
      writer.number(present.length);
      for (const { time, shares } of present) {
        writer.number(time);
        writer.number(shares);
      }
    }
  }

  /** Reads the output of `writeState` into an empty instance. */
  readState(reader: StateReader): void {
    this.#created = reader.number();
    for (let left = reader.number(); left > 0; left--) {
      const number = reader.number();
      const [account, maxFilled, window] = [reader.number(), reader.number(), reader.number()];
      const tripped = reader.number() === 1;
      const fills = Array.from({ length: reader.number() }, () => ({ time: reader.number(), shares: reader.number() }));
      const filled = fills.reduce((sum, { shares }) => sum + shares, 0);
      this.#groups.set(number, { account, maxFilled, window, tripped, filled, fills });
    }
  }
}

/** Removes fills that left the window, so that they do not return when the window gets longer. */
function removeExpired(group: Group, now: number): void {
  const { fills, window } = group;
  let removed = 0;
  for (const { time, shares } of fills) {
    if (time > now - window) break;
    group.filled -= shares;
    removed++;
  }
  if (removed > 0) fills.splice(0, removed);
}

/** Merges the fills of each part of the window into its last fill. */
function mergeFills({ fills, window }: Group): void {
  const part = Math.ceil(window / WINDOW_PARTS);
  let count = 0;
  for (const fill of fills) {
    const last = fills[count - 1];
    if (last !== undefined && Math.floor(last.time / part) === Math.floor(fill.time / part)) {
      last.time = fill.time;
      last.shares += fill.shares;
    } else fills[count++] = fill;
  }
  fills.length = count;
}
