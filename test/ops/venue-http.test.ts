/** HTTP requests to a venue on a network that loses answers. */
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, wallClock } from '../../src/clock/index.ts';
import { listenOn } from '../../src/network/index.ts';
import { VenueHttp } from '../../src/ops/index.ts';
import { OPERATIONS } from '../../src/protocol/index.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Opens a venue that closes the first connections and answers later ones. */
async function venue(
  lost: number,
  data: object | null,
  headers: Readonly<Record<string, string | number>> = {},
  errors?: readonly object[],
): Promise<{ readonly client: VenueHttp; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((request, answer) => {
    request.resume().on('end', () => {
      requests += 1;
      if (requests <= lost) request.socket.destroy();
      else
        answer.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ data, errors }));
    });
  });
  servers.push(server);
  const url = `http://127.0.0.1:${await listenOn(server, 0, '127.0.0.1', 'port')}`;
  return { client: new VenueHttp({ url, clock: clockWithoutWaits() }), requests: () => requests };
}

/** A clock whose short waits end at once and whose request timeouts never fire. */
function clockWithoutWaits(): Clock {
  const { now } = wallClock();
  return {
    now,
    schedule(when, fire) {
      if (when - now() < 2_000) queueMicrotask(fire);
      return () => {};
    },
  };
}

describe('a query to a venue', () => {
  it('is sent again when its answer was lost', async () => {
    const { client, requests } = await venue(2, { health: { status: 'OK' } });
    expect(await client.request(OPERATIONS.health)).toEqual({ status: 'OK' });
    expect(requests()).toBe(3);
  });

  it('fails after three attempts', async () => {
    const { client, requests } = await venue(9, {});
    await expect(client.request(OPERATIONS.health)).rejects.toMatchObject({ code: 'LINK' });
    expect(requests()).toBe(3);
  });

  it('is not sent again when the venue has refused it', async () => {
    const { client, requests } = await venue(0, { other: 1 });
    const refused = client.withRetries(() =>
      client.data('{ health { status } }').then(() => Promise.reject(new Error('no'))),
    );
    await expect(refused).rejects.toThrow('no');
    expect(requests()).toBe(1);
  });

  it('is refused with the path of the error, which may name an index of a list', async () => {
    const errors = [{ message: 'no such market', path: ['orderBooks', 3, 'bids'] }];
    const { client, requests } = await venue(0, null, {}, errors);
    await expect(client.request(OPERATIONS.health)).rejects.toMatchObject({
      code: 'VENUE',
      message: expect.stringContaining('no such market (orderBooks.3.bids)'),
    });
    expect(requests()).toBe(1);
  });

  it('is not sent again when it is a command, because the first one may have been executed', async () => {
    const { client, requests } = await venue(1, { cancelAllOrders: null });
    await expect(client.request(OPERATIONS.cancelAllOrders)).rejects.toMatchObject({ code: 'LINK' });
    expect(requests()).toBe(1);
  });

  it.each([
    ['of 1 GB', { 'content-length': 1_000_000_000 }, 'more than 8388608 bytes'],
    ['that is compressed', { 'content-encoding': 'gzip' }, 'a compressed body, which was not requested'],
  ])('accepts no answer %s, and is not sent again', async (_, headers, problem) => {
    const { client, requests } = await venue(0, {}, headers);
    await expect(client.request(OPERATIONS.health)).rejects.toMatchObject({
      code: 'BLOCKED',
      message: expect.stringContaining(problem),
    });
    expect(requests()).toBe(1);
  });

  it.each([
    [{ message: 'no market', path: null }, 'the venue refused: no market'],
    [{ path: ['cancel', 0] }, 'the venue refused: no message (cancel.0)'],
  ])('throws the refusal %j of a venue', async (error, message) => {
    const { client } = await venue(0, null, {}, [error]);
    await expect(client.request(OPERATIONS.health)).rejects.toMatchObject({ code: 'VENUE', message });
  });

  it('is refused for a URL with a password, without printing the password', () => {
    expect(() => new VenueHttp({ url: 'http://me:hush@a.b', clock: wallClock() })).toThrow(/^(?!.*hush).*without user/);
  });
});
