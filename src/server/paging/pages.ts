/** Pages of lists (docs/spec/venue.md#paging). */
import type { Page, PageRequest } from '../../exchange/index.ts';
import { badArgument, invalidArgument, type Raw } from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import type { Cursors, Listing, SortKey } from './cursors.ts';

/** Arguments of a list: `first` with `after`, or `last` with `before`. Some lists accept only `first` and `after`. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: Raw<'Cursor'> | null | undefined;
}

const DEFAULT_SIZE = 20;
const MAX_SIZE = 100;

/**
 * Reads the arguments of a page.
 * @param open decodes a cursor; throws for an invalid cursor
 * @throws WireFault for a size outside 0 to 100 or mixed directions; the error of `open`
 */
export function readPage<Position>(
  { first, after, last, before }: PageArguments,
  open: (cursor: Raw<'Cursor'>) => Position,
): PageRequest<Position> {
  const isForward = isGiven(first) || isGiven(after);
  const isBackward = isGiven(last) || isGiven(before);
  if (isForward && isBackward)
    throw invalidArgument('expected first with after, or last with before, got a mix of both');
  const [name, size, cursor] = isBackward ? (['last', last, before] as const) : (['first', first, after] as const);
  return {
    maxRows: readSize(name, size),
    direction: isBackward ? 'backward' : 'forward',
    from: isGiven(cursor) ? open(cursor) : undefined,
  };
}

function readSize(name: string, size: number | null | undefined): number {
  if (!isGiven(size)) return DEFAULT_SIZE;
  if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) throw badArgument(name, size, `0 to ${MAX_SIZE}`);
  return size;
}

export interface Rows<Row> {
  readonly length: number;
  /** Returns the row at an index from 0; undefined beyond the end. */
  at(index: number): Row | undefined;
}

/** Returns a live view of the rows in reverse order. */
export function reverseRows<Row>(rows: Rows<Row>): Rows<Row> {
  return {
    get length() {
      return rows.length;
    },
    at: (index) => (index < rows.length ? rows.at(rows.length - 1 - index) : undefined),
  };
}

/**
 * Returns the page of sorted rows that begins after, or ends before, a position. The position's row may be deleted.
 * @param compare returns a negative number if a row comes before a sort key in the list
 */
export function sortedPage<Row>(
  rows: Rows<Row>,
  { maxRows, direction, from }: PageRequest<SortKey>,
  compare: (row: Row, sortKey: SortKey) => number,
): Page<Row> {
  const { length } = rows;
  const isForward = direction === 'forward';
  let begin = 0;
  let end = length;
  if (isForward) {
    if (from !== undefined) begin = countLeading(rows, (row) => compare(row, from) <= 0);
    end = Math.min(length, begin + maxRows);
  } else {
    if (from !== undefined) end = countLeading(rows, (row) => compare(row, from) < 0);
    begin = Math.max(0, end - maxRows);
  }
  const page: Row[] = [];
  for (let index = begin; index < end; index += 1) {
    const row = rows.at(index);
    if (row !== undefined) page.push(row);
  }
  return { rows: page, totalCount: length, hasPrevious: begin > 0, hasNext: end < length };
}

/** Counts the leading rows that pass a test. All rows after the first failing row must fail, too. */
export function countLeading<Row>(rows: Rows<Row>, passes: (row: Row) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows.at(middle);
    if (row !== undefined && passes(row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface RowListing<Row> extends Listing {
  readonly getSortKey: (row: Row) => SortKey;
}

/** Creates a connection that seals a cursor only when a caller reads it. Most documents select at most two cursors. */
export function createConnection<Row, Node>(
  cursors: Cursors,
  { list, sort, getSortKey }: RowListing<Row>,
  { rows, totalCount, hasPrevious, hasNext }: Page<Row>,
  present: (row: Row) => Node,
) {
  const listing = { list, sort };
  const edges = rows.map((row) => new Edge(cursors, listing, getSortKey(row), present(row)));
  const pageInfo = {
    hasNextPage: hasNext,
    hasPreviousPage: hasPrevious,
    get startCursor(): string | null {
      return edges[0]?.cursor ?? null;
    },
    get endCursor(): string | null {
      return edges.at(-1)?.cursor ?? null;
    },
  };
  return { edges, pageInfo, totalCount };
}

/** A class, because the creation of an object literal with a getter takes ten times as long. */
class Edge<Node> {
  readonly node: Node;
  readonly #cursors: Cursors;
  readonly #listing: Listing;
  readonly #sortKey: SortKey;
  #cursor: string | undefined;

  constructor(cursors: Cursors, listing: Listing, sortKey: SortKey, node: Node) {
    this.#cursors = cursors;
    this.#listing = listing;
    this.#sortKey = sortKey;
    this.node = node;
  }

  get cursor(): string {
    this.#cursor ??= this.#cursors.seal(this.#listing, this.#sortKey);
    return this.#cursor;
  }
}
