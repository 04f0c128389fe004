/** Pages of a list that the database keeps in order, with exact flags in both directions and the count of all that match. */
import type { Page, PageRequest } from '../../exchange/index.ts';
import { type Connection, guarded } from './database.ts';

/** A value that stands in a statement. */
export type Bound = number | string | Uint8Array;

/** Which rows of which table, in which order. */
export interface List<Columns, Row> {
  readonly table: string;
  /** Conditions, joined by AND, each with its values. */
  readonly where: readonly (readonly [condition: string, ...values: readonly Bound[]])[];
  /** Columns that order it; together they are unique. */
  readonly order: readonly string[];
  readonly direction: 'ascending' | 'descending';
  readonly row: (columns: Columns) => Row;
  /** How many there are, where somebody counts. */
  readonly count?: number;
}

/** Asks for pages. */
export class ListQueries {
  readonly #connection: Connection;
  readonly #file: string;

  constructor(connection: Connection, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  /** @throws FileFault when the file is damaged */
  page<Columns, Row, Position>(
    list: List<Columns, Row>,
    { take, direction, from }: PageRequest<Position>,
    valuesOf: (position: Position) => readonly Bound[],
  ): Page<Row> {
    const isForward = direction === 'forward';
    const isAscending = (list.direction === 'ascending') === isForward;
    const place = from === undefined ? undefined : valuesOf(from);
    const key = `(${list.order.join(', ')})`;
    const beyond =
      place === undefined ? '' : ` AND ${key} ${isAscending ? '>' : '<'} (${place.map(() => '?').join(', ')})`;
    const sorted = list.order.map((name) => `${name} ${isAscending ? 'ASC' : 'DESC'}`).join(', ');
    const { condition, values } = conditions(list);
    const sql = `SELECT * FROM ${list.table} WHERE ${condition}${beyond} ORDER BY ${sorted} LIMIT ?`;
    const found = this.#all<Columns>(sql, [...values, ...(place ?? []), take + 1]);
    const rows = found.slice(0, take).map(list.row);
    const isMore = found.length > take;
    const isLess = place !== undefined && this.#isAny(list, `${key} ${isAscending ? '<=' : '>='} `, place);
    return {
      rows: isForward ? rows : rows.toReversed(),
      totalCount: list.count ?? this.#count(list),
      hasPrevious: isForward ? isLess : isMore,
      hasNext: isForward ? isMore : isLess,
    };
  }

  /** All of a list. */
  all<Columns, Row>(list: List<Columns, Row>): readonly Row[] {
    const { condition, values } = conditions(list);
    const sorted = list.order.map((name) => `${name} ${list.direction === 'ascending' ? 'ASC' : 'DESC'}`).join(', ');
    const sql = `SELECT * FROM ${list.table} WHERE ${condition} ORDER BY ${sorted}`;
    return this.#all<Columns>(sql, values).map(list.row);
  }

  #count<Columns, Row>(list: List<Columns, Row>): number {
    const { condition, values } = conditions(list);
    const [found] = this.#all<{ readonly many: number }>(
      `SELECT count(*) AS many FROM ${list.table} WHERE ${condition}`,
      values,
    );
    return found?.many ?? 0;
  }

  #isAny<Columns, Row>(list: List<Columns, Row>, comparison: string, place: readonly Bound[]): boolean {
    const { condition, values } = conditions(list);
    const marks = place.map(() => '?').join(', ');
    const sql = `SELECT 1 AS one FROM ${list.table} WHERE ${condition} AND ${comparison}(${marks}) LIMIT 1`;
    return this.#all<unknown>(sql, [...values, ...place]).length > 0;
  }

  #all<Columns>(sql: string, values: readonly Bound[]): readonly Columns[] {
    return guarded(this.#file, 'read', () => this.#connection.prepare<Bound[], Columns>(sql).all(...values));
  }
}

function conditions<Columns, Row>({
  where,
}: List<Columns, Row>): {
  readonly condition: string;
  readonly values: readonly Bound[];
} {
  const texts = where.map(([condition]) => condition);
  return { condition: texts.join(' AND '), values: where.flatMap(([, ...values]) => values) };
}

/** A condition that a column's value is one of a list. */
export function oneOf(column: string, values: readonly (number | string)[]): readonly [string, string] {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)];
}
