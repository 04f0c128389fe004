/** The HTTP server: paths, methods, headers, limits and shutdown. */
import { connect, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { nextTurn, wallClock } from '../../../src/clock/index.ts';
import { rateLimited } from '../../../src/protocol/index.ts';
import { registerTraffic, type TrafficSource } from '../../../src/server/http/http-metrics.ts';
import type { HttpOptions } from '../../../src/server/http/options.ts';
import { GOOD_TOKEN, type StubServer, startStubServer } from './stub-server.ts';

const servers: StubServer[] = [];
async function start(...changes: Parameters<typeof startStubServer>): Promise<StubServer> {
  const running = await startStubServer(...changes);
  servers.push(running);
  return running;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ server }) => server.close(0)));
});

describe('paths', () => {
  it('are only the two GraphQL endpoints, discovery and health', async () => {
    const { send } = await start();
    const body = '{"query":"{ __typename }"}';
    for (const path of ['/graphql', '/api/graphql', '/graphql?x=1']) {
      const { status, text, headers } = await send({ path, body, headers: { 'content-type': 'application/json' } });
      expect([status, text]).toEqual([200, '{"data":{"__typename":"Query"}}']);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect(JSON.parse((await send({ method: 'GET', path: '/api' })).text)).toEqual({
      graphql: '/graphql',
      health: '/health',
      service: 'halfspread',
      version: '9.9.9',
    });
    expect(JSON.parse((await send({ method: 'GET', path: '/health' })).text)).toMatchObject({
      status: 'OK',
      engineSeq: '7',
    });
    const unknown = await send({ method: 'GET', path: '/metrics' });
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      404,
      { data: null, errors: [{ message: 'there is no resource at /metrics', path: [] }] },
    ]);
  });

  it('begin with the base path when one is set', async () => {
    const { send } = await start({ base: '/venue' });
    const input = { body: '{"query":"{ __typename }"}', headers: { 'content-type': 'application/json' } };
    expect((await send({ ...input, path: '/venue/graphql' })).status).toBe(200);
    expect((await send({ ...input, path: '/venue/api/graphql' })).status).toBe(200);
    expect((await send({ ...input, path: '/graphql' })).status).toBe(404);
    expect((await send({ method: 'GET', path: '/venue/health' })).status).toBe(200);
  });

  it('respond to HEAD like to GET, without a body', async () => {
    const { send } = await start({ metrics: { contentType: 'text/plain', metrics: async () => 'up 1\n' } });
    for (const path of ['/api', '/health', '/metrics']) {
      const [get, head] = [await send({ method: 'GET', path }), await send({ method: 'HEAD', path })];
      expect([head.status, head.text], path).toEqual([200, '']);
      expect(head.headers['content-length'], path).toBe(String(get.text.length));
      expect(head.headers['content-type'], path).toBe(get.headers['content-type']);
    }
  });

  it('respond to another method with 405 and the allowed methods', async () => {
    const { send } = await start();
    for (const [method, path, allow] of [
      ['GET', '/graphql', 'POST, GET, OPTIONS'],
      ['PUT', '/graphql', 'POST, GET, OPTIONS'],
      ['DELETE', '/api/graphql', 'POST, GET, OPTIONS'],
      ['POST', '/health', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/api', 'GET, HEAD, OPTIONS'],
      ['TRACE', '/graphql?x=1', 'POST, GET, OPTIONS'],
    ] as const) {
      const received = await send({ method, path });
      expect([received.status, received.headers.allow], `${method} ${path}`).toEqual([405, allow]);
      expect(JSON.parse(received.text)).toMatchObject({ data: null, errors: [{ path: [] }] });
    }
  });

  it('respond to another method with 405, whatever the body is', async () => {
    const { send } = await start();
    const json = 'application/json';
    for (const [type, body] of [
      [json, ''],
      [json, '{"query":"{ __typename }"}'],
      [json, '{"query":'],
      ['text/xml', '<query/>'],
      ['not a type', 'x'],
      [json, ' '.repeat(300_000)],
    ] as const) {
      // Node.js sends no content length with DELETE or OPTIONS.
      const headers = { 'content-type': type, 'content-length': String(body.length) };
      for (const [method, path, allow] of [
        ['PUT', '/graphql', 'POST, GET, OPTIONS'],
        ['DELETE', '/graphql', 'POST, GET, OPTIONS'],
        ['PATCH', '/api/graphql', 'POST, GET, OPTIONS'],
        ['POST', '/health', 'GET, HEAD, OPTIONS'],
        ['PUT', '/api', 'GET, HEAD, OPTIONS'],
      ] as const) {
        const received = await send({ method, path, body, headers });
        expect([received.status, received.headers.allow], `${method} ${path} ${type} ${body.length}`).toEqual([
          405,
          allow,
        ]);
      }
      const unknown = await send({ method: 'POST', path: '/nowhere', body, headers });
      expect([unknown.status, JSON.parse(unknown.text).errors[0].message]).toEqual([
        404,
        'there is no resource at /nowhere',
      ]);
      const preflight = await send({ method: 'OPTIONS', path: '/graphql', body, headers });
      expect(preflight.status).toBe(204);
    }
  });

  it('serve metrics when configured, and respond with 503 while health is DOWN', async () => {
    const { send } = await start({
      metrics: { contentType: 'text/plain; version=0.0.4', metrics: async () => 'up 1\n' },
      health: () => ({
        status: 'DOWN',
        mode: 'HALTED',
        version: '1',
        serverTime: 'x',
        engineSeq: '0',
        uptimeSeconds: 0,
      }),
    });
    expect((await send({ method: 'GET', path: '/metrics' })).text).toBe('up 1\n');
    const received = await send({ method: 'GET', path: '/health' });
    expect([received.status, JSON.parse(received.text).mode]).toEqual([503, 'HALTED']);
  });

  it('redirect browsers and programs alike from the root to GraphQL', async () => {
    const { send } = await start();
    const browser = await send({
      method: 'GET',
      path: '/',
      headers: { accept: 'text/html,application/xhtml+xml,*/*' },
    });
    expect([browser.status, browser.headers.location]).toEqual([302, '/graphql']);
    const program = await send({ method: 'GET', path: '/', headers: { accept: '*/*' } });
    expect([program.status, program.headers.location]).toEqual([302, '/graphql']);
    const withBase = await start({ base: '/venue' });
    const page = await withBase.send({ method: 'GET', path: '/venue/', headers: { accept: 'text/html' } });
    expect([page.status, page.headers.location]).toEqual([302, '/venue/graphql']);
  });

  it('serve a GraphiQL page that loads nothing from other hosts', async () => {
    const { send } = await start();
    const input = { method: 'GET', path: '/graphql', headers: { accept: 'text/html,*/*' } };
    const page = await send(input);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('/graphql');
    expect(page.text).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/);
    const compressed = await send({ ...input, headers: { ...input.headers, 'accept-encoding': 'gzip, br' } });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.text.length).toBeLessThan(page.text.length / 2);
  });
});

