/** Orders, by all they are called and as lists. */
import {
  type AccountRow,
  codeOf,
  ORDER_STATUSES,
  type OrderFilter,
  type OrderPosition,
  type OrderRow,
  type Page,
  type PageRequest,
} from '../../exchange/index.ts';
import { type OrderColumns, orderRow } from './columns.ts';
import { type Connection, guarded } from './database.ts';
import { type Bound, type List, type ListQueries, oneOf } from './list-query.ts';
import { idKey, idValue } from './order-key.ts';
import { textValue } from './text-value.ts';

/** Bit 0 of a kind is SELL, bit 1 NO. */
const BIT = { SELL: 1, NO: 2 };

/** Asks for orders. */
export class OrderQueries {
  readonly #file: string;
  readonly #lists: ListQueries;
  readonly #byNumber;
  readonly #byId;
  readonly #byClientId;

  constructor(connection: Connection, file: string, lists: ListQueries) {
    this.#file = file;
    this.#lists = lists;
    this.#byNumber = connection.prepare<[number], OrderColumns>('SELECT * FROM orders WHERE no = ?');
    this.#byId = connection.prepare<[number, Bound], OrderColumns>('SELECT * FROM orders WHERE id_key = ? AND id = ?');
    this.#byClientId = connection.prepare<[number, string], OrderColumns>(
      'SELECT * FROM orders WHERE account = ? AND client_id = ?',
    );
  }

  byNumber(order: number): OrderRow | undefined {
    return this.#one(() => this.#byNumber.get(order));
  }

  byId(id: string): OrderRow | undefined {
    return this.#one(() => this.#byId.get(idKey(id), idValue(id)));
  }

  byClientId(account: number, clientOrderId: string): OrderRow | undefined {
    return this.#one(() => this.#byClientId.get(account, textValue(clientOrderId)));
  }

  /** Newest first. */
  list(account: AccountRow, filter: OrderFilter, page: PageRequest<OrderPosition>): Page<OrderRow> {
    const where = conditions(account.account, filter);
    const list: List<OrderColumns, OrderRow> = {
      ...{ table: tableOf(filter), where, order: ['created_at', 'id'], direction: 'descending', row: orderRow },
      ...(where.length === 1 ? { count: account.orders } : {}),
    };
    return this.#lists.page(list, page, ({ createdAt, id }) => [createdAt, idValue(id)]);
  }

  #one(get: () => OrderColumns | undefined): OrderRow | undefined {
    const found = guarded(this.#file, 'read', get);
    return found === undefined ? undefined : orderRow(found);
  }
}

/** By its order the planner would walk through all that the account ever had, to find a few that are called so. */
function tableOf({ clientOrderIds, among }: OrderFilter): string {
  return clientOrderIds === undefined || among !== undefined ? 'orders' : 'orders INDEXED BY orders_by_client_id';
}

function conditions(account: number, filter: OrderFilter): List<unknown, unknown>['where'] {
  const { market, statuses, clientOrderIds, group, since, outcome, side, among } = filter;
  const where: [string, ...Bound[]][] = [];
  // By number, not by account: without the plus the planner might walk through all orders that the account ever had.
  if (among === undefined) where.push(['account = ?', account]);
  else where.push(['+account = ?', account], [...oneOf('no', among)]);
  if (market !== undefined) where.push(['market = ?', market]);
  if (group !== undefined) where.push(['group_no = ?', group]);
  if (since !== undefined) where.push(['created_at >= ?', since]);
  if (outcome !== undefined) where.push([`(kind & ${BIT.NO}) = ?`, outcome === 'NO' ? BIT.NO : 0]);
  if (side !== undefined) where.push([`(kind & ${BIT.SELL}) = ?`, side === 'SELL' ? BIT.SELL : 0]);
  if (clientOrderIds !== undefined) where.push([...oneOf('client_id', clientOrderIds.map(textValue))]);
  if (statuses !== undefined) {
    where.push([
      ...oneOf(
        'status',
        statuses.map((status) => codeOf(ORDER_STATUSES, status)),
      ),
    ]);
  }
  return where;
}
