/** Settings of the simulated chain, resolver and house. */
import type { MicroShares } from '../../domain/index.ts';
import type { PanelModel, QuotePolicy, ScriptedOutcome } from '../../exchange/index.ts';

/** Behaviour of the simulated chain; times in ms, probabilities 0 … 1. */
export interface ChainSettings {
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  /** Of an attempt to fail. */
  readonly failure: number;
  /** Of a failure to be permanent. */
  readonly permanent: number;
}

/** Who decides markets. */
export type ResolverSettings =
  | { readonly type: 'manual' }
  | { readonly type: 'panel'; readonly models: readonly PanelModel[] }
  /** By UUID or slug. */
  | { readonly type: 'scripted'; readonly outcomes: ReadonlyMap<string, ScriptedOutcome> };

/** Quotes of the house. */
export interface HouseSettings {
  readonly policy: QuotePolicy;
  /** Undefined for the venue's own spread. */
  readonly spreadBps: number | undefined;
  /** Shown on each side. */
  readonly shares: MicroShares;
  /** An order is left in its place until less than this remains of it. */
  readonly refillBelow: MicroShares;
  /** Between two checks, ms. */
  readonly intervalMs: number;
}
