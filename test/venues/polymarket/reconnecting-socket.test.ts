/** The silence limit of a channel's socket. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { SimClock, seededRandom } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { ReconnectingSocket } from '../../../src/venues/polymarket/reconnecting-socket.ts';
import { afterThisTest } from '../../cleanup.ts';

class ListeningSocket extends ReconnectingSocket {
  readonly losses: string[] = [];
  protected override onOpen(): void {}
  protected override onMessage(): void {}
  protected override onLost(problem: string): void {
    this.losses.push(problem);
  }
}

it('a socket whose handshake took ten seconds is not dropped for silence before the limit', async () => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  afterThisTest.add(() => http.close());
  const channel = new WebSocketServer({ noServer: true });
  afterThisTest.add(() => channel.close());
  const clock = new SimClock(epochMs(0));
  const socket = openSocket(http, clock);
  socket.connect();
  const [request, stream, head] = await once(http, 'upgrade');
  while (clock.nextTime() <= 10_000) clock.runNext();
  const accepted = new Promise<WebSocket>((resolve) => channel.handleUpgrade(request, stream, head, resolve));
  await expect.poll(() => socket.isOpen).toBe(true);
  const ping = once(await accepted, 'message');
  while (clock.nextTime() <= 15_000) clock.runNext();
  expect(String((await ping)[0])).toBe('PING');
  expect(socket.losses).toEqual([]);
});

it('a socket that was closed before its first connect opens no connection', async () => {
  const http = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(http, 'listening');
  afterThisTest.add(() => http.close());
  const socket = openSocket(http, new SimClock(epochMs(0)));
  let connections = 0;
  http.on('connection', () => {
    connections += 1;
  });
  socket.close();
  socket.connect();
  await fetch(urlOf(http, 'http'));
  expect(connections).toBe(1);
});

function openSocket(http: Server, clock: SimClock): ListeningSocket {
  const socket = new ListeningSocket({
    ...{ url: urlOf(http, 'ws'), clock, random: seededRandom(1), name: 'channel' },
    ...{ maxFrameBytes: 1_000, pingMs: 5_000, silenceMs: 12_000, retryMs: [1_000, 1_000] },
  });
  afterThisTest.add(() => socket.close());
  return socket;
}

function urlOf(http: Server, protocol: 'http' | 'ws'): string {
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `${protocol}://127.0.0.1:${address.port}`;
}
