import type { MicroShares } from '../../domain/index.ts';
import type { PanelModel, QuotePolicy, ScriptedOutcome } from '../../exchange/index.ts';

/** Behaviour of the simulated chain; times in ms, probabilities 0 … 1. */
export interface ChainSettings {
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  /** Probability that an attempt fails. */
  readonly failure: number;
  /** Probability that a failure is permanent. */
  readonly permanent: number;
}

/** How markets are decided. */
export type ResolverSettings =
  | { readonly type: 'manual' }
  | { readonly type: 'panel'; readonly models: readonly PanelModel[] }
  /** Outcomes by UUID or slug. */
  | { readonly type: 'scripted'; readonly outcomes: ReadonlyMap<string, ScriptedOutcome> };

/** Quotes of the house. */
export interface HouseSettings {
  readonly policy: QuotePolicy;
  /** Undefined for the configured spread. */
  readonly spreadBps: number | undefined;
  /** Size on each side. */
  readonly shares: MicroShares;
  /** An order is replaced when less than this remains. */
  readonly refillBelow: MicroShares;
  /** Between two checks, ms. */
  readonly intervalMs: number;
}
