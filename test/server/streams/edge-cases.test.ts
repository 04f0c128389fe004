/** Connection limits, slow subscribers of current values, and markets that open and end. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { SubscriptionPlan } from '../../../src/server/graphql/request.ts';
import { FlushList, SocketWriter } from '../../../src/server/streams/socket/socket-writer.ts';
import { Subscription } from '../../../src/server/streams/subscription.ts';
import { ClientBook } from './client-book.ts';
import { RawClient } from './raw-client.ts';
import { bearer, idOf, SHARE, Venue } from './venue.ts';

describe('connections of one address', () => {
  it('are limited, so a connection above the limit is refused with 429', async () => {
    const venue = await Venue.open({ maxPerAddress: 2 });
    const [client] = [await RawClient.ready(venue.url), await RawClient.ready(venue.url)];
    const connectOnce = () =>
      new Promise<string>((resolve) => {
        const web = new WebSocket(venue.url, 'graphql-transport-ws');
        web.once('unexpected-response', (_request, answer) => {
          let body = '';
          answer.on('data', (chunk) => {
            body += chunk;
          });
          answer.on('end', () => resolve(`${answer.statusCode} ${body}`));
        });
        web.once('open', () => resolve('open'));
      });
    expect(await connectOnce()).toBe(
      '429 {"data":null,"errors":[{"message":"too many connections from this address","path":[]}]}',
    );
    expect(venue.streams.traffic).toMatchObject({ connections: 2, refused: 1 });
    await client.close();
    await expect.poll(() => venue.streams.traffic.connections, { timeout: 20_000 }).toBe(1);
    expect((await RawClient.ready(venue.url)).received).toEqual([]);
    await venue.close();
  });
});

describe('a refused upgrade', () => {
  it('frees its socket even if the client does not close its side', async () => {
    const venue = await Venue.open();
    const socket = connect({ port: venue.http.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
    await once(socket, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*this path has no WebSocket/s);
    await expect.poll(() => venue.http.traffic.upgraded, { timeout: 20_000 }).toBe(0);
    socket.destroy();
    await venue.close();
  });
});

describe('a slow subscriber of a stream that repeats current values', () => {
  /** A subscriber whose socket accepts no more data until `read` is called. */
  function slowReader(soft: number) {
    const written: string[] = [];
    let drain: () => void = () => undefined;
    const socket = {
      writableLength: 0,
      writableNeedDrain: false,
      on: (_name: string, listener: () => void) => {
        drain = listener;
      },
      write: (bytes: Uint8Array) => {
        written.push(Buffer.from(bytes).toString());
        socket.writableLength += bytes.length;
        socket.writableNeedDrain = true;
        return false;
      },
      cork: () => undefined,
      uncork: () => undefined,
    };
    const list = new FlushList();
    const closed: string[] = [];
    const connection = {
      socket: socket as never,
      isOpen: () => closed.length === 0,
      closeAsSlow: (field: string) => void closed.push(field),
    };
    const writer = new SocketWriter(connection, list, { soft, hard: 100_000 });
    const plan = { field: 'priceUpdated', key: 'p', args: {}, shape: 'q', answerEvent: () => ({ data: {} }) };
    const subscription = new Subscription('s', plan satisfies SubscriptionPlan, undefined, writer);
    subscription.slowPolicy = { kind: 'newest' };
    const publish = (key: string, price: number): void => {
      subscription.deliver(Buffer.from(`{"${key}":${price}}}`), key);
      list.flush();
    };
    const read = (): void => {
      socket.writableLength = 0;
      socket.writableNeedDrain = false;
      drain();
      list.flush();
    };
    const received = (): readonly string[] =>
      [...written.join('').matchAll(/\{"(\w+)":(\d+)\}\}/g)].map(([, key, price]) => `${key} ${price}`);
    return { publish, read, received, closed, subscription, counts: list.counts };
  }

  it('gets the newest value of each missed key in the order of the first miss, and then every update', () => {
    const { publish, read, received, subscription, counts } = slowReader(50);
    publish('a', 1);
    publish('b', 1);
    expect(received()).toEqual(['a 1', 'b 1']);
    for (let price = 2; price <= 50; price += 1) for (const key of ['b', 'a', 'c']) publish(key, price);
    expect([received().length, subscription.isBehind]).toEqual([2, true]);
    read();
    // The missed values can fill the socket again. The rest is sent after the next read.
    expect(received().slice(2)).toEqual(['b 50', 'a 50']);
    read();
    expect(received().slice(2)).toEqual(['b 50', 'a 50', 'c 50']);
    expect(subscription.isBehind).toBe(false);
    read();
    publish('a', 51);
    expect(received().at(-1)).toBe('a 51');
    expect(counts).toMatchObject({ skipped: 148, recovered: 2, closed: 0, frames: 6 });
  });

  it('is disconnected when it has missed more keys than the limit', () => {
    const { publish, closed, counts } = slowReader(50);
    for (let key = 0; closed.length === 0 && key < 100_000; key += 1) publish(`k${key}`, 1);
    expect([closed, counts.closed]).toEqual([['priceUpdated'], 1]);
  });

  it('gets no missed values after it unsubscribes', () => {
    const { publish, read, received, subscription } = slowReader(50);
    for (const price of [1, 2, 3, 4]) publish('a', price);
    const before = received().length;
    subscription.end();
    read();
    expect(received()).toHaveLength(before);
  });
});

