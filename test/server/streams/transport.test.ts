/** The WebSocket protocol: handshake, close codes, errors, limits and shutdown. */
import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RawClient } from './raw-client.ts';
import { bearer, idOf, Venue } from './venue.ts';

const PRICES = 'subscription ($ids: [ID!]!) { priceUpdated(marketIds: $ids) { marketId bestBidBps } }';
const BALANCE = 'subscription { cash: balanceUpdated { availableCents } }';
const STATUS = 'subscription { venueStatusChanged { mode } }';

describe('an upgrade request with an invalid handshake', () => {
  const UPGRADE = 'GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n';
  it.each([
    ['to another protocol', `${UPGRADE}upgrade: h2c\r\n\r\n`],
    ['without a key', `${UPGRADE}upgrade: websocket\r\n\r\n`],
    ['with half a key', `${UPGRADE}upgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`],
  ])('is refused with a JSON error: %s', async (_name, bytes) => {
    const venue = await Venue.open();
    const response = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(venue.http.port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ data: null, errors: [{ path: [] }] });
    expect(venue.streams.traffic).toMatchObject({ connections: 0, refused: 1 });
    await venue.close();
  });
});

describe('the handshake', () => {
  let venue: Venue;
  beforeEach(async () => {
    venue = await Venue.open(
      { initTimeoutMs: 100, maxConnections: 3, maxMessageBytes: 2_000 },
      { origins: ['https://a.example'] },
    );
  });
  afterEach(() => venue.close());

  it('fails for a client with another sub-protocol or none', async () => {
    const none = await RawClient.open(venue.url, '');
    expect((await none.closed).code).toBe(4406);
    const web = new WebSocket(venue.url, ['graphql-ws']);
    await expect(new Promise((_, reject) => web.on('error', reject))).rejects.toThrow('no subprotocol');
  });

  it('closes with 4408 without connection_init in time, with 4429 after a second one, and with 4401 after an early subscribe', async () => {
    const silent = await RawClient.open(venue.url);
    expect((await silent.closed).code).toBe(4408);
    const twice = await RawClient.ready(venue.url);
    twice.send({ type: 'connection_init' });
    expect((await twice.closed).code).toBe(4429);
    const early = await RawClient.open(venue.url);
    early.subscribe('1', STATUS);
    expect((await early.closed).code).toBe(4401);
  });

  it('closes with 4400 after an invalid message, with 1003 after a binary message and with 1009 after a message that is too long', async () => {
    const bad = await RawClient.ready(venue.url);
    bad.web.send('{"type":');
    expect((await bad.closed).code).toBe(4400);
    const unknown = await RawClient.ready(venue.url);
    unknown.send({ type: 'start', id: '1' });
    expect((await unknown.closed).code).toBe(4400);
    const binary = await RawClient.ready(venue.url);
    binary.web.send(Buffer.from('{"type":"ping"}'));
    expect((await binary.closed).code).toBe(1003);
    const long = await RawClient.ready(venue.url);
    long.web.send(`{"type":"ping","payload":{"a":"${'x'.repeat(2_000)}"}}`);
    expect((await long.closed).code).toBe(1009);
    expect(venue.errors).toEqual([]);
  });

  it('fails with an HTTP status for other paths, other origins and too many connections', async () => {
    const refusal = (url: string, headers = {}) =>
      new Promise<string>((resolve) => {
        const web = new WebSocket(url, 'graphql-transport-ws', { headers });
        web.on('error', (error) => resolve(error.message));
        web.on('open', () => resolve('open'));
      });
    expect(await refusal(venue.url.replace('/graphql', '/other'))).toContain('404');
    expect(await refusal(venue.url, { origin: 'https://b.example' })).toContain('403');
    expect(await refusal(venue.url, { origin: 'https://a.example' })).toBe('open');
    for (let more = 0; more < 2; more += 1) await RawClient.ready(venue.url.replace('/graphql', '/api/graphql'));
    expect(await refusal(venue.url)).toContain('503');
  });

  it('closes with 1002 after an unmasked frame and with 1007 after invalid UTF-8, and accepts fragments', async () => {
    const key = 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n';
    const head = `GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n${key}`;
    const exchange = (bytes: Buffer, minBytes: number) =>
      new Promise<Buffer>((resolve) => {
        const socket = connect(venue.http.port, '127.0.0.1');
        let all = Buffer.alloc(0);
        socket.on('error', () => undefined);
        socket.on('data', (chunk) => {
          const isFirst = all.length === 0;
          all = Buffer.concat([all, chunk]);
          if (isFirst) socket.write(bytes);
          const frames = all.subarray(all.indexOf('\r\n\r\n') + 4);
          if (frames.length >= minBytes) {
            socket.destroy();
            resolve(frames);
          }
        });
        socket.write(head);
      });
    const closeCode = (frame: Buffer) => [frame[0], frame.readUInt16BE(2)];
    const unmasked = Buffer.concat([Buffer.from([0x81, 15]), Buffer.from('{"type":"ping"}')]);
    expect(closeCode(await exchange(unmasked, 4))).toEqual([0x88, 1002]);
    expect(closeCode(await exchange(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 4))).toEqual([0x88, 1007]);
    const begin = Buffer.concat([Buffer.from([0x01, 0x88, 0, 0, 0, 0]), Buffer.from('{"type":')]);
    const rest = Buffer.concat([Buffer.from([0x80, 0x87, 0, 0, 0, 0]), Buffer.from('"ping"}')]);
    expect((await exchange(Buffer.concat([begin, rest]), 17)).toString('utf8', 2)).toBe('{"type":"pong"}');
  });
});

