/** Queries pages of a sorted list, with exact flags in both directions and the total count. */
import type { Page, PageRequest } from '../../exchange/index.ts';
import type { DatabaseReads } from './database-reads.ts';

export type BoundValue = number | string | Uint8Array;

/** Conditions joined by AND, each with its bound values. */
export type Where = readonly (readonly [condition: string, ...values: readonly BoundValue[]])[];

/** Rows of a table that one index returns in the order of the list. */
export interface Part {
  /** Table, optionally with `INDEXED BY`. */
  readonly table: string;
  readonly where: Where;
}

export interface List<Columns, Row> {
  /** Disjoint parts of the list, to merge. For example, an index by status sorts only the rows of each status. */
  readonly parts: readonly Part[];
  /** Sort columns, whose combined values are unique. */
  readonly order: readonly string[];
  readonly direction: 'ascending' | 'descending';
  readonly decode: (columns: Columns) => Row;
  /** Number of rows, if it is known. By default, the query counts the rows. */
  readonly count?: number;
}

export class ListQueries {
  readonly #reads: DatabaseReads;

  constructor(reads: DatabaseReads) {
    this.#reads = reads;
  }

  /** @throws FileFault for a damaged file */
  page<Columns, Row, Position>(
    list: List<Columns, Row>,
    { maxRows, direction, from }: PageRequest<Position>,
    toValues: (position: Position) => readonly BoundValue[],
  ): Page<Row> {
    const isForward = direction === 'forward';
    const isAscending = (list.direction === 'ascending') === isForward;
    const position = from === undefined ? undefined : toValues(from);
    const key = `(${list.order.join(', ')})`;
    const afterPosition =
      position === undefined ? '' : ` AND ${key} ${isAscending ? '>' : '<'} (${position.map(() => '?').join(', ')})`;
    const sorted = list.order.map((name) => `${name} ${isAscending ? 'ASC' : 'DESC'}`).join(', ');
    const selects = list.parts.map(
      (part) => `SELECT * FROM ${part.table} WHERE ${whereSql(part)}${afterPosition} ORDER BY ${sorted} LIMIT ?`,
    );
    const bounds = list.parts.flatMap((part) => [...boundValues(part), ...(position ?? []), maxRows + 1]);
    const found = this.#all<Columns>(list, mergeSelects(selects, `ORDER BY ${sorted} LIMIT ${maxRows + 1}`), bounds);
    const rows = found.slice(0, maxRows).map(list.decode);
    const hasMore = found.length > maxRows;
    const hasSkipped = position !== undefined && this.#hasAny(list, `${key} ${isAscending ? '<=' : '>='} `, position);
    return {
      rows: isForward ? rows : rows.toReversed(),
      totalCount: list.count ?? this.#count(list),
      hasPrevious: isForward ? hasSkipped : hasMore,
      hasNext: isForward ? hasMore : hasSkipped,
    };
  }

  all<Columns, Row>(list: List<Columns, Row>): readonly Row[] {
    const direction = list.direction === 'ascending' ? 'ASC' : 'DESC';
    const sorted = `ORDER BY ${list.order.map((name) => `${name} ${direction}`).join(', ')}`;
    const selects = list.parts.map((part) => `SELECT * FROM ${part.table} WHERE ${whereSql(part)} ${sorted}`);
    return this.#all<Columns>(list, mergeSelects(selects, sorted), list.parts.flatMap(boundValues)).map(list.decode);
  }

  #count<Columns, Row>(list: List<Columns, Row>): number {
    let count = 0;
    for (const part of list.parts) {
      const sql = `SELECT count(*) AS count FROM ${part.table} WHERE ${whereSql(part)}`;
      const [found] = this.#all<{ readonly count: number }>(list, sql, boundValues(part));
      count += found?.count ?? 0;
    }
    return count;
  }

  #hasAny<Columns, Row>(list: List<Columns, Row>, comparison: string, position: readonly BoundValue[]): boolean {
    const placeholders = position.map(() => '?').join(', ');
    return list.parts.some((part) => {
      const sql = `SELECT 1 AS one FROM ${part.table} WHERE ${whereSql(part)} AND ${comparison}(${placeholders}) LIMIT 1`;
      return this.#all<unknown>(list, sql, [...boundValues(part), ...position]).length > 0;
    });
  }

  #all<Columns>({ parts }: List<never, unknown>, sql: string, values: readonly BoundValue[]): readonly Columns[] {
    const table = parts[0]?.table.split(' ')[0];
    return this.#reads.query(() => this.#reads.connection.prepare<BoundValue[], Columns>(sql).all(...values), table);
  }
}

function whereSql({ where }: Part): string {
  return where.map(([text]) => text).join(' AND ');
}

function boundValues({ where }: Part): readonly BoundValue[] {
  return where.flatMap(([, ...values]) => values);
}

/** Joins the SELECTs of all parts. @param end ORDER BY and LIMIT for several parts */
function mergeSelects(selects: readonly string[], end: string): string {
  const [only] = selects;
  if (only !== undefined && selects.length === 1) return only;
  return `${selects.map((select) => `SELECT * FROM (${select})`).join(' UNION ALL ')} ${end}`;
}

/** Returns the condition that a column has one of these values. */
export function columnIn(column: string, values: readonly (number | string)[]): readonly [string, string] {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)];
}

export interface TimedId {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * Returns the id of the first row at or after a time, or `last + 1` if all rows are older. Ids ascend with time, so a
 * binary search needs no index by time.
 * @param last id of the last row, or a higher id
 * @param next returns the first row at or after an id
 */
export function findFirstSince(time: number, last: number, next: (id: number) => TimedId | undefined): number {
  let [low, high] = [0, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = next(middle);
    if (found === undefined || found.at >= time) high = middle;
    else low = Math.min(found.id + 1, high);
  }
  return low;
}
