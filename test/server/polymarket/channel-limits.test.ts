import { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { Channels } from '../../../src/server/polymarket/channels.ts';

/** A socket that keeps the first line that the server writes. */
class FakeSocket extends Duplex {
  status = '';

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.status ||= String(chunk).split('\r\n')[0] ?? '';
    done();
  }

  setTimeout(): void {}

  setNoDelay(): void {}
}

it.each([
  ['IPv6 addresses of one /64', (at: number) => `2001:db8:0:7::${(at + 1).toString(16)}`, 500],
  ['IPv6 addresses of different /64', (at: number) => `2001:db8:0:${(at + 1).toString(16)}::1`, 501],
  ['one IPv4 address', () => '192.0.2.1', 500],
])(
  'at most 500 connections of one address or /64 network are accepted: 501 connections from %s',
  (_name, addressAt, accepted) => {
    // Upgrades use only these dependencies.
    const deps = { clock: new SimClock(epochMs(0)), prefix: '', trustedProxies: ['127.0.0.1'] };
    const channels = new Channels(deps as unknown as ConstructorParameters<typeof Channels>[0]);
    const sockets = Array.from({ length: 501 }, (_, at) => {
      const socket = new FakeSocket();
      Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' });
      const request = new IncomingMessage(socket as never);
      Object.assign(request, { method: 'GET', url: '/ws/market' });
      Object.assign(request.headers, {
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
        'x-forwarded-for': addressAt(at),
      });
      channels.upgrade(request, socket, Buffer.alloc(0));
      return socket;
    });
    const statuses = sockets.map(({ status }) => status);
    channels.close();
    for (const socket of sockets) socket.destroy();
    expect(statuses.filter((status) => status.includes('101'))).toHaveLength(accepted);
    expect(statuses.filter((status) => status.includes('429'))).toHaveLength(501 - accepted);
  },
);