describe('operations over a socket', () => {
  let venue: Venue;
  beforeEach(async () => {
    venue = await Venue.open({ maxSubscriptions: 2, messagesPerSecond: 20 });
    await venue.account();
    await venue.market();
  });
  afterEach(() => venue.close());

  it('return results of queries, and an error for an invalid operation', async () => {
    const client = await RawClient.ready(venue.url);
    client.send({ type: 'subscribe', id: 'q', payload: { query: '{ health { version } }' } });
    const answer = await client.next();
    expect(answer).toMatchObject({ id: 'q', type: 'next' });
    expect(Object.keys(answer.payload.data)).toEqual(['health']);
    expect(await client.next()).toEqual({ id: 'q', type: 'complete' });
    client.send({ type: 'subscribe', id: 'p', payload: { query: '{ me { address } }' } });
    expect((await client.next()).payload).toEqual({ data: null, errors: [{ message: 'UNAUTHORIZED', path: ['me'] }] });
    await client.next();
    client.send({ type: 'subscribe', id: 's', payload: { query: '{ health {' } });
    const { type, payload } = await client.next();
    expect(type).toBe('error');
    expect(payload).toEqual([{ message: expect.stringContaining('Syntax Error'), path: [] }]);
  });

  it('return UNAUTHORIZED for a protected subscription without credentials, and the connection stays open', async () => {
    const client = await RawClient.ready(venue.url, { authorization: 'Bearer nonsense' });
    client.subscribe('b', BALANCE);
    expect(await client.next()).toEqual({
      id: 'b',
      type: 'error',
      payload: [{ message: 'UNAUTHORIZED', path: ['cash'] }],
    });
    client.subscribe('v', STATUS);
    expect((await client.event()).mode).toBe('NORMAL');
  });

  it('end protected subscriptions when the credential ends, but not public ones', async () => {
    const client = await RawClient.ready(venue.url, { AUTHORIZATION: bearer(1).Authorization });
    client.subscribe('b', BALANCE);
    await client.event();
    client.subscribe('v', STATUS);
    await client.event();
    for (const end of [...(venue.ends.get('c1') ?? [])]) end();
    expect(await client.next()).toEqual({
      id: 'b',
      type: 'error',
      payload: [{ message: 'UNAUTHORIZED', path: ['cash'] }],
    });
    await venue.execute({ type: 'transfer', account: 1, amount: 1_000_000 });
    await venue.execute({ type: 'setMode', mode: 'POST_ONLY' });
    expect((await client.event()).mode).toBe('POST_ONLY');
    client.subscribe('again', BALANCE);
    expect((await client.next()).payload[0]?.message).toBe('UNAUTHORIZED');
  });

  it('close a connection with 4409 for an id in use, and accept the id of a completed subscription', async () => {
    const client = await RawClient.ready(venue.url);
    client.subscribe('x', STATUS);
    await client.event();
    client.send({ type: 'complete', id: 'x' });
    client.subscribe('x', STATUS);
    await client.event();
    expect(venue.streams.traffic.subscriptions).toBe(1);
    client.subscribe('x', STATUS);
    expect((await client.closed).code).toBe(4409);
  });

  it('are limited to a number of subscriptions per connection and of messages per second', async () => {
    const client = await RawClient.ready(venue.url);
    for (const id of ['1', '2']) {
      client.subscribe(id, STATUS);
      await client.event();
    }
    client.subscribe('3', STATUS);
    expect(await client.next()).toMatchObject({
      id: '3',
      type: 'error',
      payload: [{ message: 'more than 2 subscriptions on one connection' }],
    });
    for (let ping = 0; ping < 50; ping += 1) client.send({ type: 'ping' });
    expect((await client.closed).code).toBe(1008);
  });

  it('work with the graphql-ws client and can be completed by either side', async () => {
    const client = createClient({
      url: venue.url,
      webSocketImpl: WebSocket,
      connectionParams: bearer(1),
      retryAttempts: 0,
    });
    const events = client.iterate({ query: PRICES, variables: { ids: [idOf(0), idOf(99)] } });
    expect((await events.next()).value).toEqual({ data: { priceUpdated: { marketId: idOf(0), bestBidBps: null } } });
    await venue.place(1, { price: 4000, size: 5 });
    expect((await events.next()).value).toEqual({ data: { priceUpdated: { marketId: idOf(0), bestBidBps: 4000 } } });
    await events.return?.();
    const trades = client.iterate({ query: `subscription { tradeExecuted(marketId: "${idOf(9)}") { id } }` });
    expect((await trades.next()).value).toEqual({ data: { tradeExecuted: null } });
    expect((await trades.next()).done).toBe(true);
    await client.dispose();
  });

  it('close a client that does not answer pings', async () => {
    const client = await RawClient.ready(venue.url);
    client.web.pong = () => undefined;
    client.web.removeAllListeners('ping');
    // The library answers pings itself, so the test stops its receiver.
    client.web.pause();
    venue.advance(15_000);
    venue.advance(16_000);
    client.web.resume();
    expect((await client.closed).code).toBe(1006);
  });

  it('end with 1001 when the server shuts down, which then refuses connections', async () => {
    const client = await RawClient.ready(venue.url);
    client.subscribe('v', STATUS);
    await client.event();
    const closing = venue.streams.close(1_000);
    expect(await client.closed).toEqual({ code: 1001, reason: 'the server is shutting down' });
    await closing;
    await expect(RawClient.open(venue.url)).rejects.toThrow('503');
  });
});

