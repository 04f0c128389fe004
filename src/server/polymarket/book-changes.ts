/** The difference of two books. */

/** Micro-shares by price in bps, both sides of a token. */
export interface Levels {
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

/** A changed level in YES terms. */
interface LevelChange {
  readonly isBid: boolean;
  /** YES bps. */
  readonly price: number;
  /** 0 for a removed level. */
  readonly size: number;
}

/** Returns changed levels: bids before asks, and removed levels first on each side. */
export function changesOf(before: Levels, after: Levels): readonly LevelChange[] {
  const side = (isBid: boolean, old: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): LevelChange[] => [
    ...Array.from(old.keys()).flatMap((price) => (now.has(price) ? [] : [{ isBid, price, size: 0 }])),
    ...Array.from(now).flatMap(([price, size]) => (old.get(price) === size ? [] : [{ isBid, price, size }])),
  ];
  return [...side(true, before.bids, after.bids), ...side(false, before.asks, after.asks)];
}
