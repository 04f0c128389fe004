/** What a simulation has to assume beside the queue (`replay/`), as ports; each body says in its docstring what it takes for granted. */
import type { MarketNo, MicroUsd } from '../../domain/index.ts';

/** How long messages take, whole ms each. Called once a message, in order: a body may draw from a seeded source. */
export interface LatencyModel {
  readonly assumption: string;
  /** Venue to strategy, market data; only asked where the tape has no receive times. */
  feed(): number;
  /** Strategy to venue, commands. */
  entry(): number;
  /** Venue to strategy, answers and fills. */
  response(): number;
}

/** What takers and winners pay (docs/spec/models.md#fees-commission-rewards). */
export interface FeeModel {
  readonly assumption: string;
  /** What takers pay by the exchange's rule, bps of 0..1000. */
  readonly rateBps: number;
  /** Commission on net winnings of a market at settlement. */
  commission(marketPnl: MicroUsd, market: MarketNo): MicroUsd;
}
