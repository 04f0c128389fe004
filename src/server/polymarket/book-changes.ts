/** The difference of two books. */

/** Micro-shares by price in bps, both sides of a token. */
export interface Levels {
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

/** A level of YES that is other than before. */
interface LevelChange {
  readonly isBid: boolean;
  /** YES bps. */
  readonly price: number;
  /** 0 when the level is gone. */
  readonly size: number;
}

/** Bids before asks; of each, levels that are gone come first. */
export function changesOf(before: Levels, after: Levels): readonly LevelChange[] {
  const side = (isBid: boolean, old: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): LevelChange[] => [
    ...Array.from(old.keys()).flatMap((price) => (now.has(price) ? [] : [{ isBid, price, size: 0 }])),
    ...Array.from(now).flatMap(([price, size]) => (old.get(price) === size ? [] : [{ isBid, price, size }])),
  ];
  return [...side(true, before.bids, after.bids), ...side(false, before.asks, after.asks)];
}