describe('streams when markets open, resolve and are voided', () => {
  let venue: Venue;
  beforeEach(async () => {
    venue = await Venue.open();
    await venue.account();
    await venue.account();
  });
  afterEach(async () => {
    expect(venue.errors).toEqual([]);
    await venue.close();
  });

  const BOOK =
    'subscription ($id: ID!) { orderBookUpdated(marketId: $id) { kind seq prevSeq bids { priceBps shares orderCount } asks { priceBps shares orderCount } checksum } }';

  it('show an initial order in the book when the market opens, but not before', async () => {
    const deadline = {
      resolutionDate: venue.clock.now() + 86_400_000,
      minOrderShares: undefined,
      restriction: undefined,
    };
    const texts = { question: 'Soon?', rules: 'r', description: undefined, categorySlug: 'c', topicSlugs: [] };
    const defaults = { tickBps: undefined, feeRateBps: undefined, eventId: undefined };
    const initialOrder = venue.terms({ market: -1, price: 4000, size: 7 });
    await venue.execute({
      type: 'createMarket',
      account: 1,
      id: idOf(0),
      ...deadline,
      ...texts,
      ...defaults,
      initialOrder,
    });
    const client = await RawClient.ready(venue.url);
    client.subscribe('b', BOOK, { id: idOf(0) });
    const book = new ClientBook();
    book.apply(await client.event());
    expect(book.levels()).toMatchObject({ bids: [], asks: [] });
    await client.settle();
    expect(client.received).toEqual([]);
    await venue.execute({ type: 'chainConfirmed', market: 0, step: 'DEPLOY', attempt: 1, transactionHash: '0x1' });
    expect(book.apply(await client.event())).toBe('applied');
    expect(book.levels()).toMatchObject({ bids: ['4000:7000000:1'], asks: [] });
    const later = await RawClient.ready(venue.url);
    later.subscribe('b', BOOK, { id: idOf(0) });
    expect((await later.event()).bids).toEqual([{ priceBps: 4000, shares: 7, orderCount: 1 }]);
  });

  it.each([
    ['RESOLVED_YES', 'YES', { YES: [true, 500], NO: [false, 0] }],
    ['RESOLVED_UNCERTAIN', undefined, { YES: [true, 250], NO: [true, 250] }],
  ] as const)(
    'positionUpdated sends the positions of a market that ended %s as claimable or worthless',
    async (status, vote, expected) => {
      await venue.market();
      await venue.execute({ type: 'split', account: 1, market: 0, shares: 5 * SHARE });
      await venue.execute({ type: 'closeEarly', market: 0 });
      for (const model of ['one', 'two']) {
        const cast = { id: model, model, vote, confidenceBps: 9000, rationale: '', sources: [] };
        await venue.execute({ type: 'castVote', market: 0, round: 1, vote: cast });
      }
      while (venue.view.market(0)?.status === 'RESOLVED') venue.advance(7_200_000);
      // Connects only now, because a client would not have answered pings for two hours.
      const client = await RawClient.ready(venue.url, bearer(1));
      const query = 'subscription { positionUpdated { outcome shares claimable totalPayoutCents valueCents } }';
      client.subscribe('p', query);
      for (const outcome of ['YES', 'NO']) expect(await client.event()).toMatchObject({ outcome, claimable: false });
      const attempt = venue.view.market(0)?.attempts;
      await venue.execute({
        type: 'chainConfirmed',
        market: 0,
        step: 'REPORT_PAYOUT',
        attempt,
        transactionHash: '0x2',
      });
      expect(venue.view.market(0)?.status).toBe(status);
      const reported: Record<string, unknown> = {};
      for (let events = 0; events < 2; events += 1) {
        const { outcome, claimable, totalPayoutCents } = Object(await client.event());
        reported[outcome] = [claimable, totalPayoutCents];
      }
      expect(reported).toEqual(expected);
      await venue.execute({ type: 'claim', account: 1, market: 0 });
      expect(Object(await client.event())).toMatchObject({ claimable: false });
    },
  );

  it('positionUpdated replaces the positions of a voided market with one refund', async () => {
    await venue.market();
    await venue.execute({ type: 'split', account: 1, market: 0, shares: 5 * SHARE });
    const client = await RawClient.ready(venue.url, bearer(1));
    client.subscribe('p', 'subscription { positionUpdated { outcome shares claimable totalPayoutCents } }');
    for (const outcome of ['YES', 'NO']) expect(await client.event()).toMatchObject({ outcome });
    await venue.execute({ type: 'voidMarket', market: 0 });
    expect(await client.event()).toEqual({ outcome: 'CANCELLED', shares: 0, claimable: true, totalPayoutCents: 500 });
  });

  it('orderEvents starts with a SYNC at the current event when the history of the market is too long to search', async () => {
    await venue.market();
    await venue.place(1, { price: 4000, size: 1 });
    const { archive } = venue.store;
    const orderEvents = archive.orderEvents.bind(archive);
    archive.orderEvents = (account, after, market, max) =>
      after === 0 && market !== undefined
        ? { events: [], isComplete: false }
        : orderEvents(account, after, market, max);
    const client = await RawClient.ready(venue.url, bearer(1));
    client.subscribe('o', 'subscription ($id: ID) { orderEvents(marketId: $id) { kind seq prevSeq } }', {
      id: idOf(0),
    });
    const now = String(venue.view.seq);
    expect(await client.event()).toEqual({ kind: 'SYNC', seq: now, prevSeq: now });
    venue.advance(5_000);
    expect(await client.event()).toEqual({ kind: 'SYNC', seq: now, prevSeq: now });
    await venue.place(1, { price: 4010, size: 1 });
    const accepted = await client.event();
    expect(accepted).toMatchObject({ kind: 'ACCEPTED', prevSeq: now });
    await venue.place(1, { price: 4020, size: 1 });
    expect(await client.event()).toMatchObject({ kind: 'ACCEPTED', prevSeq: accepted.seq });
  });
});
