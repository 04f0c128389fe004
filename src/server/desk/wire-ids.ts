/** Numbers of the engine and names of the wire, both ways. */
import { type AccountNo, counted, type MarketId, type MarketNo } from '../../domain/index.ts';
import { type Archive, type ExchangeView, type Identities, type Registry, unsignedId } from '../../exchange/index.ts';
import { GroupNames } from './group-names.ts';

/** What names are found in. */
export interface WireIdsOf {
  readonly view: ExchangeView;
  /** Of the exchange: they know orders before these are durable. */
  readonly identities: Identities;
  readonly archive: Pick<Archive, 'order'>;
  readonly registry: Registry;
}

/** Finds numbers by names and names by numbers. */
export class WireIds {
  readonly groups: GroupNames;
  readonly #view: ExchangeView;
  readonly #identities: Identities;
  readonly #archive: Pick<Archive, 'order'>;

  constructor({ view, identities, archive, registry }: WireIdsOf) {
    this.#view = view;
    this.#identities = identities;
    this.#archive = archive;
    this.groups = new GroupNames(registry);
  }

  /** The number of an account. @param address lower case @returns undefined for one that was never opened */
  account(address: string): AccountNo | undefined {
    const account = this.#view.accountOf(address);
    return account === 0 ? undefined : counted.account(account);
  }

  /** @throws RangeError for a number that no account has */
  address(account: number): string {
    const found = this.#view.account(account);
    if (found === undefined) throw new RangeError(`Invariant: there is no account ${account}`);
    return found.address;
  }

  /** The number of a market; undefined when there is none. */
  market(id: MarketId): MarketNo | undefined {
    return this.#view.marketById(id)?.no;
  }

  /** @throws RangeError for a number that no market has */
  marketId(market: number): MarketId {
    const found = this.#view.market(market);
    if (found === undefined) throw new RangeError(`Invariant: there is no market ${market}`);
    return found.id;
  }

  /** The number of an order by its hash, also before it is durable; 0 when there is none. @param hash lower case */
  order(hash: string): number {
    return this.#identities.orderOfHash(hash) || this.#unsignedOrder(hash);
  }

  /** The same by its account's own id. */
  orderOfClientId(account: number, clientOrderId: string): number {
    return this.#identities.orderOfClientId(account, clientOrderId);
  }

  /** The hash of an order that is durable. @throws RangeError for any other */
  orderId(order: number): string {
    const row = this.#archive.order(order);
    if (row === undefined) throw new RangeError(`Invariant: order ${order} has no row`);
    return row.id;
  }

  /** Orders that nobody signed are called by their number. */
  #unsignedOrder(hash: string): number {
    const order = Number(BigInt(hash));
    if (order < 1 || order > this.#view.orderCount || unsignedId(order) !== hash) return 0;
    return this.#archive.order(order)?.id === hash ? order : 0;
  }
}
