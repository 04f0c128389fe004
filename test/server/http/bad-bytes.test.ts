/** Clients that disconnect and bytes that are not HTTP do not affect other connections. */
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { GOOD_TOKEN, startStubServer } from './stub-server.ts';

const running = await startStubServer();
afterAll(() => running.server.close(0));

describe('a client that disconnects', () => {
  it.each([
    [
      'inside its body',
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"query"',
    ],
    [
      'before its response',
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 26\r\n\r\n{"query":"{ __typename }"}',
    ],
  ])('%s does not affect other clients', async (_name, bytes) => {
    const before = running.server.traffic.requests;
    const socket = connect(running.server.port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()));
    socket.on('error', () => undefined);
    await expect.poll(() => running.server.traffic.requests + Number(socket.destroyed)).toBeGreaterThan(before);
    expect((await running.request('{ __typename }')).status).toBe(200);
    await expect.poll(() => running.server.traffic.running).toBe(0);
  });
});

describe('bytes that are not HTTP', () => {
  it.each([
    ['garbage', '\u0000\u0001garbage\r\n\r\n'],
    ['headers without end', `POST /graphql HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['two content lengths', 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n12345'],
    [
      'a content length and chunks',
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /api HTTP/1.1\r\n\r\n',
    ],
    ['no host header', 'POST /graphql HTTP/1.1\r\ncontent-length: 0\r\n\r\n'],
    ['an unknown expect header', 'POST /graphql HTTP/1.1\r\nhost: x\r\nexpect: fire\r\ncontent-length: 0\r\n\r\n'],
    ['a path that is not text', 'GET /%zz%ff HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ])('end only their own connection: %s', async (_name, bytes) => {
    const response = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(running.server.port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ data: null, errors: [{ path: [] }] });
    expect((await running.request('{ __typename }', { token: GOOD_TOKEN })).status).toBe(200);
  });
});
