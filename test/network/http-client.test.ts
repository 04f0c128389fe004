/** The HTTP client against servers that send too much, too slowly, or invalid data. */
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { HttpClient, type HttpRequest, NETWORK_LIMITS, shortLine } from '../../src/network/index.ts';

const clock = wallClock();
const SECRET = 'S3CRET';
const servers = new Set<{ readonly server: Server; readonly sockets: Set<Socket> }>();
afterEach(() => {
  for (const { server, sockets } of servers) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
  servers.clear();
});

/** Opens a server whose answer to each request is written by the test as raw bytes. */
async function server(answer: (socket: Socket, count: number) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  let count = 0;
  const made = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      count += 1;
      answer(socket, count);
    });
  });
  servers.add({ server: made, sockets });
  await new Promise<void>((resolve) => void made.listen(0, '127.0.0.1', resolve));
  const address = made.address();
  return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql/${SECRET}`);
}

function send(url: URL, more: Partial<HttpRequest> = {}) {
  return new HttpClient({ clock }).send({ url, timeoutMs: 5_000, headers: { 'x-key': SECRET }, ...more });
}

function okResponse(body: string | Buffer, headers = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

/** Writes as long as the client reads. Returns a function that returns the number of bytes written. */
function pour(socket: Socket, piece: string): () => number {
  const writeMore = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', writeMore);
  };
  writeMore();
  return () => socket.bytesWritten;
}

/** Writes a piece every 2 ms until the socket closes. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 2);
  socket.on('close', () => clearInterval(timer));
}

describe('an HTTP answer', () => {
  it('is read to its end, with its status', async () => {
    const url = await server((socket) => socket.write(okResponse('{"data":1}')));
    expect(await send(url)).toMatchObject({ type: 'answer', status: 200, text: '{"data":1}', retryAfterMs: undefined });
  });

  it('with a declared length above the bound is not read', async () => {
    const url = await server((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n{'));
    expect(await send(url)).toMatchObject({ type: 'failed', reason: 'tooLong', isSent: true, status: 200 });
  });

  it.each([200, 500])('of 1 GB and status %i is dropped after its bound', async (status) => {
    let bytesWritten = (): number => 0;
    let isClosed: Promise<void> | undefined;
    const url = await server((socket) => {
      isClosed = new Promise((resolve) => socket.once('close', () => resolve()));
      socket.write(`HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\n`);
      const block = 'x'.repeat(65_536);
      bytesWritten = pour(socket, `10000\r\n${block}\r\n`);
    });
    expect(await send(url)).toMatchObject({ reason: 'tooLong', detail: expect.stringContaining('8388608 bytes') });
    await isClosed;
    // Allows for bytes in the kernel's buffers.
    expect(bytesWritten()).toBeLessThan(4 * NETWORK_LIMITS.answerBytes);
  });

  it('may be as long as `maxBytes`', async () => {
    const url = await server((socket) => socket.write(okResponse('x'.repeat(1_000))));
    expect(await send(url, { maxBytes: 1_000 })).toMatchObject({ type: 'answer', status: 200 });
    expect(await send(url, { maxBytes: 999 })).toMatchObject({ type: 'failed', reason: 'tooLong' });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'GZIP, identity'])(
    'in %s is not decompressed, because no compression was requested',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(1_000_000));
      const url = await server((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
      });
      const result = await send(url);
      expect(result).toMatchObject({ type: 'failed', reason: 'encoded', isSent: true });
      expect(JSON.stringify(result)).not.toContain(SECRET);
    },
  );

  it('is requested without compression, whatever the configured headers say', async () => {
    let received = '';
    const url = await server(() => {});
    for (const { server: each } of servers) {
      each.on('connection', (socket) =>
        socket.on('data', (data) => {
          received += data.toString();
          socket.write(okResponse('{}'));
        }),
      );
    }
    await send(url, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(received.match(/accept-encoding: .*/gi)).toEqual(['accept-encoding: identity']);
  });

  it('whose bytes arrive ever more slowly ends with the timeout of its request', async () => {
    const url = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      drip(socket, '1\r\nx\r\n');
    });
    expect(await send(url, { timeoutMs: 60 })).toMatchObject({ type: 'failed', reason: 'timeout', isSent: true });
  });

  it.each([
    ['never comes', () => {}],
    ['never gets further than 100 Continue', (socket: Socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['never ends its status line', (socket: Socket) => socket.write('HTTP/1.1 200 ')],
  ])('that %s ends with the timeout of its request', async (_, answer) => {
    const url = await server((socket, count) => {
      if (count === 1) answer(socket);
    });
    expect(await send(url, { timeoutMs: 60 })).toMatchObject({ type: 'failed', reason: 'timeout' });
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ['with an endless header', (socket) => pour(socket, `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(60_000)}`)],
    ['with too many headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`)],
    ['that is not HTTP', (socket) => socket.write(`SSH-2.0-${SECRET}\r\n\r\n`)],
    ['that breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{')],
    ['whose connection closes at once', (socket) => socket.destroy()],
    ['with an invalid chunk', (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')],
    [
      'that changes the protocol',
      (socket) => socket.write('HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('%s is a network fault that does not contain the key', async (_, answer) => {
    const url = await server(answer);
    const result = await send(url);
    expect(result).toMatchObject({ type: 'failed', reason: 'network', isSent: true });
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it.each([
    ['2', 2_000],
    ['0', 0],
    ['1e300', 60_000],
    ['99999999', 60_000],
    ['-5', undefined],
    ['NaN', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('that requires a wait of %s seconds waits at most a minute', async (header, expected) => {
    const url = await server((socket) =>
      socket.write(`HTTP/1.1 429 No\r\nretry-after: ${header}\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(await send(url)).toMatchObject({ status: 429, retryAfterMs: expected });
  });
});

describe('an HTTP request', () => {
  it('that was certainly not sent is marked as not sent', async () => {
    const url = await server(() => {});
    for (const { server: each } of servers) each.close();
    expect(await send(url)).toMatchObject({ reason: 'network', isSent: false, code: 'ECONNREFUSED' });
  });

  it.each(['a\nb', 'a\r\nx: y', '\u0000', '\u{1f4a3}'])('is refused with the header %j', async (value) => {
    const url = await server(() => {});
    const result = await send(url, { headers: { authorization: `Bearer ${SECRET}${value}` } });
    expect(result).toMatchObject({ type: 'failed', reason: 'network', isSent: false, code: 'ERR_INVALID_CHAR' });
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it('ends with the client', async () => {
    const url = await server(() => {});
    const client = new HttpClient({ clock, keepAlive: true });
    const running = client.send({ url, timeoutMs: 60_000 });
    await expect.poll(() => [...servers].some(({ sockets }) => sockets.size > 0)).toBe(true);
    client.close();
    expect(await running).toMatchObject({ type: 'failed', reason: 'network' });
  });

  it.each([
    [true, 1],
    [false, 3],
  ])('of a client with keep-alive (%s) opens only the connections it needs', async (keepAlive, expected) => {
    const url = await server((socket) => socket.write(okResponse('{}')));
    const client = new HttpClient({ clock, keepAlive });
    for (let count = 0; count < 3; count += 1) await client.send({ url, timeoutMs: 5_000 });
    expect([...servers].map(({ sockets }) => sockets.size)).toEqual([expected]);
    client.close();
  });
});

it("a peer's text is shown as one short line without control characters", () => {
  expect(shortLine(' a\u001b[31m\n\tb\u202e ')).toBe('a [31m b');
  expect(shortLine('x'.repeat(10_000_000))).toHaveLength(NETWORK_LIMITS.shortLine + 1);
  expect(shortLine('abcdef', 3)).toBe('abc…');
});
