/** The server around GraphQL: paths, methods, headers, and how it goes away. */
import { connect, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { nextTurn, wallClock } from '../../../src/clock/index.ts';
import { rateLimited } from '../../../src/protocol/index.ts';
import { registerTraffic, type TrafficSource } from '../../../src/server/http/http-metrics.ts';
import type { HttpOptions } from '../../../src/server/http/options.ts';
import { GOOD_TOKEN, type StubServer, startStubServer } from './stub-server.ts';

const open: StubServer[] = [];
async function start(...changes: Parameters<typeof startStubServer>): Promise<StubServer> {
  const running = await startStubServer(...changes);
  open.push(running);
  return running;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ server }) => server.close(0)));
});

describe('paths', () => {
  it('are the two GraphQL endpoints, discovery and health only', async () => {
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
    const lost = await send({ method: 'GET', path: '/metrics' });
    expect([lost.status, JSON.parse(lost.text)]).toEqual([
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

  it('answer HEAD like GET without a body', async () => {
    const { send } = await start({ metrics: { contentType: 'text/plain', metrics: async () => 'up 1\n' } });
    for (const path of ['/api', '/health', '/metrics']) {
      const [got, head] = [await send({ method: 'GET', path }), await send({ method: 'HEAD', path })];
      expect([head.status, head.text], path).toEqual([200, '']);
      expect(head.headers['content-length'], path).toBe(String(got.text.length));
      expect(head.headers['content-type'], path).toBe(got.headers['content-type']);
    }
  });

  it('answer another method with the allowed methods', async () => {
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

  it('answer another method with 405 whatever the body is', async () => {
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
      // Node sends no length of a body that goes with DELETE or OPTIONS.
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
      const lost = await send({ method: 'POST', path: '/nowhere', body, headers });
      expect([lost.status, JSON.parse(lost.text).errors[0].message]).toEqual([404, 'there is no resource at /nowhere']);
      const preflight = await send({ method: 'OPTIONS', path: '/graphql', body, headers });
      expect(preflight.status).toBe(204);
    }
  });

  it('serve metrics when configured, and answer 503 while health is DOWN', async () => {
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
    const seen = await send({ method: 'GET', path: '/', headers: { accept: 'text/html,application/xhtml+xml,*/*' } });
    expect([seen.status, seen.headers.location]).toEqual([302, '/graphql']);
    const asked = await send({ method: 'GET', path: '/', headers: { accept: '*/*' } });
    expect([asked.status, asked.headers.location]).toEqual([302, '/graphql']);
    const under = await start({ base: '/venue' });
    const page = await under.send({ method: 'GET', path: '/venue/', headers: { accept: 'text/html' } });
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
    const packed = await send({ ...input, headers: { ...input.headers, 'accept-encoding': 'gzip, br' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.text.length).toBeLessThan(page.text.length / 2);
  });
});

describe('metrics', () => {
  it('count requests and connections', async () => {
    const registry = new Registry();
    const source: { now?: TrafficSource } = {};
    registerTraffic(registry, () => source.now);
    expect(await registry.metrics()).toContain('halfspread_http_requests_total 0');
    const { server, ask, send } = await start({ metrics: registry });
    source.now = { traffic: server.traffic, cached: { documents: 3, characters: 90 } };
    await ask('{ __typename }');
    source.now = { traffic: server.traffic, cached: { documents: 3, characters: 90 } };
    const { text } = await send({ method: 'GET', path: '/metrics' });
    expect(text).toMatch(/^halfspread_http_requests_total 1$/m);
    expect(text).toMatch(/^halfspread_graphql_documents_cached 3$/m);
    expect(text).toMatch(/^halfspread_websockets_open 0$/m);
  });
});

describe('headers', () => {
  it('contain the request id and the time to wait', async () => {
    const { ask } = await start({ wait: () => 1_200 });
    const [first, second] = [await ask('{ health { mode } }'), await ask('{ health { mode } }')];
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    expect([first.status, first.headers['retry-after']]).toEqual([200, '2']);
    expect(JSON.parse(first.text)).toEqual({ data: null, errors: [{ message: rateLimited(1_200).message, path: [] }] });
  });

  it('allow all origins or only the configured ones', async () => {
    const asked = { method: 'OPTIONS', path: '/graphql', headers: { origin: 'https://a.example' } };
    const all = await (await start()).send(asked);
    expect([all.status, all.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(all.headers['access-control-allow-headers']).toContain('authorization');
    const some = await start({ origins: ['https://b.example'] });
    expect((await some.send(asked)).headers['access-control-allow-origin']).toBeUndefined();
    const named = await some.send({ ...asked, headers: { origin: 'https://b.example' } });
    expect([named.headers['access-control-allow-origin'], named.headers.vary]).toEqual(['https://b.example', 'origin']);
  });

  it('name the client only when they come from a trusted proxy', async () => {
    const seen: string[] = [];
    const identify: HttpOptions['identify'] = ({ ip }) => {
      seen.push(ip);
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
    expect(seen).toEqual(['127.0.0.1', '203.0.113.7', '127.0.0.1']);
    await expect(start({ trustedProxies: ['10.0.0.0/33'] })).rejects.toThrow(
      /trustedProxies: expected an IP address or a range/,
    );
  });
});

describe('credentials', () => {
  it('give access to protected fields and do not affect public fields', async () => {
    const { ask } = await start();
    expect(JSON.parse((await ask('{ me { id } }')).text)).toEqual({
      data: null,
      errors: [{ message: 'UNAUTHORIZED', path: ['me'] }],
    });
    expect(JSON.parse((await ask('{ me { id } }', { token: GOOD_TOKEN })).text).data.me).toHaveProperty('id');
    expect(JSON.parse((await ask('{ geoCheck { allowed } }', { token: 'Bearer stale' })).text).errors).toBeUndefined();
  });

  it('cause an internal error when they cannot be looked up', async () => {
    const { ask, logged } = await start({
      identify: () => {
        throw new Error('database is locked');
      },
    });
    const received = await ask('{ __typename }');
    expect([received.status, JSON.parse(received.text)]).toEqual([
      200,
      { data: null, errors: [{ message: `internal error ${received.headers['x-request-id']}`, path: [] }] },
    ]);
    expect(logged).toHaveLength(1);
  });
});

describe('a slow sender', () => {
  it('is hung up on', async () => {
    const { server } = await start({ timeouts: { arrival: 100 } });
    const said = await new Promise<string>((resolve, reject) => {
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
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('connections of one address', () => {
  const opened = (port: number): Promise<boolean> =>
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

  it('are limited: one more is closed at once until another one closes', async () => {
    const { server } = await start({ maxPerAddress: 2 });
    expect([await opened(server.port), await opened(server.port), await opened(server.port)]).toEqual([
      true,
      true,
      false,
    ]);
    sockets[0]?.destroy();
    await expect.poll(() => opened(server.port)).toBe(true);
  });

  it('are not limited for a trusted proxy', async () => {
    const { server } = await start({ maxPerAddress: 1, trustedProxies: ['127.0.0.1'] });
    expect([await opened(server.port), await opened(server.port)]).toEqual([true, true]);
  });
});

/** `POST` of a query as bytes. */
function posted(query: string, headers = ''): string {
  const body = JSON.stringify({ query });
  return `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('pipelined requests', () => {
  it('are answered in order whichever handler answers first', async () => {
    const held = Promise.withResolvers<readonly object[]>();
    const { server } = await start({ resolvers: { Query: { categories: () => held.promise }, Mutation: {} } });
    const socket = connect(server.port, '127.0.0.1');
    let said = '';
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
    const later = '{ categories { name } }';
    socket.write(
      [
        ...[posted('{ a: __typename }'), health, posted('{ b: __typename }'), posted('{ nothing }')],
        ...[posted('{ ö: __typename }'), posted(later), posted('{ c: __typename }'), health],
        ...[posted('{ d: __typename }', 'origin: http://page.example\r\n'), posted('{ e: __typename }')],
        posted('{ f: __typename }', 'connection: close\r\n'),
      ].join(''),
    );
    await expect.poll(() => said.split('HTTP/1.1 ').length - 1).toBe(5);
    held.resolve([]);
    await new Promise((resolve) => socket.once('close', resolve));
    const bodies = said.split('HTTP/1.1 200 OK\r\n').slice(1);
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
    expect(said.match(/connection: close/gi)).toHaveLength(1);
    expect(server.traffic).toMatchObject({ requests: 11, running: 0 });
  });
});

describe('a request', () => {
  it('gets its complete answer from a closing server even if the client reads late', async () => {
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
    socket.write(posted('{ categories { name } }'));
    await expect.poll(() => closed !== undefined).toBe(true);
    // Ten turns of timers, in which a server that did not wait would have gone.
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

describe('a reader that never reads', () => {
  it('is hung up on', async () => {
    const { server } = await start({ timeouts: { stalled: 300 } });
    const page = 'GET /graphql HTTP/1.1\r\nhost: x\r\naccept: text/html\r\n\r\n';
    const socket = connect(server.port, '127.0.0.1', () => socket.pause().write(page));
    socket.on('error', () => undefined);
    await expect.poll(() => server.traffic.running).toBe(1);
    await expect.poll(() => server.traffic.running, { timeout: 20_000 }).toBe(0);
    socket.destroy();
  });
});

describe('shutting down', () => {
  it('answers running requests, answers new ones with 503, and then closes', async () => {
    const running: StubServer = await startStubServer({
      resolvers: { Query: { categories: () => held.promise }, Mutation: {} },
    });
    const held = Promise.withResolvers<readonly object[]>();
    const begun = running.ask('{ categories { name } }');
    const answered: string[] = [];
    const keepsAlive = connect(running.server.port, '127.0.0.1');
    let said = '';
    keepsAlive.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const half = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 26\r\n';
    keepsAlive.write(half);
    await expect.poll(() => running.server.traffic.running).toBe(1);
    const closed = running.server.close(60_000);
    keepsAlive.end('\r\n{"query":"{ __typename }"}');
    await new Promise((resolve) => keepsAlive.once('close', resolve));
    expect(said).toMatch(/^HTTP\/1\.1 503 /);
    expect(said).toContain('{"data":null,"errors":[{"message":"the server is shutting down');
    for (const path of ['/health', '/api']) answered.push((await running.send({ method: 'GET', path })).text);
    expect(answered).toEqual([expect.stringContaining('"status":"OK"'), expect.stringContaining('shutting down')]);
    held.resolve([]);
    expect((await begun).text).toBe('{"data":{"categories":[]}}');
    await closed;
    await expect(running.ask('{ __typename }')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('waits at most for the grace period', async () => {
    const running = await startStubServer({
      resolvers: { Query: { categories: () => new Promise(() => undefined) }, Mutation: {} },
    });
    const begun = running.ask('{ categories { name } }');
    await expect.poll(() => running.server.traffic.running).toBe(1);
    await Promise.all([running.server.close(20), expect(begun).rejects.toThrow(/socket hang up|ECONNRESET/)]);
  });

  it('waits for no connection that is accepted after the grace period', async () => {
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

describe('the hook that sees requests first', () => {
  it('can answer a request or pass it on', async () => {
    const { ask, send } = await start({
      intercept: (request, response, pass) => {
        if (request.headers['x-chaos'] === undefined) pass();
        else response.writeHead(502).end('<html>bad gateway</html>');
      },
    });
    expect((await ask('{ __typename }')).status).toBe(200);
    expect((await send({ headers: { 'x-chaos': '1' } })).status).toBe(502);
  });
});
