/** Lists of an account: filters, paging, and no rows of other accounts. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { openVenueForTest, START, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let alice: Trader;
let bob: Trader;
let market: string;
let other: string;

beforeEach(async () => {
  venue = await openVenueForTest();
  [market, other] = [await venue.market(), await venue.market()];
  [alice, bob] = [await venue.trader('alice', 1000), await venue.trader('bob', 1000)];
});

interface Page<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

/** Reads all nodes page by page. */
async function readAllPages<Node>(
  read: (page: { first: number; after?: string }) => Promise<Page<Node> | null | undefined>,
) {
  const nodes: Node[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await read({ first: 2, ...(after === undefined ? {} : { after }) });
    if (page === null || page === undefined) throw new Error('no page');
    nodes.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) {
      expect(nodes).toHaveLength(page.totalCount);
      return nodes;
    }
    after = page.pageInfo.endCursor ?? undefined;
  }
}

const ordersOf = (trader: Trader, input: object = {}) =>
  readAllPages(
    async (page) => (await venue.execute(trader, ALL_OPERATIONS.orders, { input: { ...input, ...page } })).orders,
  );
const fillsOf = (trader: Trader, input: object = {}) =>
  readAllPages(
    async (page) => (await venue.execute(trader, ALL_OPERATIONS.fills, { input: { ...input, ...page } })).fills,
  );
const ledgerOf = (trader: Trader, input: object = {}) =>
  readAllPages(
    async (page) => (await venue.execute(trader, ALL_OPERATIONS.ledger, { input: { ...input, ...page } })).ledger,
  );
const positionsOf = (trader: Trader, input: object = {}) =>
  readAllPages(
    async (page) => (await venue.execute(trader, ALL_OPERATIONS.positions, { input: { ...input, ...page } })).positions,
  );

describe('orders', () => {
  it('are listed newest first and support every filter', async () => {
    const placed = [];
    for (const [at, request] of [
      { clientOrderId: 'a' },
      { marketId: other },
      { clientOrderId: 'c', size: 4 },
      { priceBps: 100 },
    ].entries()) {
      venue.clock.advanceTo(START + at * 1000);
      const { order } = await venue.place(alice, { marketId: market, ...request });
      placed.push(order?.id ?? '');
    }
    const [a, b, c, d] = placed;
    await venue.place(bob, { marketId: market, outcome: 'NO', size: 12 });
    await venue.execute(alice, ALL_OPERATIONS.cancelOrder, { id: d ?? '' });
    const idsOf = async (input: object, trader = alice) => (await ordersOf(trader, input)).map(({ id }) => id);
    expect(await idsOf({})).toEqual([d, c, b, a]);
    expect(await idsOf({ marketId: other })).toEqual([b]);
    expect(await idsOf({ statuses: ['LIVE', 'PARTIALLY_FILLED'] })).toEqual([c, b]);
    expect(await idsOf({ statuses: ['PARTIALLY_FILLED'], marketId: market })).toEqual([c]);
    expect(await idsOf({ statuses: ['CANCELLED', 'FILLED'] })).toEqual([d, a]);
    expect(await idsOf({ clientOrderIds: ['a', 'c', 'x'] })).toEqual([c, a]);
    expect(await idsOf({ since: '2027-01-15T08:00:02Z' })).toEqual([d, c]);
    expect(await idsOf({ marketId: '99999999-0000-4000-8000-000000000000' })).toEqual([]);
    expect(await idsOf({ groupId: '99999999-0000-4000-8000-000000000000' })).toEqual([]);
    expect(await idsOf({ clientOrderIds: ['a'] }, bob)).toEqual([]);
    const { errors } = await venue.request(alice, ALL_OPERATIONS.orders, {
      input: { clientOrderIds: Array.from({ length: 101 }, String) },
    });
    expect(errors[0]?.message).toMatch(/^invalid argument: clientOrderIds/);
  });

  it('have cursors that no other list accepts', async () => {
    await venue.place(alice, { marketId: market });
    const { orders } = await venue.execute(alice, ALL_OPERATIONS.orders, {});
    const after = orders?.edges[0]?.cursor ?? '';
    for (const [operation, trader] of [
      [ALL_OPERATIONS.fills, alice],
      [ALL_OPERATIONS.ledger, alice],
      [ALL_OPERATIONS.orders, bob],
    ] as const) {
      const { errors } = await venue.request<unknown, object>(trader, operation, { input: { after } });
      expect(errors[0]?.message).toMatch(/^invalid cursor: it belongs to another list/);
    }
    const wrong = await venue.request(alice, ALL_OPERATIONS.orders, { input: { first: 101 } });
    expect(wrong.errors[0]?.message).toBe('invalid argument: first: expected 0 to 100, got 101');
  });
});