describe('metrics', () => {
  it('count requests and connections', async () => {
    const registry = new Registry();
    const source: { now?: TrafficSource } = {};
    registerTraffic(registry, () => source.now);
    expect(await registry.metrics()).toContain('halfspread_http_requests_total 0');
    const { server, request, send } = await start({ metrics: registry });
    source.now = { traffic: server.traffic, cached: { documents: 3, characters: 90 } };
    await request('{ __typename }');
    source.now = { traffic: server.traffic, cached: { documents: 3, characters: 90 } };
    const { text } = await send({ method: 'GET', path: '/metrics' });
    expect(text).toMatch(/^halfspread_http_requests_total 1$/m);
    expect(text).toMatch(/^halfspread_graphql_documents_cached 3$/m);
    expect(text).toMatch(/^halfspread_websockets_open 0$/m);
  });
});

describe('headers', () => {
  it('contain the request id and the time to wait', async () => {
    const { request } = await start({ wait: () => 1_200 });
    const [first, second] = [await request('{ health { mode } }'), await request('{ health { mode } }')];
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    expect([first.status, first.headers['retry-after']]).toEqual([200, '2']);
    expect(JSON.parse(first.text)).toEqual({ data: null, errors: [{ message: rateLimited(1_200).message, path: [] }] });
  });

  it('allow all origins or only the configured ones', async () => {
    const preflight = { method: 'OPTIONS', path: '/graphql', headers: { origin: 'https://a.example' } };
    const all = await (await start()).send(preflight);
    expect([all.status, all.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(all.headers['access-control-allow-headers']).toContain('authorization');
    const some = await start({ origins: ['https://b.example'] });
    expect((await some.send(preflight)).headers['access-control-allow-origin']).toBeUndefined();
    const allowed = await some.send({ ...preflight, headers: { origin: 'https://b.example' } });
    expect([allowed.headers['access-control-allow-origin'], allowed.headers.vary]).toEqual([
      'https://b.example',
      'origin',
    ]);
  });

  it('set the client address only when they come from a trusted proxy', async () => {
    const addresses: string[] = [];
    const identify: HttpOptions['identify'] = ({ ip }) => {
      addresses.push(ip);
      return undefined;
    };
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.9, 203.0.113.7, 10.1.2.3' };
    const input = { headers, body: '{"query":"{ __typename }"}' };
    await (await start({ identify })).send(input);
    await (await start({ identify, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] })).send(input);
    await (await start({ identify, trustedProxies: ['127.0.0.1'] })).send({
      ...input,
      headers: { ...headers, 'x-forwarded-for': 'nonsense' },
    });
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.7', '127.0.0.1']);
    await expect(start({ trustedProxies: ['10.0.0.0/33'] })).rejects.toThrow(
      /trustedProxies: expected an IP address or a range/,
    );
  });
});

describe('credentials', () => {
  it('give access to protected fields and do not affect public fields', async () => {
    const { request } = await start();
    expect(JSON.parse((await request('{ me { id } }')).text)).toEqual({
      data: null,
      errors: [{ message: 'UNAUTHORIZED', path: ['me'] }],
    });
    expect(JSON.parse((await request('{ me { id } }', { token: GOOD_TOKEN })).text).data.me).toHaveProperty('id');
    expect(
      JSON.parse((await request('{ geoCheck { allowed } }', { token: 'Bearer stale' })).text).errors,
    ).toBeUndefined();
  });

  it('cause an internal error when they cannot be looked up', async () => {
    const { request, logged } = await start({
      identify: () => {
        throw new Error('database is locked');
      },
    });
    const received = await request('{ __typename }');
    expect([received.status, JSON.parse(received.text)]).toEqual([
      200,
      { data: null, errors: [{ message: `internal error ${received.headers['x-request-id']}`, path: [] }] },
    ]);
    expect(logged).toHaveLength(1);
  });
});

describe('a slow sender', () => {
  it('is disconnected', async () => {
    const { server } = await start({ timeouts: { arrival: 100 } });
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

  it('are limited: a connection above the limit is closed until another one closes', async () => {
    const { server } = await start({ maxPerAddress: 2 });
    expect([await connectTo(server.port), await connectTo(server.port), await connectTo(server.port)]).toEqual([
      true,
      true,
      false,
    ]);
    sockets[0]?.destroy();
    await expect.poll(() => connectTo(server.port)).toBe(true);
  });

  it('are not limited for a trusted proxy', async () => {
    const { server } = await start({ maxPerAddress: 1, trustedProxies: ['127.0.0.1'] });
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
    const { server } = await start({ resolvers: { Query: { categories: () => held.promise }, Mutation: {} } });
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
    const later = '{ categories { name } }';
    socket.write(
      [
        ...[postBytes('{ a: __typename }'), health, postBytes('{ b: __typename }'), postBytes('{ nothing }')],
        ...[postBytes('{ ö: __typename }'), postBytes(later), postBytes('{ c: __typename }'), health],
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
    // Long enough for a server that does not wait to close the connection.
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
    const { server } = await start({ timeouts: { stalled: 300 } });
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
    const { server } = await startStubServer({ timeouts: { stalled: 100_000 } });
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
      await nextTurn();
    }
    await closed;
    expect(clock.now() - start).toBeLessThan(50_000);
    for (const socket of sockets) socket.destroy();
  });
});

describe('the intercept hook', () => {
  it('can answer a request or pass it on', async () => {
    const { request, send } = await start({
      intercept: (request, response, pass) => {
        if (request.headers['x-chaos'] === undefined) pass();
        else response.writeHead(502).end('<html>bad gateway</html>');
      },
    });
    expect((await request('{ __typename }')).status).toBe(200);
    expect((await send({ headers: { 'x-chaos': '1' } })).status).toBe(502);
  });
});
