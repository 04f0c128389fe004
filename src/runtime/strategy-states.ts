/**
 * Saved states of strategies, by strategy and market. A state remains when another strategy runs or a market is
 * removed, until the user clears the state.
 */
import type { EpochMs, MarketNo } from '../domain/index.ts';

/** Owner of a state: a strategy, by its name in the run, and its market. A strategy of scope `run` has no market. */
export interface StateOwner {
  readonly strategy: string;
  readonly market?: MarketNo | undefined;
}

/** A saved or cleared state. */
export interface StateChange extends StateOwner {
  /** JSON that the strategy's schema accepts; undefined for a cleared state. */
  readonly value: string | undefined;
}

export interface StoredState extends StateOwner {
  readonly value: string;
  /** Time of saving. */
  readonly at: EpochMs;
}

/** Maximum number of states. Above this number, states that no instance of the run uses are dropped, oldest first. */
export const MAX_STATES = 1_000;

export class StrategyStates {
  /** Ordered by last change. */
  readonly #states = new Map<string, StoredState>();
  readonly #isUsed: (owner: StateOwner) => boolean;

  /** @param isUsed whether an instance of the run uses the state. Such a state is never dropped */
  constructor(states: readonly StoredState[], isUsed: (owner: StateOwner) => boolean) {
    this.#isUsed = isUsed;
    for (const state of states) this.#states.set(toKey(state), state);
  }

  /** A copy of all states, ordered by last change. Plain data. */
  get entries(): readonly StoredState[] {
    return [...this.#states.values()];
  }

  /** Returns a state as JSON; undefined if none is saved. */
  find(owner: StateOwner): string | undefined {
    return this.#states.get(toKey(owner))?.value;
  }

  /** @param at time of the step */
  apply(changes: readonly StateChange[], at: EpochMs): void {
    for (const { value, ...owner } of changes) {
      const key = toKey(owner);
      this.#states.delete(key);
      if (value !== undefined) this.#states.set(key, { ...owner, value, at });
    }
    if (this.#states.size > MAX_STATES) this.#dropUnused();
  }

  #dropUnused(): void {
    for (const [key, state] of this.#states) {
      if (this.#states.size <= MAX_STATES) return;
      if (!this.#isUsed(state)) this.#states.delete(key);
    }
  }
}

/** Returns a unique key, as names of strategies have no line breaks. */
function toKey({ strategy, market }: StateOwner): string {
  return market === undefined ? strategy : `${strategy}\n${market}`;
}
