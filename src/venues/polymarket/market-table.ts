/** The markets of a run, indexed by internal id and by token. */
import type { MarketId, Outcome } from '../../domain/index.ts';
import {
  type PolymarketExchange,
  type PolymarketOrderVersion,
  polymarketExchange,
} from '../../protocol/polymarket/index.ts';

/** Ids of a market that its orders need. */
export interface MarketTokens {
  /** Internal id, a hash of the condition id. */
  readonly id: MarketId;
  /** Condition id, lower case. */
  readonly condition: string;
  /** Token ids: YES, NO. */
  readonly tokens: readonly [string, string];
  /** Whether orders are signed for the contract of neg-risk markets. */
  readonly isNegRisk: boolean;
}

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

  /** Returns the contracts for which orders in these markets are signed. */
  exchanges(version: PolymarketOrderVersion): ReadonlySet<PolymarketExchange> {
    return new Set(Array.from(this.#byId.values(), ({ isNegRisk }) => polymarketExchange(version, isNegRisk)));
  }

  /** Returns undefined for a token of a market outside this run. */
  findByToken(token: string): TokenOfMarket | undefined {
    return this.#byToken.get(token);
  }

  tokenId(id: string, outcome: Outcome): string {
    const [yes, no] = this.byId(id).tokens;
    return outcome === 'YES' ? yes : no;
  }
}
