/** Unfinished requests and floods of requests from clients without credentials. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { RequestQuota } from '../../../src/server/graphql/gate.ts';
import { NetworkLimit } from '../../../src/server/http/client-address.ts';
import { CHECKS_PER_TIMEOUT } from '../../../src/server/http/http-server.ts';
import { HTTP_LIMITS } from '../../../src/server/http/options.ts';
import { type StubServer, startStubServer } from './stub-server.ts';

const HEAD = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
let running: StubServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running?.server.close(0);
  running = undefined;
});

/** Writes to a new connection. @param drip text to write repeatedly @returns everything received until it closes */
function exchange(port: number, first: string, drip?: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    let timer: NodeJS.Timeout | undefined;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(first);
      timer = setInterval(() => drip !== undefined && socket.writable && socket.write(drip), 5);
    });
    sockets.push(socket);
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(received);
    });
  });
}

describe('an unfinished body', () => {
  it.each([
    ['nothing follows the headers', `${HEAD}content-length: 100\r\n\r\n`, undefined],
    ['nothing of the largest allowed body arrives', `${HEAD}content-length: 262144\r\n\r\n`, undefined],
    ['single bytes arrive slowly', `${HEAD}content-length: 100000\r\n\r\n`, ' '],
    ['single chunks arrive slowly', `${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['nothing follows 100-continue', `${HEAD}expect: 100-continue\r\ncontent-length: 100\r\n\r\n`, undefined],
  ])('times out with 408: %s', async (_name, first, drip) => {
    running = await startStubServer({ limits: { arrivalMs: 100 } });
    expect(await exchange(running.server.port, first, drip)).toMatch(/HTTP\/1\.1 408 /);
  });

  it('times out from its first byte on, not from the connection', async () => {
    running = await startStubServer({ limits: { arrivalMs: 1_000 } });
    const socket = connect(running.server.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const started = performance.now();
    socket.write(`${HEAD}content-length: 100\r\n\r\n`);
    const [received] = await once(socket, 'data');
    expect(String(received)).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - started).toBeGreaterThan(900);
    socket.destroy();
  });

  it('times out by default after the time in docs/server.md', () => {
    const page = readFileSync(new URL('../../../docs/server.md', import.meta.url), 'utf8');
    const [, seconds, late] =
      /time from the first byte of a request to the last of its body \| (\d+) s, then 408 within (a second)/.exec(
        page,
      ) ?? [];
    expect([Number(seconds) * 1_000, late]).toEqual([HTTP_LIMITS.arrivalMs, 'a second']);
    expect(HTTP_LIMITS.arrivalMs / CHECKS_PER_TIMEOUT).toBe(1_000);
  });

  it('is refused at once when its declared length is too large', async () => {
    running = await startStubServer();
    const received = await exchange(running.server.port, `${HEAD}content-length: 100000000\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('counts towards the limit of its address or IPv6 network', async () => {
    const unfinished = new NetworkLimit(100);
    const addBytes = unfinished.track('192.0.2.1');
    expect([addBytes(60), unfinished.track('192.0.2.1')(41)]).toEqual([true, false]);
    expect(unfinished.track('192.0.2.2')(100)).toBe(true);
    addBytes(-60);
    expect([addBytes(59), addBytes(1)]).toEqual([true, false]);
    expect([unfinished.track('2001:db8::1')(60), unfinished.track('2001:db8::2')(60)]).toEqual([true, false]);
  });

  it('is refused with 429 when other bodies of its address have used up the limit', async () => {
    running = await startStubServer();
    const { port } = running.server;
    const part = `${HEAD}content-length: 262144\r\n\r\n${' '.repeat(200_000)}`;
    let refused = 0;
    for (let at = 0; at < 200; at += 1)
      void exchange(port, part).then((received) => {
        if (/^HTTP\/1\.1 429 /.test(received)) refused += 1;
      });
    await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThan(20);
    expect((await running.request('{ __typename }')).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(async () => (await running?.send({ body: paddedQuery(200_000), headers: JSON_TYPE }))?.status)
      .toBe(200);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

function paddedQuery(spaces: number): string {
  return `{"query":"{ __typename }"${' '.repeat(spaces)}}`;
}

describe('a body that costs tokens', () => {
  it('costs tokens before it is read, one for each 16 KiB when it is large and the maximum when it is compressed', async () => {
    const taken: [string, number][] = [];
    const quota: RequestQuota = {
      consume: (_context, bucket, count) => {
        taken.push([bucket, count]);
        return 0;
      },
      charge: () => undefined,
    };
    running = await startStubServer({ quota });
    await running.request('{ __typename }');
    taken.length = 0;
    await running.send({ body: paddedQuery(16_000), headers: JSON_TYPE });
    await running.send({ body: paddedQuery(200_000), headers: JSON_TYPE });
    await running.send({ body: gzipSync(paddedQuery(0)), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
    await running.send({ body: 'x', headers: JSON_TYPE });
    await running.send({ method: 'GET', path: '/graphql', headers: { accept: 'text/html' } });
    expect(taken).toEqual([
      ...[
        ['read', 1],
        ['parse', 12],
        ['read', 1],
        ['parse', 16],
        ['read', 1],
        ['read', 1],
        ['read', 25],
      ],
    ]);
  });

  it('is not read when tokens are missing', async () => {
    running = await startStubServer({ wait: () => 1_500 });
    const limited = { data: null, errors: [{ message: 'rate limited: retry in 1500 ms', path: [] }] };
    for (const input of [
      { body: paddedQuery(200_000), headers: JSON_TYPE },
      { body: 'not gzip', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
      { body: 'not JSON', headers: JSON_TYPE },
    ]) {
      const received = await running.send(input);
      expect([received.status, received.headers['retry-after'], JSON.parse(received.text)]).toEqual([
        200,
        '2',
        limited,
      ]);
    }
    const page = await running.send({ method: 'GET', path: '/graphql', headers: { accept: 'text/html' } });
    expect([page.status, page.headers['retry-after'], JSON.parse(page.text)]).toEqual([429, '2', limited]);
  });
});
