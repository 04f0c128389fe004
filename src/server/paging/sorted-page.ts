/** Pages of lists that stand sorted in memory. */
import type { Page, PageRequest } from '../../exchange/index.ts';
import type { Place } from './cursors.ts';

/** Rows in the order of a list: an array, or something that looks like one. */
export interface Rows<Row> {
  readonly length: number;
  /** The row at a place, from 0; undefined beyond the end. */
  at(index: number): Row | undefined;
}

/** The rows from the last one to the first, as they stand at the moment of each call. */
export function reversed<Row>(rows: Rows<Row>): Rows<Row> {
  return {
    get length() {
      return rows.length;
    },
    at: (index) => (index < rows.length ? rows.at(rows.length - 1 - index) : undefined),
  };
}

/**
 * A page of sorted rows: what lies strictly beyond the position, whether or not its row is still there.
 * @param compare negative when a row stands before a place in the order of the list
 */
export function sortedPage<Row>(
  rows: Rows<Row>,
  { take, direction, from }: PageRequest<Place>,
  compare: (row: Row, place: Place) => number,
): Page<Row> {
  const { length } = rows;
  const isForward = direction === 'forward';
  let begin = 0;
  let end = length;
  if (isForward) {
    if (from !== undefined) begin = countWhile(rows, (row) => compare(row, from) <= 0);
    end = Math.min(length, begin + take);
  } else {
    if (from !== undefined) end = countWhile(rows, (row) => compare(row, from) < 0);
    begin = Math.max(0, end - take);
  }
  const page: Row[] = [];
  for (let index = begin; index < end; index += 1) {
    const row = rows.at(index);
    if (row !== undefined) page.push(row);
  }
  return { rows: page, totalCount: length, hasPrevious: begin > 0, hasNext: end < length };
}

/** Number of leading rows that pass a test. After the first that fails, all fail. */
function countWhile<Row>(rows: Rows<Row>, passes: (row: Row) => boolean): number {
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
