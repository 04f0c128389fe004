/** Converts between the exchange's numbers and the API's ids, and makes new ids. */
import { z } from 'zod';
import { secureBytes } from '../clock/index.ts';
import { type AccountNo, groupNo, type MarketId, type MarketNo, unchecked } from '../domain/index.ts';
import {
  type Archive,
  type ExchangeView,
  type Identities,
  type OrderRow,
  type Registry,
  RegistryTable,
  unsignedId,
} from '../exchange/index.ts';
import { uuidText } from '../protocol/index.ts';
import { registryCodec } from './registry-rows.ts';

export interface WireIdsDeps {
  readonly view: ExchangeView;
  /** Includes orders that are not durable yet. */
  readonly identities: Identities;
  readonly archive: Pick<Archive, 'order'>;
  readonly registry: Registry;
}

export class WireIds {
  readonly groups: OrderGroups;
  readonly #deps: WireIdsDeps;

  constructor(deps: WireIdsDeps) {
    this.#deps = deps;
    this.groups = new OrderGroups(deps.registry);
  }

  /** Returns the number of an open account. @param address in lower case */
  accountNo(address: string): AccountNo | undefined {
    const account = this.#deps.view.accountOf(address);
    return account === 0 ? undefined : unchecked.account(account);
  }

  /** @throws RangeError for an unknown account */
  address(account: number): string {
    const row = this.#deps.view.account(account);
    if (row === undefined) throw new RangeError(`Invariant: there is no account ${account}`);
    return row.address;
  }

  marketNo(id: MarketId): MarketNo | undefined {
    return this.#deps.view.marketById(id)?.number;
  }

  /** @throws RangeError for an unknown market */
  marketId(market: number): MarketId {
    const record = this.#deps.view.market(market);
    if (record === undefined) throw new RangeError(`Invariant: there is no market ${market}`);
    return record.id;
  }

  /** Returns an order's number, even before the order is durable; 0 for an unknown hash. @param hash in lower case */
  orderNo(hash: string): number {
    return this.#deps.identities.orderOfHash(hash) || this.#findUnsignedOrder(hash);
  }

  /** Returns 0 for an unknown id. */
  orderNoOfClientId(account: number, clientOrderId: string): number {
    return this.#deps.identities.orderOfClientId(account, clientOrderId);
  }

  /** Returns the hash of a durable order. @throws RangeError for other orders */
  orderId(order: number): string {
    return this.orderRow(order).id;
  }

  /** Returns the row of a durable order. @throws RangeError for other orders */
  orderRow(order: number): OrderRow {
    const row = this.#deps.archive.order(order);
    if (row === undefined) throw new RangeError(`Invariant: order ${order} has no row`);
    return row;
  }

  /** Returns the number that an unsigned order's id encodes; 0 for any other hash. */
  #findUnsignedOrder(hash: string): number {
    const order = Number(BigInt(hash));
    if (order < 1 || order > this.#deps.view.orderCount || unsignedId(order) !== hash) return 0;
    return this.#deps.archive.order(order)?.id === hash ? order : 0;
  }
}

const orderGroupRow = z.object({ group: z.number().transform(groupNo), label: z.string() });
export type OrderGroup = Readonly<z.output<typeof orderGroupRow>>;

/** Finds order groups by UUID, and the UUIDs by number. A change joins the next transaction. */
export class OrderGroups {
  readonly #rows: RegistryTable<OrderGroup>;
  readonly #ids = new Map<number, string>();

  constructor(registry: Registry) {
    this.#rows = new RegistryTable(registry, 'orderGroup', registryCodec(orderGroupRow, 'an order group'));
    for (const [id, { group }] of this.#rows.entries()) this.#ids.set(group, id);
  }

  /** @param id a UUID in lower case */
  find(id: string): OrderGroup | undefined {
    return this.#rows.get(id);
  }

  /** Returns a group's UUID; undefined for a deleted group, or a group without a UUID. */
  findId(group: number): string | undefined {
    return this.#ids.get(group);
  }

  put(id: string, row: OrderGroup): void {
    this.#rows.put(id, row);
    this.#ids.set(row.group, id);
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    this.#ids.delete(row.group);
  }
}

/** Makes a random UUID (RFC 9562, version 4). @param random source of bytes; default: the operating system */
export function newUuid(random: (count: number) => Uint8Array = secureBytes): string {
  const bytes = Uint8Array.from(random(16));
  // Set the version to 4 and the variant to binary 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(bytes);
}
