/**
 * The states that strategies saved, by strategy and market. They stay when another strategy runs or a market is left
 * out, until the user clears them.
 */
import type { EpochMs, MarketNo } from '../domain/index.ts';

/** Whose state it is: of a strategy by its name in the run, in one market or, with scope `run`, in all of them. */
export interface StateOwner {
  readonly strategy: string;
  /** Left out for scope `run`. */
  readonly market?: MarketNo | undefined;
}

/** A state that was saved in a step, or cleared. */
export interface StateChange extends StateOwner {
  /** JSON, checked by the strategy's schema; undefined where it was cleared. */
  readonly value: string | undefined;
}

export interface StoredState extends StateOwner {
  readonly value: string;
  /** When it was saved. */
  readonly at: EpochMs;
}

/** Beyond so many, states that no instance of the run uses are dropped, those first that did not change for longest. */
export const MOST_STATES = 1_000;

export class StrategyStates {
  /** In the order of their last changes. */
  readonly #states = new Map<string, StoredState>();
  readonly #isUsed: (owner: StateOwner) => boolean;

  /** @param isUsed whether an instance of the run has the state: such a state is never dropped */
  constructor(states: readonly StoredState[], isUsed: (owner: StateOwner) => boolean) {
    this.#isUsed = isUsed;
    for (const state of states) this.#states.set(keyOf(state), state);
  }

  /** In the order of their last changes; a copy, plain data. */
  get entries(): readonly StoredState[] {
    return [...this.#states.values()];
  }

  /** JSON; undefined if none was saved. */
  of(owner: StateOwner): string | undefined {
    return this.#states.get(keyOf(owner))?.value;
  }

  /** @param at time of the step */
  apply(changes: readonly StateChange[], at: EpochMs): void {
    for (const { value, ...owner } of changes) {
      const key = keyOf(owner);
      this.#states.delete(key);
      if (value !== undefined) this.#states.set(key, { ...owner, value, at });
    }
    if (this.#states.size > MOST_STATES) this.#dropUnused();
  }

  #dropUnused(): void {
    for (const [key, state] of this.#states) {
      if (this.#states.size <= MOST_STATES) return;
      if (!this.#isUsed(state)) this.#states.delete(key);
    }
  }
}

/** Names of strategies have no line breaks. */
function keyOf({ strategy, market }: StateOwner): string {
  return market === undefined ? strategy : `${strategy}\n${market}`;
}
