/** GraphQL connections. A cursor is sealed when it is read, because most documents select at most two. */
import type { Page } from '../../exchange/index.ts';
import type { Cursors, Listing, Place } from './cursors.ts';

/** A list with the sort keys of its rows. */
export interface RowListing<Row> extends Listing {
  readonly placeOf: (row: Row) => Place;
}

interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** null on an empty page, like `endCursor`. */
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

/** @param present makes the node of a row, synchronously */
export function connectionOf<Row, Node>(
  cursors: Cursors,
  list: RowListing<Row>,
  { rows, totalCount, hasPrevious, hasNext }: Page<Row>,
  present: (row: Row) => Node,
): Connection<Node> {
  const { list: name, sort } = list;
  const listing = { list: name, sort };
  const edges = rows.map((row) => new SealedEdge(cursors, listing, list.placeOf(row), present(row)));
  const [first, last] = [edges[0], edges.at(-1)];
  const pageInfo = {
    hasNextPage: hasNext,
    hasPreviousPage: hasPrevious,
    get startCursor() {
      return first?.cursor ?? null;
    },
    get endCursor() {
      return last?.cursor ?? null;
    },
  };
  return { edges, pageInfo, totalCount };
}

class SealedEdge<Node> implements Edge<Node> {
  readonly node: Node;
  readonly #cursors: Cursors;
  readonly #listing: Listing;
  readonly #place: Place;
  #cursor: string | undefined;

  constructor(cursors: Cursors, listing: Listing, place: Place, node: Node) {
    this.#cursors = cursors;
    this.#listing = listing;
    this.#place = place;
    this.node = node;
  }

  get cursor(): string {
    this.#cursor ??= this.#cursors.seal(this.#listing, this.#place);
    return this.#cursor;
  }
}
