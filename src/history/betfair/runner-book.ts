import type { OddsEntry, PositionEntry, RunnerChange } from './message.ts';
import type { OddsSide } from './odds.ts';

const SIDES = ['atb', 'atl'] as const;
const POSITIONS = { atb: 'bdatb', atl: 'bdatl' } as const;

/** New stakes by odds, one map a side: what a change makes of the book, before it is applied. */
export type Staged = Readonly<Record<OddsSide, ReadonlyMap<number, number>>>;

/** Something was matched at these odds: `pence` more than before (both backer's and layer's, see prints.ts). */
export interface Increment {
  readonly odds: number;
  readonly pence: number;
  readonly total: number;
}

/**
 * One runner's books and traded totals by odds, built from its messages.
 *
 * Full depth (`atb`, `atl`) counts wherever it is there. The ten best displayed levels (`bdatb`, `bdatl`) hold the
 * mirrored offers of the other runners too, so they serve only until full depth is seen, and never for a runner that is
 * merged into another one's book.
 */
export class RunnerBook {
  readonly id: number;
  /** The runner is the NO outcome of its tape. */
  readonly mirrored: boolean;
  lastTradedOdds: number | undefined;
  /** Sum of the traded totals, pence. */
  tradedPence = 0;
  readonly #stakes = { atb: new Map<number, number>(), atl: new Map<number, number>() };
  readonly #positions = { atb: new Map<number, OddsEntry>(), atl: new Map<number, OddsEntry>() };
  readonly #traded = new Map<number, number>();
  #fullDepth = false;

  constructor(id: number, mirrored: boolean) {
    this.id = id;
    this.mirrored = mirrored;
  }

  /** Pence that stand at these odds. */
  stake(side: OddsSide, odds: number): number {
    return this.#stakes[side].get(odds) ?? 0;
  }

  /** All levels of a side, unordered, `[odds, pence]`. */
  levels(side: OddsSide): Iterable<OddsEntry> {
    return this.#stakes[side];
  }

  /** The highest odds that can be backed, or the lowest that can be laid; undefined when there are none. */
  bestOdds(side: OddsSide): number | undefined {
    let best: number | undefined;
    for (const odds of this.#stakes[side].keys()) {
      if (best === undefined || (side === 'atb' ? odds > best : odds < best)) best = odds;
    }
    return best;
  }

  /** What the changes of one message would make of the book. To be followed by `apply`. */
  stage(changes: readonly RunnerChange[]): Staged {
    const staged = { atb: new Map<number, number>(), atl: new Map<number, number>() };
    const full = changes.some(({ atb, atl }) => atb !== undefined || atl !== undefined);
    if (full && !this.#fullDepth) {
      this.#fullDepth = true;
      for (const side of SIDES) for (const odds of this.#stakes[side].keys()) staged[side].set(odds, 0);
    }
    for (const change of changes) {
      for (const side of SIDES) {
        const positions = change[POSITIONS[side]];
        if (this.#fullDepth) for (const [odds, pence] of change[side] ?? []) staged[side].set(odds, pence);
        else if (positions !== undefined && !this.mirrored) this.#stagePositions(side, positions, staged[side]);
      }
    }
    return staged;
  }

  /** Applies the staged changes; reports the stake of each level before and after. */
  apply(staged: Staged, changed: (side: OddsSide, odds: number, was: number, pence: number) => void): void {
    for (const side of SIDES) {
      for (const [odds, pence] of staged[side]) {
        const was = this.stake(side, odds);
        if (pence === 0) this.#stakes[side].delete(odds);
        else this.#stakes[side].set(odds, pence);
        if (was !== pence) changed(side, odds, was, pence);
      }
    }
  }

  /** Stores new traded totals and returns by how much each one changed, also decreases. */
  trade(totals: readonly OddsEntry[]): Increment[] {
    return totals.map(([odds, total]) => {
      const pence = total - (this.#traded.get(odds) ?? 0);
      this.#traded.set(odds, total);
      this.tradedPence += pence;
      return { odds, pence, total };
    });
  }

  /** An image follows. */
  clear(): void {
    for (const side of SIDES) {
      this.#stakes[side].clear();
      this.#positions[side].clear();
    }
    this.#traded.clear();
    this.tradedPence = 0;
  }

  #stagePositions(side: OddsSide, changes: readonly PositionEntry[], staged: Map<number, number>): void {
    const positions = this.#positions[side];
    for (const [position, odds, pence] of changes) {
      if (pence === 0) positions.delete(position);
      else positions.set(position, [odds, pence]);
    }
    for (const odds of this.#stakes[side].keys()) staged.set(odds, 0);
    for (const [odds, pence] of positions.values()) staged.set(odds, pence);
  }
}
