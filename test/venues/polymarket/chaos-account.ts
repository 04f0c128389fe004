import { unchecked } from '../../../src/domain/index.ts';
import type { RestClient } from '../../../src/venues/polymarket/rest-client.ts';
import type { BotParts, TestMarket } from './harness.ts';

const MARKET = unchecked.market(0);

export class VenueAccount {
  readonly #rest: RestClient;

  constructor(rest: RestClient) {
    this.#rest = rest;
  }

  /** Returns the differences between bot and venue, as text. @param maxDifference allowed difference, micro-shares */
  async compare(parts: BotParts, testMarket: TestMarket, maxDifference: number): Promise<readonly string[]> {
    const { venue, state, records, orders } = parts;
    const found: string[] = [];
    const market = state.market(MARKET);
    const { yes, no } = market.position;
    const token = (token_id: string) => this.#balance({ asset_type: 'CONDITIONAL', token_id });
    const [venueYes, venueNo, cash] = await Promise.all([
      token(testMarket.yes),
      token(testMarket.no),
      this.#balance({ asset_type: 'COLLATERAL' }),
    ]);
    if (Math.abs(yes - venueYes) > maxDifference) found.push(`${yes} YES, ${venueYes} at the venue`);
    if (Math.abs(no - venueNo) > maxDifference) found.push(`${no} NO, ${venueNo} at the venue`);
    if (state.cash !== cash) found.push(`cash ${state.cash}, ${cash} at the venue`);
    for (const outcome of ['YES', 'NO'] as const) {
      const held = outcome === 'YES' ? yes : no;
      if (market.sellable(outcome) !== held)
        found.push(`${market.sellable(outcome)} of ${held} ${outcome} can be sold`);
    }
    for (const { order, lifecycle } of market.orders)
      if (lifecycle.request === 'cancel') found.push(`order ${order} waits for its cancel`);
    const ids = await this.openIds();
    if (ids.length !== state.openOrderCount) found.push(`${state.openOrderCount} orders, ${ids.length} at the venue`);
    for (const id of ids) if (records.findByHash(id) === undefined) found.push(`order ${id} was never stored`);
    for (const id of ids) if (orders.byHash(id) === undefined) found.push(`order ${id} is not followed`);
    if (venue.agreement !== 'agrees') found.push(`the account is ${venue.agreement}`);
    return found;
  }

  async #balance(query: Readonly<Record<string, string>>): Promise<number> {
    return Number(Reflect.get(Object(await this.#rest.read({ path: '/balance-allowance', query })), 'balance'));
  }

  async openIds(): Promise<readonly string[]> {
    const list = await this.#rest.read({ path: '/data/orders' });
    return Object(list).data.map(({ id }: { readonly id: string }) => id);
  }
}
