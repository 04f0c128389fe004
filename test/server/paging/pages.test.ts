import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrapRaw, wrapRaw } from '../../../src/protocol/index.ts';
import { Cursors, compareSortKeys, type Direction, type SortKey } from '../../../src/server/paging/cursors.ts';
import {
  createConnection,
  type PageArguments,
  readPage,
  reverseRows,
  sortedPage,
} from '../../../src/server/paging/pages.ts';

const cursors = new Cursors(new Uint8Array(32).fill(1));
const cursor = wrapRaw<'Cursor'>('c');

function read(args: PageArguments): unknown {
  return readPage(args, unwrapRaw);
}

describe('the arguments of a page', () => {
  it('are first with after, or last with before, and default to the first twenty', () => {
    expect(read({})).toEqual({ maxRows: 20, direction: 'forward', from: undefined });
    expect(read({ first: null, after: null, last: null, before: null })).toEqual(read({}));
    expect(read({ first: 0 })).toEqual({ maxRows: 0, direction: 'forward', from: undefined });
    expect(read({ first: 100, after: cursor })).toEqual({ maxRows: 100, direction: 'forward', from: 'c' });
    expect(read({ after: cursor })).toEqual({ maxRows: 20, direction: 'forward', from: 'c' });
    expect(read({ last: 3 })).toEqual({ maxRows: 3, direction: 'backward', from: undefined });
    expect(read({ before: cursor })).toEqual({ maxRows: 20, direction: 'backward', from: 'c' });
  });

  it.each<PageArguments>([
    { first: 1, last: 1 },
    { first: 1, before: cursor },
    { last: 1, after: cursor },
    { after: cursor, before: cursor },
    { first: 1, after: cursor, last: 1, before: cursor },
  ])('are refused when mixed: %o', (args) => {
    expect(() => read(args)).toThrow(/^invalid argument: expected first with after, or last with before/);
  });

  it.each([-1, 101, 1.5, Number.NaN])('are refused with size %d', (size) => {
    expect(() => read({ first: size })).toThrow(/^invalid argument: first: expected 0 to 100/);
    expect(() => read({ last: size })).toThrow(/^invalid argument: last: expected 0 to 100/);
  });
});

const place = fc.record({ value: fc.integer({ min: 0, max: 5 }), id: fc.integer({ min: 0, max: 20 }) });
const places = fc.uniqueArray(place, { selector: ({ value, id }) => `${value} ${id}`, maxLength: 30 });
const direction = fc.constantFrom<Direction>('ascending', 'descending');

describe('a page of a sorted list', () => {
  it('equals a naive implementation in both directions, also when the row of its cursor was deleted', () => {
    const pageDirection = fc.constantFrom('forward' as const, 'backward' as const);
    fc.assert(
      fc.property(
        places,
        direction,
        fc.nat(8),
        pageDirection,
        fc.option(place),
        (list, order, maxRows, cursorDirection, from) => {
          const compare = (first: SortKey, second: SortKey) => compareSortKeys(first, second, order);
          const rows = list.toSorted(compare);
          const isForward = cursorDirection === 'forward';
          const isAfterCursor = (row: SortKey) =>
            from === null || (isForward ? compare(row, from) > 0 : compare(row, from) < 0);
          const candidates = rows.filter(isAfterCursor);
          const expected = isForward
            ? candidates.slice(0, maxRows)
            : candidates.slice(Math.max(0, candidates.length - maxRows));
          const [isCut, hasMore] = [candidates.length < rows.length, candidates.length > maxRows];
          const page = sortedPage(rows, { maxRows, direction: cursorDirection, from: from ?? undefined }, compare);
          expect(page).toEqual({
            rows: expected,
            totalCount: rows.length,
            hasPrevious: isForward ? isCut : hasMore,
            hasNext: isForward ? hasMore : isCut,
          });
          const backwards = reverseRows(rows.toReversed());
          expect(
            sortedPage(backwards, { maxRows, direction: cursorDirection, from: from ?? undefined }, compare),
          ).toEqual(page);
        },
      ),
    );
  });

  it('sorts equal values by id in the same direction', () => {
    const rows = [
      { value: 1, id: 'b' },
      { value: 1, id: 'a' },
      { value: 0, id: 'c' },
    ];
    const names = (order: Direction) => rows.toSorted((a, b) => compareSortKeys(a, b, order)).map(({ id }) => id);
    expect(names('ascending')).toEqual(['c', 'a', 'b']);
    expect(names('descending')).toEqual(['b', 'a', 'c']);
  });
});

describe('a reversed list', () => {
  it('ends at the start of the list', () => {
    const list = reverseRows([1, 2, 3]);
    expect([list.length, list.at(0), list.at(2), list.at(3)]).toEqual([3, 3, 1, undefined]);
  });
});

describe('a connection', () => {
  const list = { list: 'numbers', sort: 'UP', getSortKey: (row: number) => ({ value: row, id: row }) };

  it('has edges, start and end cursors, and page flags', () => {
    const page = { rows: [1, 2, 3], totalCount: 9, hasPrevious: true, hasNext: false };
    const { edges, pageInfo, totalCount } = createConnection(cursors, list, page, (row) => `n${row}`);
    expect(edges.map(({ node }) => node)).toEqual(['n1', 'n2', 'n3']);
    expect(edges.map((edge) => cursors.open(list, wrapRaw(edge.cursor)))).toEqual([1, 2, 3].map(list.getSortKey));
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: edges[0]?.cursor,
      endCursor: edges[2]?.cursor,
    });
    expect(totalCount).toBe(9);
  });

  it('has no cursors on an empty page', () => {
    const page = { rows: [], totalCount: 9, hasPrevious: true, hasNext: true };
    expect(createConnection(cursors, list, page, String)).toEqual({
      edges: [],
      totalCount: 9,
      pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });
});
