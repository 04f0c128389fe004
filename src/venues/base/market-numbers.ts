import type { MarketId, MarketNo } from '../../domain/index.ts';
import type { AccountView } from '../../state/index.ts';

/** The numbers of the run's markets, by the venue's id. Markets may be added during the run. */
export class MarketNumbers {
  readonly #view: AccountView;
  readonly #byId = new Map<string, MarketNo>();
  #known = 0;

  constructor(view: AccountView) {
    this.#view = view;
  }

  /** Undefined for a market that is not in this run. */
  find(id: string): MarketNo | undefined {
    for (const { info } of this.#view.markets.slice(this.#known)) this.#byId.set(info.id, info.market);
    this.#known = this.#view.markets.length;
    return this.#byId.get(id.toLowerCase());
  }

  /** @throws RangeError for a number that is not in this run */
  idOf(market: MarketNo): MarketId {
    return this.#view.market(market).info.id;
  }
}