describe('messages of several sockets in one event-loop turn', () => {
  it('are authorized after the previous message has run, so an ended session is refused', async () => {
    const venue: Venue = await Venue.open(
      {},
      {
        query: {
          me: () => {
            for (const end of [...(venue.ends.get('c1') ?? [])]) end();
            return null;
          },
        },
      },
    );
    const clients = await Promise.all([1, 2, 3].map(() => RawClient.ready(venue.url, bearer(1))));
    for (const client of clients) client.subscribe('q', '{ me { address } }');
    const answers = await Promise.all(clients.map((client) => client.next()));
    const refused = answers.filter(({ payload }) => payload.errors?.[0]?.message === 'UNAUTHORIZED');
    expect(refused).toHaveLength(2);
    await venue.close();
  });

  it('are answered before a closing server closes the sockets', async () => {
    const late = Promise.withResolvers<null>();
    const started = Promise.withResolvers<void>();
    const venue = await Venue.open(
      {},
      {
        query: {
          me: () => {
            started.resolve();
            return late.promise;
          },
        },
      },
    );
    const client = await RawClient.ready(venue.url, bearer(1));
    client.subscribe('q', '{ me { address } }');
    await started.promise;
    const closing = venue.streams.close(1_000);
    late.resolve(null);
    expect(await client.next()).toMatchObject({ id: 'q', type: 'next' });
    expect(await client.next()).toEqual({ id: 'q', type: 'complete' });
    expect((await client.closed).code).toBe(1001);
    await closing;
    await venue.close();
  });
});
