/** Slow, pipelined and aborted connections, and the shutdown of the HTTP server. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nextEventLoopTurn, wallClock } from '../../../src/clock/index.ts';
import { type StubServer, startForTest, startStubServer } from './stub-server.ts';

describe('a slow sender', () => {
  it('is disconnected', async () => {
    const { server } = await startForTest({ limits: { arrivalMs: 100 } });
    const received = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-le'),
      );
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('connections of one address', () => {
  const connectTo = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /api HTTP/1.1\r\nhost: x\r\n\r\n'));
      sockets.push(socket);
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
      socket.on('error', () => undefined);
    });
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  it('are limited, so a connection above the limit is closed until another one closes', async () => {
    const { server } = await startForTest({ limits: { maxPerAddress: 2 } });
    expect([await connectTo(server.port), await connectTo(server.port), await connectTo(server.port)]).toEqual([
      true,
      true,
      false,
    ]);
    sockets[0]?.destroy();
    await expect.poll(() => connectTo(server.port)).toBe(true);
  });

  it('are not limited for a trusted proxy', async () => {
    const { server } = await startForTest({ limits: { maxPerAddress: 1 }, listen: { trustedProxies: ['127.0.0.1'] } });
    expect([await connectTo(server.port), await connectTo(server.port)]).toEqual([true, true]);
  });
});

/** The bytes of a POST request with a query. */
function postBytes(query: string, headers = ''): string {
  const body = JSON.stringify({ query });
  return `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('pipelined requests', () => {
  it('are answered in order, whichever handler finishes first', async () => {
    const held = Promise.withResolvers<readonly object[]>();
    const { server } = await startForTest({ resolvers: { Query: { categories: () => held.promise }, Mutation: {} } });
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
    const delayed = '{ categories { name } }';
    socket.write(
      [
        ...[postBytes('{ a: __typename }'), health, postBytes('{ b: __typename }'), postBytes('{ nothing }')],
        ...[postBytes('{ ö: __typename }'), postBytes(delayed), postBytes('{ c: __typename }'), health],
        ...[postBytes('{ d: __typename }', 'origin: http://page.example\r\n'), postBytes('{ e: __typename }')],
        postBytes('{ f: __typename }', 'connection: close\r\n'),
      ].join(''),
    );
    await expect.poll(() => received.split('HTTP/1.1 ').length - 1).toBe(5);
    held.resolve([]);
    await new Promise((resolve) => socket.once('close', resolve));
    const bodies = received.split('HTTP/1.1 200 OK\r\n').slice(1);
    expect(bodies.map((answer) => /"(?:[a-f]|status|categories|message)":"?[A-Z]?[a-z]*/.exec(answer)?.[0])).toEqual([
      ...['"a":"Query', '"status":"O', '"b":"Query', '"message":"Cannot', '"message":"Syntax', '"categories":'],
      ...['"c":"Query', '"status":"O', '"d":"Query', '"e":"Query', '"f":"Query'],
    ]);
    for (const answer of bodies) {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(/^content-type: application\/json; charset=utf-8/im);
      expect(head).toMatch(/^x-request-id: test-/m);
      expect(head).toMatch(/^date: \w{3}, \d{2} \w{3} \d{4} \d\d:\d\d:\d\d GMT/im);
      expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(body));
    }
    expect(received.match(/connection: close/gi)).toHaveLength(1);
    expect(server.traffic).toMatchObject({ requests: 11, running: 0 });
  });
});

describe('a request', () => {
  it('gets its complete response from a closing server even if the client reads late', async () => {
    const name = 'ä'.repeat(2_000_000);
    let closed: Promise<void> | undefined;
    const running = await startStubServer({
      resolvers: {
        Query: {
          categories: () => {
            closed ??= running.server.close(60_000);
            return [{ name }];
          },
        },
        Mutation: {},
      },
    });
    const socket = connect(running.server.port, '127.0.0.1').pause();
    socket.write(postBytes('{ categories { name } }'));
    await expect.poll(() => closed !== undefined).toBe(true);
    // In this time, a server that did not wait would close the connection.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    const read: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => read.push(chunk)).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    await closed;
    const answer = Buffer.concat(read).toString();
    expect(answer.slice(0, 15)).toBe('HTTP/1.1 200 OK');
    expect(answer.endsWith(`{"data":{"categories":[{"name":"${name}"}]}}`)).toBe(true);
  });
});

describe('a client that never reads', () => {
  it('is disconnected', async () => {
    const { server } = await startForTest({ limits: { stalledMs: 300 } });
    const page = 'GET /graphql HTTP/1.1\r\nhost: x\r\naccept: text/html\r\n\r\n';
    const socket = connect(server.port, '127.0.0.1', () => socket.pause().write(page));
    socket.on('error', () => undefined);
    await expect.poll(() => server.traffic.running).toBe(1);
    await expect.poll(() => server.traffic.running, { timeout: 20_000 }).toBe(0);
    socket.destroy();
  });
});

describe('a server that shuts down', () => {
  it('answers running requests, answers new ones with 503, and then closes', async () => {
    const running: StubServer = await startStubServer({
      resolvers: { Query: { categories: () => held.promise }, Mutation: {} },
    });
    const held = Promise.withResolvers<readonly object[]>();
    const pending = running.request('{ categories { name } }');
    const answered: string[] = [];
    const keepAlive = connect(running.server.port, '127.0.0.1');
    let received = '';
    keepAlive.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const half = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 26\r\n';
    keepAlive.write(half);
    await expect.poll(() => running.server.traffic.running).toBe(1);
    const closed = running.server.close(60_000);
    keepAlive.end('\r\n{"query":"{ __typename }"}');
    await new Promise((resolve) => keepAlive.once('close', resolve));
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    expect(received).toContain('{"data":null,"errors":[{"message":"the server is shutting down');
    for (const path of ['/health', '/api']) answered.push((await running.send({ method: 'GET', path })).text);
    expect(answered).toEqual([expect.stringContaining('"status":"OK"'), expect.stringContaining('shutting down')]);
    held.resolve([]);
    expect((await pending).text).toBe('{"data":{"categories":[]}}');
    await closed;
    await expect(running.request('{ __typename }')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('waits at most for the grace period', async () => {
    const running = await startStubServer({
      resolvers: { Query: { categories: () => new Promise(() => undefined) }, Mutation: {} },
    });
    const pending = running.request('{ categories { name } }');
    await expect.poll(() => running.server.traffic.running).toBe(1);
    await Promise.all([running.server.close(20), expect(pending).rejects.toThrow(/socket hang up|ECONNRESET/)]);
  });

  it('does not wait for connections accepted after the grace period', async () => {
    const { server } = await startStubServer({ limits: { stalledMs: 100_000 } });
    const sockets: Socket[] = [];
    const connectOnce = (begin: string): void => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      socket.write(begin);
      sockets.push(socket);
    };
    connectOnce('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 26\r\n\r\n');
    await expect.poll(() => server.traffic.running).toBe(1);
    const [clock, start] = [wallClock(), wallClock().now()];
    let isClosed = false;
    const closed = server.close(5).then(() => {
      isClosed = true;
    });
    while (!isClosed && sockets.length < 2_000) {
      connectOnce('GET /he');
      await nextEventLoopTurn();
    }
    await closed;
    expect(clock.now() - start).toBeLessThan(50_000);
    for (const socket of sockets) socket.destroy();
  });
});
