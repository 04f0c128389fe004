/** Lists of markets: filters, six sort orders, and paging in both directions while markets are created. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountNo, epochMs, type MarketNo } from '../../../../src/domain/index.ts';
import type { MarketSort } from '../../../../src/protocol/index.ts';
import { DAY, idOf } from './commands.ts';
import { ids, LIST, type Node, type Page } from './list-query.ts';
import { ONE, openVenue, openVenueWithMakers, START, session, THREE, TWO, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const SORTS: readonly MarketSort[] = [
  'CREATED_AT_DESC',
  'CREATED_AT_ASC',
  'VOLUME_DESC',
  'VOLUME_ASC',
  'RESOLUTION_DATE_ASC',
  'RESOLUTION_DATE_DESC',
];

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

const list = (input?: object): Promise<Page> => venue.read<Page>(LIST, { input });

/** Sorts nodes by the visible sort value and then by id, both in the sort's direction. */
function sorted(nodes: readonly Node[], sort: MarketSort): readonly string[] {
  const value = (node: Node): number => {
    if (sort.startsWith('VOLUME')) return node.volumeCents;
    return Date.parse(sort.startsWith('CREATED_AT') ? node.createdAt : node.resolutionDate);
  };
  const ascending = nodes.toSorted((first, second) => value(first) - value(second) || (first.id < second.id ? -1 : 1));
  return (sort.endsWith('_ASC') ? ascending : ascending.toReversed()).map(({ id }) => id);
}

