/** Faults while a subscription starts, and while an operation runs. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { SocketWriter } from '../../../src/server/streams/socket/socket-writer.ts';
import { Subscription } from '../../../src/server/streams/subscription.ts';
import { RawClient } from './raw-client.ts';
import { bearer, idOf, Venue } from './venue.ts';

let venue: Venue;
beforeEach(async () => {
  venue = await Venue.open();
  await venue.account();
  await venue.market();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await venue.close();
});

describe('a subscription that fails after it has joined its stream', () => {
  it.each([
    ['orderEvents', 'subscription { orderEvents(afterSeq: "1") { kind } }'],
    ['positionUpdated', `subscription { positionUpdated(marketId: "${idOf(0)}") { shares } }`],
  ])('%s gets an internal error, and then no event', async (field, query) => {
    const { archive } = venue.store;
    const client = await RawClient.ready(venue.url, bearer(1));
    const broken = () => {
      throw new Error('broken read');
    };
    const reads = [vi.spyOn(archive, 'orderEvents'), vi.spyOn(archive, 'holding')] as const;
    for (const read of reads) read.mockImplementation(broken);
    client.subscribe('s', query);
    const { type, id, payload } = await client.next();
    expect([type, id, payload[0]?.path]).toEqual(['error', 's', [field]]);
    expect(payload[0]?.message).toMatch(/^internal error/);
    expect(venue.streams.traffic.subscriptions).toBe(0);
    for (const read of reads) read.mockRestore();

    const other = await RawClient.ready(venue.url, bearer(1));
    other.subscribe('o', query.replace('(afterSeq: "1")', ''));
    await other.settle();
    await venue.execute({ type: 'split', account: 1, market: 0, shares: 5_000_000 });
    await venue.place(1, { price: 4000, size: 1 });
    expect(await other.event()).toBeDefined();
    await client.settle();
    expect(client.received).toEqual([]);
    venue.advance(6_000);
    await client.settle();
    expect(client.received).toEqual([]);
  });
});

describe('a subscription whose client is slow while it starts', () => {
  it('gets nothing after the error of a failed start, also when the client reads again', async () => {
    const client = await RawClient.ready(venue.url);
    vi.spyOn(SocketWriter.prototype, 'isAboveSoftLimit', 'get').mockReturnValueOnce(true);
    const { deliver } = Subscription.prototype;
    vi.spyOn(Subscription.prototype, 'deliver').mockImplementationOnce(function (this: Subscription, rest, key) {
      deliver.call(this, rest, key);
      throw new Error('broken after the first message');
    });
    client.subscribe('s', `subscription { priceUpdated(marketIds: ["${idOf(0)}"]) { marketId } }`);
    expect((await client.next()).type).toBe('error');
    vi.restoreAllMocks();
    await client.settle();
    expect(client.received).toEqual([]);
  });
});

describe('a fault that cannot be reported in an answer', () => {
  it('closes its connection with 4500, and other connections continue', async () => {
    const [client, other] = [await RawClient.ready(venue.url), await RawClient.ready(venue.url)];
    vi.spyOn(GraphqlService.prototype, 'open').mockImplementationOnce(() => {
      throw new Error('broken');
    });
    client.subscribe('q', '{ version }');
    expect(await client.closed).toMatchObject({ code: 4500 });
    other.subscribe('q', '{ version }');
    expect((await other.next()).id).toBe('q');
  });
});
