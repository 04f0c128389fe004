/** Queries orders by number, id and client id, and as lists. */
import {
  type AccountRow,
  ORDER_STATUSES,
  type OrderFilter,
  type OrderPosition,
  type OrderRow,
  type Page,
  type PageRequest,
  toCode,
} from '../../exchange/index.ts';
import { encodeId, encodeText, idKey } from './column-values.ts';
import { type OrderColumns, toOrderRow, VENUE_CHECKSUMS } from './columns.ts';
import type { DatabaseReads } from './database-reads.ts';
import { type BoundValue, columnIn, type List, type ListQueries, type Part, type Where } from './list-query.ts';
import type { OrderKeys } from './order-keys.ts';

const NO_GROUP = 0;
/** Statuses up to this code are open. The index `closed_orders` contains all orders with a higher code. */
const LAST_OPEN = toCode(ORDER_STATUSES, 'PARTIALLY_FILLED');

export class OrderQueries {
  readonly #decode;
  readonly #lists: ListQueries;
  readonly #keys: OrderKeys;
  readonly byNumber: (order: number) => OrderRow | undefined;
  readonly #byClientId;

  constructor(reads: DatabaseReads, lists: ListQueries, keys: OrderKeys) {
    const orders = reads.table('orders', VENUE_CHECKSUMS.orders, toOrderRow);
    this.#decode = orders.decode;
    this.#keys = keys;
    this.#lists = lists;
    this.byNumber = orders.one<[number]>('WHERE no = ?');
    this.#byClientId = orders.one<[number, string]>('WHERE account = ? AND client_id = ?');
  }

  byId(id: string): OrderRow | undefined {
    const order = this.#keys.find(idKey(id), encodeId(id));
    return order === undefined ? undefined : this.byNumber(order);
  }

  byClientId(account: number, clientOrderId: string): OrderRow | undefined {
    return this.#byClientId(account, encodeText(clientOrderId));
  }

  /** Returns a page of orders, newest first. */
  list(account: AccountRow, filter: OrderFilter, page: PageRequest<OrderPosition>): Page<OrderRow> {
    const parts = listParts(account.account, filter);
    const isUnfiltered = parts.length === 1 && parts[0]?.where.length === 1;
    const list: List<OrderColumns, OrderRow> = {
      parts,
      order: ['created_at', 'id'],
      direction: 'descending',
      decode: this.#decode,
      ...(isUnfiltered ? { count: account.orders } : {}),
    };
    return this.#lists.page(list, page, ({ createdAt, id }) => [createdAt, encodeId(id)]);
  }
}

/**
 * Returns the parts of a list, each with the index that reads the fewest rows. Each part names its index, because
 * SQLite's query planner could otherwise scan all orders of an account to find a few.
 */
function listParts(account: number, filter: OrderFilter): readonly Part[] {
  const { market, statuses, clientOrderIds, group } = filter;
  const openOrders = statuses?.length === 0 ? [] : filter.openOrders;
  const ofAccount: Where = [['account = ?', account]];
  const rest = otherConditions(filter);
  const codes =
    statuses === undefined ? undefined : [...new Set(statuses.map((status) => toCode(ORDER_STATUSES, status)))];
  const inStatus: Where = codes === undefined ? [] : [columnIn('status', codes)];
  const isOpen = codes?.every((code) => code <= LAST_OPEN) === true;
  if (codes !== undefined && isOpen && openOrders !== undefined)
    return [whereOrderIn(account, openOrders, [...rest, ...inStatus])];
  if (clientOrderIds !== undefined) {
    return [{ table: 'orders INDEXED BY orders_by_client_id', where: [...ofAccount, ...rest, ...inStatus] }];
  }
  if (group !== undefined && group !== NO_GROUP) {
    const inGroup: Where = [['group_no > 0'], ['+account = ?', account]];
    return [{ table: 'orders INDEXED BY orders_of_group', where: [...inGroup, ...rest, ...inStatus] }];
  }
  const index = market === undefined ? 'orders_of_account' : 'orders_of_market';
  const inTimeOrder = (where: Where): Part => {
    return { table: `orders INDEXED BY ${index}`, where: [...ofAccount, ...rest, ...where] };
  };
  if (codes === undefined) return [inTimeOrder([])];
  const closed = codes.filter((code) => code > LAST_OPEN);
  const open = codes.filter((code) => code <= LAST_OPEN);
  const parts = closed.map((code): Part => {
    const where: Where = [...ofAccount, [`status > ${LAST_OPEN}`], ['status = ?', code], ...rest];
    return { table: 'orders INDEXED BY closed_orders', where };
  });
  if (open.length === 0 && closed.length > 0) return parts;
  const anyOpen: Where = [columnIn('status', open)];
  return [
    ...parts,
    openOrders === undefined ? inTimeOrder(anyOpen) : whereOrderIn(account, openOrders, [...rest, ...anyOpen]),
  ];
}

/** Returns a part with the orders of these numbers. The unary plus excludes the indexes of accounts. */
function whereOrderIn(account: number, numbers: readonly number[], rest: Where): Part {
  return { table: 'orders', where: [['+account = ?', account], columnIn('no', numbers), ...rest] };
}

/** Returns the conditions of a filter, except account and status. */
function otherConditions({ market, group, since, clientOrderIds }: OrderFilter): Where {
  const where: [string, ...BoundValue[]][] = [];
  if (clientOrderIds !== undefined) where.push([...columnIn('client_id', clientOrderIds.map(encodeText))]);
  if (market !== undefined) where.push(['market = ?', market]);
  if (group !== undefined) where.push(['group_no = ?', group]);
  if (since !== undefined) where.push(['created_at >= ?', since]);
  return where;
}