describe('paging through markets', () => {
  /** Changes between two pages. None of them changes a sort value of an existing market. */
  const step = fc.record({
    create: fc.nat(2),
    dueIn: fc.integer({ min: 1, max: 4 }),
    first: fc.integer({ min: 1, max: 4 }),
    backward: fc.boolean(),
    wait: fc.nat(1),
  });

  it.each(SORTS)('returns every market that exists from the start once and in order: %s', async (sort) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 8 }),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (count, steps, isForward) => {
          const pagedVenue = await openVenue();
          try {
            const pair = [await pagedVenue.account(ONE), await pagedVenue.account(TWO)] as const;
            const create = async (dueIn: number, volume: number): Promise<void> => {
              const no = await pagedVenue.open(pair[0], {
                resolutionDate: epochMs(pagedVenue.clock.now() + dueIn * DAY),
              });
              if (volume > 0) await pagedVenue.trade(no, pair, 5_000, volume * SHARE);
            };
            for (let no = 0; no < count; no += 1) await create(1 + (no % 3), no % 4);
            const read = (input: object) => pagedVenue.read<Page>(LIST, { input: { ...input, sort } });
            const initialNodes = (await read({ first: 100 })).edges.map(({ node }) => node);
            const seenIds: string[] = [];
            let cursor: string | null = null;
            let isLastPage = false;
            for (let round = 0; !isLastPage && round < 60; round += 1) {
              const {
                create: newMarkets,
                dueIn,
                first,
                wait,
              } = steps[round % steps.length] ?? { create: 0, dueIn: 1, first: 1, wait: 0 };
              const page: Page = await read(isForward ? { first, after: cursor } : { last: first, before: cursor });
              const pageIds = page.edges.map(({ node }) => node.id);
              if (isForward) seenIds.push(...pageIds);
              else seenIds.unshift(...pageIds);
              isLastPage = isForward ? !page.pageInfo.hasNextPage : !page.pageInfo.hasPreviousPage;
              cursor = (isForward ? page.pageInfo.endCursor : page.pageInfo.startCursor) ?? cursor;
              pagedVenue.clock.advanceTo(pagedVenue.clock.now() + wait);
              if (round < steps.length)
                for (let created = 0; created < newMarkets; created += 1) await create(dueIn, (round + created) % 4);
            }
            expect(isLastPage).toBe(true);
            expect(new Set(seenIds).size).toBe(seenIds.length);
            const initialIds = new Set(initialNodes.map(({ id }) => id));
            expect(seenIds.filter((id) => initialIds.has(id))).toEqual(sorted(initialNodes, sort));
            const finalNodes = (await read({ first: 100 })).edges.map(({ node }) => node);
            const seenSet = new Set(seenIds);
            expect(seenIds).toEqual(
              sorted(
                finalNodes.filter(({ id }) => seenSet.has(id)),
                sort,
              ),
            );
            expect(finalNodes.map(({ id }) => id)).toEqual(sorted(finalNodes, sort));
          } finally {
            await pagedVenue.close();
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('has exact page flags and the same cursors in both directions', async () => {
    for (let no = 0; no < 5; no += 1) await venue.create(makers[0]);
    const all = await list({ first: 5 });
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const cursors = all.edges.map(({ cursor }) => cursor);
    const middle = await list({ first: 2, after: cursors[0] });
    expect(middle.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: cursors[1],
      endCursor: cursors[2],
    });
    const back = await list({ last: 2, before: cursors[2] });
    expect(back.edges.map(({ cursor }) => cursor)).toEqual([cursors[0], cursors[1]]);
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const end = await list({ last: 2 });
    expect(ids(end)).toEqual(ids(all).slice(3));
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const none = await list({ first: 0 });
    expect(none).toEqual({
      edges: [],
      totalCount: 5,
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  it('continues after the old position of a market whose volume has changed', async () => {
    for (let no = 0; no < 4; no += 1) await venue.open(makers[0]);
    for (let no = 0; no < 4; no += 1) await venue.trade(no as MarketNo, makers, 5_000, (no + 1) * SHARE);
    const first = await list({ first: 2, sort: 'VOLUME_DESC' });
    expect(ids(first)).toEqual([idOf(3), idOf(2)]);
    await venue.trade(2 as MarketNo, makers, 5_000, 100 * SHARE);
    const second = await list({ first: 2, after: first.pageInfo.endCursor, sort: 'VOLUME_DESC' });
    expect(ids(second)).toEqual([idOf(1), idOf(0)]);
    expect(ids(await list({ sort: 'VOLUME_DESC' }))).toEqual([2, 3, 1, 0].map(idOf));
  });

  it('sorts by the visible cents and then by id', async () => {
    for (let no = 0; no < 6; no += 1) await venue.open(makers[0]);
    // The volumes differ by fractions of a cent, so all are shown as 50 cents.
    for (let no = 0; no < 6; no += 1) {
      await venue.trade(no as MarketNo, makers, 5_000 - 10 * no, SHARE);
    }
    const volumes = (await list({ sort: 'VOLUME_ASC' })).edges.map(({ node }) => node);
    expect(new Set(volumes.map(({ volumeCents }) => volumeCents))).toEqual(new Set([50]));
    expect(volumes.map(({ id }) => id)).toEqual(sorted(volumes, 'VOLUME_ASC'));
  });

  it('sorts a market by its new resolution date after a change', async () => {
    for (let no = 0; no < 3; no += 1) {
      await venue.open(makers[0], { resolutionDate: epochMs(START + (no + 1) * DAY) });
    }
    expect(ids(await list({ sort: 'RESOLUTION_DATE_ASC' }))).toEqual([0, 1, 2].map(idOf));
    await venue.execute({
      type: 'moveDate',
      time: venue.clock.now(),
      market: 0 as MarketNo,
      note: '',
      by: 'operator',
      resolutionDate: epochMs(START + 9 * DAY),
    });
    expect(ids(await list({ sort: 'RESOLUTION_DATE_ASC' }))).toEqual([1, 2, 0].map(idOf));
    expect(ids(await list({ sort: 'RESOLUTION_DATE_DESC' }))).toEqual([0, 2, 1].map(idOf));
  });
});

describe('a cursor', () => {
  it('is refused with another sort, in another list, and when it is forged', async () => {
    for (let no = 0; no < 3; no += 1) await venue.create(makers[0]);
    const { endCursor: after } = (await list({ first: 1 })).pageInfo;
    const refused = (input: object) => venue.refusal(LIST, { input });
    expect(await refused({ after, sort: 'VOLUME_ASC' })).toBe(
      'invalid cursor: it belongs to the sort CREATED_AT_DESC, not to VOLUME_ASC @ markets',
    );
    for (const forged of [`A${after}`, `${after}A`, '', 'cursor', Buffer.from(idOf(0)).toString('base64')]) {
      expect(await refused({ after: forged })).toBe(
        'invalid cursor: it was not made by this venue, or was changed @ markets',
      );
    }
    const trades = 'query ($id: ID!, $after: Cursor) { trades(marketId: $id, after: $after) { totalCount } }';
    expect(await venue.refusal(trades, { id: idOf(0), after })).toBe(
      'invalid cursor: it belongs to another list @ trades',
    );
    const own = 'query ($after: Cursor) { createdMarkets(after: $after) { totalCount } }';
    expect(await venue.refusal(own, { after }, session(ONE))).toBe(
      'invalid cursor: it belongs to another list @ createdMarkets',
    );
    expect(await list({ after, filter: { status: 'OPEN' } })).toMatchObject({ totalCount: 0 });
  });

  it('stays valid when markets are inserted before it', async () => {
    for (let no = 0; no < 3; no += 1) await venue.create(makers[0]);
    const { endCursor: after } = (await list({ first: 1 })).pageInfo;
    const rest = ids(await list({ after }));
    venue.pass(1);
    await venue.create(makers[0]);
    expect(ids(await list({ after }))).toEqual(rest);
  });
});

describe('created markets', () => {
  const OWN =
    'query ($first: Int, $after: Cursor) { createdMarkets(first: $first, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } totalCount } }';

  it('are listed only for their creator, newest first', async () => {
    for (let no = 0; no < 4; no += 1) {
      await venue.create(makers[no === 1 ? 1 : 0]);
      venue.pass(1);
    }
    const own = (viewer: string, args = {}) => venue.read<Page>(OWN, args, session(viewer));
    const first = await own(ONE, { first: 2 });
    expect(ids(first)).toEqual([3, 2].map(idOf));
    expect(first.totalCount).toBe(3);
    const after = first.pageInfo.endCursor;
    expect(ids(await own(ONE, { after }))).toEqual([idOf(0)]);
    expect(ids(await own(TWO))).toEqual([idOf(1)]);
    await venue.account(THREE);
    expect(await own(THREE)).toMatchObject({ edges: [], totalCount: 0 });
    expect(await venue.refusal(OWN, { after }, session(TWO))).toMatch(/^invalid cursor: it belongs to another list/);
  });

  it('require credentials', async () => {
    expect(await venue.request(OWN)).toEqual({
      data: null,
      errors: [{ message: 'UNAUTHORIZED', path: ['createdMarkets'] }],
    });
  });
});
