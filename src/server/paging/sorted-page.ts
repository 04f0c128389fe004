/** Pages of sorted lists in memory. */
import type { Page, PageRequest } from '../../exchange/index.ts';
import type { Place } from './cursors.ts';

/** The read-only part of an array that paging needs. */
export interface Rows<Row> {
  readonly length: number;
  /** The row at an index from 0; undefined beyond the end. */
  at(index: number): Row | undefined;
}

/** A live view of the rows in reverse order. */
export function reversed<Row>(rows: Rows<Row>): Rows<Row> {
  return {
    get length() {
      return rows.length;
    },
    at: (index) => (index < rows.length ? rows.at(rows.length - 1 - index) : undefined),
  };
}

/**
 * Returns the page of sorted rows after the requested position. The position's own row need not exist any more.
 * @param compare negative when a row comes before a place in the order of the list
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

/** Number of leading rows that pass a test. Requires that all rows after a failing one fail, too. */
export function countWhile<Row>(rows: Rows<Row>, passes: (row: Row) => boolean): number {
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
