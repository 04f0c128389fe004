import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawClient } from './raw-client.ts';
import { idOf, Venue } from './venue.ts';

const BOOK =
  'subscription ($id: ID!, $depth: Int, $after: UintString) { orderBookUpdated(marketId: $id, depth: $depth, afterSeq: $after) { kind marketId seq prevSeq bids { priceBps shares orderCount } asks { priceBps shares orderCount } checksum at } }';

describe('orderBookUpdated', () => {
  let venue: Venue;
  let client: RawClient;
  beforeEach(async () => {
    venue = await Venue.open();
    await venue.account();
    await venue.account();
    await venue.market();
    client = await RawClient.ready(venue.url);
  });
  afterEach(() => venue.close());

  it('sends a snapshot and then the changes of each command', async () => {
    await venue.place(1, { price: 5200, size: 40 });
    client.subscribe('b', BOOK, { id: idOf(0) });
    const snapshot = await client.event();
    expect(snapshot).toMatchObject({ kind: 'SNAPSHOT', marketId: idOf(0), asks: [] });
    expect(snapshot.bids).toEqual([{ priceBps: 5200, shares: 40, orderCount: 1 }]);
    expect(snapshot.prevSeq).toBe(snapshot.seq);
    expect(snapshot.seq).toBe(String(venue.view.market(0)?.bookSeq));

    await venue.place(1, { price: 5230, size: 1.5 });
    const first = await client.event();
    expect(first).toMatchObject({ kind: 'DELTA', prevSeq: snapshot.seq, seq: String(venue.view.market(0)?.bookSeq) });
    expect(first.bids).toEqual([{ priceBps: 5230, shares: 1.5, orderCount: 1 }]);
    await venue.place(2, { outcome: 'NO', price: 4700, size: 5 });
    await client.event();
    await venue.place(2, { outcome: 'NO', price: 4760, size: 0.01 + 1 });
    const third = await client.event();
    expect(third.asks).toEqual([{ priceBps: 5240, shares: 1.01, orderCount: 1 }]);

    await venue.execute({ type: 'cancelMarketOrders', account: 1, market: 0, outcome: undefined, side: undefined });
    const afterCancel = await client.event();
    expect(afterCancel.bids).toEqual([
      { priceBps: 5230, shares: 0, orderCount: 0 },
      { priceBps: 5200, shares: 0, orderCount: 0 },
    ]);
    expect(afterCancel.prevSeq).toBe(third.seq);
  });

  it('sends the specified checksum for an example book and an empty book', async () => {
    client.subscribe('b', BOOK, { id: idOf(0) });
    expect((await client.event()).checksum).toBe('0x8bb1d29a');
    await venue.place(1, { price: 5200, size: 40 });
    await venue.place(1, { price: 5230, size: 1.5 });
    await venue.place(2, { outcome: 'NO', price: 4700, size: 5 });
    for (let deltas = 0; deltas < 2; deltas += 1) await client.event();
    const expected = crc32('5230:1500000,5200:40000000|5300:5000000').toString(16).padStart(8, '0');
    expect((await client.event()).checksum).toBe(`0x${expected}`);
  });

  it('sends only the best levels up to the depth, including levels that enter and leave them', async () => {
    client.subscribe('b', BOOK, { id: idOf(0), depth: 1 });
    await client.event();
    await venue.place(1, { price: 5000, size: 3 });
    await client.event();
    await venue.place(1, { price: 4000, size: 7 });
    await venue.place(1, { price: 5100, size: 2 });
    const better = await client.event();
    expect(better.bids).toEqual([
      { priceBps: 5100, shares: 2, orderCount: 1 },
      { priceBps: 5000, shares: 0, orderCount: 0 },
    ]);
    await venue.place(2, { outcome: 'NO', price: 4900, size: 2 });
    expect((await client.event()).bids).toEqual([
      { priceBps: 5100, shares: 0, orderCount: 0 },
      { priceBps: 5000, shares: 3, orderCount: 1 },
    ]);
  });

  it('sends an empty delta after 5 s without changes, and at once for a resume without missed deltas', async () => {
    client.subscribe('b', BOOK, { id: idOf(0) });
    const { seq } = await client.event();
    venue.advance(4_999);
    await client.settle();
    expect(client.received).toEqual([]);
    venue.advance(1);
    expect(await client.event()).toMatchObject({ kind: 'DELTA', seq, prevSeq: seq, bids: [], asks: [] });
    client.subscribe('again', BOOK, { id: idOf(0), after: seq });
    expect(await client.event()).toMatchObject({ kind: 'DELTA', seq, prevSeq: seq, bids: [], asks: [] });
  });

  it('resumes with each missed delta, or with a snapshot from a future seq', async () => {
    const start = String(venue.view.seq);
    for (let price = 10; price <= 50; price += 10) await venue.place(1, { price, size: 100 });
    client.subscribe('b', BOOK, { id: idOf(0), after: start });
    const prices: number[] = [];
    let last: string | undefined;
    for (let deltas = 0; deltas < 5; deltas += 1) {
      const delta = await client.event();
      expect(delta.kind).toBe('DELTA');
      if (last !== undefined) expect(delta.prevSeq).toBe(last);
      last = delta.seq;
      prices.push(delta.bids[0]?.priceBps ?? 0);
    }
    expect(prices).toEqual([10, 20, 30, 40, 50]);
    client.subscribe('ahead', BOOK, { id: idOf(0), after: '999999' });
    expect((await client.event()).kind).toBe('SNAPSHOT');
  });

  it('is null for an unknown market and refuses invalid arguments', async () => {
    client.subscribe('none', BOOK, { id: idOf(77) });
    expect(await client.next()).toEqual({ type: 'next', id: 'none', payload: { data: { orderBookUpdated: null } } });
    expect(await client.next()).toEqual({ type: 'complete', id: 'none' });
    client.subscribe('id', BOOK, { id: 'x' });
    const { payload } = await client.next();
    expect(payload.data).toEqual({ orderBookUpdated: null });
    expect(payload.errors[0]?.message).toMatch(/^invalid market ID: /);
    expect(payload.errors[0]?.path).toEqual(['orderBookUpdated']);
    await client.next();
    client.subscribe('depth', BOOK, { id: idOf(0), depth: 501 });
    expect((await client.next()).payload.errors[0]?.message).toMatch(/^invalid argument: depth/);
  });
});