describe('an order', () => {
  it('is found by exactly one key of its owner', async () => {
    const { order } = await venue.place(alice, { marketId: market, clientOrderId: 'a' });
    const id = order?.id ?? '';
    for (const key of [{ id }, { orderHash: id }, { clientOrderId: 'a' }]) {
      expect((await venue.execute(alice, ALL_OPERATIONS.order, key)).order).toMatchObject({
        found: true,
        order: { id },
        fills: [],
      });
      expect((await venue.execute(bob, ALL_OPERATIONS.order, key)).order).toEqual({
        found: false,
        order: null,
        fills: [],
      });
    }
    expect((await venue.execute(alice, ALL_OPERATIONS.order, { id: `0x${'00'.repeat(31)}01` })).order).toMatchObject({
      found: false,
    });
    const none = await venue.request(alice, ALL_OPERATIONS.order, {});
    expect(none.errors[0]?.message).toMatch(/^invalid argument: expected exactly one of id, orderHash, clientOrderId/);
  });
});

describe('fills', () => {
  it('are listed newest first, or oldest first after a given seq', async () => {
    for (const priceBps of [6000, 5500, 5000]) await venue.place(alice, { marketId: market, priceBps, size: 2 });
    const taken = await venue.place(bob, { marketId: market, outcome: 'NO', priceBps: 6000, size: 6 });
    const seqs = (rows: readonly { readonly seq: string }[]) => rows.map(({ seq }) => Number(seq));
    const all = await fillsOf(bob);
    expect(all.map(({ priceBps }) => priceBps)).toEqual([5000, 4500, 4000]);
    const [third = 0, second = 0, first = 0] = seqs(all);
    expect(seqs(taken.fills)).toEqual([first, second, third]);
    expect(seqs(await fillsOf(bob, { afterSeq: '0' }))).toEqual([first, second, third]);
    expect(seqs(await fillsOf(bob, { afterSeq: String(first) }))).toEqual([second, third]);
    expect(seqs(await fillsOf(bob, { orderId: taken.order?.id }))).toEqual([third, second, first]);
    expect(await fillsOf(bob, { marketId: other })).toEqual([]);
    expect(await fillsOf(alice, { orderId: taken.order?.id })).toEqual([]);
    expect((await fillsOf(alice)).map(({ role, tradeId }) => [role, tradeId])).toEqual(
      all.map(({ tradeId }) => ['MAKER', tradeId]),
    );
  });
});

describe('ledger and positions', () => {
  it('are listed newest first and support every filter', async () => {
    await venue.execute(alice, ALL_OPERATIONS.splitPosition, { marketId: other, sets: '1000000' });
    venue.clock.advanceTo(START + 5000);
    await venue.place(alice, { marketId: market, size: 2 });
    await venue.place(bob, { marketId: market, outcome: 'NO', size: 2 });
    const kinds = async (input: object) => (await ledgerOf(alice, input)).map(({ kind }) => kind);
    expect(await kinds({})).toEqual(['TRADE', 'SPLIT', 'DEPOSIT']);
    expect(await kinds({ kinds: ['SPLIT', 'DEPOSIT'] })).toEqual(['SPLIT', 'DEPOSIT']);
    expect(await kinds({ marketId: other })).toEqual(['SPLIT']);
    expect(await kinds({ since: '2027-01-15T08:00:01Z' })).toEqual(['TRADE']);
    const outcomesOf = async (input: object) =>
      (await positionsOf(alice, input)).map(({ marketId, outcome }) => [
        marketId === market ? 'market' : 'other',
        outcome,
      ]);
    expect(await outcomesOf({})).toEqual([
      ['market', 'YES'],
      ['other', 'YES'],
      ['other', 'NO'],
    ]);
    expect(await outcomesOf({ outcome: 'NO' })).toEqual([['other', 'NO']]);
    expect(await outcomesOf({ marketId: market })).toEqual([['market', 'YES']]);
    const { errors } = await venue.request(alice, ALL_OPERATIONS.positions, { input: { outcome: 'CANCELLED' } });
    expect(errors[0]?.message).toMatch(/^invalid argument: outcome/);
  });
});

it('a list of an account that was never opened is null and logs an error', async () => {
  const stranger = { address: `0x${'99'.repeat(20)}`, credential: 5 } as const;
  const { data } = await venue.request(stranger, ALL_OPERATIONS.orders, {});
  expect(data).toEqual({ orders: null });
  expect(venue.logged).toHaveLength(1);
  venue.logged.length = 0;
});
