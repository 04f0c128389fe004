/** Markets of a run by the venue's ids. */
import type { MarketId, Outcome } from '../../domain/index.ts';
import {
  type PolymarketExchange,
  type PolymarketOrderVersion,
  polymarketExchange,
} from '../../protocol/polymarket/index.ts';

/** What orders in a market need. */
export interface MarketTokens {
  /** Ours, made of the condition id. */
  readonly id: MarketId;
  /** Condition id, lower case. */
  readonly condition: string;
  /** Token ids: YES, NO. */
  readonly tokens: readonly [string, string];
  /** Orders are signed for the contract of neg-risk markets. */
  readonly isNegRisk: boolean;
}

/** One side of a market. */
export interface TokenOfMarket {
  readonly market: MarketTokens;
  readonly outcome: Outcome;
}

export class MarketTable {
  readonly #byId = new Map<string, MarketTokens>();
  readonly #byToken = new Map<string, TokenOfMarket>();

  add(market: MarketTokens): void {
    const [yes, no] = market.tokens;
    this.#byId.set(market.id, market);
    this.#byToken.set(yes, { market, outcome: 'YES' });
    this.#byToken.set(no, { market, outcome: 'NO' });
  }

  find(id: string): MarketTokens | undefined {
    return this.#byId.get(id);
  }

  /** @throws RangeError for a market that was not added */
  byId(id: string): MarketTokens {
    const market = this.#byId.get(id);
    if (market === undefined) throw new RangeError(`Invariant: market ${id} is not in the table`);
    return market;
  }

  /** Contracts that orders in all these markets are signed for. */
  exchanges(version: PolymarketOrderVersion): ReadonlySet<PolymarketExchange> {
    return new Set(Array.from(this.#byId.values(), ({ isNegRisk }) => polymarketExchange(version, isNegRisk)));
  }

  /** Undefined for a token of no market of this run. */
  ofToken(token: string): TokenOfMarket | undefined {
    return this.#byToken.get(token);
  }

  tokenOf(id: string, outcome: Outcome): string {
    const [yes, no] = this.byId(id).tokens;
    return outcome === 'YES' ? yes : no;
  }
}
