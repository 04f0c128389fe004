import type { OddsEntry, PositionEntry, RunnerChange } from './message.ts';
import type { OddsSide } from './odds.ts';

const SIDES = ['atb', 'atl'] as const;
const POSITIONS = { atb: 'bdatb', atl: 'bdatl' } as const;

/** New stakes by odds and side, before they are applied. */
export type Staged = Readonly<Record<OddsSide, ReadonlyMap<number, number>>>;

/** Change of the traded total at these odds, in pence. A trade may count twice: see prints.ts. */
export interface Increment {
  readonly odds: number;
  readonly pence: number;
  readonly total: number;
}

/**
 * One runner's books and traded totals by odds, built from its messages.
 *
 * The ten best displayed levels (`bdatb`, `bdatl`) also contain mirrored offers of the other runners. They are used
 * only until full depth (`atb`, `atl`) arrives, and never for a runner that is merged into another runner's book.
 */
export class RunnerBook {
  readonly id: number;
  /** Whether the runner is the NO outcome of its tape. */
  readonly isMirrored: boolean;
  /** Sum of the traded totals, pence. */
  tradedPence = 0;
  readonly #stakes = { atb: new Map<number, number>(), atl: new Map<number, number>() };
  readonly #positions = { atb: new Map<number, OddsEntry>(), atl: new Map<number, OddsEntry>() };
  readonly #traded = new Map<number, number>();
  #hasFullDepth = false;

  constructor(id: number, outcome: 'YES' | 'NO') {
    this.id = id;
    this.isMirrored = outcome === 'NO';
  }

  /** Returns the stake at these odds, pence. */
  stake(side: OddsSide, odds: number): number {
    return this.#stakes[side].get(odds) ?? 0;
  }

  /** Returns all levels of a side as `[odds, pence]`, unordered. */
  levels(side: OddsSide): Iterable<OddsEntry> {
    return this.#stakes[side];
  }

  /** Returns the highest odds to back, or lowest odds to lay; undefined for an empty side. */
  bestOdds(side: OddsSide): number | undefined {
    let best: number | undefined;
    for (const odds of this.#stakes[side].keys()) {
      if (best === undefined || (side === 'atb' ? odds > best : odds < best)) best = odds;
    }
    return best;
  }

  /** Computes new stakes from the changes of one message, for `apply`. */
  stage(changes: readonly RunnerChange[]): Staged {
    const staged = { atb: new Map<number, number>(), atl: new Map<number, number>() };
    const isFullDepth = changes.some(({ atb, atl }) => atb !== undefined || atl !== undefined);
    if (isFullDepth && !this.#hasFullDepth) {
      this.#hasFullDepth = true;
      for (const side of SIDES) for (const odds of this.#stakes[side].keys()) staged[side].set(odds, 0);
    }
    for (const change of changes) {
      for (const side of SIDES) {
        const positions = change[POSITIONS[side]];
        if (this.#hasFullDepth) for (const [odds, pence] of change[side] ?? []) staged[side].set(odds, pence);
        else if (positions !== undefined && !this.isMirrored) this.#stagePositions(side, positions, staged[side]);
      }
    }
    return staged;
  }

  /** Applies staged changes, and calls `onChange` with the old and new stake of each changed level. */
  apply(staged: Staged, onChange: (side: OddsSide, odds: number, before: number, pence: number) => void): void {
    for (const side of SIDES) {
      for (const [odds, pence] of staged[side]) {
        const before = this.stake(side, odds);
        if (pence === 0) this.#stakes[side].delete(odds);
        else this.#stakes[side].set(odds, pence);
        if (before !== pence) onChange(side, odds, before, pence);
      }
    }
  }

  /** Stores new traded totals. Returns the change of each total, which may be negative. */
  setTotals(totals: readonly OddsEntry[]): Increment[] {
    return totals.map(([odds, total]) => {
      const pence = total - (this.#traded.get(odds) ?? 0);
      this.#traded.set(odds, total);
      this.tradedPence += pence;
      return { odds, pence, total };
    });
  }

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
    for (const odds of [...this.#stakes[side].keys(), ...staged.keys()]) staged.set(odds, 0);
    for (const [odds, pence] of positions.values()) staged.set(odds, pence);
  }
}
