/** Limits of size, number and time for messages of clients without credentials. */
import { afterEach, describe, expect, it } from 'vitest';
import { UnfinishedMessage } from '../../../src/server/streams/socket/message-limiter.ts';
import { RawClient } from './raw-client.ts';
import { bearer, Venue } from './venue.ts';

let venue: Venue | undefined;
afterEach(async () => {
  await venue?.close();
  venue = undefined;
});

/** Encodes a client's frame with an all-zero mask. */
function frame(first: number, payload: string, declared = payload.length): Buffer {
  const length =
    declared < 126
      ? [0x80 | declared]
      : [0x80 | 127, 0, 0, 0, 0, 0, declared >> 16, (declared >> 8) & 255, declared & 255];
  return Buffer.concat([Buffer.from([first, ...length, 0, 0, 0, 0]), Buffer.from(payload)]);
}

const TEXT = 0x81;
const BEGIN = 0x01;
const END = 0x80;
const PONG = 0x8a;

describe('an unfinished message', () => {
  const split = (bytes: Buffer, size: number): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

  it.each([1, 2, 3, 7, 1_000])('is tracked frame by frame in chunks of %d bytes', (size) => {
    const message = new UnfinishedMessage();
    const whole = Buffer.concat([frame(TEXT, 'abc'), frame(PONG, 'xy'), frame(TEXT, 'x'.repeat(300)), frame(TEXT, '')]);
    for (const chunk of split(whole, size)) message.addBytes(chunk);
    expect([message.bytes, message.begunCount]).toEqual([0, 3]);
    for (const chunk of split(Buffer.concat([frame(BEGIN, 'abc'), frame(PONG, '')]), size)) message.addBytes(chunk);
    expect(message.bytes).toBeGreaterThan(3);
    for (const chunk of split(frame(END, 'd'), size)) message.addBytes(chunk);
    expect([message.bytes, message.begunCount]).toEqual([0, 4]);
    message.addBytes(frame(TEXT, 'abc', 200_000));
    expect([message.bytes > 0, message.begunCount]).toEqual([true, 5]);
  });

  it('counts the memory overhead of each fragment', () => {
    const message = new UnfinishedMessage();
    message.addBytes(frame(TEXT, '', 1_000));
    const before = message.bytes;
    for (let at = 0; at < 100; at += 1) message.addBytes(Buffer.from('x'));
    expect(message.bytes - before).toBeGreaterThan(10_000);
  });

  it('times out at the next ping even when pings are answered', async () => {
    venue = await Venue.open({ keepAliveMs: 160 });
    const client = await RawClient.ready(venue.url);
    client.web.send('{"type":', { fin: false });
    let pings = 0;
    client.web.on('ping', () => {
      pings += 1;
    });
    for (let turn = 0; turn < 200 && venue.streams.traffic.connections > 0; turn += 1) {
      venue.advance(10);
      // Lets the client answer pings.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(venue.streams.traffic.connections).toBe(0);
    expect(pings).toBeGreaterThan(0);
  });

  it('closes its connection when messages of its address have used up the limit', async () => {
    venue = await Venue.open({ maxUnfinishedBytes: 1_500 });
    const clients = [await RawClient.ready(venue.url), await RawClient.ready(venue.url)];
    for (const { web } of clients) web.send('x'.repeat(700), { fin: false });
    const first = await Promise.race(clients.map(({ closed }) => closed));
    expect(first).toEqual({ code: 1008, reason: 'too many unfinished messages from this address' });
  });
});

describe('a socket client without credentials', () => {
  it('is closed when its connection_init is too large', async () => {
    venue = await Venue.open();
    const client = await RawClient.open(venue.url);
    client.send({ type: 'connection_init', payload: { a: 'x'.repeat(9_000) } });
    expect(await client.closed).toEqual({ code: 1009, reason: 'connection_init is larger than 8192 bytes' });
  });

  it('shares a rate limit with its address, but a client with credentials has its own limit', async () => {
    venue = await Venue.open({ anonymousMessagesPerSecond: 10 });
    await venue.account();
    const authorized = await RawClient.ready(venue.url, bearer(1));
    const strangers = [await RawClient.ready(venue.url), await RawClient.ready(venue.url)];
    for (let ping = 0; ping < 30; ping += 1) {
      authorized.send({ type: 'ping' });
      for (const stranger of strangers) stranger.send({ type: 'ping' });
    }
    const { code, reason } = await Promise.race(strangers.map(({ closed }) => closed));
    expect([code, reason]).toEqual([1008, 'more than 10 messages a second without credentials from this address']);
    for (let pong = 0; pong < 30; pong += 1) expect((await authorized.next()).type).toBe('pong');
  });

  it('is closed when it sends too many WebSocket pings', async () => {
    venue = await Venue.open({ messagesPerSecond: 20 });
    const client = await RawClient.ready(venue.url);
    for (let ping = 0; ping < 60; ping += 1) client.web.ping();
    expect((await client.closed).code).toBe(1008);
  });

  it('is charged tokens for invalid subscriptions and for large messages', async () => {
    const taken: [string, number][] = [];
    let wait = 0;
    venue = await Venue.open(
      {},
      {
        quota: {
          consume: (_context, bucket, count) => {
            taken.push([bucket, count]);
            return wait;
          },
          charge: () => undefined,
        },
      },
    );
    const client = await RawClient.ready(venue.url);
    client.subscribe('a', 'subscription { nothing }');
    expect((await client.next()).type).toBe('error');
    client.subscribe('b', 'subscription { nothing }');
    expect((await client.next()).type).toBe('error');
    expect(taken).toEqual([
      ['parse', 1],
      ['read', 1],
      ['read', 1],
    ]);
    wait = 700;
    client.subscribe('c', 'subscription { nothing }');
    expect((await client.next()).payload).toEqual([{ message: 'rate limited: retry in 700 ms', path: [] }]);
    client.send({ type: 'ping', payload: { a: 'x'.repeat(40_000) } });
    expect(await client.closed).toEqual({ code: 1008, reason: 'rate limited: retry in 700 ms' });
    expect(taken.at(-1)).toEqual(['parse', 2]);
  });
});
