/** Lists of an account: filters, pages without a gap, no rows of others. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { openVenue, type Player, START, type Venue } from './venue.ts';

let venue: Venue;
let alice: Player;
let bob: Player;
let market: string;
let other: string;

beforeEach(async () => {
  venue = await openVenue();
  [market, other] = [await venue.market(), await venue.market()];
  [alice, bob] = [await venue.player('alice', 1000), await venue.player('bob', 1000)];
});

afterEach(async () => {
  expect(venue.stops).toEqual([]);
  expect(venue.logged).toEqual([]);
  await venue.close();
});

interface Page<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

/** All nodes, page by page. */
async function walk<Node>(read: (page: { first: number; after?: string }) => Promise<Page<Node> | null | undefined>) {
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

const ordersOf = (player: Player, input: object = {}) =>
  walk(async (page) => (await venue.got(player, OPERATIONS.orders, { input: { ...input, ...page } })).orders);
const fillsOf = (player: Player, input: object = {}) =>
  walk(async (page) => (await venue.got(player, OPERATIONS.fills, { input: { ...input, ...page } })).fills);
const ledgerOf = (player: Player, input: object = {}) =>
  walk(async (page) => (await venue.got(player, OPERATIONS.ledger, { input: { ...input, ...page } })).ledger);
const positionsOf = (player: Player, input: object = {}) =>
  walk(async (page) => (await venue.got(player, OPERATIONS.positions, { input: { ...input, ...page } })).positions);

describe('orders', () => {
  it('are listed newest first with every filter', async () => {
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
    await venue.got(alice, OPERATIONS.cancelOrder, { id: d ?? '' });
    const idsOf = async (input: object, player = alice) => (await ordersOf(player, input)).map(({ id }) => id);
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
    const { errors } = await venue.ask(alice, OPERATIONS.orders, {
      input: { clientOrderIds: Array.from({ length: 101 }, String) },
    });
    expect(errors[0]?.message).toMatch(/^invalid argument: clientOrderIds/);
  });

  it('have cursors that no other list accepts', async () => {
    await venue.place(alice, { marketId: market });
    const { orders } = await venue.got(alice, OPERATIONS.orders, {});
    const after = orders?.edges[0]?.cursor ?? '';
    for (const [operation, player] of [
      [OPERATIONS.fills, alice],
      [OPERATIONS.ledger, alice],
      [OPERATIONS.orders, bob],
    ] as const) {
      const { errors } = await venue.ask<unknown, object>(player, operation, { input: { after } });
      expect(errors[0]?.message).toMatch(/^invalid cursor: it belongs to another list/);
    }
    const wrong = await venue.ask(alice, OPERATIONS.orders, { input: { first: 101 } });
    expect(wrong.errors[0]?.message).toBe('invalid argument: first: expected 0 to 100, got 101');
  });
});

describe('order', () => {
  it('is found by exactly one key of its owner', async () => {
    const { order } = await venue.place(alice, { marketId: market, clientOrderId: 'a' });
    const id = order?.id ?? '';
    for (const key of [{ id }, { orderHash: id }, { clientOrderId: 'a' }]) {
      expect((await venue.got(alice, OPERATIONS.order, key)).order).toMatchObject({
        found: true,
        order: { id },
        fills: [],
      });
      expect((await venue.got(bob, OPERATIONS.order, key)).order).toEqual({ found: false, order: null, fills: [] });
    }
    expect((await venue.got(alice, OPERATIONS.order, { id: `0x${'00'.repeat(31)}01` })).order).toMatchObject({
      found: false,
    });
    const none = await venue.ask(alice, OPERATIONS.order, {});
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
  it('are listed newest first with every filter', async () => {
    await venue.got(alice, OPERATIONS.splitPosition, { marketId: other, sets: '1000000' });
    venue.clock.advanceTo(START + 5000);
    await venue.place(alice, { marketId: market, size: 2 });
    await venue.place(bob, { marketId: market, outcome: 'NO', size: 2 });
    const kinds = async (input: object) => (await ledgerOf(alice, input)).map(({ kind }) => kind);
    expect(await kinds({})).toEqual(['TRADE', 'SPLIT', 'DEPOSIT']);
    expect(await kinds({ kinds: ['SPLIT', 'DEPOSIT'] })).toEqual(['SPLIT', 'DEPOSIT']);
    expect(await kinds({ marketId: other })).toEqual(['SPLIT']);
    expect(await kinds({ since: '2027-01-15T08:00:01Z' })).toEqual(['TRADE']);
    const held = async (input: object) =>
      (await positionsOf(alice, input)).map(({ marketId, outcome }) => [
        marketId === market ? 'market' : 'other',
        outcome,
      ]);
    expect(await held({})).toEqual([
      ['market', 'YES'],
      ['other', 'YES'],
      ['other', 'NO'],
    ]);
    expect(await held({ outcome: 'NO' })).toEqual([['other', 'NO']]);
    expect(await held({ marketId: market })).toEqual([['market', 'YES']]);
    const { errors } = await venue.ask(alice, OPERATIONS.positions, { input: { outcome: 'CANCELLED' } });
    expect(errors[0]?.message).toMatch(/^invalid argument: outcome/);
  });
});

it('a list of an account that was never opened is null and logs an error', async () => {
  const stranger = { address: `0x${'99'.repeat(20)}`, credential: 5 } as const;
  const { data } = await venue.ask(stranger, OPERATIONS.orders, {});
  expect(data).toEqual({ orders: null });
  expect(venue.logged).toHaveLength(1);
  venue.logged.length = 0;
});
