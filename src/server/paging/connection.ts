/** GraphQL connections. A cursor is sealed when it is read, because most documents select at most two. */
import type { Page } from '../../exchange/index.ts';
import type { Cursors, Listing, Place } from './cursors.ts';

/** A list with the sort keys of its rows. */
export interface RowListing<Row> extends Listing {
  readonly placeOf: (row: Row) => Place;
}

/** @param present makes the node of a row, synchronously */
export function connectionOf<Row, Node>(
  cursors: Cursors,
  { list, sort, placeOf }: RowListing<Row>,
  { rows, totalCount, hasPrevious, hasNext }: Page<Row>,
  present: (row: Row) => Node,
) {
  const edges = rows.map((row) => {
    const place = placeOf(row);
    let sealed: string | undefined;
    return {
      node: present(row),
      get cursor(): string {
        sealed ??= cursors.seal({ list, sort }, place);
        return sealed;
      },
    };
  });
  const pageInfo = {
    hasNextPage: hasNext,
    hasPreviousPage: hasPrevious,
    /** null on an empty page, like `endCursor`. */
    get startCursor(): string | null {
      return edges[0]?.cursor ?? null;
    },
    get endCursor(): string | null {
      return edges.at(-1)?.cursor ?? null;
    },
  };
  return { edges, pageInfo, totalCount };
}
