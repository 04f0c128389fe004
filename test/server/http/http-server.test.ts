/** The HTTP server: paths, methods, headers and credentials. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { rateLimited } from '../../../src/protocol/index.ts';
import { createAddressReader } from '../../../src/server/http/client-address.ts';
import type { HttpOptions } from '../../../src/server/http/options.ts';
import { registerTraffic } from '../../../src/server/metrics/venue-metrics.ts';
import { GOOD_TOKEN, startForTest } from './stub-server.ts';

describe('paths', () => {
  it('are only the two GraphQL endpoints, discovery and health', async () => {
    const { send } = await startForTest();
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
    const { send } = await startForTest({ listen: { base: '/venue' } });
    const input = { body: '{"query":"{ __typename }"}', headers: { 'content-type': 'application/json' } };
    expect((await send({ ...input, path: '/venue/graphql' })).status).toBe(200);
    expect((await send({ ...input, path: '/venue/api/graphql' })).status).toBe(200);
    expect((await send({ ...input, path: '/graphql' })).status).toBe(404);
    expect((await send({ method: 'GET', path: '/venue/health' })).status).toBe(200);
  });

  it('respond to HEAD like to GET, without a body', async () => {
    const { send } = await startForTest({ metrics: { contentType: 'text/plain', metrics: async () => 'up 1\n' } });
    for (const path of ['/api', '/health', '/metrics']) {
      const [get, head] = [await send({ method: 'GET', path }), await send({ method: 'HEAD', path })];
      expect([head.status, head.text], path).toEqual([200, '']);
      expect(head.headers['content-length'], path).toBe(String(get.text.length));
      expect(head.headers['content-type'], path).toBe(get.headers['content-type']);
    }
  });

  it('respond to another method with 405 and the allowed methods', async () => {
    const { send } = await startForTest();
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
    const { send } = await startForTest();
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
    const { send } = await startForTest({
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
    const { send } = await startForTest();
    const browser = await send({
      method: 'GET',
      path: '/',
      headers: { accept: 'text/html,application/xhtml+xml,*/*' },
    });
    expect([browser.status, browser.headers.location]).toEqual([302, '/graphql']);
    const program = await send({ method: 'GET', path: '/', headers: { accept: '*/*' } });
    expect([program.status, program.headers.location]).toEqual([302, '/graphql']);
    const withBase = await startForTest({ listen: { base: '/venue' } });
    const page = await withBase.send({ method: 'GET', path: '/venue/', headers: { accept: 'text/html' } });
    expect([page.status, page.headers.location]).toEqual([302, '/venue/graphql']);
  });

  it('serve a GraphiQL page that loads nothing from other hosts', async () => {
    const { send } = await startForTest();
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
    const { server, request, send } = await startForTest({ metrics: registry });
    registerTraffic(registry, { http: server, graphql: { cacheSize: { documents: 3, characters: 90 } } });
    expect(await registry.metrics()).toContain('halfspread_http_requests_total 0');
    await request('{ __typename }');
    const { text } = await send({ method: 'GET', path: '/metrics' });
    expect(text).toMatch(/^halfspread_http_requests_total 2$/m);
    expect(text).toMatch(/^halfspread_graphql_documents_cached 3$/m);
    expect(text).toMatch(/^halfspread_websockets_open 0$/m);
  });
});

describe('headers', () => {
  it('contain the request id and the time to wait', async () => {
    const { request } = await startForTest({ wait: () => 1_200 });
    const [first, second] = [await request('{ health { mode } }'), await request('{ health { mode } }')];
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    expect([first.status, first.headers['retry-after']]).toEqual([200, '2']);
    expect(JSON.parse(first.text)).toEqual({ data: null, errors: [{ message: rateLimited(1_200).message, path: [] }] });
  });

  it('allow all origins or only the configured ones', async () => {
    const preflight = { method: 'OPTIONS', path: '/graphql', headers: { origin: 'https://a.example' } };
    const all = await (await startForTest()).send(preflight);
    expect([all.status, all.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(all.headers['access-control-allow-headers']).toContain('authorization');
    const some = await startForTest({ listen: { origins: ['https://b.example'] } });
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
    await (await startForTest({ identify })).send(input);
    await (await startForTest({ identify, listen: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] } })).send(input);
    await (await startForTest({ identify, listen: { trustedProxies: ['127.0.0.1'] } })).send({
      ...input,
      headers: { ...headers, 'x-forwarded-for': 'nonsense' },
    });
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.7', '127.0.0.1']);
    await expect(startForTest({ listen: { trustedProxies: ['10.0.0.0/33'] } })).rejects.toThrow(
      /trustedProxies: expected an IP address or a range/,
    );
  });
});

describe('a forwarded address', () => {
  it.each([
    ['203.0.113.7:5678', '203.0.113.7'],
    ['[2001:db8::1]:5678', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:5678', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[::FFFF:CB00:7107]:5678', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:1:2:3', '::ffff:1:2:3'],
    ['203.0.113.7, 127.0.0.2:5678', '203.0.113.7'],
    ['203.0.113.7:65535', '203.0.113.7'],
    ['203.0.113.7:65536', '127.0.0.1'],
    ['[2001:db8::1]:65536', '127.0.0.1'],
    ['203.0.113.7:port', '127.0.0.1'],
    ['[203.0.113.7', '127.0.0.1'],
  ])('%s is the client %s', (header, address) => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: '::ffff:127.0.0.1' });
    const request = new IncomingMessage(socket);
    request.headers['x-forwarded-for'] = header;
    expect(createAddressReader(['127.0.0.0/8'])(request)).toBe(address);
  });
});

describe('credentials', () => {
  it('give access to protected fields and do not affect public fields', async () => {
    const { request } = await startForTest();
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
    const { request, logged } = await startForTest({
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

describe('the intercept hook', () => {
  it('can answer a request or pass it on', async () => {
    const { request, send } = await startForTest({
      intercept: (request, response, pass) => {
        if (request.headers['x-chaos'] === undefined) pass();
        else response.writeHead(502).end('<html>bad gateway</html>');
      },
    });
    expect((await request('{ __typename }')).status).toBe(200);
    expect((await send({ headers: { 'x-chaos': '1' } })).status).toBe(502);
  });
});
