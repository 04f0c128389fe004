import type { MicroUsd } from '../../domain/index.ts';
import type { RiskSnapshot } from '../../risk/index.ts';
import type { BotSnapshot } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';

/** The account as a store shows it; `AccountState` has it. */
export interface StoredAccount {
  readonly markets: readonly MarketView[];
  readonly cash: MicroUsd;
  readonly contributed: MicroUsd;
  readonly external: number;
  readonly unexplained: number;
  /** Counts markets that came to their end: what a claim pays follows from that, and no step says it. */
  readonly resolutions: number;
}

/** What the store asks the running bot, in the middle of an append: the present, after the steps that are appended. */
export interface BotSource {
  readonly account: StoredAccount;
  risk(): RiskSnapshot;
  snapshot(): BotSnapshot;
}
