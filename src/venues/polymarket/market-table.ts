/** Markets of a run by the venue's ids. */
import type { MarketId, Outcome } from '../../domain/index.ts';

/** Ids of a market of plain YES and NO tokens, as orders need them. */
export interface MarketTokens {
  /** Ours, made of the condition id. */
  readonly id: MarketId;
  /** Condition id, lower case. */
  readonly condition: string;
  /** Token ids: YES, NO. */
  readonly tokens: readonly [string, string];
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

  /** @throws RangeError for a market that was not added */
  byId(id: string): MarketTokens {
    const market = this.#byId.get(id);
    if (market === undefined) throw new RangeError(`Invariant: market ${id} is not in the table`);
    return market;
  }

  /** Undefined for a token of no market of this run. */
  ofToken(token: string): TokenOfMarket | undefined {
    return this.#byToken.get(token);
  }

  /** The token of an outcome. */
  tokenOf(id: string, outcome: Outcome): string {
    const [yes, no] = this.byId(id).tokens;
    return outcome === 'YES' ? yes : no;
  }
}
